"""The page's reads: one pool of read-only connections to Airflow Connection `profiles_ro`.

A database that is unavailable, not migrated, or too slow raises `OutageError`, which becomes the
answer with 503: no figure is ever shown as empty because it could not be read.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Annotated, Any, cast

import psycopg
from airflow.sdk import Connection as AirflowConnection
from airflow.sdk.exceptions import AirflowNotFoundException, AirflowRuntimeError
from fastapi import Depends
from psycopg.conninfo import make_conninfo
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from profiles.storage.connection import Database, connection_url, refusal
from profiles.storage.sql_files import load

log = logging.getLogger(__name__)

CONNECTION_ID = "profiles_ro"
STATEMENT_SECONDS = 10

Row = dict[str, Any]


_HAS_ROLE = """
SELECT CASE
  WHEN to_regrole('profiles_page') IS NOT NULL AND to_regnamespace('synthesis') IS NOT NULL THEN
    has_schema_privilege('profiles_page', 'synthesis', 'USAGE') END"""


class OutageError(Exception):
    """The page cannot read: `what` happened, and what to do `next`."""

    def __init__(self, what: str, next_step: str) -> None:
        super().__init__(f"{what} {next_step}")
        self.what = what
        self.next_step = next_step


class Reader:
    """Runs statements of include/sql on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, name: str, **values: object) -> list[Row]:
        """The rows of statement `name` of include/sql, each column by name."""
        found = self._connection.exec_driver_sql(load(name), values)
        return [dict(row) for row in found.mappings()]

    def row(self, name: str, **values: object) -> Row | None:
        """The first row of the statement; None when there is none."""
        found = self.rows(name, **values)
        return found[0] if found else None

    @property
    def driver(self) -> psycopg.Connection[Any]:
        """The connection itself, for readers of the package that take one."""
        return cast("psycopg.Connection[Any]", self._connection.connection.driver_connection)


_engines: dict[str, Engine] = {}
_engines_lock = Lock()


def _engine(url: str) -> Engine:
    """The pool of an address; a changed Connection closes the pool of the one before."""
    with _engines_lock:
        if url not in _engines:
            for old in _engines.values():
                old.dispose()
            _engines.clear()
            _engines[url] = _make_engine(url)
        return _engines[url]


def _make_engine(url: str) -> Engine:
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(
            make_conninfo(
                url, connect_timeout=5, application_name="profiles page", client_encoding="UTF8"
            )
        ),
        pool_size=5,
        max_overflow=5,
        pool_timeout=10,
        pool_pre_ping=True,
        pool_recycle=900,
    )

    @event.listens_for(engine, "connect")
    def _only_read(connection: psycopg.Connection, _: object) -> None:
        # By statement and not by a libpq option, which a Connection of the user's own may set.
        connection.execute("SET default_transaction_read_only = on")
        connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")
        if connection.execute(_HAS_ROLE).fetchone() == (True,):
            # Also with a login of more rights, as on a team's own server: the page needs no other.
            with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute("SET ROLE profiles_page")
        # Counts of one run should not wait for the compiler: it takes longer than they do.
        connection.execute("SET jit = off")
        # How many have a word decides how they are found best; one plan for all words does not fit.
        connection.execute("SET plan_cache_mode = force_custom_plan")
        connection.commit()

    return engine


def close_pools() -> None:
    """Closes idle connections, for whoever drops a database that the page has read."""
    for engine in _engines.values():
        engine.dispose()
    _engines.clear()


def database_url() -> str:
    """The address behind `profiles_ro`, looked up again so that a changed Connection takes effect.

    Raises:
        OutageError: there is no such Connection.
    """
    try:
        return connection_url(AirflowConnection.get(CONNECTION_ID))
    except (AirflowNotFoundException, AirflowRuntimeError) as error:
        raise OutageError(
            f"Airflow has no Connection '{CONNECTION_ID}'.",
            f"Add it: airflow connections add {CONNECTION_ID} --conn-uri "
            "postgresql://USER:PASSWORD@HOST/DATABASE",
        ) from error


def get_reader(url: Annotated[str, Depends(database_url)]) -> Iterator[Reader]:
    """Dependency: a reader whose connection goes back to the pool when the answer is made."""
    with outages(url), _engine(url).connect() as connection:
        yield Reader(connection)


@contextmanager
def outages(url: str) -> Iterator[None]:
    """Turns what a driver says into `OutageError`; a wrong statement of ours stays an error."""
    try:
        yield
    except PoolTimeoutError as error:
        raise OutageError(
            "All of this page's database connections are busy.", "Try again in a moment."
        ) from error
    except (OperationalError, InterfaceError, ProgrammingError) as error:
        log.warning("the page could not read: %s", type(error.orig).__name__)
        raise _outage(error, Database(url).location) from error


def _outage(error: DBAPIError, location: str) -> Exception:
    cause = error.orig
    if isinstance(cause, psycopg.errors.QueryCanceled):
        return OutageError(
            f"Postgres at {location} took more than {STATEMENT_SECONDS} s for this view.",
            "Try again when the server is less busy; autovacuum may be behind on schema synthesis.",
        )
    if isinstance(cause, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
        return OutageError(
            f"The database at {location} lacks a table or column that this page reads.",
            "Apply the migrations: profiles migrate, or DAG initialize_database.",
        )
    if isinstance(cause, psycopg.errors.InsufficientPrivilege):
        return OutageError(
            f"The login of Connection '{CONNECTION_ID}' may not read schema synthesis.",
            "Give it the page's role: GRANT profiles_page TO the login.",
        )
    if isinstance(error, ProgrammingError):
        return error
    problem = refusal(cause) if isinstance(cause, psycopg.Error) else "does not answer"
    return OutageError(
        f"Postgres at {location} {problem}.",
        f"Check that it runs and that the Airflow Connection '{CONNECTION_ID}' points at it. "
        "This page retries.",
    )


ReaderDep = Annotated[Reader, Depends(get_reader)]
