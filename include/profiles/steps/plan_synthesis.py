"""Decides which documents need the model, why and in which order; writes the run's items.

Idempotent: planning a run again keeps the outcomes it has, ends the leases of lanes that still
work on the older plan, and opens a new window.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from profiles.errors import SettingsError, UnapprovedReleaseError
from profiles.models import StaleReason
from profiles.params import RunParams
from profiles.planning import Measured, NightEstimate, lane_count, plan_cost
from profiles.settings import Settings, load_settings, without_secrets
from profiles.steps.lanes.engine_choice import (
    EngineChoice,
    choose_engine,
    choose_release,
    register_choice,
)
from profiles.steps.stage import stage
from profiles.storage.connection import Database
from profiles.storage.runs import open_run
from profiles.storage.sql_files import Connection, execute, record, records
from profiles.synthesis.gpu.device_lock import cards_needed

log = logging.getLogger(__name__)

_SHAPING_SETTINGS = {
    "engine", "engine_profile", "engine_options", "model", "extractive_fallback", "batch_size",
    "max_in_flight", "max_running", "lease_seconds", "drain_seconds", "engine_restarts",
}  # fmt: skip

_ESTIMATED = (
    "documents", "prompt_tokens", "output_tokens", "lanes", "tokens_per_second", "window_hours",
    "hours", "fits",
)  # fmt: skip

_USUAL_SHARE_OF_CAP = 2 / 3
"""800 of 1,200 tokens, until completions of this model have been counted."""

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Result of planning. Of `counts`, `open` documents are for tonight's lanes."""

    counts: dict[str, int]
    reasons: dict[str, int]
    estimate: NightEstimate
    measured: Measured
    choice: EngineChoice

    def described(self) -> dict[str, Any]:
        """JSON-ready, with what it costs."""
        cards = cards_needed(self.choice.engine, self.choice.options)
        return {
            **self.counts,
            "release": self.choice.key.release_id,
            "notice": self.choice.notice,
            "reasons": self.reasons,
            "estimate": {name: getattr(self.estimate, name) for name in _ESTIMATED},
            "cost": plan_cost(self.estimate, self.measured, cards_per_lane=cards),
        }


def run(database: Database, *, run_id: str, params: RunParams) -> list[dict[str, Any]]:
    """Plan the run and return one mapping per lane, `[]` when no document needs the model."""
    settings = load_settings()
    try:
        with (
            stage(database, run_id=run_id, name="plan_synthesis") as counts,
            database.lock("plan"),
            database.connect() as connection,
        ):
            # The lease lock: nobody leases an item of the old plan while it is being replaced.
            execute(connection, "synthesis/lock_leases")
            plan = _plan(connection, settings, run_id=run_id, params=params)
            lanes = plan.estimate.lanes
            execute(connection, "plan/delete_surplus_lanes", run_id=run_id, lanes=lanes)
            counts.update(plan.counts)
    except UnapprovedReleaseError:
        # The failed plan took its proposal back, and a person needs it to approve.
        with database.connect() as connection:
            register_choice(connection, settings, choose_engine(settings, params, with_files=False))
        raise
    if plan.choice.notice:
        log.warning("%s", plan.choice.notice)
    if plan.counts["open"]:
        log.info("run %s: %s", run_id, plan.described())
    else:
        counted = ", ".join(f"{number} {name}" for name, number in plan.counts.items())
        log.info("nothing to synthesise: %s", counted)
    engine = plan.choice.engine.rpartition(":")[2]
    return [{"lane": lane, "label": f"lane {lane} · {engine}"} for lane in range(lanes)]


def preview(database: Database, *, params: RunParams) -> dict[str, Any]:
    """Preview of the plan that `run` would make now, JSON-ready; all its writes are rolled back."""
    settings = load_settings()
    run_id = f"preview {uuid.uuid4()}"
    with database.connect() as connection, connection.transaction(force_rollback=True):
        open_run(connection, run_id=run_id, params=params)
        plan = _plan(connection, settings, run_id=run_id, params=params)
    return plan.described()


def _plan(connection: Connection, settings: Settings, *, run_id: str, params: RunParams) -> Plan:
    choice = choose_release(connection, settings, params)
    totals = _write_items(connection, run_id, params, choice)
    shaping = settings.model_dump(mode="json", include=_SHAPING_SETTINGS)
    finished = record(
        connection,
        "plan/finish_plan",
        **totals,
        run_id=run_id,
        release_id=choice.key.release_id,
        notice=choice.notice,
        settings=Jsonb(without_secrets(shaping)),
        window_seconds=params.window_hours * 3600,
    )
    if finished is None:
        raise SettingsError(
            f"run {run_id} has no start; clear check_sources and its downstream tasks"
        )
    (opened,) = records(connection, "plan/count_open_items", run_id=run_id)
    reasons = execute(connection, "plan/count_reasons", run_id=run_id).fetchall()
    asked = {"model": choice.key.model, "engine": choice.engine}
    (rate,) = records(connection, "plan/select_measured_rate", **asked)
    measured = Measured(**rate)
    usual_tokens = choice.profile.sampling.max_new_tokens * _USUAL_SHARE_OF_CAP
    documents, profile = opened["open"], choice.profile
    prompt_bytes = len((profile.system_prompt + profile.user_template).encode())
    estimate = NightEstimate(
        documents=documents,
        prompt_tokens=opened.pop("document_tokens")
        + documents * (prompt_bytes // _BYTES_PER_TOKEN),
        output_tokens_each=measured.output_tokens_each or usual_tokens,
        lanes=lane_count(wanted=params.lanes, pool_slots=settings.lanes, documents=documents),
        tokens_per_second=measured.tokens_per_second or settings.measured_tokens_per_second,
        window_hours=params.window_hours,
    )
    counts = {**totals, **finished, **opened, "lanes": estimate.lanes}
    return Plan(counts, dict(reasons), estimate, measured, choice)


def _write_items(
    connection: Connection, run_id: str, params: RunParams, choice: EngineChoice
) -> dict[str, int]:
    """Write the items of the run; return how many documents there are and how many are too thin.
    No limit counts items that are deferred."""
    release = choice.key
    # A night writes more completions than autovacuum has counted by the next plan.
    connection.execute("ANALYZE synthesis.completion, synthesis.document")
    execute(connection, "plan/create_planned_document")
    (totals,) = records(
        connection,
        "plan/fill_planned_document",
        candidate_ids=list(params.candidate_ids) or None,
        answer=release.answer_digest,
    )
    connection.execute("ANALYZE planned_document")
    execute(connection, "plan/reset_run", run_id=run_id)
    execute(connection, "plan/delete_open_items", run_id=run_id)
    execute(
        connection,
        "plan/insert_run_items",
        run_id=run_id,
        force=params.force,
        limit=params.limit,
        held=[StaleReason.RENDERER_CHANGED] if choice.holds_renderer else [],
        prompt_digest=release.prompt_digest,
        schema_digest=release.schema_digest,
        sampling_digest=release.sampling_digest,
    )
    # Lanes lease within seconds, long before autovacuum would notice the new rows.
    connection.execute("ANALYZE synthesis.run_item")
    return totals
