"""Which paths of a mapping lead to nothing in a sample of rows: a typo raises no error elsewhere.

A path counts as never found when the object that should hold its last member is there, in no row
with that member, and no other path of its field finds anything. So a vendor that leaves out what
it does not know, and a second path for older exports, are no faults.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from profiles.extraction.items import elements
from profiles.extraction.json_path import Step, decode_json, path_text, values
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.paths import Paths
from profiles.extraction.plan import ItemPlan, RowPlan
from profiles.extraction.reader import opened_row

FEWEST_ROWS = 20
"""Rows of a variant below which a missing member says nothing."""

_NAMES = ("full_name", "given_name")


@dataclass(frozen=True, slots=True)
class UnseenPath:
    """A path that no sampled row has. `is_needed`: without it no row of the variant has a name."""

    variant: str
    path: str
    nearest: str | None
    rows: int
    is_needed: bool

    def __str__(self) -> str:
        near = f", nearest is {self.nearest}" if self.nearest else ""
        return f"{self.variant or 'every row'}: {self.path} in none of {self.rows} rows{near}"


@dataclass(slots=True)
class _Seen:
    rows: int = 0
    found: Counter[tuple[str, tuple[Step, ...]]] = field(default_factory=Counter)
    members: dict[tuple[str, tuple[Step, ...]], set[str]] = field(default_factory=dict)


def unseen_paths(mapping: SourceMapping, rows: Iterable[Mapping[str, object]]) -> list[UnseenPath]:
    """The paths of each sampled variant that lead to nothing, in the order of the mapping."""
    seen: dict[str | None, _Seen] = {}
    for row in rows:
        opened = opened_row(mapping, row)
        if opened is None:
            continue
        variant, root = opened
        counts = seen.setdefault(variant, _Seen())
        counts.rows += 1
        for place, paths, node in _places(mapping.plans[variant], root):
            _look(counts, place, paths, node)
    return [
        path
        for variant, counts in seen.items()
        if counts.rows >= FEWEST_ROWS
        for path in _unseen(variant or "", mapping.plans[variant], counts)
    ]


def _places(
    plan: RowPlan, root: Mapping[str, object]
) -> Iterator[tuple[str, Paths, Mapping[str, object]]]:
    for name, paths in plan.fields.items():
        yield name, paths, root
    for place, item in _lists(plan):
        for element in elements(item, root):
            for name, paths in item.fields.items():
                yield f"{place}.{name}", paths, element


def _lists(plan: RowPlan) -> Iterator[tuple[str, ItemPlan]]:
    """Each list of jobs, studies or entries, by its kind and number."""
    numbers: Counter[str] = Counter()
    for item in plan.items():
        yield f"{item.kind}[{numbers[item.kind]}]", item
        numbers[item.kind] += 1


def _look(seen: _Seen, place: str, paths: Paths, node: Mapping[str, object]) -> None:
    for steps in paths.steps:
        holder, member = _split(steps)
        for value in values(holder, node) if holder else [node]:
            found = decode_json(value) if isinstance(value, str) else value
            for each in found if isinstance(found, list) else [found]:
                if isinstance(each, dict):
                    seen.members.setdefault((place, steps), set()).update(each)
                    seen.found[place, steps] += member in each


def _unseen(variant: str, plan: RowPlan, seen: _Seen) -> Iterator[UnseenPath]:
    names = [name for name in _NAMES if name in plan.fields]
    nameless = not any(_is_found(seen, name, plan.fields[name]) for name in names)
    fields = dict(plan.fields)
    for place, item in _lists(plan):
        fields |= {f"{place}.{name}": paths for name, paths in item.fields.items()}
    mapped = {
        (place.rpartition(".")[0], *_split(steps))
        for place, paths in fields.items()
        for steps in paths.steps
    }
    for place, paths in fields.items():
        if _is_found(seen, place, paths):
            continue
        scope = place.rpartition(".")[0]
        for steps in paths.steps:
            members = seen.members.get((place, steps))
            if not members:
                continue
            holder, member = _split(steps)
            # A member that another path reads is no misspelt one of this path.
            free = sorted(name for name in members if (scope, holder, name) not in mapped)
            close = difflib.get_close_matches(member, free, n=1, cutoff=0.7)
            yield UnseenPath(
                variant=variant,
                path=f"{place} ({path_text(steps)})",
                nearest=close[0] if close else None,
                rows=seen.rows,
                is_needed=nameless and place in names,
            )


def _is_found(seen: _Seen, place: str, paths: Paths) -> bool:
    return any(seen.found[place, steps] for steps in paths.steps)


def _split(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], str]:
    """The steps to the object, and the member of it that the path names last."""
    at = max(n for n, step in enumerate(steps) if isinstance(step, str))
    member = steps[at]
    return steps[:at], member if isinstance(member, str) else ""
