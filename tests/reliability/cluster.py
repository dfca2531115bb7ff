"""A running installation for the matrix: `make up-distributed` with a state of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from profiles.storage import migrations
from profiles.storage.connection import Database
from sample_data.loading import load_sample
from scripts import airflow_env, components, distributed, embedded

DAG_ID = "profile_synthesis"
HASTY = "hasty_synthesis"
DAGS = (DAG_ID, HASTY)
SERVICES = {*components.COMPONENTS, "redis", "worker", "gpu-worker"}
WINDOW = 4
PATIENCE_SECONDS = 240.0
_RESTARTS = 5
SETTINGS = {
    "PROFILES_ENGINE": "tests.scripted_engine:ScriptedEngine",
    "PROFILES_ON_FAILURE": "tests.reliability.alerts:note",
    "PROFILES_LANES": "2",
    "PROFILES_RENDER_SHARDS": "1",
    "PROFILES_BATCH_SIZE": "16",
    "PROFILES_LEASE_SECONDS": "15",
    "PROFILES_DRAIN_SECONDS": "10",
    "AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.3",
    "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "3600",
    "AIRFLOW__SCHEDULER__SCHEDULER_HEARTBEAT_SEC": "1",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_SEC": "3",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "30",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "3",
    "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "10",
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT": "90",
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": "10",
}
"""Waits of seconds where an installation waits for minutes."""


class Cluster:
    """All services; see `running`."""

    def __init__(self, home: Path, database: Database) -> None:
        self.home = home
        self.database = database
        self.calls_file = home / "calls.log"
        password = json.loads(airflow_env.passwords_file(home).read_text())[airflow_env.ADMIN]
        port = components.recorded_port()
        self._api = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
        answer = self._api.post("/auth/token", json={"username": "admin", "password": password})
        self._api.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """One call to the REST API; an error answer is an error here."""
        answer = self._api.request(method, f"/api/v2{path}", json=body)
        if answer.status_code >= 500:
            raise httpx.ReadError(f"{method} {path}: {answer.status_code}")
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def trigger(self, dag_id: str = DAG_ID, **params: Any) -> str:
        """Starts a DAG run; returns its id."""
        body = {"logical_date": None, "conf": params}
        return str(self.call("POST", f"/dags/{dag_id}/dagRuns", body)["dag_run_id"])

    def run_state(self, run_id: str, dag_id: str = DAG_ID) -> str:
        """Airflow's word for a run."""
        return str(self.call("GET", f"/dags/{dag_id}/dagRuns/{run_id}")["state"])

    def heal(self) -> None:
        """Starts again what does not run, as an init system does, and waits until all is well.

        A scheduler that misses Redis ends a moment later, so it may take more than one time.
        """
        with (self.home / "logs" / "heal.log").open("a") as log, redirect_stdout(log):
            healed = any(distributed.main(["up"]) == 0 for _ in range(_RESTARTS))
        assert healed, f"services did not come up; see {self.home}/logs/heal.log"

    def heal_if_needed(self) -> None:
        """`heal` when something does not run."""
        alive = {item.name for item in components.running()}
        if embedded.running(self.home) is None or alive < SERVICES:
            self.heal()

    def abandon_runs(self) -> None:
        """Fails what a broken row left, so that the next row can start."""
        self.heal_if_needed()
        for dag_id in DAGS:
            for state in ("running", "queued"):
                path = f"/dags/{dag_id}/dagRuns?state={state}&limit=50"
                for run in self.call("GET", path)["dag_runs"]:
                    self.call(
                        "PATCH",
                        f"/dags/{dag_id}/dagRuns/{run['dag_run_id']}",
                        {"state": "failed"},
                    )

    def service(self, name: str) -> psutil.Process:
        """The main process of a service."""
        found = {item.name: item.process for item in components.running()}
        assert name in found, f"{name} does not run; see {self.home}/logs/{name}.log"
        return found[name]

    def kill_service(self, name: str, *, with_tasks: bool = True) -> None:
        """kill -9 of a service and of what it started, until all is gone; no engine is touched."""
        main = self.service(name)
        family = [main, *main.children(recursive=True)] if with_tasks else [main]
        kill([process for process in family if not is_engine(process)])

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows that the profiles database returns."""
        with self.database.connect() as connection:
            return connection.execute(statement, values or None).fetchall()

    def execute(self, statement: str, *, autocommit: bool = False) -> None:
        """Executes a statement that answers nothing."""
        with self.database.connect(autocommit=autocommit) as connection:
            connection.execute(statement)

    @contextmanager
    def joined_worker(self, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
        """One more GPU worker, started as the README says, drained at the end."""
        with (self.home / "logs" / "joined.log").open("a") as log:
            worker = subprocess.Popen(
                [
                    *(sys.executable, "-m", "scripts.distributed", "gpu-worker"),
                    f"ENV={self.home / 'gpu-worker.env'}",
                ],
                env={**os.environ, **variables},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield worker
        finally:
            if worker.poll() is None:
                worker.terminate()
            worker.wait(timeout=60)


@contextmanager
def running(home: Path, people: Path) -> Iterator[Cluster]:
    """Starts everything in `home` with the rows in folder `people`; stops and deletes it after."""
    os.environ.update(SETTINGS)
    calls = home / "calls.log"
    options = {"window": WINDOW, "delay": 1.0, "calls": str(calls), "helper": True}
    os.environ["PROFILES_ENGINE_OPTIONS"] = json.dumps(options)
    os.environ["PROFILES_DEVICE_LOCK_DIR"] = str(home / "locks")
    try:
        assert distributed.main(["up"]) == 0, f"services did not start; see {home}/logs"
        server = embedded.running(home)
        assert server is not None
        database = Database(server.url(airflow_env.PROFILES_DATABASE))
        migrations.apply(database)
        load_sample(database, people)
        cluster = Cluster(home, database)
        _require_no_secrets(cluster)
        for dag_id in DAGS:
            wait_for(lambda dag_id=dag_id: _is_known(cluster, dag_id), what=f"DAG {dag_id}")
            cluster.call("PATCH", f"/dags/{dag_id}", {"is_paused": False})
        yield cluster
    finally:
        components.stop_all()
        embedded.remove(home)


def _require_no_secrets(cluster: Cluster) -> None:
    """A GPU worker holds nothing that opens Airflow's metadata or makes tokens for its API."""
    kept = airflow_env.load_secrets(cluster.home)
    held = cluster.service("gpu-worker").environ()
    assert not [name for name in held if name.startswith("AIRFLOW__DATABASE__")]
    values = " ".join(held.values())
    assert f"/{airflow_env.METADATA_DATABASE}?" not in values
    assert kept.fernet_key not in values
    assert kept.jwt_secret not in values


