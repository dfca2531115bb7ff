"""
### Approve a changed prompt, schema, model, sampling or renderer

Runs the proposed release on a fixed sample of documents, compares its answers with the stored
ones, and waits for a person, who approves it for the next night or rejects it.

**Started by** hand, after `plan_synthesis` logged a proposed release. An empty Param `release`
means the release of this deployment's files and settings.

**Writes** the answers of the canary (never published), `synthesis.release` and one row of
`synthesis.run`. Texts of profiles stay in the database: `profiles releases show ID` prints both
sides. **A second run is harmless**: stored answers are reused.

| task | what it does | when it fails |
|---|---|---|
| `plan_canary` | the sample, the same every time | fix the release or model that it names |
| `synthesise` | one lane on queue `gpu` | clear it and its downstream tasks |
| `compare` | counts and gate verdicts of both sides | clear it |
| `decide` | waits for Approve or Reject under *Required Actions* | trigger again after a week |
| `approve_release` | the next night plans under it | clear it |
| `refuse_release` | runs after Reject; the active release stays | clear it |
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import Param, TriggerRule, dag, task

from profiles.alerts import on_failure
from profiles.operators import SynthesiseOperator
from profiles.params import (
    DEFAULT_CANARY_DOCUMENTS,
    DEFAULT_CANARY_HOURS,
    MAX_CANARY_DOCUMENTS,
    MAX_WINDOW_HOURS,
    CanaryParams,
)

PARAMS = {
    "release": Param(
        "",
        type=["null", "string"],
        pattern="^[0-9a-f]*$",
        title="Release",
        description="Id or first digits (`profiles releases`). Empty: the release of the files.",
    ),
    "documents": Param(
        DEFAULT_CANARY_DOCUMENTS,
        type="integer",
        minimum=1,
        maximum=MAX_CANARY_DOCUMENTS,
        title="Documents",
        description="Size of the sample.",
    ),
    "window_hours": Param(
        DEFAULT_CANARY_HOURS,
        type="number",
        minimum=0.1,
        maximum=MAX_WINDOW_HOURS,
        title="Window (hours)",
        description="Time limit of the canary. Unanswered documents are not compared.",
    ),
}

SUBJECT = "Use release {{ ti.xcom_pull('compare')['release'] }} from the next night on?"
BODY = "{{ ti.xcom_pull('compare')['table'] }}\n\n[Log of this task]({{ ti.log_url }})"


@dag(
    dag_id="release_approval",
    doc_md=__doc__,
    schedule=None,
    catchup=False,
    max_active_runs=1,
    # Nothing starts it but a person, whose trigger would wait behind a pause.
    is_paused_upon_creation=False,
    params=PARAMS,
    on_failure_callback=on_failure,
    default_args={
        "owner": "profiles",
        "retries": 1,
        "retry_delay": timedelta(seconds=30),
        "execution_timeout": timedelta(minutes=30),
    },
    tags=["profiles", "llm"],
)
def release_approval() -> None:
    @task
    def plan_canary(run_id: str, params: dict[str, Any]) -> list[dict[str, Any]]:
        from profiles import task_runner
        from profiles.operations import release_approval

        canary_params = task_runner.typed(CanaryParams.from_mapping, params)
        return task_runner.run_step(release_approval.plan, run_id=run_id, params=canary_params)

    @task(trigger_rule=TriggerRule.NONE_FAILED)
    def compare(run_id: str) -> dict[str, Any]:
        from profiles import task_runner
        from profiles.operations import release_approval

        return task_runner.run_step(release_approval.compare, run_id=run_id)

    @task
    def approve_release(ti: Any) -> str:
        from profiles import task_runner
        from profiles.operations import release_approval

        return task_runner.run_step(release_approval.approve, **task_runner.decision(ti))

    @task(trigger_rule=TriggerRule.ALL_SKIPPED)
    def refuse_release(ti: Any) -> str:
        from profiles import task_runner
        from profiles.operations import release_approval

        return task_runner.run_step(release_approval.refuse, **task_runner.decision(ti))

    planned = plan_canary()
    synthesised = SynthesiseOperator.partial(
        task_id="synthesise",
        queue="gpu",
        pool="gpu",
        retries=3,
        execution_timeout=timedelta(hours=MAX_WINDOW_HOURS + 1),
        map_index_template="{{ task.lane_label }}",
    ).expand_kwargs(planned)
    decide = ApprovalOperator(
        task_id="decide",
        subject=SUBJECT,
        body=BODY,
        # A person has a week; the task holds no worker slot meanwhile.
        response_timeout=timedelta(days=7),
        execution_timeout=None,
    )

    [planned, synthesised] >> compare() >> decide >> approve_release() >> refuse_release()


release_approval()
