"""The database's address, and scopes that open and close connections to it.

`PROFILES_DATABASE_URL` wins, then the Airflow Connection `profiles_db`. psycopg serves COPY,
leases and streaming reads; SQLAlchemy owns the engine that pandas reads through.

Nothing is expected of a session: behind a pooler each transaction may have another one, and a role
or a database may set timeouts and formats. What a transaction needs is set in it, and an advisory
lock belongs to a transaction that stays open as long as the lock is held.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from profiles.errors import BusyError, DatabaseUnavailableError, LostLockError, SettingsError
from profiles.settings import load_settings
from profiles.storage.sql_files import execute

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
_HOST = re.compile(r"[\w.:%-]+|[/@].*")
_PLAIN_ADDRESS = re.compile(r"[\w+-]+://[^?]*(?:\?host=[^&]*)?")
"""What Airflow and libpq read alike; an extra of Airflow's may be in any other query."""


@dataclass(frozen=True)
class Database:
    """One Postgres database, by libpq address: a URL or `key=value` pairs."""

    url: str = field(repr=False)
    _held: dict[psycopg.Connection[TupleRow], str] = field(
        default_factory=dict, repr=False, compare=False
    )

    @contextmanager
    def connect(
        self, *, autocommit: bool = False, snapshot: bool = False
    ) -> Iterator[psycopg.Connection[TupleRow]]:
        """A connection that commits on success, rolls back on error and always closes. With
        `snapshot` it reads only, and all statements see the database as of the first one. Raises
        DatabaseUnavailableError where the server does not answer, and LostLockError instead of a
        commit once a lock of this object was lost."""
        address = _address(self.url)
        try:
            connection = _opened(address, autocommit=autocommit, snapshot=snapshot)
        except (psycopg.OperationalError, psycopg.ProgrammingError) as error:
            raise DatabaseUnavailableError(
                f"Postgres at {self.location} {refusal(error)}. Check that it runs and that "
                f"`{CONNECTION_ID}` or PROFILES_DATABASE_URL points at it."
            ) from error
        with connection:
            encoding = connection.info.parameter_status("server_encoding")
            if encoding not in (None, "UTF8"):
                raise SettingsError(
                    f"the database at {self.location} has the encoding {encoding} and must have "
                    "UTF8, because names of all scripts are stored in it; create one with CREATE "
                    "DATABASE … ENCODING 'UTF8' TEMPLATE template0"
                )
            yield connection
            self.check_locks()

    @contextmanager
    def lock(self, name: str, *, shared: bool = False, wait: str = "") -> Iterator[None]:
        """Holds the advisory lock `name` for the block, in a transaction of its own. A shared one
        excludes exclusive holders alone. Where another session holds it, `wait` is logged before
        waiting, or without it BusyError raised; LostLockError where it was lost before the end of
        the block."""
        suffix = "_shared" if shared else ""
        statement = "SELECT pg_{}advisory_xact_lock{}(hashtextextended(%s, 0))"
        with self.connect() as connection:
            self.require_primary(connection)
            key = (f"profiles:{name}",)
            row = connection.execute(sql.SQL(statement.format("try_", suffix)), key).fetchone()
            if row is None or not row[0]:
                if not wait:
                    raise BusyError(
                        f"another run is in step '{name}'; wait for it to end and clear this task"
                    )
                log.warning("%s", wait)
                connection.execute(sql.SQL(statement.format("", suffix)), key)
            self._held[connection] = name
            try:
                yield
                self.check_locks()
            finally:
                del self._held[connection]

    def require_primary(self, connection: psycopg.Connection[TupleRow]) -> None:
        if connection.info.parameter_status("in_hot_standby") == "on":
            raise SettingsError(
                f"Postgres at {self.location} is a standby, which takes no writes; name the "
                "primary, or add target_session_attrs=read-write to an address of several hosts"
            )
        if connection.info.parameter_status("default_transaction_read_only") == "on":
            raise SettingsError(
                f"Postgres at {self.location} makes the transactions of {connection.info.user} "
                "read-only; its administrator runs ALTER ROLE or ALTER DATABASE … RESET "
                "default_transaction_read_only"
            )

    def check_locks(self) -> None:
        """Raise LostLockError, before a commit, where a lock of this object is held no more."""
        for connection, name in list(self._held.items()):
            try:
                connection.execute("SELECT")
            except psycopg.Error as error:
                raise LostLockError(
                    f"the lock of step '{name}' was lost because its session ended "
                    f"({type(error).__name__}): the server, an administrator or a pooler closed "
                    "it. What was not committed yet is undone; clear this task"
                ) from error

    @cached_property
    def engine(self) -> Engine:
        """The SQLAlchemy engine over psycopg 3, for `pandas.read_sql`."""
        from sqlalchemy import NullPool, create_engine

        # Nothing stays connected after the one read of a night.
        connect = partial(psycopg.connect, _address(self.url))
        return create_engine("postgresql+psycopg://", creator=connect, poolclass=NullPool)

    @property
    def location(self) -> str:
        """Host and database without user or password, for messages."""
        try:
            named = conninfo_to_dict(_address(self.url))
        except SettingsError:
            return "an address that libpq does not read"
        host = str(named.get("host") or named.get("hostaddr") or "")
        if not host and named.get("service"):
            return f"service {named['service']}"
        local = not host or host.startswith(("/", "@"))
        return f"{'the local socket' if local else host}/{named.get('dbname') or ''}"


