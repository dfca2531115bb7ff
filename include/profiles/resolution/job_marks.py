"""What a row says of its jobs at one employer, small enough to be kept beside a blocking key.

Namesakes meet at large employers: pairs of rows with one name and one employer grow with the square
of the people, and nearly all of them contradict each other there. With a mark beside the key the
join itself (`find_pairs.sql`) leaves those out, before anybody reads their facts. A mark describes
no more than the key's own employer, so a pair depends on its two rows alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from profiles.resolution.blocking import KeyKind
from profiles.resolution.features import RowIdentity, Spell

_BITS = 63
"""Those of a signed bigint without its sign."""


class JobMark(NamedTuple):
    """The jobs of one row at one employer: a bit for each word of their titles, and the first and
    the last of their starts that have a month."""

    title_words: int
    first_start: int | None
    last_start: int | None


class MarkedKey(NamedTuple):
    """An identity key as the database keeps it; the mark is empty for all kinds but one."""

    kind: str
    value: str
    title_words: int | None = None
    first_start: int | None = None
    last_start: int | None = None


def marked_keys(found: RowIdentity) -> Iterator[MarkedKey]:
    """All identity keys of a row, those of its name and employers with what it says of the jobs."""
    marks: dict[str, JobMark] = {}
    for spell in found.features.spells:
        mark = _mark(spell)
        known = marks.get(spell.employer)
        marks[spell.employer] = mark if known is None else _both(known, mark)
    for kind, value in found.keys:
        mark_or_none = None
        if kind == KeyKind.NAME_EMPLOYER:
            mark_or_none = marks.get(value.rpartition("|")[2])
        yield MarkedKey(kind, value, *(mark_or_none or ()))


def _mark(spell: Spell) -> JobMark:
    start = spell.start if spell.precise else None
    return JobMark(title_words(spell.title), start, start)


def _both(a: JobMark, b: JobMark) -> JobMark:
    starts = [
        start for mark in (a, b) for start in (mark.first_start, mark.last_start)
        if start is not None
    ]  # fmt: skip
    return JobMark(
        a.title_words | b.title_words, min(starts, default=None), max(starts, default=None)
    )


@lru_cache(maxsize=65_536)
def title_words(title: str) -> int:
    """The words of a folded title as bits: of two titles that hold the same words and more, one's
    bits are among the other's."""
    bits = 0
    for word in title.split():
        bits |= 1 << zlib.crc32(word.encode()) % _BITS
    return bits
