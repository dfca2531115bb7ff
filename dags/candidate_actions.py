"""
### Act on candidates

Actions on rejected documents and on people: retry, synthesise again, split, merge, erase. The
operator's page starts it; so do the form and the API.

**Started by** hand. The triggering user is recorded in the decision or the erasure log. Airflow
checks the permission to trigger this DAG.

**Writes** schema `synthesis` as the commands `profiles retry|split|merge|erase` do. Params name
candidates, rows and runs by number or id, so that no run holds personal data: a row is named by
`synthesis.page_row.row_id`, which the page shows.

| action | what it does | needs |
|---|---|---|
| `retry` | the next run retries rejected documents | `candidate_ids`, `reason` or `run` |
| `resynthesise` | starts `profile_synthesis` with `force` for these people | `candidate_ids` |
| `split` | these rows are another person's; the next run applies it | one candidate, `row_ids` |
| `merge` | these two are one person; the next run applies it | two candidates |
| `erase` | removes a person everywhere and keeps the person out | one candidate, and `confirm` |

**A second run is harmless**, except that erasing an erased person fails. When a stage holds a lock
that erasing needs, the task waits and retries.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import Param, dag, task

from profiles.alerts import on_failure
from profiles.models import RejectionReason
from profiles.params import MAX_ACTION_IDS, Action, ActionParams

PARAMS = {
    "action": Param(
        type="string",
        enum=[action.value for action in Action],
        title="Action",
        description="retry, resynthesise, split, merge or erase.",
    ),
    "candidate_ids": Param(
        [],
        type=["null", "array"],
        items={"type": "integer", "minimum": 1},
        maxItems=MAX_ACTION_IDS,
        title="Candidate ids",
        description="One id to split or erase, two to merge.",
    ),
    "reason": Param(
        None,
        type=["null", "string"],
        enum=[None, *(reason.value for reason in RejectionReason)],
        title="Reason",
        description="For retry: only documents rejected for this reason.",
    ),
    "run": Param(
        None,
        type=["null", "string"],
        pattern="^[A-Za-z0-9_.:+~-]{1,250}$",
        title="Run",
        description="For retry: only documents rejected in this run.",
    ),
    "row_ids": Param(
        [],
        type=["null", "array"],
        items={"type": "integer", "minimum": 1},
        maxItems=MAX_ACTION_IDS,
        title="Row ids",
        description="For split: the rows that leave and stay together.",
    ),
    "confirm": Param(
        None,
        type=["null", "integer"],
        minimum=1,
        title="Confirm",
        description="For erase: repeat the candidate's id.",
    ),
}


@dag(
    dag_id="candidate_actions",
    doc_md=__doc__,
    schedule=None,
    catchup=False,
    # One that waits for a lock must not hold up the others.
    max_active_runs=16,
    # Nothing starts it but a person, whose trigger would wait behind a pause.
    is_paused_upon_creation=False,
    params=PARAMS,
    on_failure_callback=on_failure,
    default_args={
        "owner": "profiles",
        "retries": 5,
        "retry_delay": timedelta(minutes=1),
        "execution_timeout": timedelta(minutes=15),
    },
    tags=["profiles"],
)
def candidate_actions() -> None:
    @task
    def apply_action(params: dict[str, Any], dag_run: Any) -> list[dict[str, Any]]:
        from profiles import task_runner
        from profiles.operations import candidate_actions

        action = task_runner.typed(ActionParams.from_mapping, params)
        by = dag_run.triggering_user_name or "a user of Airflow"
        return task_runner.run_step(candidate_actions.run, params=action, by=by)

    # No run to start is no instance: the task is skipped.
    TriggerDagRunOperator.partial(
        task_id="start_run",
        trigger_dag_id="profile_synthesis",
        trigger_run_id="resynthesise__{{ run_id }}",
        skip_when_already_exists=True,
    ).expand(conf=apply_action())


candidate_actions()