def begin(connection: psycopg.Connection[TupleRow], *, for_session: bool = False) -> None:
    """Set what this transaction needs: no timeouts, known formats, a server that notices a lost
    client. Call it again after a commit.

    `tcp_user_timeout` would also end a client that reads nothing for 60 s; none here does.
    """
    try:
        execute(connection, "connection/begin", is_local=not for_session)
    except psycopg.OperationalError:
        raise
    except psycopg.Error as error:
        # A service beside Postgres may keep a setting for itself.
        connection.rollback()
        log.info("this server does not take our session settings (%s)", type(error).__name__)


def _opened(address: str, *, autocommit: bool, snapshot: bool) -> psycopg.Connection[TupleRow]:
    # No prepared statements: a pooler hands the next transaction to a session without them.
    connection = psycopg.connect(address, autocommit=autocommit, prepare_threshold=None)
    try:
        level = psycopg.IsolationLevel
        connection.isolation_level = level.REPEATABLE_READ if snapshot else level.READ_COMMITTED
        connection.read_only = snapshot or None
        begin(connection, for_session=autocommit)
    except psycopg.Error:
        connection.close()
        raise
    return connection


def _address(url: str) -> str:
    """The address as `key=value` pairs, with limits for a server that lost its power."""
    before_query = url.partition("://")[2].partition("?")[0]
    user_and_host = before_query.partition("/")[0]
    try:
        named = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        named = {"port": "?"}
    hosts = str(named.get("host") or "").split(",")
    ports = str(named.get("port") or "").split(",")
    if (
        before_query.count("@") > 1
        or before_query.count("@") > user_and_host.count("@")
        or any(host and not _HOST.fullmatch(host) for host in hosts)
        or any(port and not port.isdigit() for port in ports)
        or any(mark in str(named.get("dbname")) for mark in ("=", "://"))
    ):
        # Not chained, no part of it shown: it may be part of the password.
        raise SettingsError(
            "the database address is not one that libpq reads; correct the Connection "
            f"'{CONNECTION_ID}' or PROFILES_DATABASE_URL: postgresql://USER:PASSWORD@HOST/NAME, "
            "where @ : / ? # and % of user and password are written %40 %3A %2F %3F %23 and %25"
        ) from None
    # A role or a database may set another encoding for clients.
    return make_conninfo(
        **{"application_name": "profiles", **_PATIENCE, **named, "client_encoding": "UTF8"}
    )


def refusal(error: psycopg.Error) -> str:
    """Reason for which the server, or libpq, rejected a connection."""
    first = (str(error).splitlines() or [""])[0]
    _, fatal, reason = first.rpartition("FATAL:")
    if fatal:
        is_password = "password" in reason.partition('"')[0]
        hint = ": the password is wrong or missing" if is_password else ""
        return f"refused the connection{hint} ({reason.strip()})"
    return f"does not answer ({type(error).__name__}: {first})"


def open_database() -> Database:
    if url := load_settings().database_url:
        return Database(url)
    from_environment = os.environ.get(f"AIRFLOW_CONN_{CONNECTION_ID.upper()}", "")
    if _PLAIN_ADDRESS.fullmatch(from_environment):
        # The commands need not load Airflow to read a plain address.
        return Database(f"postgresql://{from_environment.split('://', 1)[1]}")
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException, AirflowRuntimeError

    try:
        return Database(connection_url(BaseHook.get_connection(CONNECTION_ID)))
    except (AirflowNotFoundException, AirflowRuntimeError) as error:
        raise SettingsError(
            "no database: PROFILES_DATABASE_URL is not set and the Airflow Connection "
            f"'{CONNECTION_ID}' does not exist. Set the variable, or run `airflow connections add "
            "profiles_db --conn-uri postgresql://USER:PASSWORD@HOST/DATABASE`."
        ) from error


def connection_url(connection: Connection) -> str:
    """The Connection's fields as libpq's `key=value` pairs, which quote any character. Of its extra
    only what libpq knows is taken: Airflow keeps settings of its own there.
    """
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    fields = {
        "user": connection.login,
        "password": connection.password,
        "host": connection.host,
        "port": connection.port,
        "dbname": connection.schema,
        **{name: str(value) for name, value in connection.extra_dejson.items() if name in known},
    }
    return make_conninfo(**{name: str(value) for name, value in fields.items() if value})
