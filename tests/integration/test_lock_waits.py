"""Short waits for a lock: what they may not cost those who come after, and what they say."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from profiles.errors import BusyError
from profiles.operations import roles
from profiles.storage import lock_waits, migrations
from profiles.storage.connection import Database

TABLE = "synthesis.candidate_synthesis"
READ = f"SELECT count(*) FROM {TABLE}"
LOCK = f"LOCK TABLE {TABLE} IN ACCESS EXCLUSIVE MODE"


@pytest.fixture(autouse=True)
def shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_waits, "LOCK_SECONDS", 0.3)
    monkeypatch.setattr(lock_waits, "PAUSES", (0.1, 0.1))


def lock(connection: psycopg.Connection) -> None:
    lock_waits.in_short_waits(
        connection,
        lambda: connection.execute(LOCK),
        what="the test",
        again="do it again",
    )


@contextmanager
def reading(database: Database) -> Iterator[int]:
    """Somebody who keeps the table; their process."""
    with database.connect() as reader:
        reader.execute(READ)
        yield reader.info.backend_pid


def test_what_follows_in_the_transaction_waits_for_a_row_as_before(database: Database):
    with database.connect() as connection:
        connection.execute("CREATE TABLE kept (n integer)")
        connection.execute("INSERT INTO kept VALUES (1)")
    with database.connect() as writer, database.connect() as connection:
        writer.execute("UPDATE kept SET n = 2")
        connection.execute("SET LOCAL lock_timeout = '20s'")
        lock(connection)
        assert connection.execute("SHOW lock_timeout").fetchone() == ("20s",)
        ended = threading.Timer(1.0, writer.rollback)
        ended.start()
        connection.execute("UPDATE kept SET n = 3")
        ended.join()


def test_it_tries_again_and_warns_of_who_holds_the_table(
    database: Database, caplog: pytest.LogCaptureFixture
):
    with reading(database) as pid, database.connect() as connection:
        with pytest.raises(BusyError, match=f"the test got no lock in 3 tries.*process {pid} "):
            lock(connection)
        assert caplog.text.count(f"waits for tables held by process {pid} ") == 2
        assert connection.execute("SHOW lock_timeout").fetchone() != ("300ms",)
    with database.connect() as connection:
        lock(connection)


def test_what_a_client_calls_itself_is_not_repeated(database: Database):
    with database.connect() as named:
        named.execute("SET application_name = 'Ada Testwell'")
        named.execute(READ)
        pid = named.info.backend_pid
        with database.connect() as connection, pytest.raises(BusyError) as raised:
            lock(connection)
    assert f"process {pid}" in str(raised.value)
    assert "Ada" not in str(raised.value)


def test_a_second_migration_says_that_it_waits_for_the_first(
    database: Database, caplog: pytest.LogCaptureFixture
):
    with ThreadPoolExecutor(1) as pool, database.connect(autocommit=True) as first:
        first.execute("SELECT pg_advisory_lock(hashtextextended('profiles:migrate', 0))")
        second = pool.submit(migrations.apply, database)
        until = time.monotonic() + 10
        while "another session applies migrations" not in caplog.text:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert not second.done()
        first.execute("SELECT pg_advisory_unlock_all()")
        assert second.result(timeout=20) == []
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        assert migrations.apply(database) == []
    assert caplog.text == ""


def test_roles_are_there_for_others_while_their_rights_are_waited_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    """A role is the whole server's: another database's migration would wait for this one."""
    name = f"made_{database.url.split('/test_')[1].split('?')[0]}"
    execute = roles.execute
    with database.connect() as connection:
        connection.execute(f"ALTER TABLE {TABLE} OWNER TO postgres")

    def create_it_too(connection: Any, statement: str, **values: Any) -> Any:
        if statement == "create_roles/create":
            connection.execute(f"CREATE ROLE {name}")
        return execute(connection, statement, **values)

    monkeypatch.setattr(roles, "execute", create_it_too)
    try:
        with reading(database), pytest.raises(BusyError):
            roles.apply_roles(database)
        with database.connect() as connection:
            found = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (name,))
            assert found.rowcount == 1
    finally:
        with database.connect() as connection:
            connection.execute(f"DROP ROLE IF EXISTS {name}")
    monkeypatch.undo()
    assert roles.apply_roles(database) == []
