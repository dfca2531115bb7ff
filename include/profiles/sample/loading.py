"""Loads sample files into the source tables of a database: creates what is missing, then COPY."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from profiles.errors import SettingsError
from profiles.sample.writer import COLUMNS
from profiles.settings import INCLUDE_DIR
from profiles.storage.connection import Database
from profiles.storage.sql_files import compose, qualified

if TYPE_CHECKING:
    from psycopg import Cursor
    from psycopg.rows import TupleRow

log = logging.getLogger(__name__)

BUNDLED_SAMPLE = INCLUDE_DIR / "sample"
SCHEMA = "src"
_CHUNK_BYTES = 1 << 20


def load_sample(
    database: Database, folder: Path = BUNDLED_SAMPLE, *, replace: bool = False
) -> dict[str, int]:
    """Loads the folder's .copy files into schema `src`; returns the rows it added per table.

    Rows whose key is there already stay as they are, so a second load adds nothing. With
    `replace` the five tables are emptied first, in the same transaction.

    Raises:
        SettingsError: a file is missing; nothing was loaded.
    """
    missing = [table for table in COLUMNS if not (folder / f"{table}.copy").is_file()]
    if missing:
        raise SettingsError(
            f"{folder} has no {', '.join(f'{table}.copy' for table in missing)}; make the files "
            "with `profiles sample`, or name the folder that has them"
        )
    with database.lock("load_sample"), database.connect() as connection:
        connection.execute((BUNDLED_SAMPLE / "sources.sql").read_bytes())
        with connection.cursor() as cursor:
            added = {
                table: _load_table(cursor, table, folder / f"{table}.copy", replace=replace)
                for table in COLUMNS
            }
    log.info("sample rows added: %s", added)
    return added


def _load_table(cursor: Cursor[TupleRow], table: str, file: Path, *, replace: bool) -> int:
    target = qualified(f"{SCHEMA}.{table}")
    incoming = qualified(f"incoming_{table}")
    if replace:
        cursor.execute(compose("sample/empty_source", table=target))
    cursor.execute(compose("sample/create_incoming", incoming=incoming, table=target))
    with file.open("rb") as lines, cursor.copy(compose("sample/copy", table=incoming)) as copy:
        while chunk := lines.read(_CHUNK_BYTES):
            copy.write(chunk)
    cursor.execute(compose("sample/add_incoming", incoming=incoming, table=target))
    added = cursor.rowcount
    cursor.execute(compose("sample/drop_incoming", incoming=incoming))
    return added
