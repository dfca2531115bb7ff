"""Runs the real DAG in this process with `dag.test()` and tells how each task ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.paths import REPOSITORY

from profiles.operations.status import last_run
from profiles.storage.connection import Database
from scripts import dag_test


@dataclass(frozen=True)
class DagOutcome:
    """Result of a run: its state, and the state of each task instance by (task id, map index)."""

    state: str
    tasks: dict[tuple[str, int], str]
    status: dict[str, Any]

    def states(self, task_id: str) -> list[str]:
        """The states of a task's instances, by map index."""
        return [state for (name, _), state in sorted(self.tasks.items()) if name == task_id]


def load_dag(name: str) -> Any:
    """A DAG of this repository. Lanes do not retry: a retry only waits here."""
    dag = dag_test.load_dag(name)
    dag.get_task("synthesise").partial_kwargs["retries"] = 0
    return dag


def run_dag(
    database: Database, *, logical_date: datetime | None = None, **params: Any
) -> DagOutcome:
    """One run of `profile_synthesis`, for a night gone by where `logical_date` says so."""
    date = {} if logical_date is None else {"logical_date": logical_date}
    run = load_dag("profile_synthesis").test(run_conf=params, **date)
    status = last_run(database)
    assert status is not None
    assert status["run_id"] == run.run_id
    return DagOutcome(
        state=str(run.state),
        tasks={(ti.task_id, ti.map_index): str(ti.state) for ti in run.get_task_instances()},
        status=status,
    )


def run_again(run_id: str, task_id: str, **states: str) -> str:
    """Runs one task of an ended run again, as clearing does, after other tasks got `states`.

    Their results stay where Airflow keeps them. Returns the state that the task ends in.
    """
    from airflow.dag_processing.dagbag import DagBag
    from airflow.models.dagrun import DagRun
    from airflow.sdk.definitions.dag import _run_task
    from airflow.utils.session import create_session

    bag = DagBag(dag_folder=str(REPOSITORY / "dags" / "profile_synthesis.py"), load_op_links=False)
    task = bag.dags["profile_synthesis"].get_task(task_id)
    with create_session() as session:
        run = session.query(DagRun).filter_by(run_id=run_id).one()
        for ti in run.get_task_instances(session=session):
            if ti.task_id in states:
                ti.state = states[ti.task_id]
        again = run.get_task_instance(task_id, session=session)
        again.state = "scheduled"
    result = _run_task(ti=again, task=task)
    assert result is not None
    return result.ti.state.value


def abandon(run_id: str, **states: str | None) -> datetime:
    """Leaves an ended run as a killed `dag.test()` does: running, with these task states.

    Returns its logical date.
    """
    from airflow.models.dagrun import DagRun
    from airflow.utils.session import create_session

    with create_session() as session:
        run = session.query(DagRun).filter_by(run_id=run_id).one()
        for ti in run.get_task_instances(session=session):
            ti.state = states.get(ti.task_id, ti.state)
        # The attribute without underscore would also set when the run ended.
        run._state = "running"
        logical_date: datetime = run.logical_date
    return logical_date


def states_of(run_id: str) -> tuple[str, dict[str, set[str]]]:
    """The state of a run in Airflow, and the states of its instances by task id."""
    from airflow.models.dagrun import DagRun
    from airflow.utils.session import create_session

    tasks: dict[str, set[str]] = {}
    with create_session() as session:
        run = session.query(DagRun).filter_by(run_id=run_id).one()
        for ti in run.get_task_instances(session=session):
            tasks.setdefault(ti.task_id, set()).add(str(ti.state))
        return str(run.state), tasks
