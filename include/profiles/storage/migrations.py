"""Applies `include/sql/migrations/NNNN_name.sql` in order, each once, each in one transaction."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg
from psycopg.rows import TupleRow

from profiles.errors import MigrationError
from profiles.storage.connection import Database
from profiles.storage.lock_waits import in_short_waits
from profiles.storage.sql_files import SQL_DIR

log = logging.getLogger(__name__)

_LEDGER = """
CREATE SCHEMA IF NOT EXISTS synthesis;
CREATE TABLE IF NOT EXISTS synthesis.schema_migration (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)
"""

_WAITING = (
    "another session applies migrations; waiting until it has ended. `SELECT pid FROM pg_locks "
    "WHERE locktype = 'advisory' AND granted` shows who it may be"
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One file. `checksum` guards against an edited migration that was already applied."""

    version: int
    name: str
    path: Path
    checksum: str


def available() -> list[Migration]:
    """All migrations of this version of the package, oldest first."""
    return [
        Migration(
            version=int(path.stem.split("_", 1)[0]),
            name=path.stem.split("_", 1)[1],
            path=path,
            checksum=hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in sorted((SQL_DIR / "migrations").glob("[0-9]*_*.sql"))
    ]


def apply(database: Database) -> list[Migration]:
    """Applies what is pending and returns it. Safe to run twice and from two sessions at once.

    A migration may take long, but waits for the tables of others only shortly at a time, because
    whoever comes after it waits as well.

    Raises:
        MigrationError: an applied migration's file was edited, or the schema is newer than this
            package.
        BusyError: a transaction kept a table all the while; what came before is applied.
    """
    applied: list[Migration] = []
    # A second caller waits and then finds nothing to do.
    with (
        database.lock("migrate", wait=_WAITING),
        database.connect(autocommit=True) as connection,
    ):
        connection.execute(_LEDGER)
        done: dict[int, str] = dict(
            connection.execute(
                "SELECT version, checksum FROM synthesis.schema_migration"
            ).fetchall()
        )
        for migration in _pending(done):
            in_short_waits(
                connection,
                partial(_apply_one, connection, migration),
                what=f"migration {migration.version:04d}_{migration.name}",
                again="run `profiles migrate` or DAG initialize_database again",
            )
            log.info("applied migration %04d_%s", migration.version, migration.name)
            applied.append(migration)
    return applied


def _apply_one(connection: psycopg.Connection[TupleRow], migration: Migration) -> None:
    connection.execute(migration.path.read_bytes())
    connection.execute(
        "INSERT INTO synthesis.schema_migration (version, name, checksum) VALUES (%s, %s, %s)",
        (migration.version, migration.name, migration.checksum),
    )


def pending(database: Database) -> list[Migration]:
    """What `apply` would apply; writes nothing."""
    with database.connect() as connection:
        exists = connection.execute(
            "SELECT to_regclass('synthesis.schema_migration') IS NOT NULL"
        ).fetchone()
        done: dict[int, str] = {}
        if exists is not None and exists[0]:
            done = dict(
                connection.execute(
                    "SELECT version, checksum FROM synthesis.schema_migration"
                ).fetchall()
            )
    return _pending(done)


def require(database: Database) -> None:
    """Passes when schema synthesis is what this version of the package expects.

    Raises:
        MigrationError: migrations are pending, or were applied by another version.
    """
    waiting = pending(database)
    if waiting:
        names = ", ".join(f"{migration.version:04d}_{migration.name}" for migration in waiting)
        raise MigrationError(
            f"the database {database.location} lacks migrations {names}; run `profiles migrate` or "
            "DAG initialize_database"
        )


def _pending(done: dict[int, str]) -> list[Migration]:
    known = {migration.version: migration for migration in available()}
    for version, checksum in done.items():
        if version not in known:
            raise MigrationError(
                f"the database has migration {version:04d}, which this version of the package does "
                "not know; install the newer version that wrote it"
            )
        if known[version].checksum != checksum:
            raise MigrationError(
                f"migration {version:04d}_{known[version].name}.sql was edited after it was "
                "applied; restore the file and put the change into a new migration"
            )
    return [migration for version, migration in sorted(known.items()) if version not in done]
