"""What every Airflow task does around its step: database, Params, and errors that Airflow knows."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import psycopg

from profiles.errors import ProfilesError, TerminalError, UnexpectedError
from profiles.params import ActionParams, CanaryParams, RunParams
from profiles.storage.connection import Database, open_database

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
    """Calls `step(database, …)`.

    A `TerminalError` becomes `AirflowFailException`, so that Airflow does not try again what
    only a person can mend. Other errors of ours go through and are retried. So is what a library
    raised, but without its text: Postgres quotes whole rows under DETAIL, and `int()` its argument.

    Raises:
        UnexpectedError: the step failed with an error that is not ours; its place is logged.
    """
    from airflow.sdk.exceptions import AirflowException, AirflowFailException

    try:
        return step(open_database(), *args, **kwargs)
    except TerminalError as error:
        log.error("%s", error)  # noqa: TRY400 - the message says it all; a traceback hides it
        raise AirflowFailException(f"{type(error).__name__}: {error}") from error
    except (ProfilesError, AirflowException):
        raise
    except psycopg.errors.InsufficientPrivilege as error:
        # Names an object of the database and never a value; no repetition helps.
        message = f"the database's login lacks a right: {error.diag.message_primary}"
        log.error("%s", message)  # noqa: TRY400 - the message says it all
        raise AirflowFailException(f"{message}. Its owner grants it (docs/operations.md)") from None
    except Exception as error:  # noqa: BLE001 - process edge: raised again without its text
        said = describe(error)
        frames = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
        log.error("%s\n%s", said, frames)  # noqa: TRY400 - the traceback would hold the text
        raise UnexpectedError(f"{said}; the task's log says where") from None


def describe(error: Exception) -> str:
    """What kind of error it is and, of the database's, which table and rule; never its text."""
    parts = [type(error).__name__]
    if isinstance(error, psycopg.Error):
        known = {
            "SQLSTATE": error.sqlstate,
            "table": error.diag.table_name,
            "column": error.diag.column_name,
            "constraint": error.diag.constraint_name,
        }
        parts += [f"{name} {value}" for name, value in known.items() if value]
    if error.__cause__ is not None:
        parts.append(f"caused by {type(error.__cause__).__name__}")
    return ", ".join(parts)


def succeeded(ti: RuntimeTaskInstance, **task_ids: str) -> dict[str, bool]:
    """Whether each named task of this run succeeded, by the given name.

    Asks Airflow for the states. What a task returned is no evidence: its XCom outlives it when
    the task is cleared and then does not start because something before it failed.
    """
    states = ti.get_task_states(
        dag_id=ti.dag_id, task_ids=list(task_ids.values()), run_ids=[ti.run_id]
    ).get(ti.run_id, {})
    return {name: states.get(task_id) == "success" for name, task_id in task_ids.items()}


def decision(ti: RuntimeTaskInstance, *, compared: str, decided: str) -> dict[str, str]:
    """Which release a person decided about, and who it was, from the results of two tasks.

    A refusal leaves no result: Airflow ends the task by skipping what follows. Who refused is in
    Airflow's own record of the question.
    """
    found = ti.xcom_pull(task_ids=compared)
    answer = ti.xcom_pull(task_ids=decided)
    user = (answer or {}).get("responded_by_user") or {}
    return {"release": found["release"], "by": user.get("name") or "a user of Airflow"}


def canary_params(params: dict[str, Any]) -> CanaryParams:
    """The typed Params of `release_approval` from Airflow's context; its form has checked them."""
    return CanaryParams(**{**params, "release": params["release"] or ""})


def action_params(params: dict[str, Any]) -> ActionParams:
    """The typed Params of `candidate_actions`; a combination without sense fails for good."""
    return _typed(ActionParams.from_mapping, params)


def run_params(params: dict[str, Any]) -> RunParams:
    """The typed Params of this run from Airflow's context; an unknown name fails for good."""
    return _typed(RunParams.from_mapping, params)


def _typed(parse: Callable[[dict[str, Any]], Result], params: dict[str, Any]) -> Result:
    from airflow.sdk.exceptions import AirflowFailException

    try:
        return parse(dict(params))
    except TerminalError as error:
        raise AirflowFailException(f"{type(error).__name__}: {error}") from error
