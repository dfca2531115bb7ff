"""Migrations apply once, and only as released."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from profiles.errors import MigrationError
from profiles.storage import migrations
from profiles.storage.connection import Database

_OLD_ROWS = Path(__file__).with_name("first_version_rows.sql")


def test_a_migrated_database_has_nothing_pending(database: Database):
    assert migrations.pending(database) == []
    assert migrations.apply(database) == []


def test_an_edited_migration_is_refused(database: Database):
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.schema_migration SET checksum = 'edited'")
    with pytest.raises(MigrationError, match="was edited after it was applied"):
        migrations.apply(database)


@pytest.fixture
def first_version(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """A database as the first released schema left it, with a row of each kind."""
    admin = postgres_server.format("postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("CREATE DATABASE first_version")
    database = Database(postgres_server.format("first_version"))
    with monkeypatch.context() as only_first:
        first = migrations.available()[:1]
        only_first.setattr(migrations, "available", lambda: first)
        migrations.apply(database)
    with database.connect(autocommit=True) as connection:
        connection.execute(_OLD_ROWS.read_bytes())
    yield database
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("DROP DATABASE first_version WITH (FORCE)")


def test_a_database_of_the_first_version_keeps_its_rows(first_version: Database):
    applied = migrations.apply(first_version)
    assert [item.version for item in applied] == [
        item.version for item in migrations.available()[1:]
    ]
    with first_version.connect() as connection:
        served = connection.execute(
            "SELECT candidate_id, skills,"
            " search @@ to_tsquery('english', 'payment & kafka & fintech') "
            "FROM synthesis.candidate_synthesis"
        ).fetchall()
        approved = connection.execute(
            "SELECT release_id FROM synthesis.release WHERE state = 'approved'"
        ).fetchall()
        redirected = connection.execute("SELECT * FROM synthesis.candidate_redirect").fetchall()
    assert served == [(1, ["Apache Kafka"], True)]
    assert approved == [("b",)], "the one that the deployment used last"
    assert len(redirected) == 1
