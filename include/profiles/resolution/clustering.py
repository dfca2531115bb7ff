"""From accepted pairs to persons: connected components, cut where members contradict each other.

Union-find over accepted pairs chains: A-B and B-C put A and C together although they may say
opposite things. A component whose pairs are not all accepted, or hang on work history alone, is
rebuilt from single rows, pairs with a strong key first, and two groups join only where all that
one says agrees with all that the other says: a row from before a marriage and one from after a
change of job contradict each other, and not the row that knows both. The result depends on the
rows and pairs alone, never on the order in which they arrive.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Generic, TypeVar

import msgspec

from profiles.resolution.comparison import ACCEPT, Evidence, are_two_accounts, compare
from profiles.resolution.features import RowFeatures
from profiles.resolution.quarantine import Corpus

MAX_COMPONENT = 300
"""A larger component first loses its weakest pairs, level by level: comparing all its rows with
each other would be quadratic, and no person has so many rows."""
LEVEL_STEP = 2.0
JOINED = 6.5
"""Least score of what two groups say as a whole that only work history joins: more than a pair
needs, because groups chain."""

Node = TypeVar("Node", bound=Hashable)
Value = TypeVar("Value", bound=Hashable)
Ref = tuple[str, str]


class Edge(msgspec.Struct, frozen=True):
    """An accepted pair, by (source, source_key)."""

    a: Ref
    b: Ref
    evidence: Evidence


class Cluster(msgspec.Struct, frozen=True):
    """The rows of one person, sorted, and the accepted pairs between them."""

    refs: tuple[Ref, ...]
    edges: tuple[Edge, ...]

    def best_edges(self) -> dict[Ref, Edge]:
        """The strongest pair of each row that has one."""
        best: dict[Ref, Edge] = {}
        for edge in sorted(self.edges, key=strongest_first):
            best.setdefault(edge.a, edge)
            best.setdefault(edge.b, edge)
        return best


def cluster(
    rows: Collection[RowFeatures],
    edges: Collection[Edge],
    corpus: Corpus = Corpus(),  # noqa: B008
) -> list[Cluster]:
    """The persons among `rows`, given all accepted pairs between them."""
    by_ref = {row.ref: row for row in rows}
    ordered = sorted(edges, key=strongest_first)
    clusters: list[Cluster] = []
    for component in connected_components(by_ref, ((edge.a, edge.b) for edge in ordered)):
        inside = [edge for edge in ordered if edge.a in component]
        clusters += _split({ref: by_ref[ref] for ref in component}, inside, corpus)
    return sorted(clusters, key=lambda found: found.refs)


def undisputed(refs: Collection[Ref], edges: Collection[Edge]) -> Cluster | None:
    """The cluster of rows that are surely one person, found without reading what they say.

    None leaves the answer to `cluster`.
    """
    if not surely_one(len(refs), len(edges), any_weak=any(edge.evidence.is_weak for edge in edges)):
        return None
    return Cluster(tuple(sorted(refs)), tuple(edges))


def surely_one(rows: int, pairs: int, *, any_weak: bool) -> bool:
    """Return whether so many rows are one person by the number of accepted pairs between them.

    They are when all pairs of them are accepted and none hangs on work history alone, or when there
    are no more than two.
    """
    every = rows * (rows - 1) // 2
    return rows <= MAX_COMPONENT and pairs >= every and not (any_weak and rows > 2)


def connected_components(
    nodes: Iterable[Node], pairs: Iterable[tuple[Node, Node]]
) -> list[frozenset[Node]]:
    """The connected components of an undirected graph."""
    sets = DisjointSets(nodes)
    for a, b in pairs:
        sets.union(a, b)
    members: dict[Node, list[Node]] = {}
    for node in sets:
        members.setdefault(sets.find(node), []).append(node)
    return [frozenset(found) for found in members.values()]


class DisjointSets(Generic[Node]):
    """Union-find with path halving. Unknown nodes are added when first named."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._parent: dict[Node, Node] = {node: node for node in nodes}

    def __iter__(self) -> Iterator[Node]:
        return iter(self._parent)

    def find(self, node: Node) -> Node:
        """The representative of the node's set."""
        parent = self._parent
        above = parent.setdefault(node, node)
        while above != node:
            parent[node] = node = parent[above]
            above = parent[node]
        return node

    def union(self, a: Node, b: Node) -> None:
        """Puts both nodes into one set."""
        root_a, root_b = self.find(a), self.find(b)
        if root_a != root_b:
            self._parent[root_b] = root_a


