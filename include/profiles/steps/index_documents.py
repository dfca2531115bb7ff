"""Keeps the full-text vectors of raw documents, which search preview sets beside the serving table.

Runs after publish, so that it costs the night nothing, in batches that commit one by one. What is
left when its time is over goes the next night; the page says how many documents it covers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["MAX_SECONDS", "refresh", "run"]

log = logging.getLogger(__name__)

MAX_SECONDS = 900.0
_ROWS = 2_000


def run(database: Database, *, run_id: str) -> Counts:
    """`refresh` as a stage of a run; nothing for a run that failed before it had a row."""
    with database.connect() as connection:
        found = connection.execute("SELECT FROM synthesis.run WHERE run_id = %s", (run_id,))
        if found.rowcount == 0:
            return {}
    with stage(database, run_id=run_id, name="index_documents") as counts:
        counts["documents"] = refresh(database)
    return counts


def refresh(database: Database, *, clock: Callable[[], float] = time.monotonic) -> int:
    """Makes the vectors of changed documents for at most `MAX_SECONDS`; returns how many."""
    deadline = clock() + MAX_SECONDS
    after, total = 0, 0
    while clock() < deadline:
        with database.connect() as connection:
            row = connection.execute(
                load("document_search/refresh"), {"after": after, "rows": _ROWS}
            ).fetchone()
        if row is None or row[0] is None:
            return total
        after, total = row[0], total + row[1]
    log.warning("search preview lacks some documents still; the rest goes the next time")
    return total
