"""Paths of a sample of rows that no path of the mapping reads: whole sections lost in silence.

The other direction of `path_coverage`. What counts is text of words: links, addresses, numbers,
dates, flags and identifiers are not facts that a document would show. No value leaves this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from profiles.extraction.json_path import NOT_JSON, Each, Step, decode_json, path_text
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.plan import RowPlan
from profiles.extraction.reader import opened_row
from profiles.standardization.dates import parse_date
from profiles.standardization.text import is_placeholder

MOST_PATHS: Final = 12
"""Paths named of one variant; the rest are counted."""

_DEEPEST: Final = 12
_NUMBERED: Final = re.compile(r"\d{1,2}\Z")
_ANY_NUMBER: Final = "#"
_WORD: Final = re.compile(r"[^\W\d_]{3}")
_IDENTIFIER: Final = re.compile(r"\A[^\s\d_@:/.]*[\d_@:/.]\S*\Z")
_LONGEST_DATE: Final = 32


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


@dataclass(slots=True)
class _Seen:
    rows: int = 0
    found: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)


def unread_paths(mapping: SourceMapping, rows: Iterable[Mapping[str, object]]) -> list[UnreadPath]:
    """What no path of the mapping reads, by variant, the most frequent first."""
    trees = {name: _tree(mapping, plan) for name, plan in mapping.plans.items()}
    seen: dict[str | None, _Seen] = {}
    for row in rows:
        opened = opened_row(mapping, row)
        if opened is None:
            continue
        variant, root = opened
        counts = seen.setdefault(variant, _Seen())
        counts.rows += 1
        here: dict[str, str] = {}
        for column, value in root.items():
            for unread, leaf in _unread(trees[variant], value, (column,)):
                here.setdefault(path_text(unread), path_text(leaf))
        counts.found.update(here.keys())
        counts.examples = here | counts.examples
    return [
        UnreadPath(variant or "", path, counts.examples[path], number / counts.rows)
        for variant, counts in seen.items()
        for path, number in sorted(counts.found.items(), key=lambda item: (-item[1], item[0]))
    ]


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
    for name in (mapping.key, mapping.updated_at, mapping.discriminator):
        if name:
            _mark(top, (name,))
    for steps in (
        *plan.ignored,
        *(steps for paths in plan.fields.values() for steps in paths.steps),
    ):
        _mark(top, steps)
    for item in plan.items():
        members = [steps for paths in item.fields.values() for steps in paths.steps]
        if item.path is None:
            start: tuple[Step, ...] = ()
        elif item.reader is not None and len(item.path) > 1:
            # A reader takes what it knows of an element; it is not told here what that is.
            _mark(top, item.path)
            continue
        else:
            start = item.path if item.reader is not None else (*item.path, Each())
            members = members or [()]
        for steps in members:
            _mark(top, (*start, *steps))
    return top


def _mark(node: _Node, steps: Iterable[Step]) -> None:
    for step in steps:
        node = node.below.setdefault(Each() if isinstance(step, int) else step, _Node())
    node.is_read = True


def _unread(
    node: _Node, value: object, at: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], tuple[Step, ...]]]:
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
            below = inner.below.get(Each(), inner) if Each() in inner.below else inner
            for name, member in value.items():
                yield from _unread(below, member, (*at, name))
        elif isinstance(value, list):
            for element in value:
                yield from _unread(inner, element, (*at, Each()))


def _leaves(value: object, at: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
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
