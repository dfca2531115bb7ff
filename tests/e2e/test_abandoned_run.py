"""A DAG run whose process is gone keeps no later run from starting."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.e2e.dag_runs import abandon, run_dag, states_of
from tests.planned_runs import use_scripted_engine

from profiles.storage.connection import Database
from scripts import abandoned_run, dag_run

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.release,
    pytest.mark.filterwarnings("default"),
]


def test_an_abandoned_run_and_its_unfinished_tasks_are_failed_and_no_other(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    use_scripted_engine(monkeypatch)
    run_id = run_dag(sample_database, limit=1).status["run_id"]
    unfinished = {"synthesise": "running", "publish": None, "verify_run": "scheduled"}

    logical_date = abandon(run_id, **unfinished)

    assert abandoned_run.fail_at(logical_date + timedelta(microseconds=1)) == []
    assert states_of(run_id)[0] == "running"
    assert abandoned_run.fail_at(logical_date) == [run_id]
    run_state, tasks = states_of(run_id)
    assert run_state == "failed"
    assert [tasks.pop(name) for name in unfinished] == [{"failed"}] * len(unfinished)
    judged = tasks.pop("judge_profiles")
    assert judged == {"skipped"}
    assert set().union(*tasks.values()) == {"success"}
    assert abandoned_run.fail_at(logical_date) == []

    # What a demo left that was killed before it could do so, the next one fails.
    abandon(run_id, **unfinished)
    dag_run._fail_interrupted_runs(sample_database)
    assert states_of(run_id)[0] == "running"
    with sample_database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET state = 'failed', error = 'interrupted'")
    dag_run._fail_interrupted_runs(sample_database)
    assert states_of(run_id)[0] == "failed"
