"""Migrations apply once, and only as released."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from profiles.errors import BusyError, MigrationError
from profiles.operations import roles
from profiles.storage import lock_waits, migrations
from profiles.storage.connection import Database


def test_a_migrated_database_has_nothing_pending(database: Database):
    assert migrations.pending(database) == []
    assert migrations.apply(database) == []


def test_an_edited_migration_is_refused(database: Database):
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.schema_migration SET checksum = 'edited'")
    with pytest.raises(MigrationError, match="was edited after it was applied"):
        migrations.apply(database)


def test_a_changed_repeatable_migration_is_applied_again(database: Database):
    with database.connect() as connection:
        connection.execute("DROP FUNCTION synthesis.read_query")
        connection.execute("UPDATE synthesis.schema_migration SET checksum = 'x' WHERE version < 0")
    assert [migration.name for migration in migrations.apply(database)] == ["search_functions"]
    with database.connect() as connection:
        connection.execute("SELECT synthesis.read_query('cook')")
    assert migrations.pending(database) == []


def test_a_migration_of_another_version_is_refused(database: Database):
    with database.connect() as connection:
        connection.execute("INSERT INTO synthesis.schema_migration VALUES (99, 'later', 'x')")
    with pytest.raises(MigrationError, match=r"has migration 0099_later, .* install"):
        migrations.apply(database)


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
