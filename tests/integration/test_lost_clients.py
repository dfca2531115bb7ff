"""A host that loses power closes no connection: the server has to notice, or its locks stay."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import randint

import pytest
from tests.paths import scratch_folder

from profiles.storage.connection import Database
from scripts import embedded
from scripts.embedded.files import PORT

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
    address = _free_address()
    home = scratch_folder("profiles-tcp-")
    with pytest.MonkeyPatch.context() as patch:
        local = "listen_addresses = ''"
        assert local in embedded._SETTINGS
        settings = embedded._SETTINGS.replace(local, f"listen_addresses = '{address}'")
        patch.setattr(embedded, "_SETTINGS", settings)
        server = embedded.start(home, durable=False)
        embedded.stop(home)
        with (Path(server.data) / "pg_hba.conf").open("a") as access:
            access.write("host all all 127.0.0.0/8 trust\n")
        embedded.start(home, durable=False)
    yield Database(f"postgresql://postgres@{address}:{PORT}/postgres")
    embedded.remove(home)
    shutil.rmtree(home, ignore_errors=True)


def _free_address() -> str:
    """Of the loopback network; the port is that of every embedded server."""
    for _ in range(50):
        address = f"127.{randint(1, 254)}.{randint(1, 254)}.{randint(1, 254)}"
        with socket.socket() as tried, suppress(OSError):
            tried.bind((address, PORT))
            return address
    raise OSError(f"no address of 127.0.0.0/8 has port {PORT} free")


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_session_tells_its_server_to_give_up_a_silent_client_within_a_minute(
    over_tcp: Database, autocommit: bool
):
    with over_tcp.connect(autocommit=autocommit) as connection:
        assert connection.autocommit is autocommit
        found = connection.execute(_SHOWN, (_NAMES,)).fetchall()
        idle, interval, count, user_timeout = (value for (value,) in found)
        assert 0 < idle + interval * count <= 60
        assert 0 < user_timeout <= 60_000


def test_a_snapshot_reads_in_one_transaction(over_tcp: Database, database: Database):
    for reached in (over_tcp, database):
        with reached.connect(snapshot=True) as connection:
            found = connection.execute("SHOW transaction_isolation").fetchone()
            assert found == ("repeatable read",)
