"""Rows of one piece of identity work."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.resolution.clustering import Cluster
from profiles.resolution.decisions import Constraints
from profiles.resolution.quarantine import Corpus
from profiles.steps.identity import identity_decisions
from profiles.steps.identity.identity_decisions import decide_span, read_spans

STRONG = '[["email",14.0]]'
WEAK = '[["name_equal",4.0],["employer",3.0]]'


class Stored:
    """Rows 1, 2, … without a candidate, and accepted pairs; notes whose facts were asked for."""

    def __init__(self, rows: int, pairs: dict[tuple[int, int], str]) -> None:
        self.rows, self.pairs = rows, pairs

    def stream(self, name: str):
        known = {
            "select_affected": [(n, None, None, None) for n in range(1, self.rows + 1)],
            "select_affected_edges": list(self.pairs),
        }
        return iter(known.get(name, []))

    def work(self, row_ids: array):
        rows = [(row_id, "resume", f"r-{row_id}") for row_id in row_ids]
        pairs = [(*pair, 9.0, signals) for pair, signals in self.pairs.items()]
        return rows, [pair for pair in pairs if pair[0] in row_ids]

    def features(self, row_ids):
        return {row_id: f"facts of {row_id}" for row_id in row_ids}


def spans(rows: int, pairs: dict[tuple[int, int], str]) -> list[identity_decisions.Span]:
    return list(read_spans(Stored(rows, pairs)))


def facts_read(rows: int, pairs: dict[tuple[int, int], str]) -> set[int]:
    return {row for span in spans(rows, pairs) for row in span.features}


def test_a_row_alone_and_two_rows_of_a_pair_are_decided_without_their_facts():
    assert facts_read(3, {(1, 2): WEAK}) == set()


def test_three_rows_are_when_every_pair_is_accepted_and_none_is_weak():
    triangle = {(1, 2): STRONG, (1, 3): STRONG, (2, 3): STRONG}
    assert facts_read(4, triangle) == set()
    assert facts_read(4, triangle | {(1, 3): WEAK}) == {1, 2, 3}


def test_the_facts_of_a_chain_are_read_and_no_other():
    assert facts_read(5, {(1, 2): STRONG, (3, 4): STRONG, (4, 5): STRONG}) == {3, 4, 5}


ROWS = 7
EDGES = st.dictionaries(
    st.sampled_from([(lo, hi) for lo in range(1, ROWS) for hi in range(lo + 1, ROWS + 1)]),
    st.sampled_from([STRONG, WEAK]),
)


@given(EDGES)
def test_the_facts_that_were_read_are_those_that_deciding_asks_for(pairs):
    asked = []

    def cluster(facts, edges, *, corpus):
        asked.extend(facts)
        refs = {ref for edge in edges for ref in (edge.a, edge.b)}
        return [Cluster(tuple(sorted(refs)), tuple(edges))]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identity_decisions, "cluster", cluster)
        patch.setattr(identity_decisions, "_decode_features", str)
        for span in spans(ROWS, pairs):
            decide_span(span, corpus=Corpus(), constraints=Constraints())
    assert sorted(asked) == sorted(f"facts of {row}" for row in facts_read(ROWS, pairs))
