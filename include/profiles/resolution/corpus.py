"""What the team's own rows say of a value: which keys link nobody, and how frequent a word is.

A weight may follow a frequency only in steps, or every new row would change every pair: a word's
frequency is the whole part of log2 of its rows. When it takes a step, the rows that hold the word
are compared again, so that nights give what a run over everything gives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from profiles.resolution.blocking import IdentityKey

LEAST_ROWS = 4
"""Terms that fewer rows hold are rare and not kept."""
_RARE = 1
LEAST_SIZE = 8
"""As log2: a handful of rows does not show what is frequent among people."""


class Corpus(msgspec.Struct, frozen=True):
    """The rows as log2 of their number, the frequent terms likewise, and the quarantined keys."""

    rows: int = 0
    frequent: Mapping[str, int] = {}
    generic: Collection[IdentityKey] = ()

    def bits(self, term: str) -> float:
        """How much two rows say by holding the term: minus log2 of the share of rows with it."""
        return self.size - self.frequent.get(term, _RARE)

    @property
    def size(self) -> int:
        """The rows as log2 of their number: the bits of what one row holds by chance."""
        return max(self.rows, LEAST_SIZE)

    def is_rare(self, term: str) -> bool:
        """Whether hardly a row holds the term, as is so of what was mistyped."""
        return term not in self.frequent