def _split(rows: Mapping[Ref, RowFeatures], edges: Sequence[Edge], corpus: Corpus) -> list[Cluster]:
    if surely_one(len(rows), len(edges), any_weak=any(edge.evidence.is_weak for edge in edges)):
        return [as_cluster(rows, edges)]
    if len(rows) > MAX_COMPONENT:
        return _split_at_weakest(rows, edges, corpus)
    return [as_cluster(group, edges) for group in _agglomerate(rows, edges, corpus)]


def _split_at_weakest(
    rows: Mapping[Ref, RowFeatures], edges: Sequence[Edge], corpus: Corpus
) -> list[Cluster]:
    """Drops the weakest level of pairs and tries the pieces again."""
    level = min(edge.evidence.score for edge in edges) + LEVEL_STEP
    kept = [edge for edge in edges if edge.evidence.score >= level]
    clusters: list[Cluster] = []
    for component in connected_components(rows, ((edge.a, edge.b) for edge in kept)):
        inside = [edge for edge in kept if edge.a in component]
        clusters += _split({ref: rows[ref] for ref in component}, inside, corpus)
    return clusters


def _agglomerate(
    rows: Mapping[Ref, RowFeatures], edges: Sequence[Edge], corpus: Corpus
) -> list[list[Ref]]:
    """Groups grown along the pairs, strongest first, while what they say as a whole agrees.

    Together two groups may share one member id and hold two others: no rows of two accounts join.
    """
    group_of: dict[Ref, list[Ref]] = {ref: [ref] for ref in rows}
    for edge in edges:
        left, right = group_of[edge.a], group_of[edge.b]
        if left is right:
            continue
        if any(are_two_accounts(rows[a], rows[b]) for a in left for b in right):
            continue
        score = edge.evidence.score
        if len(left) + len(right) > 2:
            sides = (_together(edge.a, left, rows), _together(edge.b, right, rows))
            score = compare(*sides, corpus).score
        if score < (JOINED if edge.evidence.is_weak else ACCEPT):
            continue
        left += right
        for ref in right:
            group_of[ref] = left
    return list({id(group): group for group in group_of.values()}.values())


def _together(named: Ref, group: Sequence[Ref], rows: Mapping[Ref, RowFeatures]) -> RowFeatures:
    """What the rows of a group say together, under the name of one of them."""
    if len(group) == 1:
        return rows[named]
    members = [rows[ref] for ref in group]
    return msgspec.structs.replace(
        rows[named],
        keys=_union(row.keys for row in members),
        spells=_union(row.spells for row in members),
        schools=_union(row.schools for row in members),
        cities=_union(row.cities for row in members),
    )


def _union(values: Iterable[tuple[Value, ...]]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(values)))


def as_cluster(refs: Iterable[Ref], edges: Iterable[Edge]) -> Cluster:
    """The rows as one person, with the accepted pairs between them."""
    members = set(refs)
    return Cluster(
        tuple(sorted(members)),
        tuple(edge for edge in edges if edge.a in members and edge.b in members),
    )


def strongest_first(edge: Edge) -> tuple[bool, float, Ref, Ref]:
    """Sort key: pairs with a strong key, then by score, then by rows."""
    return (edge.evidence.is_weak, -edge.evidence.score, min(edge.a, edge.b), max(edge.a, edge.b))
