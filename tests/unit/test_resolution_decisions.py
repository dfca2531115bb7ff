"""Human decisions hold whatever the evidence says, and do not depend on any order."""

import random

import networkx
import pytest

from profiles.resolution.clustering import Cluster, Edge, connected_components
from profiles.resolution.comparison import Evidence
from profiles.resolution.decisions import Constraint, Constraints, contradicted, respect


def ref(row: str) -> tuple[str, str]:
    return ("s", row)


def edge(a: str, b: str, score: float) -> Edge:
    return Edge(ref(a), ref(b), Evidence(score, (("email", score),)))


def clusters_of(rows: str, edges: list[Edge]) -> list[Cluster]:
    found = connected_components(map(ref, rows), ((one.a, one.b) for one in edges))
    return [Cluster(tuple(sorted(members)), ()) for members in found]


def together(a: str, b: str, decision_id: int = 1) -> Constraint:
    return Constraint(decision_id, True, ref(a), ref(b))


def apart(a: str, b: str, decision_id: int = 2) -> Constraint:
    return Constraint(decision_id, False, ref(a), ref(b))


def decide(rows: str, edges: list[Edge], *constraints: Constraint) -> set[str]:
    found = respect(clusters_of(rows, edges), edges, Constraints(constraints))
    return {"".join(row for _, row in members.refs) for members in found}


def test_rows_held_together_join_their_clusters():
    assert decide("abcd", [edge("a", "b", 14)], together("b", "c")) == {"abc", "d"}


def test_rows_stay_together_through_a_row_that_is_gone():
    assert decide("ac", [], together("a", "b"), together("b", "c")) == {"ac"}


def test_the_weakest_bridge_between_rows_held_apart_is_cut():
    bridge = [edge("a", "b", 14), edge("b", "c", 11), edge("c", "d", 14)]
    assert decide("abcd", bridge, apart("a", "d")) == {"ab", "cd"}


def test_a_new_row_that_matches_both_sides_joins_the_stronger():
    bridge = [edge("a", "x", 11), edge("b", "x", 14)]
    assert decide("abx", bridge, apart("a", "b")) == {"a", "bx"}


def test_what_only_the_leaving_row_connected_stays_together():
    star = [edge("a", "c", 14), edge("b", "c", 14)]
    assert decide("abc", star, apart("c", "a"), apart("c", "b")) == {"ab", "c"}


def test_a_second_split_parts_what_the_first_left_together():
    star = [edge("a", "c", 14), edge("b", "c", 14)]
    first = (apart("c", "a"), apart("c", "b"))
    assert decide("abc", star, *first, apart("a", "b", 3)) == {"a", "b", "c"}


def test_a_contradiction_names_the_earlier_decisions():
    earlier = [together("a", "b", 1), together("b", "c", 2), together("x", "y", 3)]
    assert contradicted(earlier, [apart("a", "c", 0)]) == (1, 2)
    assert contradicted([*earlier, apart("c", "x", 4)], [together("a", "y", 0)]) == (1, 2, 3, 4)
    assert contradicted(earlier, [apart("a", "x", 0)]) == ()


@pytest.mark.parametrize("seed", range(30))
def test_random_decisions_hold_in_any_order(seed):
    rnd = random.Random(seed)
    rows = "abcdefghijkl"
    edges = [edge(*rnd.sample(rows, 2), score=rnd.choice((10.0, 12.0, 14.0))) for _ in range(14)]
    constraints: list[Constraint] = []
    for number in range(8):
        a, b = rnd.sample(rows, 2)
        new = Constraint(number, rnd.random() < 0.5, ref(a), ref(b))
        if not contradicted(constraints, [new]):
            constraints.append(new)
    before = clusters_of(rows, edges)
    found = respect(before, edges, Constraints(constraints))
    home = {row: n for n, members in enumerate(found) for row in members.refs}
    assert sorted(home) == sorted(map(ref, rows))
    for item in constraints:
        assert (home[item.left] == home[item.right]) is item.together
    # Nothing joins that neither evidence nor a decision connects.
    graph = networkx.Graph((one.a, one.b) for one in edges)
    graph.add_nodes_from(map(ref, rows))
    graph.add_edges_from((item.left, item.right) for item in constraints if item.together)
    whole = list(networkx.connected_components(graph))
    assert all(any(set(members.refs) <= part for part in whole) for members in found)
    for shuffled in range(3):
        order = random.Random(shuffled)
        again = respect(
            order.sample(before, len(before)),
            order.sample(edges, len(edges)),
            Constraints(order.sample(constraints, len(constraints))),
        )
        assert [members.refs for members in again] == [members.refs for members in found]
