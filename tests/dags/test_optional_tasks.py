"""Tasks after publish hold a run for a stated time when the worker it runs on vanishes."""

from __future__ import annotations

import inspect
import re
from datetime import timedelta
from typing import Any

import pytest
from airflow.configuration import conf
from dotenv import dotenv_values
from tests.paths import REPOSITORY

OPTIONAL = ("embed_profiles", "judge_profiles")
ALONE, AT_MOST = timedelta(minutes=40), timedelta(minutes=100)
"""Time without a worker, and with a late one: docs/operations.md, and the text of the DAG."""
TO_END = timedelta(minutes=5)
"""For what a step does before and after: reading, storing, ending an engine."""
STUCK_RETRIES = 2
"""Times that the scheduler queues a task again that nobody fetches, where nothing else is set."""


def scheduler(name: str) -> timedelta:
    """A wait of the scheduler in the distributed mode."""
    set_here = dotenv_values(REPOSITORY / "distributed.env")
    value = set_here.get(f"AIRFLOW__SCHEDULER__{name.upper()}")
    return timedelta(seconds=float(value or conf.get_default_value("scheduler", name)))


def arguments(task: Any) -> dict[str, Any]:
    return task.partial_kwargs if task.is_mapped else vars(task)


@pytest.mark.parametrize("task_id", OPTIONAL)
def test_the_run_goes_on_within_the_stated_time_of_a_loss(dag_bag: Any, task_id: str):
    given = arguments(dag_bag.dags["profile_synthesis"].get_task(task_id))
    noticed = scheduler("task_instance_heartbeat_timeout") + scheduler(
        "task_instance_heartbeat_timeout_detection_interval"
    )
    queued = (1 + STUCK_RETRIES) * (
        scheduler("task_queued_timeout") + scheduler("task_queued_timeout_check_interval")
    )
    assert given["retries"] == 1
    assert noticed + given["retry_delay"] + queued <= ALONE
    assert noticed + given["retry_delay"] + queued + given["execution_timeout"] <= AT_MOST


def test_the_scheduler_queues_a_task_again_as_often_as_stated():
    from airflow.jobs.scheduler_job_runner import SchedulerJobRunner

    assert not conf.has_option("scheduler", "num_stuck_in_queued_retries")
    source = inspect.getsource(SchedulerJobRunner.__init__)
    assert re.search(rf'"num_stuck_in_queued_retries",\s*fallback={STUCK_RETRIES}\b', source)


@pytest.mark.parametrize("page", ["docs/operations.md", "dags/profile_synthesis.py"])
def test_the_time_is_stated(page: str):
    text = " ".join((REPOSITORY / page).read_text("utf-8").split())
    assert re.search(r"40 minutes.{1,80}\b100\b", text)


def test_a_step_has_time_for_its_own_limit(dag_bag: Any):
    from profiles.settings import Settings
    from profiles.steps import embed, judge

    load = Settings.model_fields["engine_start_seconds"].default
    judging = judge.CARD_SECONDS + load + judge.MAX_SECONDS
    for task_id, seconds in zip(OPTIONAL, (embed.MAX_SECONDS, judging), strict=True):
        given = arguments(dag_bag.dags["profile_synthesis"].get_task(task_id))
        assert given["execution_timeout"] >= timedelta(seconds=seconds) + TO_END


def test_what_follows_a_loss_runs(dag_bag: Any):
    dag = dag_bag.dags["profile_synthesis"]
    assert dag.get_task("verify_run").trigger_rule == "all_done"
    assert set(OPTIONAL) <= dag.get_task("verify_run").upstream_task_ids
