"""Keeps what search uses beside the serving table: vectors of people, names and frequencies.

Runs after publish, in batches that commit one by one. What is left when the time is over goes the
next night; until then a search finds such a person by the older words, or not yet.
"""

from __future__ import annotations

import logging
from time import monotonic

from psycopg import sql

from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.migrations import ensure_extension
from profiles.storage.sql_files import compose, count, execute, load
from profiles.storage.taxonomy import search_names

log = logging.getLogger(__name__)

MAX_SECONDS = 900.0
_ROWS = 2_000


def run(database: Database, *, run_id: str) -> Counts:
    with stage(database, run_id=run_id, name="index_documents") as counts:
        counts["documents"] = refresh(database)
        counts["names"] = refresh_names(database)
    return counts


def refresh(database: Database) -> int:
    """Makes the vectors of changed people for at most `MAX_SECONDS`; returns how many."""
    deadline = monotonic() + MAX_SECONDS
    after, total = 0, 0
    while monotonic() < deadline:
        with database.connect() as connection:
            ((last, number),) = execute(
                connection, "search_index/refresh_documents", after=after, rows=_ROWS
            )
        if last is None:
            break
        after, total = last, total + number
    else:
        log.warning("search lacks some people still; the rest goes the next time")
    with database.connect() as connection:
        execute(connection, "search_index/merge_pending")
    return total


def refresh_names(database: Database) -> int:
    """Brings names and frequencies up to date; returns how many names a query may use."""
    names, kinds, meanings = map(list, zip(*search_names(), strict=True))
    values = {"names": names, "kinds": kinds, "meanings": meanings}
    with database.connect() as connection:
        if name := ensure_extension(connection, "pg_trgm"):
            schema = sql.Identifier(name)
            connection.execute(compose("search_index/create_name_index", schema=schema))
        for statement in load("search_index/refresh_names").split(";\n"):
            connection.execute(statement, values)
        execute(connection, "search_index/refresh_terms")
        return count(connection, "SELECT count(*) FROM synthesis.search_name")
