"""Checks of `profiles doctor` on the database: schema, source tables, role, secret, search."""

from __future__ import annotations

from dataclasses import replace

from profiles.doctor import Finding, guarded
from profiles.operations.check_mappings import check
from profiles.operations.roles import standing
from profiles.storage import migrations
from profiles.storage.connection import open_database
from profiles.storage.search import extension_standing
from profiles.storage.sql_files import execute
from profiles.storage.tombstones import secret_standing

SEARCH = "search"
SOURCE_TABLES = "source tables"
TOMBSTONES = "erasure secret"
READER_TEXT = "text to a reader"

_WITHOUT = {
    "pg_trgm": "misspelt skills are not found without pg_trgm",
    "vector": "search by vector reads every row without pgvector",
}


def database_findings() -> list[Finding]:
    """The server, our schema and role in it, and the secret that its tombstones need."""
    database = guarded("database", _database)
    if database.ok is False:
        remedy = (
            "in a clone `. .profiles/env` names the embedded server; make demo or make up starts it"
        )
        if "refused the connection" in database.detail:
            remedy = "correct user and password of PROFILES_DATABASE_URL or Connection profiles_db"
        unseen = [
            Finding(name, None, "no database to look at")
            for name in ("schema", SOURCE_TABLES, READER_TEXT, TOMBSTONES, SEARCH)
        ]
        return [replace(database, remedy=remedy), *unseen]
    return [
        database,
        guarded("schema", _schema),
        guarded(SOURCE_TABLES, source_tables_finding),
        guarded("role", roles_finding),
        guarded(READER_TEXT, _reader_text),
        guarded(TOMBSTONES, _erasure_secret),
        guarded(SEARCH, _search),
    ]


def _database() -> Finding:
    database = open_database()
    with database.connect() as connection:
        row = connection.execute("SELECT current_setting('server_version')").fetchone()
    version = str(row[0]).split(" ", 1)[0] if row else "?"
    return Finding("database", True, f"PostgreSQL {version} at {database.location}")


def roles_finding() -> Finding:
    """As whom the pipeline runs, and what that login may write besides schema synthesis."""
    return Finding("role", *standing(open_database()).verdict)


def _reader_text() -> Finding:
    """Finding on source rows with text that addresses its reader; documents leave that out."""
    with open_database().connect() as connection:
        if connection.execute("SELECT to_regclass('synthesis.reader_text')").fetchone() == (None,):
            return Finding(READER_TEXT, None, "no schema to look at")
        found = execute(connection, "report/select_reader_text").fetchall()
    if not found:
        return Finding(READER_TEXT, True, "no source row addresses a reader")
    rows = ", ".join(f"{source}:{key} {field}" for source, key, field, _ in found)
    detail = f"{found[0][3]} fields of source rows, left out of documents: {rows}"
    return Finding(READER_TEXT, None, detail, "look at the rows and at who sent them")


def _erasure_secret() -> Finding:
    """Check the secret of erasures and the copy of the tombstones."""
    return Finding(TOMBSTONES, *secret_standing(open_database()))


def _schema() -> Finding:
    waiting = migrations.pending(open_database())
    if waiting:
        names = ", ".join(f"{item.version:04d}_{item.name}" for item in waiting)
        remedy = "`profiles migrate`, or run DAG initialize_database"
        return Finding("schema", False, f"migrations to apply: {names}", remedy)
    return Finding("schema", True, f"{len(migrations.available())} migrations, all applied")


def _search() -> Finding:
    """Extensions that search is better with; it works without."""
    with open_database().connect() as connection:
        lacking = {
            name: is_available
            for name in _WITHOUT
            for schema, is_available in [extension_standing(connection, name)]
            if schema is None
        }
    if not lacking:
        return Finding(SEARCH, True, "pg_trgm and pgvector")
    remedy = " ".join(
        f"CREATE EXTENSION {name};" if is_available else f"install {name} on the server;"
        for name, is_available in lacking.items()
    )
    return Finding(SEARCH, None, "; ".join(_WITHOUT[name] for name in lacking), remedy)


def source_tables_finding() -> Finding:
    """The tables as the next run would find them, and what of their rows nobody reads."""
    found = check(open_database())
    if found.problems:
        detail = "; ".join(found.problems)
        return Finding(SOURCE_TABLES, False, detail, "correct these; `profiles check` lists them")
    rows = ", ".join(f"{table} {number:,} rows" for table, number in found.rows.items())
    details = [rows, *found.warnings]
    if found.unread:
        details.append(f"paths that nobody reads: {'; '.join(found.unread)}")
    remedy = "map them in include/sources, or list them there under ignored"
    return Finding(SOURCE_TABLES, None if found.warnings else True, "; ".join(details), remedy)
