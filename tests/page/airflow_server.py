"""A running Airflow API server of its own, with the page, two users and serialized DAGs.

The API server alone: what the page does ends with a DagRun in Airflow's database. The test that
waits for the end of one starts a scheduler beside it.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.paths import REPOSITORY

PASSWORDS = {"admin": "admin-of-the-tests", "viewer": "viewer-of-the-tests"}
ROLES = {"admin": "admin", "viewer": "viewer"}
_START_SECONDS = 180
_DAGS = ("candidate_actions", "profile_synthesis")


@dataclass(frozen=True)
class Answer:
    """Status and body of a request."""

    status: int
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class AirflowServer:
    """Address of the server; requests are made without following a redirect to the login."""

    base: str
    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    """Its environment; a scheduler of the same Airflow needs the same."""

    def token(self, user: str) -> str:
        """A token of one of `PASSWORDS`."""
        answer = self.request(
            "POST", "/auth/token", body={"username": user, "password": PASSWORDS[user]}
        )
        assert answer.status == 201, answer
        return str(answer.json()["access_token"])

    def request(
        self, method: str, path: str, *, token: str | None = None, body: Any = None
    ) -> Answer:
        """One request; an error status is an answer, not an exception."""
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.base + path, method=method, data=data, headers=headers)
        try:
            with urllib.request.build_opener(_NoRedirect).open(asked, timeout=30) as response:
                return Answer(response.status, response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def prepare(environment: dict[str, str], *, profiles: str) -> None:
    """Makes Airflow's tables, the Connections of the page and the DAGs that it names.

    Args:
        profiles: libpq URL of the database that the page reads.
    """
    done = subprocess.run(
        [sys.executable, "-c", _PREPARE, profiles, str(REPOSITORY / "dags"), *_DAGS],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]


_PREPARE = """
import sys
from airflow.cli.cli_parser import get_parser
arguments = get_parser().parse_args(["db", "migrate"])
arguments.func(arguments)
from airflow.dag_processing.bundles.manager import DagBundlesManager
from airflow.dag_processing.dagbag import DagBag, sync_bag_to_db
DagBundlesManager().sync_bundles_to_db()
uri, folder, *names = sys.argv[1:]
from airflow.models.connection import Connection
from airflow.utils.session import create_session
with create_session() as session:
    session.add(Connection(conn_id="profiles_ro", uri=uri))
    session.add(
        Connection(conn_id="profiles_erasure", conn_type="generic", password="one of the tests")
    )
for name in names:
    bag = DagBag(f"{folder}/{name}.py", bundle_name="dags-folder", load_op_links=False)
    assert not bag.import_errors, bag.import_errors
    sync_bag_to_db(bag, "dags-folder", bundle_version=None)
"""


def start(environment: dict[str, str], folder: Path) -> tuple[AirflowServer, subprocess.Popen]:
    """Starts the server and waits until it answers.

    Raises:
        RuntimeError: it ended or did not answer in time, with the end of its log.
    """
    port = _free_port()
    base = f"http://127.0.0.1:{port}"
    log = folder / "api-server.log"
    environment = environment | {
        "AIRFLOW__API__BASE_URL": base,
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__HOST": "127.0.0.1",
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "airflow", "api-server", "--port", str(port)],
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = AirflowServer(base, log, environment)
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if server.request("GET", "/api/v2/version").status == 200:
                return server, process
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.3)
    process.kill()
    raise RuntimeError(f"the API server did not start: {log.read_text()[-3000:]}")


def environment_of(folder: Path, *, metadata: str) -> dict[str, str]:
    """Environment of the server: a home of its own and both users."""
    passwords = folder / "passwords.json"
    passwords.write_text(json.dumps(PASSWORDS))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROFILES_")}
    return kept | {
        "AIRFLOW_HOME": str(folder / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(REPOSITORY / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(REPOSITORY / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": ",".join(
            f"{user}:{role}" for user, role in ROLES.items()
        ),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": metadata,
        "AIRFLOW__API__WORKERS": "1",
        "AIRFLOW__API__SECRET_KEY": "a-secret-of-the-tests-that-is-long-enough",
        "AIRFLOW__API_AUTH__JWT_SECRET": "another-secret-of-the-tests-that-is-long-enough",
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
