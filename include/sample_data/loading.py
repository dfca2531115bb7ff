"""Loads sample files into the source tables of a database: creates what is missing, then COPY."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from profiles.errors import SettingsError
from profiles.settings import INCLUDE_DIR
from profiles.storage.connection import Database
from profiles.storage.sql_files import compose, qualified
from sample_data.writer import COLUMNS

if TYPE_CHECKING:
    from psycopg import Connection, Cursor
    from psycopg.rows import TupleRow

log = logging.getLogger(__name__)

BUNDLED_SAMPLE = INCLUDE_DIR / "sample"
SCHEMA = "src"
MARK = "invented rows of the candidate profiles sample"
"""Comment of a schema that the sample made; another one may hold a team's real rows."""
_CHUNK_BYTES = 1 << 20


def load_sample(
    database: Database, folder: Path = BUNDLED_SAMPLE, *, replace: bool = False
) -> dict[str, int]:
    """Loads the folder's .copy files into schema `src`; returns the rows it added per table.

    Rows whose key is there already stay as they are, so a second load adds nothing. With
    `replace` the five tables are emptied first, in the same transaction.

    Raises:
        SettingsError: a file is missing, or schema `src` exists and was not made by the sample;
            nothing was loaded.
    """
    missing = [table for table in COLUMNS if not (folder / f"{table}.copy").is_file()]
    if missing:
        raise SettingsError(
            f"{folder} has no {', '.join(f'{table}.copy' for table in missing)}; make the files "
            "with `profiles sample`, or name the folder that has them"
        )
    with database.lock("load_sample"), database.connect() as connection:
        _claim_schema(connection, database.location)
        connection.execute((BUNDLED_SAMPLE / "sources.sql").read_bytes())
        with connection.cursor() as cursor:
            added = {
                table: _load_table(cursor, table, folder / f"{table}.copy", replace=replace)
                for table in COLUMNS
            }
    log.info("sample rows added: %s", added)
    return added


def _claim_schema(connection: Connection[TupleRow], location: str) -> None:
    found = connection.execute(
        "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s",
        (SCHEMA,),
    ).fetchone()
    if found is None:
        from psycopg import sql

        connection.execute(
            compose("sample/claim_schema", schema=qualified(SCHEMA), mark=sql.Literal(MARK))
        )
    elif found[0] != MARK:
        raise SettingsError(
            f"schema {SCHEMA} of {location} was not made by the sample and may hold real rows, so "
            "nothing was loaded into it. Point PROFILES_DATABASE_URL at another database for the "
            "sample; for the team's own rows no sample is needed: trigger the DAG"
        )


def _load_table(cursor: Cursor[TupleRow], table: str, file: Path, *, replace: bool) -> int:
    from psycopg import sql

    target = qualified(f"{SCHEMA}.{table}")
    incoming = qualified(f"incoming_{table}")
    if replace:
        cursor.execute(sql.SQL("TRUNCATE {}").format(target))
    cursor.execute(compose("sample/create_incoming", incoming=incoming, table=target))
    with (
        file.open("rb") as lines,
        cursor.copy(sql.SQL("COPY {} FROM STDIN").format(incoming)) as copy,
    ):
        while chunk := lines.read(_CHUNK_BYTES):
            copy.write(chunk)
    cursor.execute(compose("sample/add_incoming", incoming=incoming, table=target))
    added = cursor.rowcount
    cursor.execute(sql.SQL("DROP TABLE {}").format(incoming))
    return added
