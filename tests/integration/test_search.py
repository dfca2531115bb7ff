"""synthesis.search_candidates: one search over profile, document and exact names."""

from __future__ import annotations

import psycopg
import pytest
from tests.integration.test_publish import publish_run
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
    write_document,
)

from profiles.models import Provenance, Skill
from profiles.operations.roles import apply_roles
from profiles.standardization.skills import _key
from profiles.steps import index_documents
from profiles.storage.connection import Database
from profiles.storage.taxonomy import load_vocabulary

PEOPLE = (
    # title, place, country, years, skills, summary, document
    ("Senior Data Engineer", "Berlin, Germany", "DE", 9, ("Apache Kafka", "Node.js", "C++"),
     "Builds streaming platforms for banks.", "Keeps bees in alpine valleys."),
    ("Staff Nurse", "München, Germany", "DE", 4, ("Patient Care", "データ分析"),
     "Cares for patients on two wards.", "Trained by the Red Cross."),
    ("Data Engineer", "Pune, India", "IN", 2, ("C#", ".NET", "CI/CD", "Java"),
     "Writes services for retailers.", "Speaks at meetups about TCP/IP."),
    ("Intern", "Berlin, Germany", "DE", 0, ("C", "Kubernetes"),
     "Supports the platform team.", "Studies physics."),
)  # fmt: skip
ENGINEER, NURSE, INDIA, INTERN = range(4)


