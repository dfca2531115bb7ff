"""Runner of a step in an Airflow task: database, Params, and errors that Airflow knows."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import psycopg

from profiles.errors import (
    DatabaseUnavailableError,
    ProfilesError,
    RunFailedError,
    TerminalError,
    UnexpectedError,
)
from profiles.steps.stage import describe, message_of
from profiles.storage.connection import Database, open_database
from profiles.storage.sql_files import load

if TYPE_CHECKING:
    from airflow.sdk.types import RuntimeTaskInstanceProtocol as RuntimeTaskInstance

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def run_step(
    step: Callable[Concatenate[Database, Arguments], Result],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Result:
    """Calls `step(database, …)` and translates its errors for Airflow.

    A `TerminalError` becomes `AirflowFailException`, which Airflow does not retry. Other errors of
    ours go through. What a library raised becomes an `UnexpectedError` without its text: Postgres
    quotes rows under DETAIL, `int()` its argument. Failures of a step with a `run_id` are recorded
    in the run.
    """
    from airflow.sdk.exceptions import AirflowException, AirflowFailException

    parts = [
        str(value)
        for argument, value in kwargs.items()
        if argument != "run_id" and isinstance(value, str | int) and not isinstance(value, bool)
    ]
    key: dict[str, Any] = {
        "run_id": kwargs.get("run_id"),
        "stage": step.__module__.rpartition(".")[2],
        "part": " ".join(parts),
    }
    try:
        database = open_database()
        result = step(database, *args, **kwargs)
    except AirflowException:
        raise
    except Exception as error:
        _record(key, error)
        if isinstance(error, TerminalError | psycopg.errors.InsufficientPrivilege):
            message = message_of(error)
            log.error("%s", message)  # noqa: TRY400 - the message says it all
            # A message of ours quotes nothing; a library's may quote a row.
            cause = error if isinstance(error, TerminalError) else None
            raise AirflowFailException(message) from cause
        if isinstance(error, ProfilesError):
            raise
        message = describe(error)
        frames = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
        log.error("%s\n%s", message, frames)  # noqa: TRY400 - the traceback would hold the text
        raise UnexpectedError(f"{message}; see the task's log") from None
    if key["run_id"]:
        with database.connect() as connection:
            connection.execute(load("report/forget_failure"), key)
    return result


def _record(key: dict[str, Any], error: Exception) -> None:
    """Record why a task failed where no stage did; verify_run keeps its own verdict."""
    if not key["run_id"] or isinstance(error, RunFailedError | DatabaseUnavailableError):
        return
    failure = key | {"error": message_of(error)}
    try:
        with open_database().connect() as connection:
            connection.execute(load("report/record_failure"), failure)
    except (psycopg.Error, ProfilesError) as outage:
        log.warning(
            "the failure of %s could not be recorded: %s", key["stage"], type(outage).__name__
        )


def succeeded(ti: RuntimeTaskInstance, **task_ids: str) -> dict[str, bool]:
    """Return whether each named task of this run succeeded. Asks Airflow for the states: what a
    task returned outlives it when the task is cleared and then does not start."""
    states = ti.get_task_states(
        dag_id=ti.dag_id, task_ids=list(task_ids.values()), run_ids=[ti.run_id]
    ).get(ti.run_id, {})
    return {name: states.get(task_id) == "success" for name, task_id in task_ids.items()}


def decision(ti: RuntimeTaskInstance) -> dict[str, str]:
    """Release that a person approved or refused, and that person's name, from the results of tasks
    `compare` and `decide`; a refusal leaves only Airflow's own record of the question."""
    found = ti.xcom_pull(task_ids="compare")
    answer = ti.xcom_pull(task_ids="decide")
    user = (answer or {}).get("responded_by_user") or {}
    return {"release": found["release"], "by": user.get("name") or "a user of Airflow"}


def typed(
    parse: Callable[[dict[str, Any]], Result], params: dict[str, Any], *, run_id: str = ""
) -> Result:
    """The typed Params of a run from Airflow's context; what is wrong with them fails for good."""
    from airflow.sdk.exceptions import AirflowFailException

    try:
        return parse(dict(params))
    except TerminalError as error:
        _record({"run_id": run_id, "stage": "params", "part": ""}, error)
        raise AirflowFailException(message_of(error)) from error
