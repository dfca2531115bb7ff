"""Old rows are deleted in batches; published rows and the results of runs stay."""

from __future__ import annotations

import json

import pytest
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
)

from profiles.cli import main
from profiles.models import Outcome
from profiles.settings import load_settings
from profiles.steps import publish, retention
from profiles.steps.reports import run_report
from profiles.storage.connection import Database


@pytest.fixture
def answered(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A published run of three people, one of them refused."""
    use_scripted_engine(monkeypatch)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    add_documents(database, 3)
    plan(database, "r1")
    lease = lease_batch(database, run_id="r1", lane=0, size=10, lease_seconds=60)
    outcomes = [Outcome.VALID, Outcome.VALID, Outcome.REJECTED]
    persist_results(
        database,
        batch_id=lease.batch_id,
        attempts=[
            attempt(item, outcome=outcome, reason=reason, raw_text="raw")
            for item, outcome, reason in zip(
                lease.items, outcomes, (None, None, "schema"), strict=True
            )
        ],
    )
    publish.run(database, run_id="r1", planned=True, tagged=True)
    run_report.store(database, run_id="r1")
    return database


def age(database: Database, days: int) -> None:
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET created_at = created_at - make_interval(days => %s)",
            (days,),
        )
        connection.execute(
            "UPDATE synthesis.run SET started_at = started_at - make_interval(days => %s)", (days,)
        )


def texts(database: Database) -> list[tuple]:
    return rows(
        database, "SELECT raw_text, summary IS NULL FROM synthesis.completion ORDER BY candidate_id"
    )


def test_young_texts_and_runs_stay(answered):
    age(answered, 89)
    assert set(retention.drop_old(answered, load_settings()).values()) == {0}
    assert texts(answered) == [("raw", False)] * 3


def test_old_raw_answers_go_and_what_is_published_stays(answered, monkeypatch):
    monkeypatch.setattr(retention, "_ROWS", 2)
    age(answered, 91)
    assert retention.drop_old(answered, load_settings())["raw_answers"] == 3
    assert texts(answered) == [(None, False), (None, False), (None, True)]
    before = rows(
        answered, "SELECT candidate_id, summary, skills FROM synthesis.candidate_synthesis"
    )
    publish.run(answered, run_id="r1", planned=True, tagged=True)
    assert (
        rows(answered, "SELECT candidate_id, summary, skills FROM synthesis.candidate_synthesis")
        == before
    )
    assert plan(answered, "r2") == []


def test_old_runs_keep_their_report_alone(answered):
    with answered.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.judge (judge_key, engine, model, model_revision, rubric_digest) "
            "VALUES ('j', 'scripted', 'm', '', 'r')"
        )
        connection.execute(
            "INSERT INTO synthesis.judge_score (candidate_id, fingerprint, attempt_id, judge_key,"
            " run_id) SELECT candidate_id, 'f', '1.1', 'j', 'r1' FROM synthesis.candidate LIMIT 1"
        )
    age(answered, 366)
    dropped = retention.drop_old(answered, load_settings())
    assert (dropped["run_item"], dropped["batch"], dropped["judge_score"]) == (3, 1, 1)
    for table in retention.RUN_TABLES:
        assert one(answered, f"SELECT count(*) FROM synthesis.{table}") == (0,)
    ((found,),) = rows(answered, "SELECT report FROM synthesis.run")
    assert found["buckets"]["rejected"] == 1
    assert plan(answered, "r2") == []


def test_zero_keeps_everything(answered, monkeypatch):
    monkeypatch.setenv("PROFILES_KEEP_RAW_DAYS", "0")
    monkeypatch.setenv("PROFILES_KEEP_RUNS_DAYS", "0")
    age(answered, 10_000)
    assert retention.drop_old(answered, load_settings()) == {}


def test_it_stops_when_its_time_is_over(answered, monkeypatch):
    age(answered, 366)
    times = iter([0.0, *[retention.MAX_SECONDS + 1] * 20])
    monkeypatch.setattr(retention, "monotonic", lambda: next(times))
    dropped = retention.drop_old(answered, load_settings())
    assert set(dropped.values()) == {0}


def test_the_counts_are_in_the_report(answered):
    age(answered, 91)
    retention.run(answered, run_id="r1")
    found = run_report.build_report(answered, run_id="r1")
    (stage,) = (stage for stage in found["stages"] if stage["stage"] == "retention")
    assert stage["counts"]["raw_answers"] == 3


def test_a_run_without_a_row_of_its_own_still_gets_to_its_report(answered):
    age(answered, 400)
    assert retention.run(answered, run_id="never started")["raw_answers"] == 3
    assert run_report.store(answered, run_id="never started") == {}


def test_the_command_says_what_went(answered, capsys):
    age(answered, 91)
    assert main(["retention", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["raw_answers"] == 3


def retry(capsys, *arguments: str) -> dict:
    assert main(["retry", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_refused_document_is_asked_again_only_when_a_person_says_so(answered, capsys):
    assert plan(answered, "r2") == []
    refused = one(
        answered, "SELECT candidate_id FROM synthesis.run_item WHERE outcome = 'rejected'"
    )[0]
    assert retry(capsys, "--reason", "empty")["opened"] == 0
    assert retry(capsys, "--run", "r2")["opened"] == 0
    assert retry(capsys, "--candidate", str(refused + 1000))["opened"] == 0
    said = retry(capsys, "--reason", "schema", "--run", "r1", "--candidate", str(refused))
    assert said == {"opened": 1, "reasons": {"schema": 1}}
    assert retry(capsys)["opened"] == 0
    assert len(plan(answered, "r3")) == 1
    assert rows(
        answered, "SELECT candidate_id, reason FROM synthesis.run_item WHERE run_id = 'r3'"
    ) == [(refused, "retried")]
    assert main(["retry", "--reason", "schema"]) == 0
    assert "no rejected document matches" in capsys.readouterr().out
