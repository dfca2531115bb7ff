"""Actions of people on a run, and runs that meet. Each function is one row of the matrix."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from profiles.storage import migrations
from profiles.storage.connection import Database
from scripts import embedded, services
from tests.reliability import alerts
from tests.reliability.cluster import DAG_ID, HASTY, Cluster, wait_for, wait_gone
from tests.reliability.faults import BEFORE
from tests.reliability.timing import DEADLINE_SECONDS, LANE_SECONDS
from tests.reliability.watched import Row, WatchedRun, total

_SERVED = (
    "SELECT candidate_id, fingerprint, content_hash, summary, run_id, synthesised_at "
    "FROM synthesis.candidate_synthesis ORDER BY candidate_id"
)
_COUNTED = (
    "SELECT published, withdrawn, report -> 'gate' -> 'counts' FROM synthesis.run WHERE run_id = %s"
)


def time_out(cluster: Cluster) -> list[Row]:
    """A lane that exceeds its execution_timeout, in a run that exceeds its deadline."""
    run = WatchedRun.start(cluster, HASTY, lanes=1, limit=80)
    run.wait_stored(1)
    lane = run.lane_processes()
    run.strike(lambda: wait_gone(lane), ends_engines=True)
    recovered = run.wait_recovered()
    run.wait_end("success")
    alert = wait_for(lambda: _alert(cluster, run, "late"), what="the alert of a late run")
    queued = datetime.fromisoformat(
        cluster.call("GET", f"/dags/{HASTY}/dagRuns/{run.run_id}")["queued_at"]
    )
    late = alert["at"] - queued.timestamp() - DEADLINE_SECONDS
    assert late >= 0, "the alert came before the deadline"
    return [
        run.row(
            "a lane exceeds its execution_timeout",
            recovery_seconds=recovered,
            note=f"of {LANE_SECONDS} s; the next tries answer the rest",
        ),
        run.row(
            "a run exceeds its deadline",
            recovery_seconds=late,
            note=f"of {DEADLINE_SECONDS} s; the run of the row above. Recovery: from the deadline "
            "until DeadlineAlert had called the team's function",
        ),
    ]


def _alert(cluster: Cluster, run: WatchedRun, kind: str) -> dict[str, Any] | None:
    path = cluster.home / alerts.FILE
    told = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return next((a for a in told if (a["run_id"], a["kind"]) == (run.run_id, kind)), None)


def mark_failed(cluster: Cluster) -> Row:
    """a running lane is marked failed, then cleared with what follows"""
    run = WatchedRun.start(cluster, lanes=1, limit=90)
    run.wait_stored(BEFORE)
    path = f"/dags/{DAG_ID}/dagRuns/{run.run_id}/taskInstances/synthesise/0"
    lane = run.lane_processes()

    def mark() -> None:
        cluster.call("PATCH", path, {"new_state": "failed"})
        wait_gone(lane)

    run.strike(mark, ends_engines=True)
    run.wait_end("failed")
    kept = run.stored()
    assert kept, "publishing what was done removed it"
    cleared = time.time()
    _clear(run, task_ids=[["synthesise", 0]], include_downstream=True)
    run.wait_end("success")
    before = cluster.rows(_SERVED), cluster.rows(_COUNTED, run.run_id)
    assert all(run.stored()[key] == at for key, at in kept.items()), "an answer was replaced"
    # Everything is answered: publish and report once more must change nothing.
    _clear(run, task_ids=[["synthesise", 0]], include_downstream=True)
    run.wait_end("success")
    again = cluster.rows(_SERVED), cluster.rows(_COUNTED, run.run_id)
    assert again == before, "publishing and reporting again changed what is served or counted"
    after = min(at for at in run.stored().values() if at > cleared)
    return run.row(
        _title(mark_failed),
        recovery_seconds=after - cleared,
        note="recovery: from the clear; a second clear published and reported again and changed "
        "nothing",
    )


def clear_everything(cluster: Cluster) -> Row:
    """every task of an ended run is cleared"""
    run = WatchedRun.start(cluster, lanes=2, limit=40)
    run.wait_end("success")
    before = cluster.rows(_SERVED)
    run.strike(lambda: _clear(run, task_ids=None))
    run.wait_end("success")
    assert cluster.rows(_SERVED) == before, "the serving table changed"
    return run.row(
        _title(clear_everything),
        recovery_seconds=time.time() - run.struck_at,
        note="recovery: until the run had ended again, without a call to the model",
    )


def second_trigger(cluster: Cluster) -> Row:
    """a second run is triggered while one runs"""
    run = WatchedRun.start(cluster, lanes=2, limit=60)
    run.wait_stored(BEFORE)
    planned = "SELECT candidate_id FROM synthesis.run_item WHERE run_id = %s AND NOT deferred"
    people = [row[0] for row in cluster.rows(planned, run.run_id)]
    later = WatchedRun(cluster, "")

    def trigger() -> None:
        later.run_id = cluster.trigger(candidate_ids=people, sources=["linkedin"])

    run.strike(trigger)
    assert cluster.run_state(later.run_id) == "queued"
    run.wait_end("success")
    later.wait_end("success")
    assert later.begun() == [], "the second run asked for what the first had just answered"
    return run.row(
        _title(second_trigger),
        recovery_seconds=time.time() - run.struck_at,
        note="it waits for the first and finds nothing to do; recovery: until both have ended",
    )


def backfill(cluster: Cluster) -> Row:
    """airflow backfill create over three missed nights"""
    environment = services.prepare().environment
    begun = time.time()
    command = ["backfill", "create", "--dag-id", DAG_ID, "--max-active-runs", "1"]
    dates = ["--from-date", "2026-03-01T00:00:00", "--to-date", "2026-03-03T23:00:00"]
    conf = ["--dag-run-conf", '{"force": true, "limit": 24}']
    result = subprocess.run(
        [sys.executable, "-m", "airflow", *command, *dates, *conf],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-2000:]

    def nights() -> list[dict[str, Any]]:
        path = f"/dags/{DAG_ID}/dagRuns?run_type=backfill&limit=10"
        found: list[dict[str, Any]] = cluster.call("GET", path)["dag_runs"]
        return found

    wait_for(lambda: len(nights()) == 3, what="three runs of the backfill")
    rows = []
    for night in nights():
        run = WatchedRun(cluster, night["dag_run_id"])
        run.wait_end("success")
        rows.append(run.row("", recovery_seconds=0))
    return total(
        _title(backfill),
        rows,
        recovery_seconds=time.time() - begun,
        note="three runs, one after another, forced; recovery: until the last had ended",
    )


def half_migrated(cluster: Cluster) -> Row:
    """kill -9 at the end of the migration of a new database"""
    server = embedded.running(cluster.home)
    assert server is not None
    for name in ("half_migrated", "fully_migrated"):
        embedded.ensure_database(server, name)
    half, full = (Database(server.url(name)) for name in ("half_migrated", "fully_migrated"))
    migrations.apply(full)
    _migrate(half, last=0).wait(timeout=60)
    with half.connect() as blocker:
        # The schema is there, the line that records it has to wait for us, and is killed there.
        blocker.execute("LOCK TABLE synthesis.schema_migration IN SHARE MODE")
        process = _migrate(half)
        wait_for(lambda: _waits_for_a_lock(half), what="a migration that waits")
        process.kill()
        process.wait()
        killed_at = time.time()
    done = len(_applied(half))
    left = len(migrations.apply(half))
    seconds = time.time() - killed_at
    assert migrations.pending(half) == []
    wrong = len(_shape(half) ^ _shape(full))
    return Row(
        fault=_title(half_migrated),
        planned=done + left,
        lost=wrong,
        duplicated=len(_applied(half)) - len(set(_applied(half))),
        repeated=0,
        in_flight=0,
        unexplained=0,
        left_processes=0,
        recovery_seconds=round(seconds, 1),
        note=f"killed after {done} migrations, the next call applied {left}; lost counts columns, "
        "constraints and indexes that differ from a database migrated in one go",
    )


def _migrate(database: Database, *, last: int | None = None) -> subprocess.Popen[bytes]:
    code = (
        "import sys; from profiles.storage import migrations\n"
        "from profiles.storage.connection import Database\n"
        f"known = migrations.available()[:{last}]\n"
        "migrations.available = lambda: known\n"
        "migrations.apply(Database(sys.argv[1]))\n"
    )
    return subprocess.Popen([sys.executable, "-c", code, database.url])


def _waits_for_a_lock(database: Database) -> bool:
    with database.connect() as connection:
        found = connection.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() "
            "AND wait_event_type = 'Lock'"
        ).fetchone()
    return found is not None


def _applied(database: Database) -> list[int]:
    with database.connect() as connection:
        rows = connection.execute("SELECT version FROM synthesis.schema_migration").fetchall()
    return [row[0] for row in rows]


def _shape(database: Database) -> set[tuple[str, ...]]:
    """Columns, constraints and indexes of the schema."""
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "WHERE table_schema = 'synthesis' UNION ALL "
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE connamespace = 'synthesis'::regnamespace UNION ALL "
            "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'synthesis'"
        ).fetchall()
    return set(rows)


def _clear(run: WatchedRun, *, task_ids: object, include_downstream: bool = False) -> None:
    body = {
        "dry_run": False,
        "dag_run_id": run.run_id,
        "only_failed": False,
        "reset_dag_runs": True,
        "include_downstream": include_downstream,
    }
    if task_ids is not None:
        body["task_ids"] = task_ids
    run.cluster.call("POST", f"/dags/{DAG_ID}/clearTaskInstances", body)


def _title(fault: Callable[[Cluster], Row]) -> str:
    assert fault.__doc__ is not None
    return fault.__doc__


ROWS = (time_out, mark_failed, clear_everything, second_trigger, backfill, half_migrated)
