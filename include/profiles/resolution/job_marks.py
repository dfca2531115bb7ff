"""Marks of a row's jobs at one employer, small enough to be stored with a blocking key.

Namesakes meet at large employers: pairs of rows with one name and one employer grow with the square
of the people, and nearly all of them contradict each other there. With a mark beside the key the
join itself (`find_pairs`) leaves those out, before anybody reads their facts. A mark describes
no more than the key's own employer, so a pair depends on its two rows alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from profiles.resolution.blocking import KeyKind
from profiles.resolution.employers import Spell, heads
from profiles.resolution.features import RowIdentity

_BITS = 63
"""Those of a signed bigint without its sign."""
_YEAR = 12
_MARKED = KeyKind.NAME_EMPLOYER.value


class JobMark(NamedTuple):
    """The jobs of one row at one employer: a bit for each word of their titles, and the first and
    the last month in which they can have begun, None where a job has no date.

    A year alone may be one off.
    """

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
    wanted = {value.rpartition("|")[2] for kind, value in found.keys if kind == _MARKED}
    marks: dict[str, JobMark] = {}
    for spell in found.features.spells if wanted else ():
        for head in wanted.intersection(heads(spell.employer)):
            mark = _mark(spell)
            known = marks.get(head)
            marks[head] = mark if known is None else _both(known, mark)
    for kind, value in found.keys:
        mark_or_none = marks.get(value.rpartition("|")[2]) if kind == _MARKED else None
        yield MarkedKey(kind, value, *(mark_or_none or ()))


def _mark(spell: Spell) -> JobMark:
    words, start = title_words(spell.title), spell.start
    if start is None or spell.precise:
        return JobMark(words, start, start)
    return JobMark(words, start - _YEAR, start + 2 * _YEAR - 1)


def _both(a: JobMark, b: JobMark) -> JobMark:
    words = a.title_words | b.title_words
    if a.first_start is None or b.first_start is None:
        return JobMark(words, None, None)
    starts = (a.first_start, a.last_start, b.first_start, b.last_start)
    return JobMark(words, min(filter(None, starts)), max(filter(None, starts)))


@lru_cache(maxsize=65_536)
def title_words(title: str) -> int:
    """The words of a folded title as bits: of two titles that hold the same words and more, one's
    bits are among the other's."""
    bits = 0
    for word in title.split():
        bits |= 1 << zlib.crc32(word.encode()) % _BITS
    return bits
