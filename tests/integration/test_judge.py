"""The judge scores a sample once, through the engine process, and is shown with agreement alone."""

from __future__ import annotations

import json
import re
import threading

import psycopg
import pytest
from tests.factories import KEPT_TABLES
from tests.paths import REPOSITORY
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

from profiles import erase
from profiles.cli import main
from profiles.errors import BusyError, EngineError
from profiles.judging import Agreement
from profiles.models import Outcome
from profiles.operations import apply_migrations, review
from profiles.operations.status import last_run
from profiles.settings import load_settings
from profiles.steps import judge, verify_run
from profiles.steps.judge import Judge, _store
from profiles.steps.lanes import lane_assembly
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import load
from profiles.synthesis.gpu.device_lock import claim_devices

SUMMARIES = ("A true story.", "A false story.", "A mumble.", "A true tale.")


@pytest.fixture
def answered(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Five answers of run r1, the last refused."""
    use_scripted_engine(monkeypatch)
    add_documents(database, 5)
    plan(database, "r1")
    lease = lease_batch(database, run_id="r1", lane=0, size=10, lease_seconds=60)
    attempts = [
        attempt(item, summary=summary)
        for item, summary in zip(lease.items, SUMMARIES, strict=False)
    ]
    attempts.append(
        attempt(lease.items[4], outcome=Outcome.REJECTED, reason="schema", summary="Refused.")
    )
    persist_results(database, batch_id=lease.batch_id, attempts=attempts)
    use_scripted_engine(monkeypatch, engine="tests.scoring_engine:ScoringEngine", judge_sample="10")
    return database


def test_accepted_answers_are_scored_once_and_an_unreadable_verdict_is_none(answered):
    assert judge.plan(answered, run_id="r1") == [{"size": 4}]
    counts = judge.run(answered, run_id="r1", size=4)
    assert counts == {"asked": 4, "scored": 3, "unreadable": 1}
    found = rows(
        answered,
        "SELECT faithfulness, completeness, usefulness FROM synthesis.judge_score "
        "ORDER BY candidate_id",
    )
    assert found == [(5, 3, 4), (1, 3, 4), (None, None, None), (5, 3, 4)]
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 0


def keep(database, of, agreement):
    with database.connect() as connection:
        judge.register(connection, of)
        judge.store_agreement(
            connection, of.key, criterion="faithfulness", labels="set", agreement=agreement
        )


def summary(database):
    return review.agreement(database, run_id="r1")["shown"]


def test_no_mean_is_shown_before_the_same_judge_was_measured(answered):
    judge.run(answered, run_id="r1", size=4)
    shown = summary(answered)
    assert {row["criterion"] for row in shown} == {"faithfulness", "completeness", "usefulness"}
    for row in shown:
        assert row["mean_score"] is None
        assert row["status"] == "no agreement, not shown"

    other = Judge(Judge.of(load_settings()).choice, _other_rubric())
    agreement = Agreement(cases=40, unreadable=1, kappa=0.62, auc=0.85)
    keep(answered, other, agreement)
    assert all(row["mean_score"] is None for row in summary(answered))

    mine = Judge.of(load_settings())
    keep(answered, mine, agreement)
    means = {
        row["criterion"]: (row["mean_score"], row["kappa"], row["cases"])
        for row in summary(answered)
    }
    assert means["faithfulness"] == (pytest.approx(3.67, abs=0.01), 0.62, 40)
    assert means["completeness"] == means["usefulness"] == (None, None, None)


def _other_rubric():
    from profiles.judging import Rubric

    mine = Judge.of(load_settings()).rubric
    return Rubric(mine.system + " Be kind.", mine.user_template, mine.output_schema)


def test_an_agreement_over_a_handful_of_cases_is_none(answered):
    few = Agreement(cases=19, unreadable=0, kappa=1.0, auc=1.0)
    with pytest.raises(psycopg.errors.CheckViolation):
        keep(answered, Judge.of(load_settings()), few)


def test_scores_are_read_from_the_view_alone():
    readers = {
        path.relative_to(REPOSITORY).as_posix()
        for folder in ("include", "plugins", "dags")
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in (".py", ".sql")
        and re.search(r"(?:FROM|JOIN) synthesis\.judge_score\b", path.read_text())
    }
    assert readers == {
        "include/sql/judge.sql",
        "include/sql/migrations/0001_schema.sql",
        "include/sql/review.sql",
    }


def test_the_page_sees_the_view_and_not_the_scores(database):
    apply_migrations.run(database)
    allowed = rows(
        database,
        "SELECT name FROM unnest(ARRAY['judge_score', 'judge_summary', 'review_label']) AS name "
        "WHERE has_table_privilege('profiles_page', 'synthesis.' || name, 'SELECT')",
    )
    assert allowed == [("judge_summary",)]


def test_switched_off_or_without_answers_there_is_no_task(answered, monkeypatch):
    assert judge.plan(answered, run_id="none") == []
    monkeypatch.setenv("PROFILES_JUDGE_SAMPLE", "0")
    assert judge.plan(answered, run_id="r1") == []


def test_an_engine_that_does_not_start_fails_the_task_and_not_the_run(answered, monkeypatch):
    monkeypatch.setenv(
        "PROFILES_ENGINE_OPTIONS", '{"faults": {"memory": {"text": "out of memory"}}}'
    )
    with pytest.raises(EngineError):
        judge.run(answered, run_id="r1", size=4)
    failed = one(
        answered,
        "SELECT error IS NOT NULL FROM synthesis.run_stage WHERE run_id = 'r1' AND stage = 'judge'",
    )
    assert failed == (True,)
    run_report.store(answered, run_id="r1")
    verify_run.run(answered, run_id="r1", published=True)


def lose_the_worker(monkeypatch, after):
    """Its host loses power once so many batches of scores are stored: nobody writes anything."""
    stored = []

    def store_or_die(*arguments):
        if len(stored) == after:
            raise SystemExit("the host is gone")
        stored.append(_store(*arguments))

    monkeypatch.setattr("profiles.steps.judge._BATCH", 2)
    monkeypatch.setattr("profiles.steps.judge._store", store_or_die)


def test_what_a_lost_worker_scored_is_kept_and_the_next_try_asks_for_the_rest(
    answered, monkeypatch
):
    with monkeypatch.context() as patched:
        lose_the_worker(patched, after=1)
        with pytest.raises(SystemExit):
            judge.run(answered, run_id="r1", size=4)
    assert one(answered, "SELECT count(*) FROM synthesis.judge_score") == (2,)
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 2
    assert one(answered, "SELECT count(*) FROM synthesis.judge_score") == (4,)
    assert one(answered, "SELECT error FROM synthesis.run_stage WHERE stage = 'judge'") == (None,)


def engine_options(monkeypatch, **options):
    monkeypatch.setenv("PROFILES_ENGINE_OPTIONS", json.dumps(options))


STORED = "SELECT count(*), count(faithfulness) FROM synthesis.judge_score"


def test_what_came_before_time_was_over_is_kept_and_the_next_try_asks_for_the_rest(
    answered, monkeypatch
):
    with monkeypatch.context() as patched:
        engine_options(patched, silent=["tale"])
        patched.setattr(judge, "MAX_SECONDS", 2.0)
        with pytest.raises(EngineError, match="answered 3 of 4 requests: it ran out of time"):
            judge.run(answered, run_id="r1", size=4)
    assert one(answered, STORED) == (3, 2)
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 1
    assert one(answered, STORED) == (4, 3)


def test_what_came_before_the_engine_died_is_kept(answered, monkeypatch):
    with monkeypatch.context() as patched:
        engine_options(patched, crash_on=["tale"])
        with pytest.raises(EngineError):
            judge.run(answered, run_id="r1", size=4)
    assert one(answered, STORED) == (3, 2)
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 1


def test_an_endpoint_that_fails_after_a_batch_fails_the_task_and_leaves_its_answers_open(
    answered, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(judge, "_BATCH", 2)
        engine_options(patched, unavailable=["mumble", "tale"])
        with pytest.raises(EngineError, match="answered 2 of 4 requests: HTTP 503"):
            judge.run(answered, run_id="r1", size=4)
    assert one(answered, STORED) == (2, 2)
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 2
    assert one(answered, STORED) == (4, 3)


def test_an_error_of_one_answer_is_no_verdict(answered, monkeypatch, caplog):
    with monkeypatch.context() as patched:
        engine_options(patched, unavailable=["tale"])
        counts = judge.run(answered, run_id="r1", size=4)
    assert counts == {"asked": 4, "scored": 2, "unreadable": 1}
    assert "1 answers got an error" in caplog.text
    assert one(answered, STORED) == (3, 2)
    assert judge.run(answered, run_id="r1", size=4) == {"asked": 1, "scored": 1, "unreadable": 0}


@pytest.mark.parametrize("begun", [True, False])
def test_a_run_whose_judge_is_lost_ends_and_its_reports_say_what_to_do(
    answered, monkeypatch, tmp_path, caplog, capsys, begun
):
    """Also of one that no worker began."""
    monkeypatch.setenv("PROFILES_REPORTS", str(tmp_path))
    monkeypatch.setenv("PROFILES_DATABASE_URL", answered.url)
    assert judge.plan(answered, run_id="r1") == [{"size": 4}]
    if begun:
        lose_the_worker(monkeypatch, after=0)
        with pytest.raises(SystemExit):
            judge.run(answered, run_id="r1", size=4)
    run_report.run(answered, run_id="r1")
    assert "judging" not in (tmp_path / "r1.html").read_text()
    assert last_run(answered)["not_done"] == [], "a run in progress has not ended judging yet"
    verify_run.run(answered, run_id="r1", published=True)
    assert one(answered, "SELECT state, error FROM synthesis.run") == ("succeeded", None)
    assert main(["status", "--json"]) == 0
    page, data = ((tmp_path / f"r1.{kind}").read_text() for kind in ("html", "json"))
    for said in (page, data, caplog.text, capsys.readouterr().out):
        assert "judging has not ended" in said
        assert "Clear `judge_profiles`" in said


def test_what_only_began_is_taken_back_once_judging_is_switched_off(answered, monkeypatch):
    kept = "SELECT count(*) FROM synthesis.run_stage WHERE stage = 'judge'"
    assert judge.plan(answered, run_id="r1") == [{"size": 4}]
    assert one(answered, kept) == (1,)
    monkeypatch.setenv("PROFILES_JUDGE_SAMPLE", "0")
    assert judge.plan(answered, run_id="r1") == []
    assert one(answered, kept) == (0,)
    judge.run(answered, run_id="r1", size=4)
    assert judge.plan(answered, run_id="r1") == []
    assert one(answered, kept) == (1,), "one that ended says what it did"


def test_a_judge_waits_for_a_card_that_the_lost_try_still_holds(answered, monkeypatch, tmp_path):
    monkeypatch.setenv("PROFILES_DEVICE_LOCK_DIR", str(tmp_path))
    monkeypatch.setattr(lane_assembly, "cards_needed", lambda *_: 1)
    monkeypatch.setattr(lane_assembly, "visible_cards", lambda: ("GPU-a",))
    monkeypatch.setattr(lane_assembly, "_has_room", lambda *_, **__: True)
    held = claim_devices(1, cards=("GPU-a",), lock_dir=tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(judge, "CARD_SECONDS", 0.1)
        with pytest.raises(BusyError, match="held the GPUs"):
            judge.run(answered, run_id="r1", size=4)
    released = threading.Timer(0.5, held.close)
    released.start()
    assert judge.run(answered, run_id="r1", size=4)["asked"] == 4
    released.join()


def test_a_failure_of_the_run_is_not_explained_by_what_is_optional(answered):
    judge.plan(answered, run_id="r1")
    with answered.connect() as connection:
        bound = {"run_id": "r1", "failed": True, "message": "a task failed"}
        (said,) = connection.execute(load("report/note_alert"), bound).fetchone()
    assert said == "a task failed"


def test_a_judge_that_ended_stays_so_when_it_is_planned_again(answered):
    judge.plan(answered, run_id="r1")
    judge.run(answered, run_id="r1", size=4)
    judge.plan(answered, run_id="r1")
    assert one(answered, "SELECT error FROM synthesis.run_stage WHERE stage = 'judge'") == (None,)


def test_scores_and_labels_go_with_the_person():
    assert {"judge_score", "review_label", "candidate_embedding"} <= erase.ERASED_TABLES
    assert {"judge", "judge_agreement"} <= set(KEPT_TABLES)
