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
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import Final

from profiles.extraction.items import elements
from profiles.extraction.json_path import Each, Step, decode_json, path_text, values
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.plan import Root, RowPlan
from profiles.extraction.reader import opened_row
from profiles.standardization.dates import parse_date
from profiles.standardization.text import is_placeholder

FEWEST_ROWS = 20
"""Rows of a variant below which a missing member says nothing."""

_NAMES: Final = frozenset((("", "full_name"), ("", "given_name")))
_Steps = tuple[Step, ...]
MOST_PATHS: Final = 12
"""Paths named of one variant; the rest are counted."""

_DEEPEST: Final = 12
_NUMBER: Final = re.compile(r"\d{1,2}\Z")
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


def _unseen(variant: str, plan: RowPlan, roots: list[Root]) -> Iterator[UnseenPath]:
    fields = list(_fields(plan, roots))
    found = {
        (place, name)
        for place, name, paths in fields
        if any(_named(steps)[-1] in members for steps, members in paths.items())
    }
    mapped = {(place, *_named(steps)) for place, _, paths in fields for steps in paths}
    for place, name, paths in fields:
        for steps, members in paths.items() if (place, name) not in found else ():
            if not members:
                continue
            *above, member = _named(steps)
            # A member that another path reads is no misspelt one of this path.
            free = [other for other in members if (place, *above, other) not in mapped]
            close = difflib.get_close_matches(str(member), sorted(free), n=1, cutoff=0.7)
            yield UnseenPath(
                variant=variant,
                path=f"{place}{name} ({path_text(steps)})",
                nearest=close[0] if close else None,
                rows=len(roots),
                is_needed=(place, name) in _NAMES and found.isdisjoint(_NAMES),
            )


def _fields(plan: RowPlan, roots: list[Root]) -> Iterator[tuple[str, str, dict[_Steps, set[str]]]]:
    """The list, "" for the row, and the name of each field; by path the members of the objects that
    should hold what the path names last."""
    lists = [("", plan.fields, roots)]
    numbers: Counter[str] = Counter()
    for item in plan.items:
        nodes = [element for root in roots for element in elements(item, root)]
        lists.append((f"{item.kind}[{numbers[item.kind]}].", item.fields, nodes))
        numbers[item.kind] += 1
    for place, fields, nodes in lists:
        for name, paths in fields.items():
            yield place, name, {steps: _members(_named(steps)[:-1], nodes) for steps in paths.steps}


def _named(steps: _Steps) -> _Steps:
    """A path up to the member that it names last."""
    return steps[: max(n for n, step in enumerate(steps) if isinstance(step, str)) + 1]


def _members(steps: _Steps, nodes: Iterable[Root]) -> set[str]:
    found = (_opened(value) for node in nodes for value in values(steps, node))
    each = chain.from_iterable(value if isinstance(value, list) else [value] for value in found)
    return {name for value in each if isinstance(value, dict) for name in value}


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
    variants = groupby(unread, key=attrgetter("variant"))
    chosen = (path for _, paths in variants for path in islice(paths, MOST_PATHS))
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
        step = _numbered(step)
        at = (*at[:-1], step)
    inner = node.below.get(step)
    if inner is None:
        leaf = next(_leaves(value, at), None)
        if leaf is not None:
            yield at, leaf
    elif not inner.is_read and len(at) < _DEEPEST:
        for name, member in _inside(_opened(value)):
            if isinstance(name, str) and inner.below.keys().isdisjoint((name, _numbered(name))):
                # A lone object may stand for a list of one.
                yield from _below(inner.below.get(Each(), inner), member, (*at, name))
            else:
                yield from _below(inner, member, (*at, name))


def _numbered(name: str) -> str:
    """The name of one of several columns or members, as that of any: `experience#`."""
    return _NUMBER.sub("#", name)


def _leaves(value: object, at: _Steps) -> Iterator[_Steps]:
    value = _opened(value)
    if len(at) > _DEEPEST:
        return
    if isinstance(value, str) and _is_words(value):
        yield at
    for step, member in _inside(value):
        yield from _leaves(member, (*at, step))


def _inside(value: object) -> Iterator[tuple[Step, object]]:
    """The members of an object, the elements of a list."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from ((Each(), element) for element in value)


def _opened(value: object) -> object:
    return decode_json(value.decode("utf-8", "replace") if isinstance(value, bytes) else value)


def _is_words(text: str) -> bool:
    text = text.strip()
    if _WORD.search(text) is None or _IDENTIFIER.match(text) or is_placeholder(text):
        return False
    return len(text) > _LONGEST_DATE or parse_date(text) is None
