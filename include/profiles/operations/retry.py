"""Opens refused documents again. Without it a refused fingerprint is never asked a second time."""

from __future__ import annotations

from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["retry"]


def retry(
    database: Database,
    *,
    reason: str | None = None,
    candidate_id: int | None = None,
    run_id: str | None = None,
) -> dict[str, int]:
    """Opens the refused documents that match all that is given; returns reason → people."""
    wanted = {"reason": reason, "candidate_id": candidate_id, "run_id": run_id}
    with database.connect() as connection:
        return dict(connection.execute(load("retry/open_rejected"), wanted).fetchall())
