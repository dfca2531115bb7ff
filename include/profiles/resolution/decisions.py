"""Decisions of people about identity, as constraints on clusters: rows together, rows apart.

Rows held together form a class, also through rows that the sources no longer have, so a decision
does not lapse with one of its rows. Two classes held apart never share a cluster, whatever
bridges them: the weakest pairs between them are cut. Like clustering, the result depends on the
rows, the pairs and the decisions alone. Imports no driver, no clock, no Airflow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from profiles.resolution.clustering import (
    Cluster,
    DisjointSets,
    Edge,
    Ref,
    as_cluster,
    strongest_first,
)


class Constraint(msgspec.Struct, frozen=True):
    """Two rows that one decision holds together or apart."""

    decision_id: int
    together: bool
    left: Ref
    right: Ref


class Constraints:
    """All decisions in force, closed under "together"."""

    def __init__(self, items: Iterable[Constraint] = ()) -> None:
        items = list(items)
        sets: DisjointSets[Ref] = DisjointSets()
        for item in items:
            sets.find(item.left)
            sets.find(item.right)
            if item.together:
                sets.union(item.left, item.right)
        numbers: dict[Ref, int] = {}
        self.classes: Mapping[Ref, int] = {
            ref: numbers.setdefault(sets.find(ref), len(numbers) + 1) for ref in sorted(sets)
        }
        self._apart: dict[int, set[int]] = {}
        for item in items:
            if not item.together:
                left, right = self.classes[item.left], self.classes[item.right]
                self._apart.setdefault(left, set()).add(right)
                self._apart.setdefault(right, set()).add(left)

    def named(self, refs: Iterable[Ref]) -> frozenset[int]:
        """The classes of the rows that a decision names."""
        return frozenset(self.classes[ref] for ref in refs if ref in self.classes)

    def part(self, left: Iterable[int], right: Iterable[int]) -> bool:
        """Return whether a class on the left is held apart from one on the right."""
        others = frozenset(right)
        return any(not others.isdisjoint(self._apart.get(number, ())) for number in left)


def respect(
    clusters: Sequence[Cluster], edges: Sequence[Edge], constraints: Constraints
) -> list[Cluster]:
    """The clusters after the decisions: joined where rows belong together, cut where apart.

    `edges` are the accepted pairs from which the clusters were made.
    """
    joined: DisjointSets[int] = DisjointSets(range(len(clusters)))
    first: dict[int, int] = {}
    for n, found in enumerate(clusters):
        for number in constraints.named(found.refs):
            joined.union(first.setdefault(number, n), n)
    unions: dict[int, list[Cluster]] = {}
    for n, found in enumerate(clusters):
        unions.setdefault(joined.find(n), []).append(found)
    decided: list[Cluster] = []
    for members in unions.values():
        classes = constraints.named(ref for found in members for ref in found.refs)
        if constraints.part(classes, classes):
            parts = _parts(members, edges, constraints)
        elif len(members) > 1:
            parts = [[ref for found in members for ref in found.refs]]
        else:
            decided.append(members[0])
            continue
        decided += [as_cluster(part, edges) for part in parts]
    return sorted(decided, key=lambda found: found.refs)


class _Part:
    """Rows grown together, with the classes and the undecided clusters they come from."""

    def __init__(self) -> None:
        self.refs: list[Ref] = []
        self.classes: set[int] = set()
        self.clusters: set[int] = set()

    def absorb(self, other: _Part) -> None:
        self.refs += other.refs
        self.classes |= other.classes
        self.clusters |= other.clusters


def _parts(
    clusters: Sequence[Cluster], edges: Sequence[Edge], constraints: Constraints
) -> list[list[Ref]]:
    """Grows the rows together again along the strongest pairs first, never across "apart".

    What then is left over joins the largest part of its former cluster that it may join: a
    decision about some rows says nothing against the others.
    """
    part_of: dict[Ref, _Part] = {}
    of_class: dict[int, _Part] = {}
    for n, found in enumerate(clusters):
        for ref in found.refs:
            number = constraints.classes.get(ref)
            part = _Part() if number is None else of_class.setdefault(number, _Part())
            part.refs.append(ref)
            part.clusters.add(n)
            if number is not None:
                part.classes.add(number)
            part_of[ref] = part
    inside = (edge for edge in edges if edge.a in part_of and edge.b in part_of)
    for edge in sorted(inside, key=strongest_first):
        left, right = part_of[edge.a], part_of[edge.b]
        if left is right or constraints.part(left.classes, right.classes):
            continue
        left.absorb(right)
        part_of.update(dict.fromkeys(right.refs, left))
    kept: list[_Part] = []
    unique = {id(part): part for part in part_of.values()}.values()
    for part in sorted(unique, key=lambda part: (-len(part.refs), min(part.refs))):
        home = next(
            (
                other
                for other in kept
                if not other.clusters.isdisjoint(part.clusters)
                and not constraints.part(other.classes, part.classes)
            ),
            None,
        )
        if home is None:
            kept.append(part)
        else:
            home.absorb(part)
    return [part.refs for part in kept]


def contradicted(existing: Sequence[Constraint], new: Sequence[Constraint]) -> tuple[int, ...]:
    """The decisions in force that the new constraints contradict; empty when they fit.

    `existing` must be free of contradictions. Named are the decision that holds two rows apart
    and those whose chain holds them together, as far as they are not the new one's own.
    """
    known = {item.decision_id for item in existing}
    both = [*existing, *new]
    classes = Constraints(both).classes
    for item in both:
        if not item.together and classes[item.left] == classes[item.right]:
            chain = _chain(both, item.left, item.right)
            return tuple(sorted({item.decision_id, *chain} & known))
    return ()


def _chain(items: Sequence[Constraint], start: Ref, goal: Ref) -> set[int]:
    """The decisions on a shortest chain of "together" from `start` to `goal`."""
    links: dict[Ref, list[tuple[Ref, int]]] = {}
    for item in items:
        if item.together:
            links.setdefault(item.left, []).append((item.right, item.decision_id))
            links.setdefault(item.right, []).append((item.left, item.decision_id))
    came: dict[Ref, tuple[Ref, int] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came:
        here = queue.popleft()
        for there, decision_id in links.get(here, ()):
            if there not in came:
                came[there] = (here, decision_id)
                queue.append(there)
    found = set()
    step = came.get(goal)
    while step is not None:
        here, decision_id = step
        found.add(decision_id)
        step = came[here]
    return found
