"""Says that a run failed or is late: in the log, in the run's row, and to the team's own function.

Airflow imports this where it parses DAGs and where it handles their ends, so nothing heavy is
loaded before there is something to say.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Alert:
    """What PROFILES_ON_FAILURE is called with. Ids, counts and causes; never text of a profile."""

    kind: Literal["failed", "late"]
    dag_id: str
    run_id: str
    message: str


def on_failure(context: Mapping[str, Any]) -> None:
    """Airflow's `on_failure_callback` of a DAG."""
    run = context["dag_run"]
    send(Alert("failed", run.dag_id, run.run_id, str(context.get("reason") or "a task failed")))


def on_late(context: Mapping[str, Any]) -> None:
    """Callback of the DAG's deadline: its run has not ended although the longest window has."""
    run = context["dag_run"]
    deadline = context["deadline"]["deadline_time"]
    send(
        Alert(
            "late",
            run["dag_id"],
            run["dag_run_id"],
            f"still running at {deadline}; look for a task that waits or hangs",
        )
    )


def send(alert: Alert) -> None:
    """Logs the alert, writes it to the run's row and calls PROFILES_ON_FAILURE.

    Raises:
        SettingsError: PROFILES_ON_FAILURE names no function. What that function raises goes
            through; log and row are written by then.
    """
    from profiles.settings import load_settings
    from profiles.storage.connection import open_database
    from profiles.storage.runs import note_alert

    error = note_alert(
        open_database(), run_id=alert.run_id, message=alert.message, failed=alert.kind == "failed"
    )
    told = Alert(alert.kind, alert.dag_id, alert.run_id, error or alert.message)
    log.error("run %s of %s: %s: %s", told.run_id, told.dag_id, told.kind, told.message)
    hook = load_settings().on_failure
    if hook:
        _function(hook)(told)


def _function(name: str) -> Callable[[Alert], object]:
    from profiles.errors import SettingsError

    module, _, attribute = name.partition(":")
    try:
        function: Callable[[Alert], object] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise SettingsError(
            f"PROFILES_ON_FAILURE is {name!r} and cannot be imported ({error}); expected "
            "module:function, with the module on the PYTHONPATH of scheduler, DAG processor and "
            "workers"
        ) from error
    return function
