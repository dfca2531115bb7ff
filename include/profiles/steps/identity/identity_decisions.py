"""Clusters the affected rows, piece by piece, and gives each person its id.

Pieces of work do not touch each other. Nothing here is final: the working tables it fills become
candidates in one go afterwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from profiles.resolution.clustering import (
    Cluster,
    Edge,
    Ref,
    cluster,
    surely_one,
    undisputed,
)
from profiles.resolution.comparison import Evidence
from profiles.resolution.decisions import Constraints, respect
from profiles.resolution.features import RowFeatures
from profiles.resolution.quarantine import Corpus
from profiles.resolution.stability import Assignment, assign
from profiles.steps.identity.lines import Row, copy_text

if TYPE_CHECKING:  # other processes decide spans and ask no database
    from profiles.steps.stage import Counts
    from profiles.storage.identities import IdentityStore

_decode_features = msgspec.json.Decoder(RowFeatures).decode
_encode = msgspec.json.Encoder().encode


_decode_signals = msgspec.json.Decoder(tuple[tuple[str, float], ...]).decode


class Span(NamedTuple):
    """Whole groups of work, with what the database says of their rows."""

    work: Work
    rows: list[Row]
    """(row_id, source, source_key)."""
    pairs: list[Row]
    """(lo, hi, score, signals) of the accepted pairs between them."""
    features: dict[int, bytes]
    """What the rows say whose group is not surely one person."""


class Decided(NamedTuple):
    """The persons of a span. `ids` has the id of each, None for a new one; the rest names persons
    by their place in it."""

    ids: list[int | None]
    rows: list[tuple[str, int, str]]
    """Lines of table assigned: what stands before the candidate, the person, what stands after."""
    merges: list[tuple[int, int]]
    """(winner, loser)."""
    moves: list[tuple[int, int, int]]
    """(previous id, person, rows)."""
    revived: list[int]


def read_spans(store: IdentityStore) -> Iterator[Span]:
    """All affected rows, in independent pieces of work, see `find_work`."""
    for work in find_work(store).spans():
        rows, pairs = store.work(work.row_ids)
        yield Span(work, rows, pairs, store.features(_disputed(work, pairs)))


def _disputed(work: Work, pairs: list[Row]) -> list[int]:
    """The rows of the groups that `undisputed` will leave to `cluster`: few, on a first night."""
    group_of = dict(zip(work.row_ids, work.groups, strict=True))
    accepted = Counter(group_of[lo] for lo, *_ in pairs)
    weak = {
        group_of[lo]
        for lo, _, score, signals in pairs
        if Evidence(score, _decode_signals(signals)).is_weak
    }
    disputed = {
        group
        for group, rows in Counter(work.groups).items()
        if not surely_one(rows, accepted[group], any_weak=group in weak)
    }
    return [row_id for row_id, group in group_of.items() if group in disputed]


def decide_span(span: Span, *, corpus: Corpus, constraints: Constraints) -> Decided:
    """The persons among the rows of a span and the ids they had; asks no database."""
    work = span.work
    refs: dict[int, Ref] = {row_id: (source, key) for row_id, source, key in span.rows}
    group_of = dict(zip(work.row_ids, work.groups, strict=True))
    edges: dict[int, list[Edge]] = {}
    for lo, hi, score, signals in span.pairs:
        edge = Edge(refs[lo], refs[hi], Evidence(score, _decode_signals(signals)))
        edges.setdefault(group_of[lo], []).append(edge)
    decided = Decided([], [], [], [], [])
    for group, members in groupby(range(len(work.groups)), key=work.groups.__getitem__):
        places = list(members)
        row_ids = {refs[work.row_ids[n]]: work.row_ids[n] for n in places}
        accepted = edges.get(group, [])
        whole = undisputed(row_ids, accepted)
        clusters = [whole] if whole else cluster(
            [_decode_features(span.features[row_id]) for row_id in row_ids.values()],
            accepted,
            corpus=corpus,
        )  # fmt: skip
        if constraints.named(row_ids):
            clusters = respect(clusters, accepted, constraints)
        previous = {refs[work.row_ids[n]]: work.candidates[n] for n in places if work.candidates[n]}
        own = {ref: work.own[row_id] for ref, row_id in row_ids.items() if row_id in work.own}
        _add(decided, clusters, assign(clusters, previous, own=own, age=row_ids))
    return decided


def _add(decided: Decided, clusters: list[Cluster], assignment: Assignment) -> None:
    first = len(decided.ids)
    decided.ids.extend(assignment.ids)
    decided.merges.extend((merge.winner, merge.loser) for merge in assignment.merges)
    decided.moves.extend(
        (move.previous, first + move.cluster, move.rows) for move in assignment.moves
    )
    decided.revived.extend(assignment.revived)
    for person, members in enumerate(clusters, first):
        best = members.best_edges()
        for ref in members.refs:
            edge = best.get(ref)
            own = assignment.own.get(ref, r"\N")
            evidence = copy_text(_evidence(edge, ref))
            after = f"\t{own}\t{_rule(members, edge)}\t{evidence}\n"
            decided.rows.append((f"{ref[0]}\t{copy_text(ref[1])}\t", person, after))


def store_decided(store: IdentityStore, decided: Decided, counts: Counts) -> None:
    """Writes a span's persons to the working tables, with fresh ids for the new ones."""
    missing = decided.ids.count(None)
    fresh = store.reserve_ids(missing)
    store.copy("COPY new_candidate (candidate_id) FROM STDIN", ((new,) for new in fresh))
    supply = iter(fresh)
    ids = [next(supply) if known is None else known for known in decided.ids]
    store.copy_lines(
        "COPY assigned (source, source_key, candidate_id, own_id, rule, evidence) FROM STDIN",
        "".join([f"{before}{ids[person]}{after}" for before, person, after in decided.rows]),
    )
    counts["created"] += missing
    counts["merged"] += store.copy("COPY merge (winner, loser) FROM STDIN", decided.merges)
    store.copy("COPY unmerged (candidate_id) FROM STDIN", ((known,) for known in decided.revived))
    counts["moved"] += store.copy(
        "COPY move (previous, candidate_id, source_rows) FROM STDIN",
        ((previous, ids[person], rows) for previous, person, rows in decided.moves),
    )


