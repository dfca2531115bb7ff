"""A service that ended comes back where those that still run look for it."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from profiles.errors import SettingsError
from scripts import components
from scripts.airflow_api import AirflowApi


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(components, "RUN_FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def port() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def test_a_service_that_ended_gets_its_port_again(run_folder: Path, port: socket.socket):
    """Also when the one that was killed lets go of it a moment later."""
    last = port.getsockname()[1]
    ended = {"pid": os.getpid(), "started": 1.0, "port": last}
    (run_folder / "api-server.pid").write_text(json.dumps(ended))
    threading.Timer(0.5, port.close).start()
    assert components.recorded_port("api-server") is None
    assert components.port_for("api-server", 8080) == last


def test_one_that_never_ran_gets_the_next_free_port(run_folder: Path, port: socket.socket):
    taken = port.getsockname()[1]
    assert components.port_for("redis", taken) > taken
    with pytest.raises(SettingsError, match="is in use"):
        components.port_for("redis", taken, is_chosen=True)


def test_a_component_whose_last_heartbeat_is_old_is_not_healthy():
    """One that lost its database ends up to a minute after Airflow last called it healthy."""
    now = datetime.now(UTC)

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            beats = {"scheduler": now - timedelta(seconds=20), "triggerer": now}
            report = {
                name: {"status": "healthy", f"latest_{name}_heartbeat": beat.isoformat()}
                for name, beat in beats.items()
            }
            body = json.dumps({**report, "metadatabase": {"status": "healthy"}}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Health) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = AirflowApi(server.server_port).healthy(since=now)
        server.shutdown()
    assert found == {"triggerer", "metadatabase"}
