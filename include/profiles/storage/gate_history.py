"""The gate's figures of a run and of the runs before it."""

from __future__ import annotations

from typing import Any

import psycopg

from profiles.storage.sql_files import load

__all__ = ["HISTORY_RUNS", "gate_counts", "gate_history"]

HISTORY_RUNS = 20
"""Earlier runs that a control band is drawn from."""


def gate_counts(connection: psycopg.Connection[Any], run_id: str) -> dict[str, int]:
    """Last answers of a run by outcome and reason."""
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        return dict(cursor.execute(load("report/count_gate"), {"run_id": run_id}).fetchall())


def gate_history(connection: psycopg.Connection[Any], run_id: str) -> list[dict[str, int]]:
    """The same of the published runs before it, newest first."""
    bound = {"run_id": run_id, "runs": HISTORY_RUNS}
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        rows = cursor.execute(load("report/select_gate_history"), bound).fetchall()
    return [counts for (counts,) in rows]
