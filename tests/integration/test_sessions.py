"""Sessions of other people's servers: timeouts, lost locks, encodings, standbys."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from tests.source_rows import create_tables

from profiles.errors import BusyError, LostLockError, SettingsError
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources
from profiles.storage import migrations
from profiles.storage.connection import Database
from scripts import embedded
from scripts.embedded.files import run_as


def _set(database: Database, *settings: str) -> None:
    with database.connect() as connection:
        name = connection.info.dbname
        for setting in settings:
            connection.execute(f"ALTER DATABASE {name} SET {setting}")  # type: ignore[arg-type]


def test_a_lock_outlives_the_timeouts_of_the_server(database: Database):
    _set(
        database,
        "idle_session_timeout = '200ms'",
        "idle_in_transaction_session_timeout = '200ms'",
        "transaction_timeout = '200ms'",
        "statement_timeout = '200ms'",
    )
    with database.lock("publish"), database.connect() as connection:
        connection.execute("SELECT pg_sleep(0.5)")
        time.sleep(0.5)
        with pytest.raises(BusyError), Database(database.url).lock("publish"):
            pass


def _end_locks(database: Database) -> None:
    with database.connect(autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND "
            "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )


def test_nothing_is_committed_after_a_lock_was_lost(database: Database):
    other = Database(database.url)
    with other.connect() as connection:
        connection.execute("CREATE TABLE public.written (n integer PRIMARY KEY)")
    with (
        pytest.raises(LostLockError, match="'publish'"),
        database.lock("publish"),
        database.connect() as connection,
    ):
        connection.execute("INSERT INTO public.written VALUES (1)")
        _end_locks(other)
    with other.connect() as connection:
        assert connection.execute("SELECT FROM public.written").fetchall() == []


def test_a_lock_needs_no_session_behind_it(database: Database):
    """A pooler in transaction mode must not affect the lock between transactions."""
    with database.lock("publish"), database.connect() as connection:
        found = connection.execute(
            "SELECT a.state FROM pg_locks JOIN pg_stat_activity AS a USING (pid) "
            "WHERE locktype = 'advisory' AND datname = current_database()"
        ).fetchall()
        assert found == [("idle in transaction",)]


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_is_not_utf8_is_refused_at_once(postgres_server: str, encoding: str):
    name = f"not_utf8_{encoding.lower()}"
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute(
            sql.SQL(
                "CREATE DATABASE {} ENCODING {} LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc "
                "TEMPLATE template0"
            ).format(sql.Identifier(name), sql.Literal(encoding))
        )
    with pytest.raises(SettingsError, match=f"encoding {encoding} and must have UTF8"):
        migrations.apply(Database(postgres_server.format(name)))
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


@pytest.fixture
def standby(database: Database) -> Iterator[Database]:
    """A hot standby of the test server."""
    server = embedded.running(Path(str(conninfo_to_dict(database.url)["host"])).parent)
    assert server is not None
    folder = f"/tmp/standby-{os.getpid()}"
    options = f"-c unix_socket_directories={folder} -c listen_addresses="

    def run(program: str, *arguments: str) -> None:
        done = run_as(server.owner, [server.program(program), *arguments])
        assert done.returncode == 0, done.stderr

    run(
        "pg_basebackup", "-h", server.socket_dir, "-U", "postgres", "-D", folder, "-R",
        "-X", "stream", "-c", "fast",
    )  # fmt: skip
    # The server's socket may lie among its data, and its lock with it.
    run_as(server.owner, ["rm", "-f", f"{folder}/.s.PGSQL.5432.lock"])
    control = ("-D", folder, "-w", "-l", f"{folder}/log")
    run("pg_ctl", *control, "-o", options, "start")
    try:
        yield Database(database.url.replace(server.socket_dir, folder))
    finally:
        run("pg_ctl", *control, "-m", "immediate", "stop")
        run_as(server.owner, ["rm", "-r", folder])


@pytest.mark.release
def test_a_night_on_a_standby_ends_at_once_and_says_so(standby: Database):
    with standby.connect() as connection:
        assert connection.execute("SELECT count(*) FROM synthesis.run").fetchone() == (0,)
    with pytest.raises(SettingsError, match=r"is a standby.*target_session_attrs=read-write"):
        check_sources.run(standby, run_id="r1", params=RunParams())


def test_formats_that_a_database_has_set_change_nothing_of_what_is_read(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    _set(database, "TimeZone = 'America/Lima'", "client_encoding = 'LATIN1'")
    create_tables(database)
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    (tmp_path / "people.yaml").write_text(
        "source: people\ntable: people\nkey: id\nfields:\n  full_name: full_name\n"
    )
    with database.connect() as connection:
        connection.execute("CREATE TABLE people (id timestamptz PRIMARY KEY, full_name text)")
        connection.execute("INSERT INTO people VALUES ('2031-01-01 00:00+00', 'Łucja Żak')")
    for run_id, added in (("r1", 1), ("r2", 0)):
        check_sources.run(database, run_id=run_id, params=RunParams())
        counts = extract_sources.run(database, run_id=run_id, source="people")
        assert (counts["added"], counts["deleted"]) == (added, 0)


def test_a_login_that_may_only_read_says_so_at_once(database: Database):
    _set(database, "default_transaction_read_only = on")
    with pytest.raises(SettingsError, match="RESET default_transaction_read_only"):
        check_sources.run(database, run_id="r1", params=RunParams())
