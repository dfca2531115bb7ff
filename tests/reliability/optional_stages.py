"""Stages after publish that need a GPU worker, when that is gone. Each function gives rows."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from profiles.steps.reports import run_report
from profiles.storage.sql_files import load
from tests.reliability.cluster import DAG_ID, Cluster, wait_for
from tests.reliability.watched import Row, WatchedRun

_SAMPLE = 24
"""Answers that the judge is asked about: six seconds for an engine with four at a time."""
_QUEUED = "15"
_SETTINGS = {
    "PROFILES_JUDGE_SAMPLE": str(_SAMPLE),
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT": _QUEUED,
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": "5",
}
_ERROR = "SELECT error FROM synthesis.run_stage WHERE run_id = %s AND stage = 'judge'"


def judging_loses_its_worker(cluster: Cluster) -> list[Row]:
    """The host of the last GPU worker loses power while the judge is at work."""
    with _judging(cluster):
        return [_worker_returns(cluster), _worker_stays_away(cluster)]


def _worker_returns(cluster: Cluster) -> Row:
    run = _struck(cluster)
    cluster.heal_if_needed()
    run.wait_end("success")
    took = time.time() - run.struck_at
    assert cluster.rows(_ERROR, run.run_id) == [(None,)]
    scored = cluster.rows(
        "SELECT count(*), count(DISTINCT candidate_id) FROM synthesis.judge_score "
        "WHERE run_id = %s",
        run.run_id,
    )
    with cluster.database.connect() as connection:
        accepted = connection.execute(load("judge/count_sample"), {"run_id": run.run_id}).fetchone()
    assert accepted is not None
    wanted = min(_SAMPLE, accepted[0])
    assert scored == [(wanted, wanted)], f"{scored} of {accepted}"
    return run.row(
        "kill -9 of the GPU worker with its tasks, while the judge is at work",
        recovery_seconds=took,
        note="recovery: until the run had ended, with all scores, through another try",
    )


def _worker_stays_away(cluster: Cluster) -> Row:
    run = _struck(cluster)
    # Nothing is healed meanwhile: no other GPU worker comes.
    wait_for(lambda: cluster.run_state(run.run_id) == "success", what="the end without a worker")
    took = time.time() - run.struck_at
    (told,) = run_report.collect(cluster.database, run_id=run.run_id)["failures_of_optional_stages"]
    assert "judging has not ended" in told["error"]
    assert "Clear `judge_profiles`" in told["error"]
    cluster.heal_if_needed()
    return run.row(
        "the same, and no GPU worker comes back",
        recovery_seconds=took,
        note="recovery: until the run had ended, published, and its report said that judging has "
        f"not; it is queued three times for {_QUEUED} s here, for 10 minutes in an installation",
    )


def _struck(cluster: Cluster) -> WatchedRun:
    run = WatchedRun.start(cluster, lanes=1, limit=_SAMPLE + 6)
    path = f"/dags/{DAG_ID}/dagRuns/{run.run_id}/taskInstances/judge_profiles/0"
    begun = cluster.calls_file.read_text().count("\n") if cluster.calls_file.exists() else 0

    def at_work() -> bool:
        published = cluster.rows(
            "SELECT published_at IS NOT NULL FROM synthesis.run WHERE run_id = %s", run.run_id
        )
        if published != [(True,)]:
            return False
        lines = cluster.calls_file.read_text().splitlines()[begun:]
        if not any("." not in line.rpartition(" ")[2] for line in lines):
            return False
        return bool(cluster.call("GET", path)["state"] == "running")

    wait_for(at_work, what="a judge at work")
    run.strike(lambda: cluster.kill_service("gpu-worker"), ends_engines=True)
    return run


@contextmanager
def _judging(cluster: Cluster) -> Iterator[None]:
    """With a judge, and with shorter waits for a worker."""
    before = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ.update(_SETTINGS)
    _restart(cluster)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        _restart(cluster)


def _restart(cluster: Cluster) -> None:
    cluster.heal_if_needed()
    for name in ("scheduler", "worker", "gpu-worker"):
        cluster.kill_service(name)
    cluster.heal_if_needed()


ROWS = (judging_loses_its_worker,)
