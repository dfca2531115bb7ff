"""Claims of records about jobs, and their grouping by employer.

A claim is one `Position` of one record. Employers are known by name, LinkedIn id or domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final

from msgspec import Struct

from profiles.models import Position, SourceRecord
from profiles.rendering.sentences import Line

_MIN_BRAND: Final = 5
"""Letters that a shortened employer name must have ("Veltrix" for "Veltrix Software")."""
_KNOWN_BY: Final = attrgetter("position.company_domain", "position.company_linkedin_id", "employer")
"""What tells employers; the name comes last."""


class Claim(Struct, frozen=True, eq=False, gc=False):
    """One position as one record states it. `rank` is the record's, 0 for the newest."""

    position: Position
    record: SourceRecord
    rank: int
    employer: str | None
    lines: tuple[Line, ...]
    keys: frozenset[str]


Spell = list[Claim]


def by_employer(claims: Sequence[Claim]) -> list[list[int]]:
    """Indexes of the claims of each employer, known by name, LinkedIn id or domain.

    A name that only begins another one is the same employer too. Claims without any employer
    form one group, because a title and dates can still agree.
    """
    employers = Partition(len(claims))
    first: dict[str, int] = {}
    known = [(not any(names), *names) for names in map(_KNOWN_BY, claims)]
    for column in zip(*known, strict=True):
        first = {}
        for index, name in enumerate(column):
            if name and (other := first.setdefault(name, index)) != index:
                employers.join(other, index)
    short = ""
    for name in sorted(first):
        short = short if len(short) >= _MIN_BRAND and name.startswith(short) else name
        employers.join(first[short], first[name])
    if not "".join(first).isascii():
        for one, other in _told_in_two_scripts(claims):
            employers.join(one, other)
    return employers.sets()


def _told_in_two_scripts(claims: Sequence[Claim]) -> Iterator[tuple[int, int]]:
    """Claims of two records with the same months, at employers of which one is not in ASCII."""
    first: dict[tuple[object, ...], int] = {}
    for index, claim in enumerate(claims):
        job, employer = claim.position, claim.employer
        if employer and job.start and job.start.month and (job.end or job.is_current):
            period = (job.start, job.end, job.is_current)
            other = first.setdefault((*period, not employer.isascii()), index)
            translated = first.get((*period, employer.isascii()))
            if translated is not None and claims[translated].rank != claim.rank and other == index:
                yield translated, index


class Partition:
    """Numbers from 0 on in sets that are joined; `set_of` has the set of each."""

    def __init__(self, size: int) -> None:
        self.set_of = [[number] for number in range(size)]

    def join(self, one: int, other: int) -> None:
        """Makes one set of the sets of two numbers."""
        kept, gone = self.set_of[one], self.set_of[other]
        if kept is not gone:
            kept += gone
            for number in gone:
                self.set_of[number] = kept

    def sets(self) -> list[list[int]]:
        """The sets by their first members, each in order."""
        return [sorted(each) for each in {id(each): each for each in self.set_of}.values()]
