"""The DAG behind the page's actions on a real Airflow."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from tests.integration.test_erase import ADA, owner, people, run_all
from tests.planned_runs import one, rows

from scripts import dag_test

__all__ = ["people"]

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("default")]


def act(**params: Any) -> tuple[str, dict[str, str], Any]:
    """One run of the DAG: its state, the state of each task, and the run. A failed try is final."""
    dag = dag_test.load_dag("candidate_actions")
    dag.get_task("apply_action").retries = 0
    # dag.test() alone calls back with the stored form of a DAG, whose Params all need a value.
    for form in (dag.params, *(task.params for task in dag.tasks)):
        form["action"] = params["action"]
    run = dag.test(run_conf=params)
    return str(run.state), {ti.task_id: str(ti.state) for ti in run.get_task_instances()}, run


def stored_values(run: Any) -> str:
    """All that Airflow keeps of a run: Params, results and names of its tasks."""
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session

    with create_session() as session:
        found = session.query(XComModel).filter_by(run_id=run.run_id).all()
        return repr([(x.key, x.value) for x in found]) + repr(run.conf) + run.run_id


def call_back(run: Any) -> None:
    """Work of the DAG processor after a failed run."""
    import structlog
    from airflow.dag_processing.dagbag import DagBag
    from airflow.dag_processing.processor import _execute_dag_callbacks
    from airflow.models.dagrun import DagRun
    from airflow.utils.session import create_session

    with create_session() as session:
        stored = session.get(DagRun, run.id)
        failed = stored.get_task_instance("apply_action", session=session)
        request = stored.produce_dag_callback(
            dag=None, success=False, relevant_ti=failed, reason="task_failure"
        )
    _execute_dag_callbacks(DagBag(load_op_links=False), request, structlog.get_logger())


@pytest.fixture
def ada(people, airflow_metadata, monkeypatch) -> int:
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", people.url)
    run_all(people, "one")
    return owner(people, "zyx-1")


def test_a_split_is_recorded_and_leaves_no_key_in_airflow(people, ada, caplog):
    caplog.set_level(logging.INFO)
    leaves = one(people, "SELECT row_id FROM synthesis.identity_row WHERE source_key = %s", "zyx-2")
    state, tasks, run = act(action="split", candidate_ids=[ada], row_ids=list(leaves))
    assert state == "success"
    assert tasks == {"apply_action": "success", "start_run": "skipped"}
    assert one(people, "SELECT kind FROM synthesis.identity_decision") == ("split",)
    for kept in (stored_values(run), caplog.text):
        assert "zyx-" not in kept
        assert ADA not in kept


def test_resynthesise_starts_a_forced_run_for_these_people(people, ada):
    from airflow.models.dagrun import DagRun
    from airflow.utils.session import create_session

    state, tasks, run = act(action="resynthesise", candidate_ids=[ada])
    assert (state, tasks["start_run"]) == ("success", "success")
    with create_session() as session:
        started = (
            session.query(DagRun)
            .filter_by(dag_id="profile_synthesis", run_id=f"resynthesise__{run.run_id}")
            .one()
        )
        assert started.conf == {"candidate_ids": [ada], "force": True}
        session.delete(started)


def test_an_unconfirmed_erasure_fails_is_told_and_erases_nobody(people, ada, monkeypatch):
    told: list[Any] = []
    monkeypatch.setattr("tests.alert_hook.TOLD", told)
    monkeypatch.setenv("PROFILES_ON_FAILURE", "tests.alert_hook:keep")
    state, tasks, run = act(action="erase", candidate_ids=[ada])
    assert (state, tasks["apply_action"]) == ("failed", "failed")
    told.clear()
    call_back(run)
    assert [(alert.kind, alert.dag_id, alert.run_id) for alert in told] == [
        ("failed", "candidate_actions", run.run_id)
    ]
    assert rows(people, "SELECT * FROM synthesis.erasure_log") == []
    state, _, _ = act(action="erase", candidate_ids=[ada], confirm=ada)
    assert state == "success"
    assert one(people, "SELECT candidate_ids FROM synthesis.erasure_log") == ([ada],)
