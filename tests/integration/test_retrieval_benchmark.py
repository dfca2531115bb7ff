"""The retrieval benchmark: documents of real steps, grades from the truth, known measures."""

from __future__ import annotations

import json

import pytest
from benchmarks import retrieval, retrieval_people
from benchmarks.retrieval_people import load_people
from benchmarks.retrieval_queries import KINDS, MOST, Query, Truth, queries
from tests.paths import REPOSITORY

from sample_data.population import Population

pytestmark = pytest.mark.release


def test_grades_follow_from_the_truth_and_nothing_else():
    population = Population(5)
    truths = [Truth(number, population.person(number)) for number in range(800)]
    asked = queries(truths, each=4, seed=1)
    assert asked == queries(truths, each=4, seed=1)
    assert {query.kind for query in asked} == set(KINDS)
    assert len({query.text for query in asked}) == len(asked)
    by_id = {truth.candidate_id: truth for truth in truths}
    for query in asked:
        best = [by_id[one] for one, grade in query.grades.items() if grade == 2]
        assert 1 <= len(best) <= MOST
        if query.kind == "title_and_place":
            assert all(t.titles[0] in query.text and t.city in query.text for t in best)
        if query.kind == "negation":
            unwanted = query.text.split()[-1].strip('-"')
            assert all(unwanted not in truth.skills for truth in best)


def test_measures_are_those_of_the_book_and_a_miss_counts_zero():
    asked = [
        Query("a", "k", "", {1: 2, 2: 1}),
        Query("b", "k", "", {3: 2}),
        Query("c", "k", "", {4: 2}),
    ]
    ranking = {"a": {"1": 3.0, "2": 2.0, "9": 1.0}, "b": {"9": 2.0, "3": 1.0}, "c": {}}
    found = retrieval._scores(asked, ranking)
    assert found["ndcg10"] == pytest.approx({"a": 1.0, "b": 0.6309, "c": 0.0}, abs=1e-4)
    assert found["recall50"] == {"a": 1.0, "b": 1.0, "c": 0.0}
    better = {name: dict.fromkeys(values, 1.0) for name, values in found.items()}
    mean, low, high = retrieval._difference(better, found)
    assert low <= mean <= high
    assert mean == pytest.approx((0 + 0.3691 + 1) / 3, abs=1e-4)


def test_a_raw_document_has_every_value_and_no_key():
    row = {"id": 7, "names": [{"first": "Ada"}, None, True], "raw": {"about": "Pilot"}}
    assert list(retrieval_people._values(row)) == ["7", "Ada", "Pilot"]


def test_generated_people_are_found_by_every_row(database, tmp_path, monkeypatch):
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    people = load_people(database, tmp_path / "sample", people=60, seed=3)
    assert 54 <= len(people) <= 66
    asked = queries([person.truth for person in people], each=4, seed=3)
    assert len(asked) >= 12
    found = retrieval.measure(database, people, asked, texts=retrieval.TEXTS, vectors=False)
    assert all(row["ndcg10"] > 0.3 for row in found["rows"].values())
    assert found["rows"]["search"]["ndcg10"] >= found["rows"]["ts_rank_synthesised"]["ndcg10"]


def test_the_published_figures_have_the_agreed_shape():
    found = json.loads((REPOSITORY / "benchmarks/results/retrieval.json").read_text())
    assert sum(found["queries"].values()) == 150
    assert set(found["ndcg10_by_kind"]) == set(KINDS)
    assert {"ndcg10", "recall50", "p95_ms"} <= set(found["rows"]["search"])
