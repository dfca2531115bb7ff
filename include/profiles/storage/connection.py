"""Where the database is, and scopes that open and close connections to it.

`PROFILES_DATABASE_URL` wins, then the Airflow Connection `profiles_db`. psycopg serves COPY,
leases and streaming reads; SQLAlchemy owns the engine that pandas reads through.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from profiles.errors import BusyError, DatabaseUnavailableError, SettingsError
from profiles.settings import load_settings
from profiles.storage.sql_files import load

if TYPE_CHECKING:
    from airflow.sdk import Connection
    from sqlalchemy import Engine

log = logging.getLogger(__name__)

CONNECTION_ID = "profiles_db"
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 30,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


@dataclass(frozen=True)
class Database:
    """One Postgres database, by libpq URL."""

    url: str

    @contextmanager
    def connect(self, *, autocommit: bool = False) -> Iterator[psycopg.Connection[TupleRow]]:
        """A connection that commits on success, rolls back on error and always closes.

        Raises:
            DatabaseUnavailableError: the server did not answer.
        """
        try:
            connection = _opened(self.url, autocommit=autocommit)
        except psycopg.ProgrammingError:
            # Not chained: libpq quotes the address, and the password may be part of it.
            raise SettingsError(
                "the database address is not one that libpq reads; correct the Connection "
                f"'{CONNECTION_ID}' or PROFILES_DATABASE_URL: postgresql://USER:PASSWORD@HOST/NAME"
            ) from None
        except psycopg.OperationalError as error:
            raise DatabaseUnavailableError(
                f"Postgres at {self.location} does not answer ({type(error).__name__}: "
                f"{_first_line(error)}). Check that it runs and that `{CONNECTION_ID}` or "
                "PROFILES_DATABASE_URL points at it."
            ) from error
        with connection:
            yield connection

    @contextmanager
    def lock(self, name: str, *, shared: bool = False) -> Iterator[None]:
        """Holds the advisory lock `name` for the block, on a connection of its own.

        A shared one keeps out those who want it for themselves, and not each other.

        Raises:
            BusyError: another session holds it.
        """
        function = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        with self.connect(autocommit=True) as connection:
            row = connection.execute(
                sql.SQL("SELECT {}(hashtextextended(%s, 0))").format(sql.Identifier(function)),
                (f"profiles:{name}",),
            ).fetchone()
            if row is None or not row[0]:
                raise BusyError(
                    f"another run is in step '{name}'; wait for it to end and clear this task"
                )
            yield

    @cached_property
    def engine(self) -> Engine:
        """The SQLAlchemy engine over psycopg 3, for `pandas.read_sql`."""
        from sqlalchemy import create_engine

        return create_engine(f"postgresql+psycopg://{self.url.split('://', 1)[1]}")

    @property
    def location(self) -> str:
        """Host and database without user or password, for messages."""
        parts = urlsplit(self.url)
        return f"{parts.hostname or 'the local socket'}{parts.path}"


def _opened(url: str, *, autocommit: bool) -> psycopg.Connection[TupleRow]:
    """A connection whose server looks for lost clients, where it can.

    `tcp_user_timeout` would also end a client that lives and reads nothing for 60 s of what it was
    sent. None here does: every stream is a named cursor, which is sent what it fetches, and every
    COPY is one FROM STDIN.
    """
    connection = psycopg.connect(_address(url), autocommit=True)
    try:
        if not connection.info.host.startswith("/"):  # a local socket has no other host
            _notice_lost_client(connection)
        connection.autocommit = autocommit
    except psycopg.Error:
        connection.close()
        raise
    return connection


def _notice_lost_client(connection: psycopg.Connection[TupleRow]) -> None:
    try:
        connection.execute(load("connection/notice_lost_client"))
    except psycopg.OperationalError:
        raise
    except psycopg.Error as error:
        # A service beside Postgres may lack a setting or keep it for itself.
        log.info("this server does not look for lost clients (%s)", type(error).__name__)


def _address(url: str) -> str:
    """The URL, and where it does not say, how long a server is waited for that says nothing.

    A host that lost its power closes no connection, and the kernel alone waits for hours.
    """
    named = psycopg.conninfo.conninfo_to_dict(url)
    return psycopg.conninfo.make_conninfo(**{"application_name": "profiles", **_PATIENCE, **named})


def open_database() -> Database:
    """The database of this deployment.

    Raises:
        SettingsError: neither the variable nor the Connection exists.
    """
    url = load_settings().database_url
    return Database(url if url else _airflow_connection_url())


def _airflow_connection_url() -> str:
    from_environment = os.environ.get(f"AIRFLOW_CONN_{CONNECTION_ID.upper()}", "")
    if "://" in from_environment and "__extra__" not in from_environment:
        # The commands need not load Airflow to read a plain address.
        return f"postgresql://{from_environment.split('://', 1)[1]}"
    try:
        from airflow.sdk import BaseHook
        from airflow.sdk.exceptions import AirflowNotFoundException, AirflowRuntimeError
    except ImportError as error:
        raise SettingsError(_NO_DATABASE) from error
    try:
        connection = BaseHook.get_connection(CONNECTION_ID)
    except (AirflowNotFoundException, AirflowRuntimeError) as error:
        raise SettingsError(_NO_DATABASE) from error
    return connection_url(connection)


_NO_DATABASE = (
    f"no database: PROFILES_DATABASE_URL is not set and the Airflow Connection '{CONNECTION_ID}' "
    "does not exist. Set the variable, or run `airflow connections add profiles_db --conn-uri "
    "postgresql://USER:PASSWORD@HOST/DATABASE`."
)


def connection_url(connection: Connection) -> str:
    """The Connection's fields as a libpq URL. Of its extra only what libpq knows is taken: Airflow
    keeps settings of its own there, and `get_uri` packs a number among them into one JSON value.
    """
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    options = {name: str(value) for name, value in connection.extra_dejson.items() if name in known}
    user = quote(connection.login or "", safe="")
    if connection.password:
        user += f":{quote(connection.password, safe='')}"
    host = f"{connection.host or ''}:{connection.port}" if connection.port else connection.host
    return (
        f"postgresql://{user}{'@' if user else ''}{host or ''}"
        f"/{quote(connection.schema or '', safe='')}"
        f"{'?' if options else ''}{urlencode(options, quote_via=quote)}"
    )


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else ""
