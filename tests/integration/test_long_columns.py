"""Long columns are kept in lz4 where the server has it, else records and documents as they are."""

from __future__ import annotations

import re

import psycopg
import pytest
from tests.planned_runs import rows

from profiles.storage.connection import Database
from profiles.storage.sql_files import SQL_DIR

SCHEMA = (SQL_DIR / "migrations/0001_schema.sql").read_text()
MIGRATION = next(
    block.encode()
    for block in re.findall(r"^DO \$\$.*?^END \$\$;", SCHEMA, re.MULTILINE | re.DOTALL)
    if "default_toast_compression" in block
)
OFFERED = "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
KEPT = """
SELECT attrelid::regclass || '.' || attname, attstorage::text, attcompression::text
FROM pg_attribute
WHERE (attrelid, attname) IN (
  ('synthesis.source_record'::regclass, 'record'), ('synthesis.document'::regclass, 'markdown'),
  ('synthesis.document'::regclass, 'choices'))
"""
TABLES = ("source_record", "document")
LONG = {"synthesis.source_record.record", "synthesis.document.markdown"}


def pretend(connection: psycopg.Connection, methods: str) -> None:
    """Until the end of this connection, a server that was built with these methods."""
    connection.execute("CREATE SCHEMA built")
    connection.execute(
        "CREATE VIEW built.pg_settings AS SELECT 'default_toast_compression' AS name, "
        f"'{methods}'::text[] AS enumvals"
    )
    connection.execute("SET search_path = built, pg_catalog")


def test_long_columns_are_kept_as_the_server_can(database: Database):
    kept = {name: (storage, method) for name, storage, method in rows(database, KEPT)}
    if rows(database, OFFERED) == [(True,)]:
        assert set(kept.values()) == {("x", "l")}
    else:
        assert {name for name, how in kept.items() if how == ("e", "")} == LONG
        assert {kept[name] for name in kept.keys() - LONG} == {("x", "")}


def test_a_server_without_lz4_compresses_neither_records_nor_documents(database: Database):
    with database.connect() as connection:
        pretend(connection, "{pglz}")
        for table, column in (("source_record", "record"), ("document", "markdown")):
            connection.execute(
                f"ALTER TABLE synthesis.{table} ALTER COLUMN {column} SET STORAGE EXTENDED"
            )
        connection.execute(MIGRATION)
        connection.execute("RESET search_path")
        external = {row[0] for row in connection.execute(KEPT).fetchall() if row[1] == "e"}
        connection.rollback()
    assert external == LONG


def test_a_server_with_lz4_is_asked_for_it(database: Database):
    has_lz4 = rows(database, OFFERED) == [(True,)]
    with database.connect() as connection:
        pretend(connection, "{pglz,lz4}")
        if has_lz4:
            connection.execute(MIGRATION)
            connection.execute("RESET search_path")
            assert {row[2] for row in connection.execute(KEPT).fetchall()} == {"l"}
        else:
            # The embedded server was not built with it and says so.
            with pytest.raises(psycopg.errors.FeatureNotSupported, match="lz4"):
                connection.execute(MIGRATION)
        connection.rollback()


def test_a_record_that_was_stored_before_reads_the_same_after(database: Database):
    text = '{"summary": "' + "moved the billing service " * 400 + '"}'
    add = (
        "INSERT INTO synthesis.source_record "
        "(source, source_key, change_token, extractor_version, record_hash, record) "
        "VALUES ('linkedin', %s, '1', '1', %s, %s)"
    )
    with database.connect() as connection:
        connection.execute(
            "ALTER TABLE synthesis.source_record ALTER COLUMN record SET STORAGE EXTENDED"
        )
        connection.execute(add, ("before", "x", text))
        connection.execute(MIGRATION)
        connection.execute(add, ("after", "x", text))
    sizes = dict(
        rows(database, "SELECT source_key, pg_column_size(record) FROM synthesis.source_record")
    )
    assert sizes["before"] < len(text)
    assert {
        row[0] for row in rows(database, "SELECT record::text FROM synthesis.source_record")
    } == {text}


def test_the_vector_of_an_answer_is_not_compressed(database: Database):
    assert rows(
        database,
        "SELECT attstorage::text FROM pg_attribute WHERE attname = 'search_vector' "
        "AND attrelid = 'synthesis.completion'::regclass",
    ) == [("e",)]
