"""The frame around every step: times it, counts it, records it in `synthesis.run_stage`."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.types.json import Jsonb

from profiles.errors import ProfilesError
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute

log = logging.getLogger(__name__)

Counts = dict[str, int | float]


def room_for_whole_tables(connection: Connection) -> None:
    """Keep joins and sorts of this transaction in memory, 64 MB each, and compile no query."""
    connection.execute("SET LOCAL work_mem = '64MB'")
    connection.execute("SET LOCAL jit = off")


def open_stage(
    database: Database, *, run_id: str, name: str, until_ended: str, again: bool = False
) -> None:
    """Record `until_ended` as the error of a step that did not end yet, or runs `again`."""
    bound = {"run_id": run_id, "stage": name, "part": "", "error": until_ended, "again": again}
    with database.connect() as connection:
        execute(connection, "report/open_run_stage", **bound)


def remove_stage(database: Database, *, run_id: str, name: str) -> None:
    """Removes what `open_stage` wrote, of a step that was switched off before it was done."""
    with database.connect() as connection:
        execute(connection, "report/remove_run_stage", run_id=run_id, stage=name, part="")


def message_of(error: BaseException) -> str:
    """The error as others may read it: our own with its text, any other by its kind alone."""
    if isinstance(error, ProfilesError):
        return f"{type(error).__name__}: {error}"
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        # Names an object of the database and never a value.
        return (
            f"the database's login lacks a right: {error.diag.message_primary}. Its owner grants "
            "it (docs/operations.md)"
        )
    return describe(error)


def describe(error: BaseException) -> str:
    """The kind of an error and, of the database's, which table and rule; never its text."""
    parts = [type(error).__name__]
    if isinstance(error, psycopg.Error):
        known = {
            "SQLSTATE": error.sqlstate,
            "table": error.diag.table_name,
            "column": error.diag.column_name,
            "constraint": error.diag.constraint_name,
        }
        parts += [f"{name} {value}" for name, value in known.items() if value]
    if error.__cause__ is not None:
        parts.append(f"caused by {type(error.__cause__).__name__}")
    return ", ".join(parts)


@contextmanager
def stage(
    database: Database, *, run_id: str, name: str, part: str = "", until_ended: str = ""
) -> Iterator[Counts]:
    """Yields the counts of this step; writes them with seconds and peak memory (MiB), or its error,
    when it ends. `part` tells mapped instances apart; a repeated one replaces its row.
    `until_ended` is the error until then, for a step whose loss nothing else shows."""
    if until_ended:
        open_stage(database, run_id=run_id, name=name, until_ended=until_ended, again=True)
    counts: Counts = {}
    started = time.monotonic()

    def record(error: str | None) -> None:
        with database.connect() as connection:
            execute(
                connection,
                "report/upsert_run_stage",
                run_id=run_id,
                stage=name,
                part=part,
                counts=Jsonb(counts),
                seconds=time.monotonic() - started,
                peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                error=error,
            )

    try:
        yield counts
    except Exception as error:
        try:
            record(message_of(error))
        except (psycopg.Error, ProfilesError) as outage:
            log.warning("the failure of %s could not be recorded: %s", name, type(outage).__name__)
        raise
    record(None)
    log.info("%s %s: %s in %.2f s", name, part, counts, time.monotonic() - started)
