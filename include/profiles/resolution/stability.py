"""Assignment of candidate ids, so that an id means the same person for ever.

A previous id goes to the cluster that holds most of its rows (a tie: the cluster with the oldest
row). A cluster that several ids go to keeps the oldest; the others were merged into it. A cluster
that no id goes to is a new person. Ids are given out in order, so the smaller id is the older.

Rows remember the id they had before a merge (their own id) and speak for it. So when a merge is
undone the merged-away id comes back with its rows instead of the survivor following the larger
part.
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
    """`ids[n]` is the id of cluster n, None for a new person.

    `own` holds the rows whose own id is another than their cluster's, `revived` the merged-away
    ids that answer for themselves again. `merges` lists only what was not merged before.
    """

    ids: tuple[int | None, ...]
    merges: tuple[Merge, ...]
    moves: tuple[Move, ...]
    own: Mapping[Ref, int] = {}
    revived: tuple[int, ...] = ()


def assign(
    clusters: Sequence[Cluster],
    previous: Mapping[Ref, int],
    *,
    own: Mapping[Ref, int] | None = None,
    age: Mapping[Ref, int] | None = None,
) -> Assignment:
    """The ids of `clusters`, given the candidate each known row had.

    All rows that held one id must be among the clusters, else its majority is unknown. `own` is
    the id a row had before its candidate was merged into `previous`. `age` orders rows, oldest
    first; without it the smaller row is the older.
    """
    if not previous:
        return Assignment(ids=(None,) * len(clusters), merges=(), moves=())
    labels = {ref: (own or {}).get(ref, known) for ref, known in previous.items()}
    standing = {labels[ref]: candidate_id for ref, candidate_id in previous.items()}
    home = _homes(clusters, labels, previous, age)
    claims: dict[int, list[int]] = {}
    for candidate_id, n in home.items():
        claims.setdefault(n, []).append(candidate_id)
    ids = tuple(min(claims[n]) if n in claims else None for n in range(len(clusters)))
    merges = [
        Merge(winner=min(claimed), loser=loser)
        for claimed in claims.values()
        for loser in sorted(claimed)[1:]
        if standing.get(loser, loser) != min(claimed)
    ]
    return Assignment(
        ids=ids,
        merges=tuple(sorted(merges, key=lambda merge: merge.loser)),
        moves=_moves(clusters, ids, previous, home),
        own={
            ref: labels[ref]
            for n, found in enumerate(clusters)
            for ref in found.refs
            if ref in labels and labels[ref] != ids[n] and home[labels[ref]] == n
        },
        revived=tuple(
            sorted(
                known for known in ids if known is not None and standing.get(known, known) != known
            )
        ),
    )


def _homes(
    clusters: Sequence[Cluster],
    labels: Mapping[Ref, int],
    previous: Mapping[Ref, int],
    age: Mapping[Ref, int] | None,
) -> dict[int, int]:
    """The cluster each id goes to: the one with most of the rows that speak for it."""
    holders = _holders(clusters, labels)
    # A candidate that lost all rows of its own lives on in those it absorbed.
    for candidate_id, counts in _holders(clusters, previous).items():
        holders.setdefault(candidate_id, counts)

    def oldest(n: int) -> int | Ref:
        refs = clusters[n].refs
        return refs[0] if age is None else min(age[ref] for ref in refs)

    return {
        candidate_id: min(counts, key=lambda n: (-counts[n], oldest(n)))
        for candidate_id, counts in holders.items()
    }


def _moves(
    clusters: Sequence[Cluster],
    ids: Sequence[int | None],
    previous: Mapping[Ref, int],
    home: Mapping[int, int],
) -> tuple[Move, ...]:
    return tuple(
        Move(previous=candidate_id, cluster=n, rows=counts[n])
        for candidate_id, counts in sorted(_holders(clusters, previous).items())
        for n in sorted(counts)
        if n != home[candidate_id]
    )


def _holders(clusters: Sequence[Cluster], labels: Mapping[Ref, int]) -> dict[int, Counter[int]]:
    """For each id, how many of the rows labelled with it each cluster holds."""
    holders: dict[int, Counter[int]] = {}
    for n, found in enumerate(clusters):
        for ref in found.refs:
            if ref in labels:
                holders.setdefault(labels[ref], Counter())[n] += 1
    return holders
