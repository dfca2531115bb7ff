"""Quarantine of generic key values: shared by too many people or rows to identify one person.

A recruiter's phone, a company switchboard or a family mailbox links nobody while it is generic.
The verdict depends only on the rows that hold the key now, so it is the same in whatever order
they came.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from profiles.resolution.blocking import IdentityKey, KeyKind
from profiles.resolution.names import NameVerdict, compare_names

MAX_NAMES = 2
"""A strong key seen with more names than this that do not agree with each other is generic."""
MAX_STRONG_ROWS = 60
MAX_BLOCK_ROWS: Mapping[str, int] = {
    KeyKind.NAME.value: 5, KeyKind.NAME_EMPLOYER.value: 30, KeyKind.INITIAL.value: 30,
    KeyKind.CAREER.value: 8,
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
    """Number of names, spellings of one name counted once. Stops counting above the limit.

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

LEAST_ROWS = 4
"""Terms that fewer rows hold are rare and not kept."""
_RARE = 1
_MOST_BITS = 10.0
"""Of one employer."""
LEAST_SIZE = 10
"""As log2: a handful of rows does not show what is frequent among people."""
_WEIGHED_SIZE = 14
"""As log2, the rows that the weights were learned on."""


class Corpus(msgspec.Struct, frozen=True):
    """The rows as log2 of their number, the frequent terms likewise, and the quarantined keys."""

    rows: int = 0
    frequent: Mapping[str, int] = {}
    generic: Collection[IdentityKey] = ()

    def employer_bits(self, employers: Iterable[str]) -> float:
        """Information in two rows sharing the employers: minus log2 of the shares of rows with
        them."""
        most, found = self.size, self.frequent.get
        return sum([min(most - found("@" + name, _RARE), _MOST_BITS) for name in employers])

    def name_bits(self, pairs: Collection[tuple[str, str]]) -> float:
        """The same of pairs of words that are one name, less those of what one row holds by chance.

        A form of a name that nobody else has is as frequent as the name.
        """
        found = self.frequent.get
        rows = [max(found(word, _RARE), found(other, _RARE)) for word, other in pairs]
        return self.size * (len(rows) - 1) - sum(rows)

    @property
    def doublings(self) -> int:
        """How often the rows doubled beyond those of the weights: each time, two rows that agree by
        chance are twice as many for each row."""
        return max(0, self.rows - _WEIGHED_SIZE)

    @property
    def size(self) -> int:
        """The rows as log2 of their number: the bits of what one row holds by chance."""
        return max(self.rows, LEAST_SIZE)
