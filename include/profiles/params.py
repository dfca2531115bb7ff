"""Choices for one run: the Airflow Params of the DAGs, typed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from profiles.errors import SettingsError

DEFAULT_WINDOW_HOURS = 8.0
MAX_WINDOW_HOURS = 20
DEFAULT_SCHEDULE = "0 22 * * * UTC"


def schedule() -> tuple[str, str]:
    """Cron expression and IANA time zone of the nightly run, from `PROFILES_SCHEDULE`: the one
    variable that is read at parse time, without pydantic, so that the parse stays light."""
    text = os.environ.get("PROFILES_SCHEDULE") or DEFAULT_SCHEDULE
    fields = text.split()
    if len(fields) != 6:
        raise SettingsError(
            f"PROFILES_SCHEDULE is {text!r}; expected five cron fields and a time zone, such as "
            f"{DEFAULT_SCHEDULE!r}"
        )
    return " ".join(fields[:5]), fields[5]


DEFAULT_CANARY_DOCUMENTS = 50
MAX_CANARY_DOCUMENTS = 5000
DEFAULT_CANARY_HOURS = 2.0


@dataclass(frozen=True, slots=True)
class CanaryParams:
    """Params of DAG `release_approval`. An empty `release` means what files and settings say."""

    release: str = ""
    documents: int = DEFAULT_CANARY_DOCUMENTS
    window_hours: float = DEFAULT_CANARY_HOURS

    @classmethod
    def from_mapping(cls, values: dict[str, Any]) -> CanaryParams:
        return cls(**{**values, "release": values["release"] or ""})


MAX_ACTION_IDS = 1000


class Action(StrEnum):
    RETRY = "retry"
    RESYNTHESISE = "resynthesise"
    SPLIT = "split"
    MERGE = "merge"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class ActionParams:
    """Params of DAG `candidate_actions`, which name everything by number or id, never by what a
    person is called. `row_ids` are of `synthesis.identity_row`; `confirm` repeats the candidate to
    erase."""

    action: Action
    candidate_ids: tuple[int, ...] = ()
    reason: str | None = None
    run: str | None = None
    row_ids: tuple[int, ...] = ()
    confirm: int | None = None

    @classmethod
    def from_mapping(cls, values: dict[str, Any]) -> ActionParams:
        """Params from Airflow's form, which has checked the types; this checks the combination."""
        params = cls(
            action=Action(values["action"]),
            candidate_ids=tuple(dict.fromkeys(values.get("candidate_ids") or ())),
            reason=values.get("reason") or None,
            run=values.get("run") or None,
            row_ids=tuple(dict.fromkeys(values.get("row_ids") or ())),
            confirm=values.get("confirm"),
        )
        if problem := params._problem():
            raise SettingsError(f"action {params.action}: {problem}. Correct the trigger form.")
        return params

    def _problem(self) -> str | None:
        wanted, used = _ACTIONS[self.action]
        useless = {"confirm", "reason", "row_ids", "run"} - used
        if given := [name for name in sorted(useless) if getattr(self, name)]:
            return f"it has no use for {', '.join(given)}; leave that empty"
        if wanted is not None and len(self.candidate_ids) != wanted:
            return f"it needs {wanted} in candidate_ids, not {len(self.candidate_ids)}"
        if self.action is Action.RETRY and not (self.candidate_ids or self.reason or self.run):
            return "it needs candidate_ids, reason or run, so that nobody retries all by mistake"
        if self.action is Action.RESYNTHESISE and not self.candidate_ids:
            return "it needs candidate_ids"
        if self.action is Action.SPLIT and not self.row_ids:
            return "it needs row_ids, the rows that leave"
        if self.action is Action.ERASE and self.confirm != self.candidate_ids[0]:
            return "confirm must repeat the candidate's id; nothing was erased"
        return None


_ACTIONS: dict[Action, tuple[int | None, set[str]]] = {
    Action.RETRY: (None, {"reason", "run"}),
    Action.RESYNTHESISE: (None, set()),
    Action.SPLIT: (1, {"row_ids"}),
    Action.MERGE: (2, set()),
    Action.ERASE: (1, {"confirm"}),
}
"""Of each action, how many candidates it needs and what else it uses."""


@dataclass(frozen=True, slots=True)
class RunParams:
    """Params of a run, as set by the person or schedule that started it.

    `sources` limits which tables are read for changes, `limit` caps how many documents are
    synthesised, `candidate_ids` restricts the plan to those candidates, `force` re-synthesises
    them although nothing changed. An empty `engine`, `engine_profile` or `model` means the
    deployment's; `release` asks as a stored release does. A run that sets one of these four
    does not publish unless `publish_override`.
    """

    limit: int | None = None
    force: bool = False
    candidate_ids: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    engine: str = ""
    engine_profile: str = ""
    model: str = ""
    release: str = ""
    lanes: int | None = None
    window_hours: float = DEFAULT_WINDOW_HOURS
    publish_override: bool = False

    @property
    def overrides_release(self) -> bool:
        return bool(self.release or self.engine or self.engine_profile or self.model)

    @classmethod
    def from_mapping(cls, values: dict[str, Any]) -> RunParams:
        """Params from Airflow's or the CLI's mapping; unknown names are an error."""
        known = set(cls.__dataclass_fields__)
        if unknown := sorted(set(values) - known):
            raise SettingsError(
                f"unknown Params {unknown}; known are {sorted(known)}. Correct the trigger form."
            )
        # An empty field of the form is None.
        given = {name: value for name, value in values.items() if value is not None}
        lists = {name: tuple(given.get(name, ())) for name in ("candidate_ids", "sources")}
        params = cls(**{**given, **lists})
        if params.release and (params.engine or params.engine_profile):
            raise SettingsError(
                "the Param `release` fixes engine and engine profile; leave `engine` and "
                "`engine_profile` empty, or `release`"
            )
        return params
