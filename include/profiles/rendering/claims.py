"""What records claim about jobs, and which claims are of one employer.

A claim is one `Position` of one record. Employers are known by name, LinkedIn id or domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    parent: dict[str, str] = {}
    members: dict[str, list[int]] = {}
    known: dict[tuple[str | None, ...], list[int]] = {}
    for index, claim in enumerate(claims):
        position = claim.position
        stated = (claim.employer, position.company_linkedin_id, position.company_domain)
        indexes = known.get(stated)
        if indexes is None:
            keys = _employer_keys(claim)
            first = keys[0]
            for key in keys:
                parent.setdefault(key, key)
                if key is not first:
                    _unite(parent, first, key)
            indexes = known[stated] = members.setdefault(first, [])
        indexes.append(index)
    names = sorted([key for key in members if key[:2] == "n:"])
    for short, following in pairwise(names):
        if len(short) - 2 >= _MIN_BRAND and following.startswith(short):
            _unite(parent, short, following)
    groups: dict[str, list[int]] = {}
    for key, indexes in members.items():
        groups.setdefault(_find(parent, key), []).extend(indexes)
    return [sorted(indexes) for indexes in groups.values()]


def _find(parent: Mapping[str, str], key: str) -> str:
    while (above := parent[key]) != key:
        key = above
    return key


def _unite(parent: dict[str, str], first: str, second: str) -> None:
    one, other = _find(parent, first), _find(parent, second)
    if one < other:
        parent[other] = one
    else:
        parent[one] = other


def _employer_keys(claim: Claim) -> list[str]:
    position = claim.position
    keys = []
    if claim.employer:
        keys.append(f"n:{claim.employer}")
    if position.company_linkedin_id:
        keys.append(f"l:{position.company_linkedin_id}")
    if position.company_domain:
        keys.append(f"d:{position.company_domain}")
    return keys or ["unknown"]
