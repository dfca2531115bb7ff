"""Published rows are found by their words: the search vector of the serving table."""

from __future__ import annotations

from tests.integration.test_publish import answer, publish_run, scripted_engine, served
from tests.paths import REPOSITORY
from tests.planned_runs import (
    add_documents,
    plan,
    rows,
)

from profiles.models import Provenance, Skill
from profiles.steps import index_documents
from profiles.storage.connection import Database
from profiles.storage.taxonomy import load_vocabulary

__all__ = ["scripted_engine"]


def test_the_example_of_the_readme_finds_payments_engineers_with_kafka(database: Database):
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    example = readme.split("Payments engineers with Kafka")[1].split("```sql")[1].split("```")[0]
    (candidate_id,) = add_documents(database, 1)
    plan(database, "one")
    kafka = load_vocabulary().canonical("kafka")
    answer(
        database,
        "one",
        summary="An engineer who built payment services for banks.",
        skills=(Skill(kafka, Provenance.BOTH),),
    )
    publish_run(database, "one")
    index_documents.refresh(database)
    index_documents.refresh_names(database)

    assert [row[0] for row in rows(database, example)] == [candidate_id]


def test_a_skill_is_found_by_its_own_name(database: Database):
    names = ("Apache Kafka", "Kubernetes", "Google Analytics", "Onboarding", "Internal Audit")
    ids = add_documents(database, len(names))
    plan(database, "one")
    for name in names:
        answer(database, "one", 1, summary="A text.", skills=(Skill(name, Provenance.DOCUMENT),))
    publish_run(database, "one")

    for configuration in ("english", "simple"):
        found = [
            rows(
                database,
                "SELECT candidate_id, skills[1] FROM synthesis.candidate_synthesis "
                "WHERE search @@ websearch_to_tsquery(%s::regconfig, %s)",
                configuration,
                name,
            )
            for name in names
        ]
        assert sorted(row for (row,) in found) == list(zip(ids, names, strict=True))


SEARCH_OF_ALL_PARTS = """
SELECT candidate_id FROM synthesis.candidate_synthesis
WHERE search IS DISTINCT FROM
  setweight(to_tsvector('english', array_to_string(skills, ' ; ')), 'A')
  || setweight(to_tsvector('simple', array_to_string(skills, ' ; ')), 'A')
  || setweight(to_tsvector('english', coalesce(summary, '')), 'B')
  || setweight(to_tsvector('english', array_to_string(domains, ' ; ')), 'C')
  || setweight(to_tsvector('simple', array_to_string(domains, ' ; ')), 'C')
  || synthesis.fact_vector(title, employer, place, country, skills, domains)
"""


def test_the_vector_made_when_an_answer_is_accepted_serves_like_one_of_all_parts(
    database: Database,
):
    ids = add_documents(database, 3, thin=[2])
    with database.connect() as connection:
        for candidate_id in ids[1:]:
            connection.execute(
                "INSERT INTO synthesis.domain_tag VALUES (%s, 'retail banking', 12, 1.0, '{x}')",
                (candidate_id,),
            )
    plan(database, "one")
    skills = tuple(Skill(name, Provenance.DOCUMENT) for name in ("C++", "Apache Kafka"))
    answer(database, "one", summary="Built retail services and apis.", skills=skills)

    publish_run(database, "one")

    assert len(served(database)) == 3
    assert rows(database, SEARCH_OF_ALL_PARTS) == []


def test_a_completion_that_is_not_accepted_keeps_no_vector(database: Database):
    ids = add_documents(database, 1)
    plan(database, "one")
    answer(database, "one", summary="A text.")

    assert rows(database, "SELECT search_vector IS NULL FROM synthesis.completion") == [(False,)]
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET is_accepted = false WHERE candidate_id = %s", (ids[0],)
        )
    assert rows(database, "SELECT search_vector IS NULL FROM synthesis.completion") == [(True,)]
