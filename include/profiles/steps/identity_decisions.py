"""Clusters the affected rows, piece by piece, and gives each person its id.

Nothing here is final: the working tables it fills become candidates in one go afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import msgspec

from profiles.resolution.blocking import IdentityKey
from profiles.resolution.clustering import Cluster, Edge, Ref, cluster, undisputed
from profiles.resolution.comparison import Evidence
from profiles.resolution.decisions import Constraints, respect
from profiles.resolution.features import RowFeatures
from profiles.resolution.stability import Assignment, assign
from profiles.steps.identity_work import Work, find_work
from profiles.steps.stage import Counts
from profiles.storage.identities import IdentityStore, Row

_decode_features = msgspec.json.Decoder(RowFeatures).decode
_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=65_536)
def _decode_signals(text: str) -> tuple[tuple[str, float], ...]:
    """Few combinations of signals make up nearly all pairs."""
    return _signals.decode(text)


_signals = msgspec.json.Decoder(tuple[tuple[str, float], ...])


class Decision(msgspec.Struct):
    """One group of work after clustering."""

    clusters: list[Cluster]
    assignment: Assignment


class Span(NamedTuple):
    """Whole groups of work, with what the database says of their rows."""

    work: Work
    start: int
    end: int
    rows: list[Row]
    """(row_id, source, source_key, features)."""
    pairs: list[Row]
    """(lo, hi, score, signals) of the accepted pairs between them."""


def read_spans(store: IdentityStore) -> Iterator[Span]:
    """All affected rows, in independent pieces of work."""
    work = find_work(store)
    for start, end in work.spans():
        yield Span(work, start, end, *store.work(work.row_ids[start:end]))


def decide_span(
    span: Span, *, generic: frozenset[IdentityKey], constraints: Constraints
) -> list[Decision]:
    """The persons among the rows of a span and the ids they had; asks no database."""
    work = span.work
    refs: dict[int, Ref] = {row_id: (source, key) for row_id, source, key, _ in span.rows}
    features = {row_id: text for row_id, _, _, text in span.rows}
    places_of = range(span.start, span.end)
    group_of = {work.row_ids[n]: work.groups[n] for n in places_of}
    edges: dict[int, list[Edge]] = {}
    for lo, hi, score, signals in span.pairs:
        edge = Edge(refs[lo], refs[hi], Evidence(score, _decode_signals(signals)))
        edges.setdefault(group_of[lo], []).append(edge)
    decided = []
    for group, members in groupby(places_of, key=work.groups.__getitem__):
        places = list(members)
        row_ids = {refs[work.row_ids[n]]: work.row_ids[n] for n in places}
        accepted = edges.get(group, [])
        whole = undisputed(row_ids, accepted)
        clusters = [whole] if whole else cluster(
            [_decode_features(features[row_id]) for row_id in row_ids.values()],
            accepted,
            generic=generic,
        )  # fmt: skip
        if constraints.named(row_ids):
            clusters = respect(clusters, accepted, constraints)
        previous = {refs[work.row_ids[n]]: work.candidates[n] for n in places if work.candidates[n]}
        own = {ref: work.own[row_id] for ref, row_id in row_ids.items() if row_id in work.own}
        decided.append(Decision(clusters, assign(clusters, previous, own=own, age=row_ids)))
    return decided


def store_decisions(store: IdentityStore, decided: list[Decision], counts: Counts) -> None:
    """Writes a span's persons to the working tables, with fresh ids for the new ones."""
    missing = sum(found.assignment.ids.count(None) for found in decided)
    fresh = store.reserve_ids(missing)
    store.copy("COPY new_candidate (candidate_id) FROM STDIN", ((new,) for new in fresh))
    supply = iter(fresh)
    ids = [
        [next(supply) if known is None else known for known in found.assignment.ids]
        for found in decided
    ]
    store.copy(
        "COPY assigned (source, source_key, candidate_id, own_id, rule, evidence) FROM STDIN",
        (row for found, chosen in zip(decided, ids, strict=True) for row in _rows(found, chosen)),
    )
    counts["created"] += missing
    counts["merged"] += store.copy(
        "COPY merge (winner, loser) FROM STDIN",
        ((merge.winner, merge.loser) for found in decided for merge in found.assignment.merges),
    )
    store.copy(
        "COPY unmerged (candidate_id) FROM STDIN",
        ((known,) for found in decided for known in found.assignment.revived),
    )
    counts["moved"] += store.copy(
        "COPY move (previous, candidate_id, source_rows) FROM STDIN",
        (
            (move.previous, chosen[move.cluster], move.rows)
            for found, chosen in zip(decided, ids, strict=True)
            for move in found.assignment.moves
        ),
    )


def _rows(found: Decision, ids: Iterable[int]) -> Iterator[Row]:
    """(source, source_key, candidate_id, own_id, rule, evidence) of every row of a group."""
    for members, candidate_id in zip(found.clusters, ids, strict=True):
        for ref in members.refs:
            edge = members.best_edge(ref)
            own_id = found.assignment.own.get(ref)
            yield (*ref, candidate_id, own_id, _rule(members, edge), _evidence(edge, ref))


def _rule(members: Cluster, edge: Edge | None) -> str:
    """What holds a row in its cluster; without a pair it is alone or a person put it there."""
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
