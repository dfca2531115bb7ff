"""DAG runs whose process (`scripts.dag_test`) is gone: fails them in Airflow's metadata.

No scheduler queued their tasks, so none takes them up or gives them up: they would count as running
for ever, and with `max_active_runs=1` no later run would start.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, TableClause

DAG_ID = "profile_synthesis"
FINISHED = ("success", "failed", "skipped", "upstream_failed", "removed")


def fail_at(logical_date: datetime) -> list[str]:
    """Fails the unfinished run of that logical date; returns its id, or nothing.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: Airflow's metadata cannot be read or written.
    """
    return _fail(lambda run: run.c.logical_date == logical_date)


def fail_runs(run_ids: Sequence[str]) -> list[str]:
    """Fails those of the runs that are unfinished and were not cleared since; returns their ids.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: Airflow's metadata cannot be read or written.
    """
    return _fail(lambda run: run.c.run_id.in_(run_ids)) if run_ids else []


def _fail(chosen: Callable[[TableClause], ColumnElement[bool]]) -> list[str]:
    from sqlalchemy import DateTime, column, create_engine, or_, select, table, update

    run = table(
        "dag_run",
        column("dag_id"),
        column("run_id"),
        column("state"),
        column("clear_number"),
        column("logical_date", DateTime(timezone=True)),
        column("end_date", DateTime(timezone=True)),
    )
    task = table(
        "task_instance",
        column("dag_id"),
        column("run_id"),
        column("state"),
        column("end_date", DateTime(timezone=True)),
    )
    ended = {"state": "failed", "end_date": datetime.now(UTC)}
    unfinished = select(run.c.run_id).where(
        run.c.dag_id == DAG_ID,
        run.c.state.in_(("queued", "running")),
        # A cleared run belongs to the scheduler.
        run.c.clear_number == 0,
        chosen(run),
    )
    engine = create_engine(_metadata_url())
    try:
        with engine.begin() as connection:
            run_ids = list(connection.scalars(unfinished))
            for rows, is_open in (
                (task, or_(task.c.state.is_(None), task.c.state.not_in(FINISHED))),
                (run, run.c.state.not_in(FINISHED)),
            ):
                connection.execute(
                    update(rows)
                    .where(rows.c.dag_id == DAG_ID, rows.c.run_id.in_(run_ids), is_open)
                    .values(ended)
                )
    finally:
        engine.dispose()
    return run_ids


def _metadata_url() -> str:
    """URL of Airflow's metadata database. Imports Airflow, which takes seconds, only if needed."""
    url = os.environ.get("AIRFLOW__DATABASE__SQL_ALCHEMY_CONN")
    if not url:
        from airflow.configuration import conf

        url = str(conf.get("database", "sql_alchemy_conn"))
    return url
