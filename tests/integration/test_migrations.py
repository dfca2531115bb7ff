"""Migrations apply once, and only as released."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from profiles.errors import BusyError, MigrationError
from profiles.operations import roles
from profiles.storage import lock_waits, migrations
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


SERVED = "SELECT count(*) FROM synthesis.candidate_synthesis"


@pytest.fixture
def change(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> migrations.Migration:
    """A pending migration that takes a while and then changes the serving table."""
    monkeypatch.setattr(lock_waits, "LOCK_SECONDS", 0.5)
    monkeypatch.setattr(lock_waits, "PAUSES", (1.0,) * 20)
    path = tmp_path / "9999_change.sql"
    path.write_text(
        "CREATE TABLE synthesis.made_first (n integer);\n"
        "SELECT pg_sleep(1);\n"
        "ALTER TABLE synthesis.candidate_synthesis ADD COLUMN added integer;\n"
    )
    new = migrations.Migration(9999, "change", path, "made here")
    known = migrations.available()
    monkeypatch.setattr(migrations, "available", lambda: [*known, new])
    return new


def test_a_migration_that_waits_for_a_reader_lets_other_readers_in(
    database: Database, change: migrations.Migration
):
    with ThreadPoolExecutor(1) as pool, database.connect() as reader:
        reader.execute(SERVED)
        migrating = pool.submit(migrations.apply, database)
        waits = []
        for _ in range(40):
            begun = time.monotonic()
            with database.connect() as other:
                other.execute("SET lock_timeout = '5s'")
                other.execute(SERVED)
            waits.append(time.monotonic() - begun)
            time.sleep(0.1)
        assert not migrating.done()
        assert max(waits) < 2, "half a second of lock_timeout, and a machine under load"
        reader.rollback()
        assert migrating.result(timeout=60) == [change]
    assert migrations.pending(database) == []


def test_a_migration_that_waits_in_vain_says_for_what_and_who_has_it(
    database: Database, change: migrations.Migration, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lock_waits, "PAUSES", (0.1,))
    with database.connect() as reader:
        reader.execute(SERVED + " /* Ada Testwell */")
        pid = reader.info.backend_pid
        with pytest.raises(BusyError) as raised:
            migrations.apply(database)
    said = str(raised.value)
    assert "migration 9999_change got no lock in 2 tries" in said
    assert f"process {pid} (user postgres, idle in transaction, for " in said
    assert "pg_terminate_backend" in said
    assert "`profiles migrate`" in said
    assert "Ada" not in said
    with database.connect() as connection:
        made = connection.execute("SELECT to_regclass('synthesis.made_first')").fetchone()
    assert made == (None,)
    assert migrations.apply(database) == [change]


def test_new_owners_wait_as_shortly(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lock_waits, "LOCK_SECONDS", 0.3)
    monkeypatch.setattr(lock_waits, "PAUSES", (0.1,))
    with database.connect() as connection:
        connection.execute("ALTER TABLE synthesis.candidate_synthesis OWNER TO postgres")
    with database.connect() as reader:
        reader.execute(SERVED)
        with pytest.raises(BusyError, match="schema synthesis to profiles_pipeline got no lock"):
            roles.apply_roles(database)
    assert roles.apply_roles(database) == []
