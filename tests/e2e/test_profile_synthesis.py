"""The real DAG from source rows to the serving table, with the scripted engine."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Databases
from tests.e2e.dag_runs import DagOutcome, run_again, run_dag
from tests.planned_runs import use_scripted_engine

from profiles.models import Bucket
from profiles.storage.connection import Database
from sample_data import load_sample

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("default")]

UNREADABLE_ROWS = 3


def _published(database: Database) -> dict[int, tuple[str, ...]]:
    with database.connect() as connection:
        return {
            row[0]: row[1:]
            for row in connection.execute(
                "SELECT candidate_id, summary, skills, domains, method, published_at "
                "FROM synthesis.candidate_synthesis"
            )
        }


def _report_page(database: Database, run_id: str) -> str:
    """The HTML that task `report` wrote, found where it noted it."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT report -> 'files' ->> 'html' FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
    assert row is not None
    return Path(row[0]).read_text(encoding="utf-8")


def _assert_sums_hold(outcome: DagOutcome) -> None:
    buckets = outcome.status
    assert outcome.status["planned"] == sum(buckets[bucket] for bucket in Bucket.planned())
    assert outcome.status["candidates"] == (
        buckets[Bucket.FRESH] + buckets[Bucket.TOO_THIN] + outcome.status["planned"]
    )


def _answered(outcome: DagOutcome) -> int:
    published = (Bucket.VALID, Bucket.REPAIRED, Bucket.EXTRACTIVE)
    return sum(outcome.status[bucket] for bucket in published)


@pytest.fixture
def first(
    database: Database,
    databases: Databases,
    airflow_metadata: None,
    monkeypatch: pytest.MonkeyPatch,
) -> DagOutcome:
    """Result of a first night over the bundled rows, run once for all tests."""
    outcome: DagOutcome = databases.fill(database, first_night)
    use_scripted_engine(monkeypatch)
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", database.url)
    return outcome


def first_night(database: Database, environment: pytest.MonkeyPatch) -> DagOutcome:
    load_sample(database)
    use_scripted_engine(environment)
    environment.setenv("AIRFLOW_CONN_PROFILES_DB", database.url)
    return run_dag(database, logical_date=datetime(2026, 3, 1, 22, tzinfo=UTC))


def test_source_rows_become_published_profiles_and_missed_nights_find_nothing_to_do(
    database: Database, first: DagOutcome, caplog: pytest.LogCaptureFixture
):
    assert first.state == "success"
    # Nothing is judged unless the deployment asks for it.
    assert {task for task, state in first.tasks.items() if state != "success"} == {
        ("judge_profiles", -1)
    }
    assert len(first.states("extract_sources")) == 4
    _assert_sums_hold(first)
    assert first.status[Bucket.VALID] > 0
    assert first.status["model_calls"] >= first.status["planned"]
    published = _published(database)
    assert len(published) == _answered(first) + first.status[Bucket.TOO_THIN]
    with database.connect() as connection:
        rejected = connection.execute("SELECT count(*) FROM synthesis.rejected_row").fetchone()
        rows = connection.execute("SELECT count(*) FROM synthesis.source_record").fetchone()
    assert rejected == (UNREADABLE_ROWS,)
    assert rows is not None
    assert rows[0] > 60
    page = _report_page(database, first.status["run_id"])
    assert f"<h1>{first.status['run_id']}</h1>" in page
    assert f"{first.status['candidates']}</b><span>candidates" in page

    caplog.set_level(logging.INFO, logger="profiles")
    missed = [
        run_dag(database, logical_date=datetime(2026, 3, day, 22, tzinfo=UTC)) for day in (2, 3)
    ]

    assert [night.state for night in missed] == ["success"] * 2
    assert [night.status["model_calls"] for night in missed] == [0, 0]
    assert [night.status["planned"] for night in missed] == [0, 0]
    assert [night.status["published"] for night in missed] == [0, 0]
    assert [night.states("synthesise") for night in missed] == [["skipped"]] * 2
    assert caplog.text.count("nothing to synthesise: 24 candidates, 1 too_thin, 23 fresh") == 2
    assert _published(database) == published


