"""An Airflow Connection, however it was entered, becomes an address that libpq reads."""

from __future__ import annotations

import logging
import re
from types import SimpleNamespace
from typing import Any, Self

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from profiles.errors import DatabaseUnavailableError, SettingsError
from profiles.storage.connection import Database, connection_url, open_database


class _Connection:
    """The fields of `airflow.sdk.Connection` that matter here."""

    def __init__(self, **fields: Any) -> None:
        self.login = self.password = self.host = self.port = self.schema = None
        self.extra_dejson: dict[str, Any] = {}
        vars(self).update(fields)


def test_host_and_a_number_in_the_extra_are_options_of_libpq():
    url = connection_url(
        _Connection(
            login="postgres", schema="profiles", extra_dejson={"host": "/run/a b", "port": 5433}
        )
    )
    assert conninfo_to_dict(url) == {
        "user": "postgres",
        "dbname": "profiles",
        "host": "/run/a b",
        "port": "5433",
    }


def test_special_characters_of_user_and_password_survive():
    url = connection_url(
        _Connection(login="us er", password="p@ss/w:rd", host="db", port=5433, schema="pro files")
    )
    assert conninfo_to_dict(url) == {
        "user": "us er",
        "password": "p@ss/w:rd",
        "host": "db",
        "port": "5433",
        "dbname": "pro files",
    }


def test_what_airflow_keeps_in_the_extra_is_left_out():
    url = connection_url(
        _Connection(host="db", schema="x", extra_dejson={"sslmode": "require", "iam": False})
    )
    assert conninfo_to_dict(url) == {"host": "db", "dbname": "x", "sslmode": "require"}


def test_the_variable_wins_over_the_connection(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", "postgres://a@h/one")
    assert open_database().url == "postgresql://a@h/one"
    monkeypatch.setenv("PROFILES_DATABASE_URL", "postgresql://b@h/two")
    assert open_database().url == "postgresql://b@h/two"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ('{"conn_type": "postgres", "host": "db", "password": "a://b?c"}', "db"),
        ("postgres://u:p@db/x?sslmode=require&cursor=dictcursor", "db"),
        ("postgres://u:p@/x?host=/run/a", "/run/a"),
    ],
)
def test_a_connection_in_the_environment_may_have_each_form_of_airflows(monkeypatch, text, host):
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", text)
    assert conninfo_to_dict(open_database().url)["host"] == host


def test_a_bad_address_is_a_settings_error_that_does_not_repeat_the_password():
    bad = Database("postgresql://u:secret@h/x?no_such_option=1")
    with pytest.raises(SettingsError) as caught, bad.connect():
        pass
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://profiles:Winter@2031!Snow@127.0.0.1:1/profiles",
        "postgresql://profiles:Winter/2031@Snow:1/profiles",
        "postgresql://profiles:Winter/2031Snow@127.0.0.1:1/profiles",
        "postgresql://profiles:Winter%zzSnow@127.0.0.1:1/profiles",
        "host=127.0.0.1 port=1 user=profiles password=Winter 2031Snow",
        "host=127.0.0.1 port=1 dbname=postgresql://profiles:Winter2031Snow@db/p",
    ],
)
def test_no_part_of_a_password_that_was_not_encoded_is_shown(url: str):
    with pytest.raises(SettingsError) as caught, Database(url).connect():
        pass
    shown = f"{caught.value} {caught.value.__cause__} {Database(url)!r} {Database(url).location}"
    assert "Winter" not in shown
    assert "Snow" not in shown


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("host=127.0.0.1 port=1 dbname=p user=u password=Snow", "127.0.0.1/p"),
        ("postgresql://u:Sn%40w%25@[::1]:1/p", "::1/p"),
        ("postgresql://u:Snow@127.0.0.1:1,[::1]:1/p", "127.0.0.1,::1/p"),
        ("postgresql://u:Snow@/p?host=/no/such/folder", "the local socket/p"),
        ("host=/no/such/folder dbname=p password=Snow", "the local socket/p"),
        ("postgresql://u:Snow@%2Fno%2Fsuch%20folder/p", "the local socket/p"),
        ("service=staff password=Snow", "service staff"),
    ],
)
def test_every_form_of_an_address_is_read_and_none_shows_its_password(url: str, location: str):
    with pytest.raises(DatabaseUnavailableError, match="at " + re.escape(location)) as caught:
        with Database(url).connect():
            pass
        with Database(url).engine.connect():
            pass
    assert "Sn" not in str(caught.value)


@pytest.mark.parametrize(
    ("reason", "is_password"),
    [
        ('password authentication failed for user "u"', True),
        ('role "password" does not exist', False),
    ],
)
def test_a_wrong_password_reads_as_that(monkeypatch, reason: str, is_password: bool):
    def refuse(*_: Any, **__: Any) -> None:
        raise psycopg.OperationalError(f'connection to server at "h" failed: FATAL:  {reason}')

    monkeypatch.setattr(psycopg, "connect", refuse)
    database = Database("postgresql://u:p@h/d")
    with pytest.raises(DatabaseUnavailableError, match=reason) as caught, database.connect():
        pass
    assert ("the password is wrong or missing" in str(caught.value)) == is_password


def test_a_server_that_is_away_says_where_it_was_looked_for():
    away = Database("postgresql://u:secret@127.0.0.1:1/profiles")
    at = r"127\.0\.0\.1/profiles"
    with pytest.raises(DatabaseUnavailableError, match=at) as caught, away.connect():
        pass
    assert "secret" not in str(caught.value)


class _Opened:
    """A connection over TCP whose server answers a setting with `error`."""

    def __init__(self, error: psycopg.Error) -> None:
        self.info = SimpleNamespace(host="db", parameter_status=lambda _: "UTF8")
        self.autocommit = True
        self.error = error
        self.closed = False

    def execute(self, *_: object) -> None:
        raise self.error

    def rollback(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.mark.parametrize(
    "error", [psycopg.errors.UndefinedObject(), psycopg.errors.InsufficientPrivilege()]
)
def test_a_server_that_keeps_its_settings_for_itself_is_used_all_the_same(
    monkeypatch, caplog, error
):
    monkeypatch.setattr(psycopg, "connect", lambda *_, **__: _Opened(error))
    with (
        caplog.at_level(logging.INFO),
        Database("postgresql://db/x").connect() as connection,
    ):
        assert not connection.closed
    assert f"does not take our session settings ({type(error).__name__})" in caplog.text


def test_a_server_that_goes_away_at_once_is_no_bad_address(monkeypatch):
    opened = _Opened(psycopg.errors.AdminShutdown())
    monkeypatch.setattr(psycopg, "connect", lambda *_, **__: opened)
    with (
        pytest.raises(DatabaseUnavailableError),
        Database("postgresql://db/x").connect(),
    ):
        pass
    assert opened.closed


def test_a_server_that_says_nothing_is_given_up_unless_the_address_says_otherwise(monkeypatch):
    addresses: list[str] = []

    def refuse(address: str, **_: Any) -> None:
        addresses.append(address)
        raise psycopg.OperationalError

    monkeypatch.setattr(psycopg, "connect", refuse)
    for url in ("postgresql://h/d", "postgresql://h/d?connect_timeout=3&keepalives_idle=7"):
        with pytest.raises(DatabaseUnavailableError), Database(url).connect():
            pass
    first, second = (conninfo_to_dict(address) for address in addresses)
    assert (first["connect_timeout"], first["tcp_user_timeout"]) == ("30", "60000")
    assert (second["connect_timeout"], second["keepalives_idle"]) == ("3", "7")
