"""Since when a run counts as waiting: its deadline is the longest window and an hour after that.

Airflow's own `DeadlineReference.DAGRUN_QUEUED_AT` makes every clear of a run that has not succeeded
fail with an internal error (3.3.0 to 3.3.2 at least: apache/airflow#70368), and clearing is how a
run is recovered. This one is not counted again when a run is cleared.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from airflow.plugins_manager import AirflowPlugin
from airflow.sdk.definitions.deadline import BaseDeadlineReference

__all__ = ["RunCreated", "RunDeadlinePlugin"]


class RunCreated(BaseDeadlineReference):
    """The moment at which a run is made, and queued."""

    def _evaluate_with(self, **_: Any) -> datetime:
        # Airflow asks while it makes the run.
        return datetime.now(UTC)


class RunDeadlinePlugin(AirflowPlugin):
    """Lets Airflow's processes find the class by its name."""

    name = "run_deadline"
    deadline_references = [RunCreated]  # noqa: RUF012 - Airflow's own form
