"""Which key values are generic: shared by too many people or rows to point at one person.

A recruiter's phone, a company switchboard or a family mailbox links nobody while it is generic.
The verdict depends only on the rows that hold the key now, so it is the same in whatever order
they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from profiles.resolution.blocking import KeyKind
from profiles.resolution.names import NameVerdict, compare_names

MAX_NAMES = 2
"""A strong key seen with more names than this that do not agree with each other is generic."""
MAX_STRONG_ROWS = 60
MAX_BLOCK_ROWS: Mapping[str, int] = {
    KeyKind.NAME.value: 5, KeyKind.NAME_EMPLOYER.value: 80, KeyKind.CAREER.value: 8,
}  # fmt: skip
"""A larger block is dropped: its pairs would grow with the square of the namesakes."""


def generic_reason(*, kind: str, rows: int, names: Iterable[str]) -> str | None:
    """ "names", "rows", or None for a key that may link its rows."""
    if kind in MAX_BLOCK_ROWS:
        return "rows" if rows > MAX_BLOCK_ROWS[kind] else None
    if count_people(names) > MAX_NAMES:
        return "names"
    return "rows" if rows > MAX_STRONG_ROWS else None


def count_people(names: Iterable[str]) -> int:
    """How many names stay when spellings of one name count once. Stops counting above the limit.

    Names in scripts that cannot be compared count as the same person.
    """
    distinct: list[str] = []
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        if all(compare_names(name, other).verdict in _TWO_PEOPLE for other in distinct):
            distinct.append(name)
            if len(distinct) > MAX_NAMES:
                break
    return len(distinct)


_TWO_PEOPLE = frozenset({NameVerdict.DISAGREE, NameVerdict.FAMILY})
