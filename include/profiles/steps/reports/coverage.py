"""Counts for the operator's page how many people are fresh, stale or refused, and what is known."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from psycopg.types.json import Jsonb

from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["TOKENS", "take"]

log = logging.getLogger(__name__)

TOKENS = ("model_calls", "prompt_tokens", "completion_tokens", "cached_tokens")


def take(
    database: Database,
    *,
    run_id: str,
    gate: Mapping[str, int],
    tokens: Mapping[str, int | float | None],
) -> None:
    """Replaces the coverage that is kept for a run by the state as it is now.

    Args:
        gate: last answers of the run by outcome and reason.
        tokens: of the run; those of `TOKENS` are kept.
    """
    kept = {name: tokens.get(name) or 0 for name in TOKENS}
    with database.connect() as connection:
        taken = connection.execute(
            load("page/coverage_take"),
            {"run_id": run_id, "gate": Jsonb(dict(gate)), "tokens": Jsonb(kept)},
        )
    if taken.rowcount:
        log.info("run %s: counted the people for the page", run_id)
    else:
        log.warning("run %s never started: its people are not counted for the page", run_id)
