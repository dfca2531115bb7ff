"""A host that loses power closes no connection: the server has to notice, or its locks stay."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from profiles import embedded
from profiles.storage.connection import Database

ADDRESS = "127.83.19.7"
"""Of the loopback network, and nobody else's: the port is Postgres' own."""
_SHOWN = "SELECT current_setting(name)::int FROM unnest(%s::text[]) AS name"
_NAMES = [
    "tcp_keepalives_idle",
    "tcp_keepalives_interval",
    "tcp_keepalives_count",
    "tcp_user_timeout",
]


@pytest.fixture(scope="module")
def over_tcp() -> Iterator[Database]:
    """A server that another host could reach."""
    home = Path(tempfile.mkdtemp(prefix="profiles-tcp-", dir="/tmp"))
    home.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        local = "listen_addresses = ''"
        assert local in embedded._SETTINGS
        settings = embedded._SETTINGS.replace(local, f"listen_addresses = '{ADDRESS}'")
        patch.setattr(embedded, "_SETTINGS", settings)
        server = embedded.start(home, durable=False)
        embedded.stop(home)
        with (Path(server.data) / "pg_hba.conf").open("a") as access:
            access.write("host all all 127.0.0.0/8 trust\n")
        embedded.start(home, durable=False)
    yield Database(f"postgresql://postgres@{ADDRESS}:5432/postgres")
    embedded.remove(home)
    shutil.rmtree(home, ignore_errors=True)


@pytest.mark.parametrize("autocommit", [True, False])
def test_the_server_ends_the_session_of_a_host_that_is_gone(over_tcp: Database, autocommit: bool):
    with over_tcp.connect(autocommit=autocommit) as connection:
        assert connection.autocommit is autocommit
        found = connection.execute(_SHOWN, (_NAMES,)).fetchall()
        idle, interval, count, user_timeout = (value for (value,) in found)
        assert 0 < idle + interval * count <= 60
        assert 0 < user_timeout <= 60_000


def test_a_connection_begins_without_a_transaction(over_tcp: Database, database: Database):
    """What reads in one snapshot says so first."""
    for reached in (over_tcp, database):
        with reached.connect() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
