"""Airflow extensions of the pipeline: the operator of a lane, and the link to a report.

The engine process of a lane ends with its task. A plain `@task` has no `on_kill`, and a SIGTERM to
a task process only calls that: the engine's process group would outlive a task that was marked
failed, cleared or timed out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.sdk import BaseOperator, BaseOperatorLink
from airflow.sdk.exceptions import AirflowException

if TYPE_CHECKING:
    from airflow.sdk import Context
    from airflow.sdk.types import TaskInstanceKey

    from profiles.synthesis.lane.lane import LaneControl


class SynthesiseOperator(BaseOperator):
    """Runs lane `lane` of a planned run; map it over what `plan_synthesis` returns. `label` is how
    Airflow shows it: `map_index_template="{{ task.lane_label }}"`."""

    def __init__(self, *, lane: int, label: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lane = lane
        # `label` is taken: Airflow draws the node with it.
        self.lane_label = label or f"lane {lane}"
        self._control: LaneControl | None = None

    def execute(self, context: Context) -> dict[str, int | float]:
        from profiles import task_runner
        from profiles.steps import synthesise
        from profiles.synthesis.lane.lane import LaneControl

        self._control = LaneControl()
        counts = task_runner.run_step(
            synthesise.run, run_id=context["run_id"], lane=self.lane, control=self._control
        )
        if counts.get("stopped"):
            raise AirflowException(
                f"lane {self.lane} was stopped; {counts['documents']} documents are stored "
                "and the rest went back to the queue"
            )
        return counts

    def on_kill(self) -> None:
        """Lets the lane take in what is in flight, and sees to the end of the engine's group."""
        if self._control is None:
            return
        from profiles.settings import load_settings

        self._control.stop(drain_seconds=load_settings().drain_seconds)


class RunReportLink(BaseOperatorLink):
    """The button of task `report` in Airflow's UI: the report of its run, as a page made from the
    database, also where the worker that wrote the files shares no disk with the API server."""

    name = "Run report"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        """Relative to the base of Airflow's UI, which may lie below a path of its host."""
        return f"profiles/report?run={quote(ti_key.run_id, safe='')}"
