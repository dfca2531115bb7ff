"""Which affected rows must be decided together, as pieces of work that do not touch each other."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from profiles.resolution.clustering import DisjointSets
from profiles.storage.identities import IdentityStore

SPAN_ROWS = 5_000


class Work(NamedTuple):
    """Affected rows in order of their group, that of the oldest row first: independent pieces of
    work, which no accepted pair, previous candidate or decision crosses. Arrays, because a first
    night affects every row."""

    row_ids: array[int]
    groups: array[int]
    candidates: array[int]
    """The candidate each row had, 0 for none."""
    own: dict[int, int]
    """The id of its own that a row had before a merge."""

    def spans(self) -> Iterator[Work]:
        """Whole groups in pieces of about `SPAN_ROWS` rows, each with its own part of the facts."""
        groups, start = self.groups, 0
        while start < len(groups):
            end = min(start + SPAN_ROWS, len(groups))
            while end < len(groups) and groups[end] == groups[end - 1]:
                end += 1
            row_ids = self.row_ids[start:end]
            own = {row_id: self.own[row_id] for row_id in row_ids if row_id in self.own}
            yield Work(row_ids, groups[start:end], self.candidates[start:end], own)
            start = end


def find_work(store: IdentityStore, joined: DisjointSets[int] | None = None) -> Work:
    """A candidate is a node beside its rows, under its negative id.

    `joined` holds the rows that accepted pairs join, where the caller has them.
    """
    sets: DisjointSets[int] = DisjointSets() if joined is None else joined
    row_ids: list[int] = []
    candidates: dict[int, int] = {}
    own: dict[int, int] = {}
    for row_id, candidate_id, own_id in store.stream("select_affected"):
        row_ids.append(row_id)
        if candidate_id is not None:
            candidates[row_id] = candidate_id
            sets.union(row_id, -candidate_id)
        if own_id is not None:
            own[row_id] = own_id
    if joined is None:
        for lo, hi in store.stream("select_affected_edges"):
            sets.union(lo, hi)
    first: dict[int, int] = {}
    for number, row_id in store.stream("select_affected_classes"):
        sets.union(first.setdefault(number, row_id), row_id)
    # A group goes by its oldest row: new ids must not depend on the order in which pairs came.
    row_ids.sort()
    oldest: dict[int, int] = {}
    groups = [oldest.setdefault(sets.find(row_id), row_id) for row_id in row_ids]
    order = sorted(range(len(row_ids)), key=groups.__getitem__)
    in_order = array("q", map(row_ids.__getitem__, order))
    return Work(
        in_order,
        array("q", map(groups.__getitem__, order)),
        array("q", (candidates.get(row_id, 0) for row_id in in_order)),
        own,
    )
