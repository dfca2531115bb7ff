"""Extensions of Postgres that make search better and that it works without."""

from __future__ import annotations

import logging

import psycopg
from psycopg.rows import TupleRow

from profiles.storage.sql_files import load

__all__ = ["ensure_extension", "extension_standing"]

log = logging.getLogger(__name__)


def extension_standing(
    connection: psycopg.Connection[TupleRow], name: str
) -> tuple[str | None, bool]:
    """The schema of an extension that this database has, and whether the server offers it."""
    row = connection.execute(load("search_index/select_extension"), {"name": name}).fetchone()
    return (row[0], row[1]) if row else (None, False)


def ensure_extension(connection: psycopg.Connection[TupleRow], name: str) -> str | None:
    """Creates the extension where the server offers it and the role may; returns its schema.

    `name` is a constant of the caller, never input.
    """
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
