"""View Coverage: each person in one state, counted by the report of a run."""

from __future__ import annotations

import pytest

from profiles.steps import publish, synthesise
from profiles.steps.reports import run_report
from tests.planned_runs import (
    add_documents,
    approve_newest,
    plan,
    use_scripted_engine,
    write_document,
)


def states(view):
    return {(s["state"], s["reason"]): s["candidates"] for s in view["coverage"]["states"]}


@pytest.fixture
def people(database, databases, monkeypatch):
    """Ten people, one too thin, answered and published by run-1 under the approved release."""
    use_scripted_engine(monkeypatch)
    return databases.fill(database, publish_run)


def publish_run(database, environment):
    use_scripted_engine(environment)
    ids = add_documents(database, 10, thin=[0])
    plan(database, "run-1", lanes=1)
    approve_newest(database)
    synthesise.run(database, run_id="run-1", lane=0)
    publish.run(database, run_id="run-1", planned=True, tagged=True)
    return ids


def take(database):
    run_report.count_people(
        database, run_id="run-1", gate={"valid": 9}, tokens={"prompt_tokens": 7}
    )


def test_before_any_report_there_is_no_coverage_rather_than_zeros(get, database):
    assert get("/api/coverage") == {"coverage": None, "history": []}


def test_every_person_is_in_one_state_and_stale_ones_say_why(get, database, people):
    with database.connect() as connection:
        # One who changed at the source, one refused, one merged away, one without a document.
        write_document(connection, people[1], "# Ada Testwell\nChanged " * 30)
        connection.execute(
            "UPDATE synthesis.document SET source_changed_at = now() WHERE candidate_id = %s",
            (people[1],),
        )
        connection.execute(
            "UPDATE synthesis.completion SET outcome = 'rejected', is_accepted = false "
            "WHERE candidate_id = %s",
            (people[2],),
        )
        connection.execute(
            "UPDATE synthesis.candidate SET merged_into = %s WHERE candidate_id = %s",
            (people[0], people[3]),
        )
        connection.execute("INSERT INTO synthesis.candidate (created_run) VALUES ('run-1')")
    take(database)

    view = get("/api/coverage")

    assert states(view) == {
        ("too_thin", None): 1,
        ("stale", "source_changed"): 1,
        ("rejected", None): 1,
        ("fresh", None): 6,
        ("never", "no_document"): 1,
    }
    assert sum(states(view).values()) == view["coverage"]["candidates"] == 10


def test_a_new_release_makes_the_answered_stale_for_its_reason(get, database, people):
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.release SET state = 'superseded'")
        connection.execute(
            "INSERT INTO synthesis.release SELECT 'other', 'approved', engine, model, "
            "model_revision, engine_profile, 'another prompt', schema_digest, sampling_digest, "
            "renderer_version, prompt, output_schema, sampling FROM synthesis.release LIMIT 1"
        )
    take(database)

    assert states(get("/api/coverage"))[("stale", "prompt_changed")] == 9


def test_the_plan_agrees_with_what_is_called_stale(get, database, people):
    with database.connect() as connection:
        write_document(connection, people[4], "# Ada Testwell\nAnother text " * 30)
    plan(database, "run-2", lanes=1)
    take(database)

    with database.connect() as connection:
        planned = dict(
            connection.execute(
                "SELECT reason, count(*) FROM synthesis.run_item WHERE run_id = 'run-2' "
                "GROUP BY reason"
            ).fetchall()
        )
    stale = {
        reason: n for (state, reason), n in states(get("/api/coverage")).items() if state == "stale"
    }
    assert stale == planned
    assert sum(planned.values()) == 1


def test_sources_ages_domains_and_skills_are_counted(get, database, people):
    with database.connect() as connection:
        for source, whom in (("linkedin", people[:3]), ("resume", people[:1])):
            for candidate_id in whom:
                connection.execute(
                    "INSERT INTO synthesis.candidate_source (source, source_key, candidate_id, "
                    "rule, assigned_run) VALUES (%s, %s, %s, 'new', 'run-1')",
                    (source, str(candidate_id), candidate_id),
                )
        connection.execute(
            "INSERT INTO synthesis.domain_tag VALUES (%s, 'Fintech', 12, 1, '{}')", (people[0],)
        )
        connection.execute(
            "UPDATE synthesis.candidate_synthesis SET synthesised_at = now() - interval '40 days' "
            "WHERE candidate_id = %s",
            (people[1],),
        )
    take(database)

    found = get("/api/coverage")["coverage"]

    assert {(tuple(s["sources"]), s["candidates"]) for s in found["sources"]} == {
        (("linkedin",), 2),
        (("linkedin", "resume"), 1),
    }
    assert [(age["days"], age["candidates"]) for age in found["ages"]] == [
        (1, 8),
        (7, 0),
        (30, 0),
        (90, 1),
        (365, 0),
        (None, 0),
    ]
    assert found["domains"] == [{"name": "Fintech", "candidates": 1}]
    assert {"name": "Python", "candidates": 9} in found["skills"]


def test_the_report_of_a_run_counts_and_a_second_one_replaces(get, database, people):
    run_report.store(database, run_id="run-1")
    run_report.store(database, run_id="run-1")

    view = get("/api/coverage")

    assert view["coverage"]["run_id"] == "run-1"
    (figures,) = view["history"]
    assert sum(figures["gate"].values()) == 9
    assert figures["tokens"]["completion_tokens"] > 0
    assert set(figures["tokens"]) == set(run_report.COVERAGE_TOKENS)