def _rule(members: Cluster, edge: Edge | None) -> str:
    """Rule that holds a row in its cluster; without a pair, it is single or a person's decision."""
    if edge is not None:
        return edge.evidence.rule
    return "single" if len(members.refs) == 1 else "decision"


def _evidence(edge: Edge | None, ref: Ref) -> str:
    """The strongest pair that holds a row in its cluster, as JSON."""
    if edge is None:
        return "[]"
    other = edge.b if edge.a == ref else edge.a
    return _encode(
        [{"with": other, "score": edge.evidence.score, "signals": edge.evidence.signals}]
    ).decode()


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


def find_work(store: IdentityStore) -> Work:
    """Groups by union-find over the places of the rows, a candidate being a node beside its rows.

    A group goes by its oldest row: new ids must not depend on the order in which pairs came.
    """
    row_ids, candidates, oldest = array("q"), array("q"), array("l")
    own: dict[int, int] = {}
    first: dict[tuple[str, int], int] = {}

    def find(place: int) -> int:
        while (above := oldest[place]) != place:
            oldest[place] = place = oldest[above]
        return place

    def unite(place: int, other: int) -> None:
        place, other = find(place), find(other)
        oldest[max(place, other)] = min(place, other)

    for place, row in enumerate(store.stream("select_affected")):
        row_id, candidate_id, own_id, number = row
        row_ids.append(row_id)
        candidates.append(candidate_id or 0)
        oldest.append(place)
        if own_id is not None:
            own[row_id] = own_id
        for node in (("candidate", candidate_id), ("decision", number)):
            if node[1] is not None:
                unite(first.setdefault(node, place), place)
    for lo, hi in store.stream("select_affected_edges"):
        unite(bisect_left(row_ids, lo), bisect_left(row_ids, hi))
    groups = array("l", map(find, range(len(row_ids))))
    order = array("l", sorted(range(len(groups)), key=groups.__getitem__))
    return Work(
        array("q", map(row_ids.__getitem__, order)),
        array("q", (row_ids[groups[place]] for place in order)),
        array("q", map(candidates.__getitem__, order)),
        own,
    )
