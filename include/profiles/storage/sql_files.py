"""SQL statements by name: `load("plan/x")` reads include/sql/plan/x.sql."""

from __future__ import annotations

from functools import cache
from typing import LiteralString

from psycopg import sql

from profiles.settings import INCLUDE_DIR

SQL_DIR = INCLUDE_DIR / "sql"


@cache
def load(name: str) -> LiteralString:
    """The text of `include/sql/<name>.sql`. Values are bound by the caller, never formatted in."""
    return (SQL_DIR / f"{name}.sql").read_text(encoding="utf-8")


def compose(name: str, **identifiers: sql.Composable) -> sql.Composed:
    """The named statement with `{identifier}` placeholders filled by psycopg composables."""
    return sql.SQL(load(name)).format(**identifiers)


def identifier(*names: str) -> sql.Identifier:
    """A quoted name for a statement with values; the driver takes one percent sign of it for a
    placeholder."""
    return sql.Identifier(*(name.replace("%", "%%") for name in names))


def qualified(table: str) -> sql.Identifier:
    """`schema.table` as a quoted identifier."""
    return identifier(*table.split("."))
