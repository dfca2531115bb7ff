"""The button *Retry*, to its end: the next run retries, and has another outcome."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from profiles.steps import synthesise
from profiles.storage.connection import Database
from tests.conftest import Databases
from tests.page import small_run
from tests.page.airflow_server import AirflowServer
from tests.planned_runs import plan

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = pytest.mark.filterwarnings("default")

RUNS = "/api/v2/dags/candidate_actions/dagRuns"
SECONDS = 300


@pytest.fixture
def refused(database: Database, databases: Databases, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database with one run, some of whose documents were refused for being too short."""
    small_run.use_engine(monkeypatch)
    databases.fill(database, small_run.make)
    return database


@pytest.fixture
def scheduler(airflow_server: AirflowServer, refused: Database, tmp_path: Path) -> Iterator[None]:
    """A scheduler of the running Airflow, whose tasks write to the database of this test."""
    with (tmp_path / "scheduler.log").open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "airflow", "scheduler", "--skip-serve-logs"],
            env=airflow_server.environment
            | {
                "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
                "AIRFLOW__CORE__PARALLELISM": "2",
                "AIRFLOW_CONN_PROFILES_DB": refused.url,
            },
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    yield
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


def test_a_refused_document_is_asked_again_by_the_next_run(
    airflow_server: AirflowServer, scheduler: None, refused: Database
):
    found = outcomes(refused, small_run.RUN)
    before = [candidate_id for candidate_id, outcome in found.items() if outcome == "rejected"]
    assert 0 < len(before) < len(found)
    plan(refused, "without", lanes=1)
    assert outcomes(refused, "without") == {}
    token = airflow_server.token("admin")
    conf = {"action": "retry", "run": small_run.RUN, "reason": "too_short"}
    answer = airflow_server.request(
        "POST", RUNS, token=token, body={"logical_date": None, "conf": conf}
    )
    assert answer.status == 200, answer
    run_id = answer.json()["dag_run_id"]

    deadline = time.monotonic() + SECONDS
    while (state := state_of(airflow_server, token, run_id)) in ("queued", "running"):
        assert time.monotonic() < deadline, state
        time.sleep(0.5)
    assert state == "success"

    # The same engine refuses the same documents: an outcome, and of no others.
    plan(refused, "next", lanes=1)
    synthesise.run(refused, run_id="next", lane=0)
    assert outcomes(refused, "next") == dict.fromkeys(before, "rejected")


def state_of(server: AirflowServer, token: str, run_id: str) -> str:
    return str(server.request("GET", f"{RUNS}/{run_id}", token=token).json()["state"])


def outcomes(database: Database, run_id: str) -> dict[int, str | None]:
    """Outcome of each document of the run, by candidate."""
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT candidate_id, outcome FROM synthesis.run_item WHERE run_id = %s", (run_id,)
        ).fetchall()
    return dict(rows)