@pytest.fixture
def people(database: Database, monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Four published and indexed people: id → position in PEOPLE."""
    use_scripted_engine(monkeypatch)
    ids = add_documents(database, len(PEOPLE))
    with database.connect() as connection:
        for candidate, (title, place, country, years, *_, text) in zip(ids, PEOPLE, strict=True):
            write_document(connection, candidate, f"# Ada Testwell\n{text}")
            connection.execute(
                "UPDATE synthesis.document SET (title, place, country, years_of_experience) = "
                "(%s, %s, %s, %s) WHERE candidate_id = %s",
                (title, place, country, years, candidate),
            )
    plan(database, "one")
    while lease := lease_batch(database, run_id="one", lane=0, size=1, lease_seconds=60):
        *_, skills, summary, _ = PEOPLE[ids.index(lease.items[0].candidate_id)]
        named = tuple(Skill(name, Provenance.MODEL) for name in skills)
        written = attempt(lease.items[0], summary=summary, skills=named)
        persist_results(database, batch_id=lease.batch_id, attempts=[written])
    publish_run(database, "one")
    index_documents.refresh(database)
    index_documents.refresh_names(database)
    served = rows(database, "SELECT candidate_id, title FROM synthesis.candidate_synthesis")
    assert len(served) == len(PEOPLE)
    return {candidate: position for position, candidate in enumerate(ids)}


@pytest.fixture
def search(database: Database, people: dict[int, int]):
    def search(query: str, **filters: list[str]) -> list[int]:
        found = rows(
            database,
            "SELECT candidate_id FROM synthesis.search_candidates(%s, %s::text[], %s::text[])",
            query, filters.get("skills", []), filters.get("domains", []),
        )  # fmt: skip
        return [people[candidate] for (candidate,) in found]

    return search


FIRST = {
    "senior data engineer in Berlin": ENGINEER,
    "C++": ENGINEER,
    "C#": INDIA,
    ".NET": INDIA,
    "node": ENGINEER,
    "NodeJS": ENGINEER,
    "ci/cd": INDIA,
    "TCP/IP": INDIA,
    "TCP": INDIA,
    "データ分析": NURSE,
    "kafka": ENGINEER,
    "kuberntes": INTERN,
    "kube*": INTERN,
    "k8s": INTERN,
    "beekeeping bees": ENGINEER,
    "nurse Munchen": NURSE,
    "engineer Deutschland": ENGINEER,
    "data engineer 5+ years": ENGINEER,
    '"red cross"': NURSE,
    "director or nurse": NURSE,
}
ABSENT = {
    "data engineer without Java": INDIA,
    "data engineer, not C++": ENGINEER,
    "data engineer -java": INDIA,
    'platform -"platform team"': INTERN,
}
ODD = (
    "'", "\\", "a & | ! <-> b:*", "((", 'x"', "-", "%s $1", "é" * 500, "z" * 5_000,
    " ".join(["engineer"] * 300), "not not or", "12 years", "\ue000",
)  # fmt: skip


def test_the_person_meant_comes_first_and_who_is_excluded_not_at_all(search):
    assert {query: search(query)[:1] for query in FIRST} == {
        query: [person] for query, person in FIRST.items()
    }
    for query, absent in ABSENT.items():
        found = search(query)
        assert found, query
        assert absent not in found, query
    # The whole of one title, a part of the other.
    assert search("data engineer")[:2] == [INDIA, ENGINEER]
    assert search("C++") == [ENGINEER]
    assert search("C#") == [INDIA]
    assert search("", skills=["C"]) == [INTERN]
    assert search("engineer", skills=["dotnet"]) == [INDIA]
    assert search("", skills=["K8s"]) == [INTERN]
    assert search("engineer", skills=["K8s", "COBOL"]) == []
    assert search("engineer", domains=["banking"]) == []
    assert search("") == search("the of and") == []
    # Odd queries are words and no syntax.
    assert all(isinstance(search(query), list) for query in ODD)


def test_without_trigrams_all_but_misspelt_names_works(database, people, search):
    with database.connect() as connection:
        connection.execute("DROP EXTENSION pg_trgm CASCADE")
    assert search("kuberntes") == []
    assert search("kubern") == [INTERN]
    assert search("kafka") == [ENGINEER]


def test_a_name_is_completed_from_half_of_it_and_words_of_a_name_rank(database, people, search):
    with database.connect() as connection:
        for key in ("kafkaweirs", "javaweirs"):
            connection.execute(
                "INSERT INTO synthesis.search_name "
                "VALUES (%s, 's', synthesis.quoted_lexeme('s:' || %s)::tsquery)",
                (key, key),
            )
    read = "SELECT kind::text FROM synthesis.read_query(%s)"
    assert rows(database, read, "company") == []
    assert rows(database, read, "kubern") == [("s",)]
    # A pronoun among words with capitals is no country.
    assert ("c",) in rows(database, read, "nurse us")
    words = "SELECT words FROM synthesis.read_query(%s) WHERE kind = 'w'"
    assert rows(database, words, "Kafka who brings us quokkas, Berlin") == [("Berlin",)]
    # A label of the taxonomy is in the plural.
    assert rows(database, read, "hospital") == [("d",)]
    # Nobody has either name, and one person each a word of it.
    assert search("data engineer Kafka Weirs")[0] == ENGINEER
    assert search("data engineer Java Weirs")[0] == INDIA


def test_words_of_profile_and_document_are_looked_for_together(database, people, search):
    # One word stands in a summary and the other in the document of the same person alone.
    with database.connect() as connection:
        found = connection.execute(
            "SELECT candidate_id FROM synthesis.document_search WHERE vector @@ 'bank & bee'"
        ).fetchall()
    assert [people[candidate] for (candidate,) in found] == [ENGINEER]
    assert search("banks bees")[0] == ENGINEER


def test_of_very_many_some_groups_are_searched_and_few_are_found_all_the_same(
    database, people, search
):
    before = search("data engineer Berlin")
    with database.connect() as connection:
        connection.execute(
            "UPDATE pg_class SET reltuples = 475000 "
            "WHERE oid = 'synthesis.document_search'::regclass"
        )
        (groups,) = connection.execute(
            "SELECT count(DISTINCT lexeme) FROM synthesis.document_search, unnest(vector) "
            "WHERE lexeme ~ '^b:[0-9]+$'"
        ).fetchone()
    assert groups > 1
    assert search("data engineer Berlin") == before


def test_a_new_profile_is_searched_after_the_next_index(database, people, search):
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate_synthesis SET published_at = now(), "
            "search = search || to_tsvector('english', 'falconry') WHERE title = 'Staff Nurse'"
        )
    assert search("falconry") == []
    assert index_documents.refresh(database) == 1
    assert search("falconry") == [NURSE]


def test_a_phrase_weighs_what_its_rarest_word_does(database, people):
    with database.connect() as connection:
        connection.execute("DELETE FROM synthesis.search_term")
        connection.execute("INSERT INTO synthesis.search_term VALUES ('engin', 0.5), ('data', 0.1)")
    found = rows(
        database,
        "SELECT kind::text || words, weight FROM synthesis.read_query('data engineer meetups')",
    )
    weights = dict(found)
    assert weights["wengineer"] < weights["wdata"] == weights["pdata engineer"]
    # What the sample lacks is no rarer than the rarest that it has.
    assert weights["wmeetups"] == weights["wdata"]


def test_a_vector_joins_the_ranking_and_alone_finds_too(database, people):
    by_position = {position: candidate for candidate, position in people.items()}
    with database.connect() as connection:
        for position, vector in ((NURSE, [1, 0]), (INTERN, [0, 1])):
            connection.execute(
                "INSERT INTO synthesis.candidate_embedding VALUES (%s, 'm', 2, 'f', %s)",
                (by_position[position], vector),
            )
    found = rows(
        database,
        "SELECT candidate_id FROM synthesis.search_candidates('kubernetes', meaning => '{1,0}')",
    )
    # Who is near by meaning is found too, after who has the words.
    assert [people[candidate] for (candidate,) in found] == [INTERN, NURSE]


def test_a_search_sends_no_notices(database, people):
    notices: list[str] = []
    with database.connect() as connection:
        connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        connection.execute("SELECT * FROM synthesis.search_candidates('nurse', '{kafka}')")
    assert notices == []


def test_a_reader_may_search_and_not_read_what_it_searches(database, people):
    apply_roles(database)
    with database.connect() as connection:
        connection.execute("SET LOCAL ROLE profiles_reader")
        found = connection.execute("SELECT * FROM synthesis.search_candidates('bees')").fetchall()
        assert len(found) == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT FROM synthesis.document_search")


def test_sql_and_the_vocabulary_have_one_key_for_a_name(database):
    vocabulary = load_vocabulary()
    names = sorted({
        name
        for canonical, aliases in vocabulary.aliases.items()
        for name in (*aliases, *vocabulary.translations(canonical))
    })  # fmt: skip
    assert any(not name.isascii() for name in names)
    (keys,) = one(database, "SELECT synthesis.skill_keys(%s)", names)
    differing = [
        (name, key, _key(name)) for name, key in zip(names, keys, strict=True) if key != _key(name)
    ]
    assert differing == []


def test_a_long_skill_and_an_odd_one_stop_nobody(database):
    (vector,) = one(
        database,
        "SELECT synthesis.fact_vector(%s, NULL, %s, NULL, %s, '{}')::text",
        "x" * 5_000, "y " * 5_000, ["z" * 5_000, "", "'", "\\", "a' | b"],
    )  # fmt: skip
    assert "s:" in vector


def test_facts_are_columns_and_a_change_of_one_publishes_that_person_alone(database, people):
    served = rows(
        database,
        "SELECT title, place, country, years_of_experience FROM synthesis.candidate_synthesis "
        "ORDER BY candidate_id",
    )
    assert served == [person[:4] for person in PEOPLE]
    plan(database, "two")
    assert publish_run(database, "two") == {"published": 0, "withdrawn": 0}
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.document SET title = 'CTO' WHERE candidate_id = 1")
    plan(database, "three")
    assert publish_run(database, "three") == {"published": 1, "withdrawn": 0}


def test_rows_of_an_older_version_are_published_once(database, people):
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.candidate_synthesis SET search_version = NULL")
    plan(database, "two")
    assert publish_run(database, "two") == {"published": 4, "withdrawn": 0}
    plan(database, "three")
    assert publish_run(database, "three") == {"published": 0, "withdrawn": 0}
