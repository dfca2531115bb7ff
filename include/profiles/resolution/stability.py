"""Which candidate id each person keeps, so that an id means the same person for ever.

A previous id goes to the cluster that holds most of its rows (a tie: the cluster with the smaller
row). A cluster that several ids go to keeps the oldest; the others were merged into it. A cluster
that no id goes to is a new person. Ids are given out in order, so the smaller id is the older.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from profiles.resolution.clustering import Cluster, Ref


class Merge(msgspec.Struct, frozen=True):
    """`loser` now answers under `winner`."""

    winner: int
    loser: int


class Move(msgspec.Struct, frozen=True):
    """`rows` rows of `previous` left it for the cluster at `cluster`.

    `previous` stays with other rows: a split when the cluster is a new person.
    """

    previous: int
    cluster: int
    rows: int


class Assignment(msgspec.Struct, frozen=True):
    """`ids[n]` is the id of cluster n, None for a new person."""

    ids: tuple[int | None, ...]
    merges: tuple[Merge, ...]
    moves: tuple[Move, ...]


def assign(clusters: Sequence[Cluster], previous: Mapping[Ref, int]) -> Assignment:
    """The ids of `clusters`, given the id each known row had.

    All rows that held one id must be among the clusters, else its majority is unknown.
    """
    holders = _holders(clusters, previous)
    home = {
        candidate_id: min(counts, key=lambda n: (-counts[n], clusters[n].refs[0]))
        for candidate_id, counts in holders.items()
    }
    claims: dict[int, list[int]] = {}
    for candidate_id, n in home.items():
        claims.setdefault(n, []).append(candidate_id)
    ids = tuple(min(claims[n]) if n in claims else None for n in range(len(clusters)))
    merges = [
        Merge(winner=min(claimed), loser=loser)
        for claimed in claims.values()
        for loser in sorted(claimed)[1:]
    ]
    moves = [
        Move(previous=candidate_id, cluster=n, rows=counts[n])
        for candidate_id, counts in sorted(holders.items())
        for n in sorted(counts)
        if n != home[candidate_id]
    ]
    return Assignment(ids, tuple(sorted(merges, key=lambda merge: merge.loser)), tuple(moves))


def _holders(clusters: Sequence[Cluster], previous: Mapping[Ref, int]) -> dict[int, Counter[int]]:
    """For each previous id, how many of its rows each cluster holds."""
    holders: dict[int, Counter[int]] = {}
    for n, found in enumerate(clusters):
        for ref in found.refs:
            if ref in previous:
                holders.setdefault(previous[ref], Counter())[n] += 1
    return holders
