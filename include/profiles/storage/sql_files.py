"""SQL statements by name: `load("locks/select_holders")` is block `-- name: select_holders` of
include/sql/locks.sql."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from profiles.settings import INCLUDE_DIR

SQL_DIR = INCLUDE_DIR / "sql"

Connection = psycopg.Connection[Any]


@cache
def _blocks(file: str) -> dict[str, str]:
    text = (SQL_DIR / f"{file}.sql").read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def load(name: str) -> LiteralString:
    """The statement `FILE/NAME`. Values are bound by the caller, never formatted in."""
    file, block = name.split("/")
    return _blocks(file)[block].rstrip()


def execute(
    on: Connection | psycopg.Cursor[Any], name: str, /, **values: object
) -> psycopg.Cursor[Any]:
    """Run the named statement with these values; without any it may hold several commands."""
    return on.execute(load(name), values or None)


def records(connection: Connection, name: str, /, **values: object) -> list[dict[str, Any]]:
    """The rows of the named statement, each by its columns' names."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(load(name), values or None).fetchall()


def record(connection: Connection, name: str, /, **values: object) -> dict[str, Any] | None:
    """The first row of the named statement; None without any."""
    return next(iter(records(connection, name, **values)), None)


def count(connection: Connection, query: LiteralString) -> int:
    return int((connection.execute(query).fetchone() or (0,))[0])


def copy_rows(
    connection: Connection,
    statement: LiteralString | sql.Composed,
    rows: Iterable[Sequence[object]],
    *,
    types: Sequence[str] = (),
) -> int:
    """Write rows by `COPY … FROM STDIN`, with `types` in binary; an empty list is no round trip."""
    if rows == []:
        return 0
    cursor = connection.cursor()
    with cursor.copy(statement) as copy:
        if types:
            copy.set_types(types)
        for row in rows:
            copy.write_row(row)
    return cursor.rowcount


def compose(name: str, **identifiers: sql.Composable) -> sql.Composed:
    """The named statement with `{identifier}` placeholders filled by psycopg composables."""
    return sql.SQL(load(name)).format(**identifiers)


def identifier(*names: str) -> sql.Identifier:
    """A quoted name for a statement with values, in which the driver reads %% as %."""
    return sql.Identifier(*(name.replace("%", "%%") for name in names))


def qualified(table: str) -> sql.Identifier:
    return identifier(*table.split("."))