def _is_known(cluster: Cluster, dag_id: str) -> bool:
    dags = cluster.call("GET", "/dags?limit=100&exclude_stale=false")["dags"]
    return any(item["dag_id"] == dag_id for item in dags)


def is_engine(process: psutil.Process) -> bool:
    """Return whether it is an engine, or something that one started."""
    return bool(engine_mark(process))


def engine_processes(run_id: str) -> list[psutil.Process]:
    """Every process that engines of this run started and that lives."""
    return [
        process
        for process in psutil.process_iter()
        if engine_mark(process).startswith(f"{run_id}/")
        and process.status() != psutil.STATUS_ZOMBIE
    ]


def engine_mark(process: psutil.Process) -> str:
    """The run and lane whose engine started it; nothing for any other process."""
    try:
        return process.environ().get("PROFILES_ENGINE_OF", "")
    except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
        return ""


def kill(processes: Sequence[psutil.Process]) -> None:
    """kill -9 of all of them; returns when they are gone."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    wait_gone(processes)


def wait_gone(processes: Sequence[psutil.Process], *, seconds: float = 60.0) -> None:
    """Until none of them runs; a zombie does not."""
    deadline = time.monotonic() + seconds
    while left := [process for process in processes if _lives(process)]:
        assert time.monotonic() < deadline, f"{left} did not end in {seconds:.0f} s"
        time.sleep(0.005)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(condition: Callable[[], Any], *, what: str, seconds: float = PATIENCE_SECONDS) -> Any:
    """Value of `condition` once it is true; an API that is away meanwhile is waited for."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            found = condition()
        except httpx.TransportError:
            found = None
        if found:
            return found
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s in vain for {what}"
        time.sleep(0.1)
