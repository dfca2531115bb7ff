"""Coverage of a sample of rows by a mapping: paths that match nothing, and data no path reads.

A typo in a mapping raises no error elsewhere. A path counts as never found when the object that
should hold its last member is there, in no row with that member, and no other path of its field
finds anything. So a vendor that leaves out what it does not know, and a second path for older
exports, are no faults.

The other direction finds whole sections that are lost in silence. What counts there is text of
words: links, addresses, numbers, dates, flags and identifiers are not facts that a document would
show. No value leaves this module.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from profiles.extraction.items import elements
from profiles.extraction.json_path import NOT_JSON, Each, Step, decode_json, path_text, values
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.plan import ItemPlan, Paths, Root, RowPlan
from profiles.extraction.reader import opened_row
from profiles.standardization.dates import parse_date
from profiles.standardization.text import is_placeholder

FEWEST_ROWS = 20
"""Rows of a variant below which a missing member says nothing."""

_NAMES: Final = frozenset(("full_name", "given_name"))
_Steps = tuple[Step, ...]
MOST_PATHS: Final = 12
"""Paths named of one variant; the rest are counted."""

_DEEPEST: Final = 12
_NUMBERED: Final = re.compile(r"\d{1,2}\Z")
_ANY_NUMBER: Final = "#"
_WORD: Final = re.compile(r"[^\W\d_]{3}")
_IDENTIFIER: Final = re.compile(r"\A[^\s\d_@:/.]*[\d_@:/.]\S*\Z")
_LONGEST_DATE: Final = 32


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


def unseen_paths(mapping: SourceMapping, rows: Iterable[Root]) -> list[UnseenPath]:
    """The paths of each sampled variant that lead to nothing, in the order of the mapping."""
    return [
        path
        for variant, roots in _by_variant(mapping, rows).items()
        if len(roots) >= FEWEST_ROWS
        for path in _unseen(variant or "", mapping.plans[variant], roots)
    ]


def _by_variant(mapping: SourceMapping, rows: Iterable[Root]) -> dict[str | None, list[Root]]:
    opened: dict[str | None, list[Root]] = {}
    for variant, root in filter(None, (opened_row(mapping, row) for row in rows)):
        opened.setdefault(variant, []).append(root)
    return opened


def _places(plan: RowPlan, root: Root) -> Iterator[tuple[str, Paths, Root]]:
    for name, paths in plan.fields.items():
        yield name, paths, root
    for place, item in _lists(plan):
        for element in elements(item, root):
            for name, paths in item.fields.items():
                yield f"{place}.{name}", paths, element


def _lists(plan: RowPlan) -> Iterator[tuple[str, ItemPlan]]:
    """Each list of jobs, studies or entries, by its kind and number."""
    numbers: Counter[str] = Counter()
    for item in plan.items:
        yield f"{item.kind}[{numbers[item.kind]}]", item
        numbers[item.kind] += 1


def _unseen(variant: str, plan: RowPlan, roots: list[Root]) -> Iterator[UnseenPath]:
    members: dict[tuple[str, _Steps], set[str]] = {}
    for place, paths, node in (found for root in roots for found in _places(plan, root)):
        for steps in paths.steps:
            for holder in _objects(values(steps[:at], node) if (at := _last(steps)) else [node]):
                members.setdefault((place, steps), set()).update(holder)
    fields = dict(plan.fields)
    for kind, item in _lists(plan):
        fields |= {f"{kind}.{name}": paths for name, paths in item.fields.items()}
    found = {
        place
        for place, paths in fields.items()
        if any(steps[_last(steps)] in members.get((place, steps), ()) for steps in paths.steps)
    }
    mapped = {
        (place.rpartition(".")[0], *steps[: _last(steps) + 1])
        for place, paths in fields.items()
        for steps in paths.steps
    }
    for place, paths in fields.items():
        if place in found:
            continue
        for steps in paths.steps:
            known = members.get((place, steps))
            if not known:
                continue
            *above, member = steps[: _last(steps) + 1]
            # A member that another path reads is no misspelt one of this path.
            free = [
                name for name in known if (place.rpartition(".")[0], *above, name) not in mapped
            ]
            close = difflib.get_close_matches(str(member), sorted(free), n=1, cutoff=0.7)
            yield UnseenPath(
                variant=variant,
                path=f"{place} ({path_text(steps)})",
                nearest=close[0] if close else None,
                rows=len(roots),
                is_needed=place in _NAMES and found.isdisjoint(_NAMES),
            )


def _objects(found: Iterable[object]) -> Iterator[Root]:
    for value in found:
        decoded = decode_json(value) if isinstance(value, str) else value
        for each in decoded if isinstance(decoded, list) else [decoded]:
            if isinstance(each, dict):
                yield each


def _last(steps: _Steps) -> int:
    """The place of the member that a path names last."""
    return max(n for n, step in enumerate(steps) if isinstance(step, str))


@dataclass(frozen=True, slots=True)
class UnreadPath:
    """A path that nobody reads, one full path below it, and the share of rows that have it."""

    variant: str
    path: str
    example: str
    share: float

    def __str__(self) -> str:
        below = f", such as {self.example}" if self.example != self.path else ""
        where = f"{self.variant}: " if self.variant else ""
        return f"{where}{self.path} ({self.share:.0%} of rows{below})"


@dataclass(slots=True)
class _Node:
    """A place that some path goes through; `is_read` where one ends, with all that is below."""

    below: dict[Step, _Node] = field(default_factory=dict)
    is_read: bool = False


def unread_paths(mapping: SourceMapping, rows: Iterable[Root]) -> list[UnreadPath]:
    """Data that no path of the mapping reads, by variant, the most frequent first."""
    unread = []
    for variant, roots in _by_variant(mapping, rows).items():
        tree = _tree(mapping, mapping.plans[variant])
        found: Counter[str] = Counter()
        examples: dict[str, str] = {}
        for root in roots:
            here: dict[str, str] = {}
            for column, value in root.items():
                for path, leaf in _below(tree, value, (column,)):
                    here.setdefault(path_text(path), path_text(leaf))
            found.update(here.keys())
            examples = here | examples
        for name, number in sorted(found.items(), key=lambda item: (-item[1], item[0])):
            unread.append(UnreadPath(variant or "", name, examples[name], number / len(roots)))
    return unread


def most_frequent(unread: list[UnreadPath]) -> list[UnreadPath]:
    """The first `MOST_PATHS` of each variant, all variants together by their share."""
    kept: Counter[str] = Counter()
    chosen = []
    for path in unread:
        kept[path.variant] += 1
        if kept[path.variant] <= MOST_PATHS:
            chosen.append(path)
    return sorted(chosen, key=lambda path: (-path.share, path.variant, path.path))


def _tree(mapping: SourceMapping, plan: RowPlan) -> _Node:
    top = _Node()
    columns = filter(None, (mapping.key, mapping.updated_at, mapping.discriminator))
    fields = (steps for paths in plan.fields.values() for steps in paths.steps)
    for steps in (*((name,) for name in columns), *plan.ignored, *fields):
        _mark(top, steps)
    for item in plan.items:
        members = [steps for paths in item.fields.values() for steps in paths.steps]
        if item.path is None:
            start: _Steps = ()
        elif item.reader is not None and len(item.path) > 1:
            # A reader takes what it knows of an element; it is not told here what that is.
            _mark(top, item.path)
            continue
        else:
            start = (*item.path, Each())
            members = members or [()]
        for steps in members:
            _mark(top, (*start, *steps))
    return top


def _mark(node: _Node, steps: Iterable[Step]) -> None:
    for step in steps:
        node = node.below.setdefault(Each() if isinstance(step, int) else step, _Node())
    node.is_read = True


def _below(node: _Node, value: object, at: _Steps) -> Iterator[tuple[_Steps, _Steps]]:
    """(the shortest path that nobody reads, the path of a text below it)."""
    step = at[-1]
    if isinstance(step, str) and step not in node.below:
        step = _NUMBERED.sub(_ANY_NUMBER, step)
        at = (*at[:-1], step)
    inner = node.below.get(step)
    if inner is None:
        leaf = next(_leaves(value, at), None)
        if leaf is not None:
            yield at, leaf
    elif not inner.is_read and len(at) < _DEEPEST:
        value = _opened(value)
        if isinstance(value, dict):
            # A lone object may stand for a list of one.
            element = inner.below.get(Each(), inner)
            for name, member in value.items():
                known = {name, _NUMBERED.sub(_ANY_NUMBER, name)} & inner.below.keys()
                yield from _below(inner if known else element, member, (*at, name))
        elif isinstance(value, list):
            for element in value:
                yield from _below(inner, element, (*at, Each()))


def _leaves(value: object, at: _Steps) -> Iterator[_Steps]:
    value = _opened(value)
    if len(at) > _DEEPEST:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, (*at, name))
    elif isinstance(value, list):
        for element in value:
            yield from _leaves(element, (*at, Each()))
    elif isinstance(value, str) and _is_words(value):
        yield at


def _opened(value: object) -> object:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        decoded = decode_json(value)
        return value if decoded is NOT_JSON else decoded
    return value


def _is_words(text: str) -> bool:
    text = text.strip()
    if _WORD.search(text) is None or _IDENTIFIER.match(text) or is_placeholder(text):
        return False
    return len(text) > _LONGEST_DATE or parse_date(text) is None
