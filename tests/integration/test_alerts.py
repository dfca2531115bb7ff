"""A run that failed or is late says so in its row, in the log and to the team's function."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import psycopg
import pytest
from airflow.sdk.exceptions import AirflowSecretsBackendAccessDenied
from tests import alert_hook
from tests.planned_runs import add_documents, one, plan, use_scripted_engine

from profiles import alerts
from profiles.errors import DatabaseUnavailableError, SettingsError
from profiles.settings import load_settings
from profiles.storage.connection import Database

FAILED = {
    "dag_run": SimpleNamespace(dag_id="profile_synthesis", run_id="r1"),
    "reason": "task_failure",
}
LATE = {
    "dag_run": {"dag_id": "profile_synthesis", "dag_run_id": "r1"},
    "deadline": {"id": "1", "deadline_time": "2026-03-02 19:00:00+00:00"},
}
ROW = "SELECT state, error, ended_at IS NOT NULL FROM synthesis.run"


@pytest.fixture(autouse=True)
def hook(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[alerts.Alert]:
    """Message to the team's function about run r1, which is planned."""
    use_scripted_engine(monkeypatch, database_url=database.url)
    monkeypatch.setenv("PROFILES_ON_FAILURE", "tests.alert_hook:keep")
    told: list[alerts.Alert] = []
    monkeypatch.setattr(alert_hook, "TOLD", told)
    add_documents(database, 1)
    plan(database, "r1")
    return told


def test_a_run_that_could_not_say_why_it_failed_gets_airflows_word(
    database: Database, hook: list[alerts.Alert], caplog: pytest.LogCaptureFixture
):
    alerts.on_failure(FAILED)
    assert one(database, ROW) == ("failed", "task_failure", True)
    assert hook == [alerts.Alert("failed", "profile_synthesis", "r1", "task_failure")]
    assert "run r1 of profile_synthesis: failed: task_failure" in caplog.text


def test_a_failure_that_explains_itself_keeps_its_words(
    database: Database, hook: list[alerts.Alert]
):
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.run_stage (run_id, stage, counts, seconds, error) "
            "VALUES ('r1', 'publish', '{}', 1, 'BusyError: another run is publishing')"
        )
    alerts.on_failure(FAILED)
    said = "publish: BusyError: another run is publishing"
    assert one(database, ROW) == ("failed", said, True)
    assert hook[0].message == said


def test_a_late_run_says_so_once_and_goes_on(database: Database, hook: list[alerts.Alert]):
    alerts.on_late(LATE)
    alerts.on_late(LATE)
    state, error, ended = one(database, ROW)
    assert (state, ended) == ("running", False)
    assert error.count("still running at 2026-03-02 19:00:00+00:00") == 1
    assert hook[0].kind == "late"


def test_an_alert_goes_out_where_airflow_gives_no_connection(
    database: Database,
    hook: list[alerts.Alert],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """The token of a deadline's callback opens no Connection."""

    def refuse() -> Database:
        raise AirflowSecretsBackendAccessDenied("Access denied for connection 'profiles_db'")

    monkeypatch.setattr("profiles.storage.connection.open_database", refuse)
    alerts.on_late(LATE)
    assert [alert.kind for alert in hook] == ["late"]
    assert "set PROFILES_DATABASE_URL for the workers" in caplog.text
    assert one(database, ROW) == ("running", None, False)


def test_an_alert_goes_out_while_the_database_is_away(
    hook: list[alerts.Alert], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PROFILES_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    with pytest.raises(DatabaseUnavailableError):
        alerts.on_failure(FAILED)
    assert hook == [alerts.Alert("failed", "profile_synthesis", "r1", "task_failure")]


def test_a_run_without_a_row_is_told_all_the_same(database: Database, hook: list[alerts.Alert]):
    run = SimpleNamespace(dag_id="profile_synthesis", run_id="none")
    alerts.on_failure({**FAILED, "dag_run": run})
    assert hook[0].run_id == "none"
    assert one(database, ROW) == ("running", None, False)


@pytest.mark.parametrize("dag_id", sorted(alerts.WITHOUT_ROW))
def test_a_failure_of_another_dag_is_told_and_leaves_the_row_of_that_id_alone(
    dag_id: str, database: Database, hook: list[alerts.Alert]
):
    alerts.on_failure({**FAILED, "dag_run": SimpleNamespace(dag_id=dag_id, run_id="r1")})
    assert hook == [alerts.Alert("failed", dag_id, "r1", "task_failure")]
    assert one(database, ROW) == ("running", None, False)


@pytest.mark.parametrize(
    ("dag_id", "task_id"),
    [("candidate_actions", "apply_action"), ("initialize_database", "apply_migrations")],
)
def test_the_task_that_failed_is_named_where_no_row_explains_it(
    dag_id: str, task_id: str, hook: list[alerts.Alert]
):
    run, failed = SimpleNamespace(dag_id=dag_id, run_id="r1"), SimpleNamespace(task_id=task_id)
    alerts.on_failure({**FAILED, "dag_run": run, "ti": failed})
    said = f"{task_id} failed; the last lines of its log say what to do"
    assert hook == [alerts.Alert("failed", dag_id, "r1", said)]


def test_a_run_whose_tasks_wait_for_each_other_keeps_airflows_word(hook: list[alerts.Alert]):
    waits = SimpleNamespace(task_id="publish")
    alerts.on_failure({**FAILED, "reason": "all_tasks_deadlocked", "ti": waits})
    assert hook[0].message == "all_tasks_deadlocked"


def test_an_alert_goes_out_where_there_is_no_schema_yet(
    database: Database, hook: list[alerts.Alert]
):
    with database.connect() as connection:
        connection.execute("ALTER SCHEMA synthesis RENAME TO elsewhere")
    with pytest.raises(psycopg.errors.UndefinedTable):
        alerts.on_failure(FAILED)
    assert hook == [alerts.Alert("failed", "profile_synthesis", "r1", "task_failure")]


def test_without_a_function_log_and_row_say_it(
    database: Database,
    hook: list[alerts.Alert],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    monkeypatch.delenv("PROFILES_ON_FAILURE")
    with caplog.at_level(logging.ERROR):
        alerts.on_failure(FAILED)
    assert hook == []
    assert "task_failure" in caplog.text
    assert one(database, ROW)[0] == "failed"


def test_a_function_that_does_not_exist_is_named_after_row_and_log(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PROFILES_ON_FAILURE", "tests.alert_hook:nobody")
    with pytest.raises(SettingsError, match=r"'tests\.alert_hook:nobody' and cannot be imported"):
        alerts.on_failure(FAILED)
    assert one(database, ROW)[0] == "failed"


def test_a_name_that_cannot_be_a_function_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PROFILES_ON_FAILURE", "https://hooks.example.com/x")
    with pytest.raises(SettingsError, match="PROFILES_ON_FAILURE"):
        load_settings()
