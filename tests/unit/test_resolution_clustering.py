"""Accepted pairs become persons."""

import itertools
import random

import msgspec
import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import position, record

from profiles.resolution import clustering
from profiles.resolution.blocking import WEAK_KINDS
from profiles.resolution.clustering import Edge, cluster, connected_components, undisputed
from profiles.resolution.comparison import Evidence, compare
from profiles.resolution.features import RowFeatures, describe


def features(**overrides) -> RowFeatures:
    return describe(record(**overrides)).features


def accepted(rows: list[RowFeatures]) -> list[Edge]:
    pairs = ((a, b, compare(a, b)) for a, b in itertools.combinations(rows, 2))
    return [Edge(a.ref, b.ref, found) for a, b, found in pairs if found.accepted]


def partition(rows: list[RowFeatures]) -> set[tuple]:
    return {found.refs for found in cluster(rows, accepted(rows))}


@pytest.mark.parametrize("seed", range(30))
def test_components_equal_networkx_on_random_graphs(seed):
    rnd = random.Random(seed)
    graph = networkx.gnm_random_graph(rnd.randrange(1, 60), rnd.randrange(0, 60), seed=seed)
    expected = {frozenset(found) for found in networkx.connected_components(graph)}
    assert set(connected_components(graph.nodes, graph.edges)) == expected


def test_rows_that_contradict_nobody_form_one_person():
    rows = [
        features(emails=("ada@mail-example.com",)),
        features(emails=("ada@mail-example.com",), phones=("+12025550101",)),
        features(phones=("+12025550101",), full_name="Ada T."),
    ]
    assert len(partition(rows)) == 1


@pytest.mark.parametrize("size", [1, 2, 4])
def test_rows_whose_pairs_are_all_accepted_need_no_second_look(size):
    rows = [features(emails=("ada@mail-example.com",)) for _ in range(size)]
    edges = accepted(rows)
    found = undisputed([row.ref for row in rows], edges)
    assert found is not None
    assert found.refs == cluster(rows, edges)[0].refs
    assert set(found.edges) == set(edges)


def test_rows_with_an_open_pair_or_work_history_alone_are_looked_at():
    rows = [features(emails=("ada@mail-example.com",)) for _ in range(3)]
    refs, edges = [row.ref for row in rows], accepted(rows)
    assert undisputed(refs, edges[:-1]) is None
    weak = msgspec.structs.replace(
        edges[0], evidence=Evidence(12.0, (("name_full", 4.0), ("same_start", 8.0)))
    )
    assert undisputed(refs, [weak, *edges[1:]]) is None


def test_a_nameless_row_does_not_bridge_two_owners_of_one_vanity():
    new = features(
        full_name="Nila Newowner", linkedin_id="reused", emails=("nila@mail-example.com",)
    )
    old = features(full_name="Otto Oldowner", linkedin_id="reused")
    bridge = features(full_name=None, linkedin_id="reused", emails=("nila@mail-example.com",))
    assert partition([new, old, bridge]) == {tuple(sorted((new.ref, bridge.ref))), (old.ref,)}


def test_two_people_joined_by_one_weak_pair_are_cut_apart():
    jobs = (position("Tarn Media", "2019-03"), position("Umbra Media", "2016-01"))
    first = [
        features(linkedin_member_ids=("1",), emails=("one@mail-example.com",)),
        features(linkedin_member_ids=("1",), emails=("one@mail-example.com",), positions=jobs),
    ]
    second = [
        features(linkedin_member_ids=("2",), emails=("two@mail-example.com",)),
        features(emails=("two@mail-example.com",), positions=jobs),
    ]
    edges = accepted(first + second)
    assert (
        len(connected_components([r.ref for r in first + second], [(e.a, e.b) for e in edges])) == 1
    )
    assert partition(first + second) == {
        tuple(sorted(row.ref for row in first)),
        tuple(sorted(row.ref for row in second)),
    }


def test_the_partition_does_not_depend_on_order():
    rnd = random.Random(5)
    rows = [
        features(
            full_name=rnd.choice(("Ada Testwell", "Otto Oldowner", None)),
            emails=(f"m{rnd.randrange(4)}@mail-example.com",),
            phones=(f"+1202555010{rnd.randrange(4)}",),
            linkedin_id=rnd.choice((None, "a", "b")),
        )
        for _ in range(25)
    ]
    expected = partition(rows)
    for _ in range(5):
        rnd.shuffle(rows)
        assert partition(rows) == expected


