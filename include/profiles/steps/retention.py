"""Drops what is kept for a while only: raw answers, and what old runs left beside their report.

Runs after publish, in batches that commit one by one; the rest goes the next night.
"""

from __future__ import annotations

import logging
from time import monotonic

from psycopg import sql

from profiles.settings import Settings, load_settings
from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.sql_files import compose, load

log = logging.getLogger(__name__)

MAX_SECONDS = 300.0
_ROWS = 5_000

RUN_TABLES = ("run_metric", "run_stage", "judge_score", "run_item", "batch", "lane")
"""In an order that no foreign key minds."""


def run(database: Database, *, run_id: str) -> Counts:
    """`drop_old` as a stage of a run, so that the report has the counts."""
    with stage(database, run_id=run_id, name="retention") as counts:
        counts.update(drop_old(database, load_settings()))
    return counts


def drop_old(database: Database, settings: Settings) -> dict[str, int]:
    """Drops what is older than the settings say; returns how many rows of what."""
    deadline = monotonic() + MAX_SECONDS
    statements: dict[str, tuple[sql.Composed | sql.SQL, int]] = {}
    if settings.keep_raw_days:
        raw = sql.SQL(load("retention/drop_raw"))
        statements["raw_answers"] = (raw, settings.keep_raw_days)
    if settings.keep_runs_days:
        for name in RUN_TABLES:
            of_runs = compose("retention/drop_of_runs", table=sql.Identifier("synthesis", name))
            statements[name] = (of_runs, settings.keep_runs_days)
    dropped: dict[str, int] = {}
    for name, (statement, days) in statements.items():
        dropped[name] = 0
        while monotonic() < deadline:
            with database.connect() as connection:
                found = connection.execute(statement, {"days": days, "rows": _ROWS}).rowcount
            dropped[name] += found
            if found < _ROWS:
                break
        else:
            log.warning("retention: %s is not done; the rest goes the next time", name)
    return dropped
