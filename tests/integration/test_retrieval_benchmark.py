"""The retrieval benchmark: documents of real steps, relevance from the truth, known measures."""

from __future__ import annotations

import json
from random import Random

import pytest
from benchmarks import retrieval, retrieval_people
from benchmarks.retrieval_people import Person, Query, Truth, load_people, queries
from tests.paths import REPOSITORY

from profiles.storage.taxonomy import load_vocabulary

pytestmark = pytest.mark.release


def person(number: int, titles: tuple[str, ...], skills: tuple[str, ...]) -> Person:
    truth = Truth(number, titles, ("insurance",) * len(titles), frozenset(skills))
    return Person(truth, raw="", markdown="", too_thin=False, domains=())


def test_relevant_people_follow_from_the_truth_and_nothing_else():
    stream = Random(5)
    titles = ("Data Engineer", "Pharmacist", "Head of Operations", "Sales Intern")
    skills = ("Kubernetes", "PostgreSQL", "Go", "Terraform")
    people = [
        person(number, tuple(stream.sample(titles, 2)), tuple(stream.sample(skills, 3)))
        for number in range(30)
    ]
    asked = queries(people, each=5, seed=1)
    assert asked == queries(people, each=5, seed=1)
    assert {query.kind for query in asked} == set(retrieval_people._KINDS)
    assert len({query.text for query in asked}) == len(asked)
    truths = {one.truth.candidate_id: one.truth for one in people}
    for query in asked:
        assert retrieval_people.FEWEST <= len(query.relevant) <= retrieval_people.MOST
        if query.kind == "title_and_skill":
            title = next(name for name in titles if query.text.startswith(name))
            skill = query.text.removeprefix(f"{title} ")
            assert query.relevant == {
                key for key, t in truths.items() if t.titles[0] == title and skill in t.skills
            }
        if query.kind == "synonyms":
            # The query's words are not those of the truth.
            assert not any(skill in query.text.split(" and ") for skill in skills)
    levels = {one.truth.titles[0]: one.truth.level for one in people}
    assert levels["Head of Operations"] == "executive"
    assert levels["Sales Intern"] == "trainee"


def test_measures_are_those_of_the_book_and_a_miss_counts_zero():
    asked = [
        Query("a", "k", "", frozenset({1, 2})),
        Query("b", "k", "", frozenset({3})),
        Query("c", "k", "", frozenset({4})),
    ]
    ranking = {"a": {"1": 3.0, "2": 2.0, "9": 1.0}, "b": {"9": 2.0, "3": 1.0}, "c": {}}
    found = retrieval._scores(asked, ranking)
    assert found["ndcg10"] == pytest.approx({"a": 1.0, "b": 0.6309, "c": 0.0}, abs=1e-4)
    assert found["recall50"] == {"a": 1.0, "b": 1.0, "c": 0.0}
    better = {name: dict.fromkeys(values, 1.0) for name, values in found.items()}
    mean, low, high = retrieval._difference(better, found, "ndcg10", 1)
    assert low <= mean <= high
    assert mean == pytest.approx((0 + 0.3691 + 1) / 3, abs=1e-4)


def test_a_raw_document_has_every_value_and_no_key():
    row = {"id": 7, "names": [{"first": "Ada"}, None, True], "raw": {"about": "Pilot"}}
    assert list(retrieval_people._values(row)) == ["7", "Ada", "Pilot"]


def test_generated_people_are_found_in_all_three_kinds_of_documents(database, tmp_path):
    people = load_people(database, tmp_path / "sample", people=40, seed=3)
    assert 36 <= len(people) <= 44
    vocabulary = load_vocabulary()
    for one in people:
        if not one.too_thin:
            retrieval._by_extract(one, vocabulary)
    methods = {one.method for one in people}
    assert "extractive" in methods
    assert methods <= {"extractive", "rejected", "too_thin"}
    asked = queries(people, each=4, seed=3)
    assert len(asked) >= 12
    rankings = retrieval._postgres(database, people, asked)
    for kind in retrieval.KINDS:
        for ranking in (retrieval._bm25(people, asked, kind), rankings[kind]):
            means = retrieval._means(retrieval._scores(asked, ranking))
            # A ranking by chance has about 0.2 here.
            assert means["ndcg10"] > 0.35, kind
            assert set(means) == {"ndcg10", "recall50"}


def test_the_published_figures_have_the_agreed_shape():
    found = json.loads((REPOSITORY / "benchmarks/results/retrieval.json").read_text())
    for way in ("fulltext", "vector"):
        assert {kind: set(values) for kind, values in found[way].items()} == {
            kind: {"ndcg10", "recall50"} for kind in retrieval.KINDS
        }
    assert sum(found["synthesised_methods"].values()) == found["candidates"]
    assert {"seed", "people", "embedding_model", "summary_model"} <= set(found)
