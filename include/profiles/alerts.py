"""Says that a run failed or is late: in the log, in the run's row, and to the team's own function.

Airflow imports this where it parses DAGs and where it handles their ends, so nothing heavy is
loaded before there is something to say.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import Any, Literal

from profiles.errors import SettingsError

log = logging.getLogger(__name__)

WITHOUT_ROW = frozenset(("candidate_actions", "initialize_database"))
"""DAGs whose runs have no row of table `run`. One of that id would be a run of another DAG."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Argument of PROFILES_ON_FAILURE. Ids, counts and causes; never text of a profile."""

    kind: Literal["failed", "late"]
    dag_id: str
    run_id: str
    message: str


def on_failure(context: Mapping[str, Any]) -> None:
    """Sends Airflow's word, or where that is only that a task failed, which one: the last."""
    run, failed = context["dag_run"], context.get("ti")
    reason = str(context.get("reason") or "a task failed")
    if reason == "task_failure" and failed is not None:
        reason = f"{failed.task_id} failed; the last lines of its log say what to do"
    send(Alert("failed", run.dag_id, run.run_id, reason))


def on_late(context: Mapping[str, Any]) -> None:
    """Callback of the DAG's deadline: its run has not ended although the longest window has."""
    run, deadline = context["dag_run"], context["deadline"]["deadline_time"]
    message = f"still running at {deadline}; look for a task that waits or hangs"
    send(Alert("late", run["dag_id"], run["dag_run_id"], message))


def send(alert: Alert) -> None:
    """Logs the alert, writes it to the run's row and calls PROFILES_ON_FAILURE.

    An error of the row or of the function is raised when the others are done. Airflow gives the
    callback of a deadline no Connection, so a late run's row needs PROFILES_DATABASE_URL.
    """
    from profiles.settings import load_settings
    from profiles.storage.connection import open_database
    from profiles.storage.sql_files import execute

    try:
        if alert.dag_id not in WITHOUT_ROW:
            bound = {"run_id": alert.run_id, "message": alert.message}
            with open_database().connect() as connection:
                noted = execute(
                    connection, "report/note_alert", **bound, failed=alert.kind == "failed"
                ).fetchone()
            if noted:
                alert = replace(alert, message=noted[0])
    except PermissionError as error:
        advice = "set PROFILES_DATABASE_URL for the workers of queue default"
        log.warning("the row of run %s does not say it (%s); %s", alert.run_id, error, advice)
    finally:
        log.error("run %s of %s: %s: %s", alert.run_id, alert.dag_id, alert.kind, alert.message)
        if hook := load_settings().on_failure:
            _function(hook)(alert)


def _function(name: str) -> Callable[[Alert], object]:
    try:
        function: Callable[[Alert], object] = resolve_name(name)
    except (ImportError, AttributeError) as error:
        raise SettingsError(
            f"PROFILES_ON_FAILURE is {name!r} and cannot be imported ({error}); expected "
            "module:function, with the module on the PYTHONPATH of scheduler, DAG processor and "
            "workers"
        ) from error
    return function
