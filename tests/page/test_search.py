"""Search preview: the same query over summaries and raw documents, ranked side by side."""

from __future__ import annotations

import pytest
from profile_runs import search_queries
from profile_runs.search_queries import parts

from profiles.models import Provenance, Skill
from profiles.steps import index_documents
from profiles.storage.connection import Database
from tests.conftest import Databases
from tests.page.test_candidate import answered, publish_all
from tests.planned_runs import add_documents, use_scripted_engine, write_document


@pytest.fixture
def published(
    database: Database, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """Three people whose summaries say billing; the second one's document says beekeeping."""
    use_scripted_engine(monkeypatch)
    return databases.fill(database, publish_three)


def publish_three(database: Database, environment: pytest.MonkeyPatch) -> list[int]:
    use_scripted_engine(environment)
    ids = add_documents(database, 3)
    with database.connect() as connection:
        text = "# Ada Testwell\n" + "Beekeeping with Python in alpine valleys. " * 20
        write_document(connection, ids[1], text)
    answered(
        database,
        "one",
        summary="An engineer who built billing services.",
        skills=(Skill("Python", Provenance.MODEL), Skill("Apache Kafka", Provenance.DOCUMENT)),
    )
    publish_all(database, "one")
    index_documents.refresh(database)
    return ids


def hits(side: dict) -> list[int]:
    return [hit["candidate_id"] for hit in side["hits"]]


def test_both_sides_are_ranked_and_say_the_place_on_the_other(published, get):
    found = get("/api/search", q="billing")
    assert sorted(hits(found["summaries"])) == published
    assert sorted(hits(found["documents"])) == [published[0], published[2]]
    scores = [hit["score"] for hit in found["documents"]["hits"]]
    assert scores == sorted(scores, reverse=True)
    places = {hit["candidate_id"]: hit for hit in found["summaries"]["hits"]}
    assert places[published[1]]["other_place"] is None
    assert places[published[0]]["other_place"] == hits(found["documents"]).index(published[0]) + 1
    assert (found["compared"], found["shared"]) == (2, 2)


def test_a_profile_is_found_by_what_its_summary_left_out(published, get):
    found = get("/api/search", q="beekeeping")
    assert hits(found["summaries"]) == [published[1]]
    assert hits(found["documents"]) == [published[1]]


def test_matches_are_parts_of_the_text_and_stems_count(published, get):
    (first, *_) = get("/api/search", q="engineers kafka")["summaries"]["hits"]
    assert ["engineer", True] in [part for passage in first["passages"] for part in passage]
    assert ["Kafka", True] in first["skills"]
    assert "".join(text for text, _ in first["skills"]) == "Python · Apache Kafka"


def test_markup_and_marks_in_a_text_are_text(database, published, get):
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate_synthesis SET summary = %s, full_name = %s",
            ("Billing \ue000not a mark\ue001 & <b>bold</b> billing", "<script>alert(1)</script>"),
        )
    hit = get("/api/search", q="billing")["summaries"]["hits"][0]
    marked = [text for passage in hit["passages"] for text, is_match in passage if is_match]
    assert [text.lower() for text in marked] == ["billing", "billing"]
    assert hit["full_name"] == "<script>alert(1)</script>"


def test_filters_narrow_both_sides(database, published, get):
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate_synthesis SET domains = '{Banking}', search = search "
            "|| synthesis.fact_vector(NULL, NULL, NULL, NULL, '{}', '{Banking}'), "
            "published_at = now() WHERE candidate_id = %s",
            (published[0],),
        )
    index_documents.refresh(database)
    found = get("/api/search", q="billing", domain="Banking")
    assert hits(found["summaries"]) == hits(found["documents"]) == [published[0]]
    found = get("/api/search", q="billing", skill="kafka")
    assert found["skill"] == "Apache Kafka"
    assert sorted(hits(found["summaries"])) == published
    assert get("/api/search", q="billing", skill="COBOL")["summaries"]["hits"] == []


def test_stop_words_alone_find_nothing_and_say_so(published, get):
    found = get("/api/search", q="the of and")
    assert (found["terms"], found["summaries"]["matched"]) == ("", 0)


def test_more_matches_than_are_scored_are_said_and_paging_ends(published, get, monkeypatch):
    monkeypatch.setattr(search_queries, "BEST", 2)
    monkeypatch.setattr(search_queries, "PAGE_SIZE", 1)
    found = get("/api/search", q="billing")
    assert (found["summaries"]["matched"], found["summaries"]["is_bounded"]) == (2, True)
    seen = [
        get("/api/search", q="billing", page=page)["summaries"]["hits"][0]["candidate_id"]
        for page in range(1, found["pages"] + 1)
    ]
    assert len(set(seen)) == 2
    assert found["documents"]["is_bounded"] is False


def test_an_index_that_was_never_made_is_told_from_no_match(database, get):
    found = get("/api/search", q="billing")
    assert found["documents"]["has_rows"] is False
    assert found["summaries"]["has_rows"] is False


def test_the_filters_are_those_of_the_taxonomy(get):
    found = get("/api/search/filters")
    assert "Apache Kafka" in found["skills"]
    assert found["domains"] == sorted(found["domains"])
    assert len(found["domains"]) > 10


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("", []),
        ("plain", [("plain", False)]),
        ("\ue000all\ue001", [("all", True)]),
        ("a\ue000b\ue001\ue000c\ue001d", [("a", False), ("b", True), ("c", True), ("d", False)]),
        ("cut \ue000off", [("cut ", False), ("off", False)]),
    ],
)
def test_parts_lose_no_text(marked, wanted):
    assert parts(marked) == wanted
