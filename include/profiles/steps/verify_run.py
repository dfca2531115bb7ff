"""The last word on a run: it failed when a lane failed or documents are missing."""

from __future__ import annotations

import logging

from profiles.errors import ReconciliationError, RunFailedError
from profiles.models import Bucket
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from profiles.storage.runs import count_buckets
from profiles.storage.sql_files import execute

log = logging.getLogger(__name__)


def run(database: Database, *, run_id: str, published: bool) -> None:
    """Closes the run's row as succeeded or failed, and raises RunFailedError with what to clear. An
    optional stage that did not end is logged and reported. `published`: publish of this run
    succeeded."""
    problems = _problems(database, run_id=run_id, published=published)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run SET state = %s, ended_at = now(), error = %s WHERE run_id = %s",
            ("failed" if problems else "succeeded", "; ".join(problems) or None, run_id),
        )
        optional = execute(connection, "report/select_optional_failures", run_id=run_id).fetchall()
    for name, error in optional:
        log.warning("%s: %s", name, error)
    if optional:
        try:
            # The report is older than what follows publish.
            run_report.keep(database, run_id=run_id)
        except Exception as error:  # noqa: BLE001 - a report fails no run, whatever goes wrong
            # Not its text, which may quote a row.
            log.warning(
                "the report of run %s could not be made again (%s); `profiles report` makes it",
                run_id,
                type(error).__name__,
            )
    if problems:
        raise RunFailedError(
            f"run {run_id} failed: {'; '.join(problems)}. What was accepted is kept and published. "
            "Fix the cause, then clear the failed task and its downstream tasks: finished work is "
            "not repeated."
        )


def _problems(database: Database, *, run_id: str, published: bool) -> list[str]:
    with database.connect() as connection:
        failures = execute(connection, "report/select_failures", run_id=run_id)
        problems = [f"{stage}: {error}" for stage, error in failures]
        try:
            missing = count_buckets(connection, run_id).buckets[Bucket.MISSING]
        except ReconciliationError as error:
            # The stage that failed explains it better than the plan that is missing for it.
            return problems or [str(error)]
        ((lanes, late),) = execute(connection, "report/select_unfinished", run_id=run_id)
    if lanes:
        problems.append(f"lane {lanes} did not succeed")
    if missing:
        problems.append(f"{missing} planned documents have no outcome")
    if late:
        problems.append(f"{late} answers were stored after publish; clear publish")
    if not published:
        problems.append("publish did not succeed")
    return problems