def test_one_failed_lane_fails_the_run_but_what_was_answered_is_published(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    faults = {"exit_after": 5, "once": str(tmp_path / "happened")}
    use_scripted_engine(
        monkeypatch, engine_options=json.dumps({"faults": faults}), engine_restarts=0
    )

    outcome = run_dag(sample_database, lanes=2)

    assert sorted(outcome.states("synthesise")) == ["failed", "success"]
    assert outcome.states("publish") == ["success"]
    assert outcome.states("report") == ["success"]
    assert outcome.states("verify_run") == ["failed"]
    assert outcome.state == "failed"
    assert outcome.status["state"] == "failed"
    # dag.test() takes the lanes in an order of its own.
    failed = outcome.states("synthesise").index("failed")
    assert f"lane {failed} did not succeed" in (outcome.status["error"] or "")
    _assert_sums_hold(outcome)
    assert outcome.status[Bucket.MISSING] == 0
    assert len(_published(sample_database)) > 0


def test_all_lanes_failed_leaves_every_document_missing_and_publishes_the_rest(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    use_scripted_engine(
        monkeypatch, engine_options=json.dumps({"faults": {"exit_after": 0}}), engine_restarts=0
    )

    outcome = run_dag(sample_database, lanes=2)

    assert outcome.states("synthesise") == ["failed", "failed"]
    assert outcome.states("publish") == ["success"]
    assert outcome.states("report") == ["success"]
    assert outcome.states("verify_run") == ["failed"]
    assert outcome.status[Bucket.MISSING] == outcome.status["planned"] > 0
    _assert_sums_hold(outcome)
    thin = outcome.status[Bucket.TOO_THIN]
    assert [row[0] for row in _published(sample_database).values()] == [None] * thin


def test_a_mapping_that_does_not_hold_fails_the_run_publishes_nothing_and_the_team_is_told(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    use_scripted_engine(monkeypatch)
    told: list[Any] = []
    monkeypatch.setattr("tests.alert_hook.TOLD", told)
    monkeypatch.setenv("PROFILES_ON_FAILURE", "tests.alert_hook:keep")
    with sample_database.connect() as connection:
        connection.execute("ALTER TABLE src.lemlist_leads RENAME COLUMN job_title TO job_titel")

    outcome = run_dag(sample_database)

    assert outcome.states("check_sources") == ["failed"]
    assert outcome.states("publish") == ["failed"]
    assert outcome.states("verify_run") == ["failed"]
    assert outcome.state == "failed"
    assert (outcome.status["error"] or "").startswith(
        "check_sources: MappingError: lemlist: table "
    )
    assert "has no column 'job_title'" in (outcome.status["error"] or "")
    assert _published(sample_database) == {}
    assert [(alert.kind, alert.dag_id, alert.run_id) for alert in told] == [
        ("failed", "profile_synthesis", outcome.status["run_id"])
    ]
    assert "has no column 'job_title'" in told[0].message


def test_an_overridden_engine_is_stored_but_not_published(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    from tests.planned_runs import ENGINE

    monkeypatch.setenv("PROFILES_ENGINE", ENGINE)

    overridden = run_dag(sample_database, engine=ENGINE, model="another", limit=3)

    assert overridden.state == "success"
    assert overridden.status["model_calls"] >= 3
    assert overridden.status[Bucket.VALID] > 0
    assert all(row[0] is None for row in _published(sample_database).values())

    nightly = run_dag(sample_database, limit=4)

    assert nightly.status[Bucket.FRESH] == 0
    summaries = [row[0] for row in _published(sample_database).values() if row[0] is not None]
    assert len(summaries) == _answered(nightly) > 0


def test_a_vanished_person_leaves_the_serving_table(database: Database, first: DagOutcome):
    with database.connect() as connection:
        row = connection.execute(
            "SELECT candidate_id FROM synthesis.candidate_source GROUP BY candidate_id "
            "HAVING array_agg(source) = ARRAY['weekday'] ORDER BY 1 LIMIT 1"
        ).fetchone()
        assert row is not None
        connection.execute(
            "DELETE FROM src.weekday_candidates WHERE id IN (SELECT source_key "
            "FROM synthesis.candidate_source WHERE candidate_id = %s)",
            row,
        )

    outcome = run_dag(database)

    assert outcome.status["withdrawn"] == 1
    assert row[0] not in _published(database)


def test_publish_goes_by_what_became_of_a_cleared_task_not_by_what_it_once_returned(
    first: DagOutcome,
):
    assert first.states("publish") == ["success"]

    again = run_again(first.status["run_id"], "publish", plan_synthesis="upstream_failed")

    assert again == "failed"
