"""The `synthesis.run` row: created by the first step, read by every later one."""

from __future__ import annotations

from psycopg.types.json import Jsonb

from profiles.params import RunParams
from profiles.storage.connection import Database
from profiles.storage.sql_files import load


def note_alert(database: Database, *, run_id: str, message: str, failed: bool) -> str | None:
    """Adds to the run's row that it failed or is late; returns what the row says then.

    What verify_run or a stage said already explains a failure better and stays alone. None when
    the run has no row: it failed before it could make one.
    """
    with database.connect() as connection:
        row = connection.execute(
            load("report/note_alert"), {"run_id": run_id, "message": message, "failed": failed}
        ).fetchone()
    return row[0] if row else None


def start_run(database: Database, *, run_id: str, params: RunParams) -> None:
    """Creates the row of this run, or sets an existing one (a cleared run) back to running."""
    with database.connect() as connection:
        database.require_primary(connection)
        connection.execute(
            load("plan/start_run"),
            {
                "run_id": run_id,
                "params": Jsonb(params.to_mapping()),
                "publishes": params.publish_override or not params.overrides_release,
            },
        )
