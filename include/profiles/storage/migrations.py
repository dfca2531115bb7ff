"""Applies `include/sql/migrations/NNNN_name.sql` in order, each once, each in one transaction.

Files `RNN_name.sql` come after them and are repeatable: applied again whenever they change.
Extensions make search better, which works without them.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from profiles.errors import MigrationError
from profiles.storage.connection import Database
from profiles.storage.lock_waits import in_short_waits
from profiles.storage.sql_files import SQL_DIR, Connection, execute

log = logging.getLogger(__name__)

_TABLE = """
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
    """One file, repeatable where `version` is negative. `checksum` tells whether it was edited."""

    version: int
    name: str
    path: Path
    checksum: str


def available() -> list[Migration]:
    """All migrations of this version of the package, oldest first, repeatable ones last."""
    found = []
    for path in sorted((SQL_DIR / "migrations").glob("[0-9R]*_*.sql")):
        version, name = path.stem.split("_", 1)
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        found.append(Migration(int(version.replace("R", "-")), name, path, checksum))
    return found


def apply(database: Database) -> list[Migration]:
    """Apply what is pending and return it; safe to run twice and from two sessions at once.
    BusyError where a transaction kept a table all the while; what came before is applied."""
    applied: list[Migration] = []
    # A second caller waits and then finds nothing to do.
    with database.lock("migrate", wait=_WAITING), database.connect(autocommit=True) as connection:
        connection.execute(_TABLE)
        for migration in _pending(_recorded(connection)):
            in_short_waits(
                connection,
                partial(_apply_one, connection, migration),
                what=f"migration {migration.path.stem}",
                again="run `profiles migrate` or DAG initialize_database again",
            )
            log.info("applied migration %s", migration.path.stem)
            applied.append(migration)
    return applied


def _recorded(connection: Connection) -> dict[int, tuple[str, str]]:
    rows = connection.execute("SELECT version, name, checksum FROM synthesis.schema_migration")
    return {version: (name, checksum) for version, name, checksum in rows.fetchall()}


def _apply_one(connection: Connection, migration: Migration) -> None:
    connection.execute(migration.path.read_bytes())
    connection.execute(
        "INSERT INTO synthesis.schema_migration (version, name, checksum) VALUES (%s, %s, %s) "
        "ON CONFLICT (version) DO UPDATE SET name = excluded.name, checksum = excluded.checksum, "
        "applied_at = now()",
        (migration.version, migration.name, migration.checksum),
    )


def pending(database: Database) -> list[Migration]:
    """Migrations that `apply` would apply; writes nothing."""
    with database.connect() as connection:
        exists = connection.execute(
            "SELECT to_regclass('synthesis.schema_migration') IS NOT NULL"
        ).fetchone()
        return _pending(_recorded(connection) if exists == (True,) else {})


def require(database: Database) -> None:
    """Passes when schema synthesis is what this version of the package expects."""
    if waiting := pending(database):
        names = ", ".join(migration.path.stem for migration in waiting)
        raise MigrationError(
            f"the database {database.location} lacks migrations {names}; run `profiles migrate` or "
            "DAG initialize_database"
        )


def _pending(done: dict[int, tuple[str, str]]) -> list[Migration]:
    known = {migration.version: migration for migration in available()}
    for version, (name, checksum) in done.items():
        if version < 0:
            continue
        if version not in known or known[version].name != name:
            raise MigrationError(
                f"the database has migration {version:04d}_{name}, which this version of the "
                "package does not know; install the version that wrote it"
            )
        if known[version].checksum != checksum:
            raise MigrationError(
                f"migration {version:04d}_{name}.sql was edited after it was applied; restore the "
                "file and put the change into a new migration"
            )
    return [
        migration
        for version, migration in known.items()
        if done.get(version, ("", ""))[1] != migration.checksum
    ]


def extension_standing(connection: Connection, name: str) -> tuple[str | None, bool]:
    """The schema of an extension that this database has, and whether the server offers it."""
    ((schema, is_available),) = execute(connection, "search_index/select_extension", name=name)
    return schema, is_available


def ensure_extension(connection: Connection, name: str) -> str | None:
    """Creates an extension where server and role allow it; returns its schema."""
    schema, is_available = extension_standing(connection, name)
    if schema is not None:
        return schema
    if not is_available:
        log.info("this server does not offer %s; search works without, with less", name)
        return None
    statement = psycopg.sql.SQL("CREATE EXTENSION {} WITH SCHEMA public")
    try:
        with connection.transaction():
            connection.execute(statement.format(psycopg.sql.Identifier(name)))
    except psycopg.errors.InsufficientPrivilege:
        log.info("this role may not create %s; an administrator runs CREATE EXTENSION once", name)
        return None
    return "public"