def test_a_huge_component_loses_its_weakest_pairs_first(monkeypatch):
    monkeypatch.setattr(clustering, "MAX_COMPONENT", 3)
    first = [
        features(linkedin_member_ids=("1",), emails=("ada@mail-example.com",)) for _ in range(3)
    ]
    second = [
        features(linkedin_member_ids=("2",), emails=("ada2@mail-example.com",)) for _ in range(3)
    ]
    weak = Edge(first[0].ref, second[0].ref, compare(first[0], second[0]))
    found = cluster(first + second, [*accepted(first + second), weak])
    assert {c.refs for c in found} == {
        tuple(sorted(row.ref for row in first)),
        tuple(sorted(row.ref for row in second)),
    }


def test_the_best_edge_names_the_strongest_evidence():
    rows = [features(phones=("+12025550101",), linkedin_member_ids=("1",)) for _ in range(2)]
    rows.append(features(phones=("+12025550101",)))
    [found] = cluster(rows, accepted(rows))
    best = found.best_edges()
    assert best[rows[0].ref].evidence.rule == "member_id"
    assert best[rows[2].ref].evidence.rule == "phone"


def test_a_lone_row_has_no_edge():
    row = features()
    [found] = cluster([row], [])
    assert found.refs == (row.ref,)
    assert found.best_edges() == {}


rows_of_few_values = st.lists(
    st.builds(
        features,
        full_name=st.sampled_from(("Ada Testwell", "A. Testwell", "Otto Oldowner", None)),
        emails=st.sampled_from(((), ("a@mail-example.com",), ("b@mail-example.com",))),
        linkedin_id=st.sampled_from((None, "ada", "otto")),
        phones=st.sampled_from(((), ("+12025550101",), ("+12025550102",))),
    ),
    min_size=1,
    max_size=9,
)


def test_a_row_that_knows_both_jobs_joins_rows_that_share_nothing():
    before = features(
        source_key="1", full_name="Sophie Tremaine", linkedin_id="sophietremaine",
        positions=(position("Tallyhouse", "2017-03", title="Product Manager"),),
    )  # fmt: skip
    both = features(
        source_key="2", full_name="Sophie Tremaine-Lau", linkedin_id="sophie-tremaine-lau",
        positions=(
            position("Merlion Pay", "2022-06", title="Group Product Manager"),
            position("Tallyhouse", "2017-03", title="Product Manager"),
        ),
    )  # fmt: skip
    after = features(
        source_key="3", full_name="Sophie Lau", linkedin_id="sophie-tremaine-lau",
        positions=(position("Merlion Pay", "2022-06", title="Group Product Manager"),),
    )  # fmt: skip
    assert compare(before, after).score < 0
    assert len(partition([before, both, after])) == 1


def test_rows_of_two_accounts_share_no_group_although_their_groups_share_an_id():
    jobs = (position("Tarn Media", "2019-03"), position("Veltrix", "2016-05"))
    one = features(linkedin_member_ids=("1",), emails=("a@mail-example.com",), positions=jobs)
    urn = features(linkedin_member_ids=("ACoAAx",), emails=("a@mail-example.com",), positions=jobs)
    two = features(linkedin_member_ids=("2", "ACoAAx"), positions=jobs)
    found = partition([one, urn, two])
    assert not any({one.ref, two.ref} <= set(refs) for refs in found)


@given(rows_of_few_values, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_persons_are_components_where_all_pairs_agree_in_any_order(rows, rnd):
    found = partition(rows)
    shuffled = list(rows)
    rnd.shuffle(shuffled)
    assert partition(shuffled) == found
    graph = networkx.Graph()
    graph.add_nodes_from(row.ref for row in rows)
    graph.add_edges_from((edge.a, edge.b) for edge in accepted(rows))
    by_ref = {row.ref: row for row in rows}
    for component in networkx.connected_components(graph):
        inside = {refs for refs in found if set(refs) & component}
        assert set(itertools.chain.from_iterable(inside)) == component
        pairs = itertools.combinations(component, 2)
        found_between = [compare(by_ref[a], by_ref[b]) for a, b in pairs]
        if all(each.accepted and each.rule not in WEAK_KINDS for each in found_between):
            assert inside == {tuple(sorted(component))}
