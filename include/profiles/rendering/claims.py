"""Claims of records about jobs, and their grouping by employer.

A claim is one `Position` of one record. Employers are known by name, LinkedIn id or domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from profiles.models import Position, SourceRecord
from profiles.rendering.sentences import Line

_MIN_BRAND: Final = 5
"""Letters that a shortened employer name must have ("Veltrix" for "Veltrix Software")."""


@dataclass(slots=True, eq=False)
class Claim:
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
    first: dict[str, int] = {}
    parent = list(range(len(claims)))
    for index, claim in enumerate(claims):
        for key in _employer_keys(claim):
            if parent[other := first.setdefault(key, index)] != parent[index]:
                unite(parent, other, index)
    names = sorted(key for key in first if key.startswith("n:"))
    for short, following in pairwise(names):
        if len(short) - 2 >= _MIN_BRAND and following.startswith(short):
            unite(parent, first[short], first[following])
    groups: dict[int, list[int]] = {}
    for index in range(len(claims)):
        groups.setdefault(root(parent, index), []).append(index)
    return list(groups.values())


def root(parent: Sequence[int], index: int) -> int:
    """The first member of the set that an index belongs to."""
    while parent[index] != index:
        index = parent[index]
    return index


def unite(parent: list[int], one: int, other: int) -> None:
    """Makes one set of two, under its first member."""
    one, other = root(parent, one), root(parent, other)
    parent[max(one, other)] = min(one, other)


def _employer_keys(claim: Claim) -> list[str]:
    position = claim.position
    known = (claim.employer, position.company_linkedin_id, position.company_domain)
    keys = [f"{kind}:{name}" for kind, name in zip("nld", known, strict=True) if name]
    return keys or ["unknown"]
