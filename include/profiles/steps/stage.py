"""The frame around every step: times it, counts it, records it in `synthesis.run_stage`."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from profiles.errors import ProfilesError
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

log = logging.getLogger(__name__)

Counts = dict[str, int | float]


def room_for_whole_tables(connection: psycopg.Connection[TupleRow]) -> None:
    """For this transaction: joins and sorts over all rows of a table stay in memory, 64 MB each,
    and no query is compiled, which takes longer than running it."""
    connection.execute("SET LOCAL work_mem = '64MB'")
    connection.execute("SET LOCAL jit = off")


@contextmanager
def stage(database: Database, *, run_id: str, name: str, part: str = "") -> Iterator[Counts]:
    """Yields the counts of this step; writes them with seconds and peak memory when it ends.

    `part` tells mapped instances apart: source, key range or lane. A repeated instance replaces
    its row. One that fails with an error of ours leaves the message there, for verify_run and
    `profiles status`. Peak memory is the process's, in MiB, as getrusage gives it.
    """
    counts: Counts = {}
    started = time.monotonic()

    def record(error: str | None) -> None:
        with database.connect() as connection:
            connection.execute(
                load("report/upsert_run_stage"),
                {
                    "run_id": run_id,
                    "stage": name,
                    "part": part,
                    "counts": Jsonb(counts),
                    "seconds": time.monotonic() - started,
                    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    "error": error,
                },
            )

    try:
        yield counts
    except ProfilesError as error:
        try:
            record(f"{type(error).__name__}: {error}")
        except (psycopg.Error, ProfilesError) as outage:
            log.warning("the failure of %s could not be recorded: %s", name, type(outage).__name__)
        raise
    record(None)
    log.info("%s %s: %s in %.2f s", name, part, counts, time.monotonic() - started)
