"""What people do to a run, and runs that meet. Each function is one row of the matrix."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from profiles import embedded
from profiles.storage import migrations
from profiles.storage.connection import Database
from scripts import services
from tests.reliability.cluster import DAG_ID, Cluster, wait_for
from tests.reliability.faults import BEFORE
from tests.reliability.watched import Row, WatchedRun

_SERVED = (
    "SELECT candidate_id, fingerprint, content_hash, summary, run_id, synthesised_at "
    "FROM synthesis.candidate_synthesis ORDER BY candidate_id"
)


def time_out(cluster: Cluster) -> Row:
    """a lane that exceeds its execution_timeout"""
    run = WatchedRun.start(cluster, "hasty_synthesis", lanes=1)
    run.wait_stored(1)
    wait_for(lambda: _task(run, "synthesise")["try_number"] > 1, what="a second try")
    run.strike(lambda: None)
    recovered = run.wait_recovered()
    run.wait_end("success")
    note = "recovery: from the second try on; what the first had answered is kept"
    return run.row(_title(time_out), recovery_seconds=recovered, note=note)


def mark_failed(cluster: Cluster) -> Row:
    """a running lane is marked failed, then cleared with what follows"""
    run = WatchedRun.start(cluster, lanes=1)
    run.wait_stored(BEFORE)
    path = f"/dags/{DAG_ID}/dagRuns/{run.run_id}/taskInstances/synthesise/0"
    run.strike(lambda: cluster.call("PATCH", path, {"new_state": "failed"}))
    run.wait_end("failed")
    kept = run.stored()
    assert kept, "publishing what was done removed it"
    cleared = time.time()
    _clear(run, task_ids=[["synthesise", 0]], include_downstream=True)
    run.wait_end("success")
    before = cluster.rows(_SERVED)
    assert all(run.stored()[key] == at for key, at in kept.items()), "an answer was replaced"
    # Everything is answered: publish and report once more must change nothing.
    _clear(run, task_ids=[["synthesise", 0]], include_downstream=True)
    run.wait_end("success")
    assert cluster.rows(_SERVED) == before, "publishing again changed the serving table"
    after = min(at for at in run.stored().values() if at > cleared)
    return run.row(
        _title(mark_failed),
        recovery_seconds=after - cleared,
        note="recovery: from the clear; a second clear published again and changed nothing",
    )


def clear_everything(cluster: Cluster) -> Row:
    """every task of an ended run is cleared"""
    run = WatchedRun.start(cluster, lanes=2)
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
    run = WatchedRun.start(cluster, lanes=2)
    run.wait_stored(BEFORE)
    later = WatchedRun(cluster, "")

    def trigger() -> None:
        later.run_id = cluster.trigger()

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
    conf = ["--dag-run-conf", '{"force": true}']
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
    return Row(
        fault=_title(backfill),
        planned=sum(row.planned for row in rows),
        lost=sum(row.lost for row in rows),
        duplicated=sum(row.duplicated for row in rows),
        repeated=sum(row.repeated for row in rows),
        in_flight=0,
        left_processes=sum(row.left_processes for row in rows),
        recovery_seconds=round(time.time() - begun, 1),
        note="three runs, one after another, forced; recovery: until the last had ended",
    )


def half_migrated(cluster: Cluster) -> Row:
    """kill -9 in the middle of the migrations of a new database"""
    server = embedded.running(cluster.home)
    assert server is not None
    for name in ("half_migrated", "fully_migrated"):
        embedded.ensure_database(server, name)
    half, full = (Database(server.url(name)) for name in ("half_migrated", "fully_migrated"))
    migrations.apply(full)
    _migrate(half, last=2).wait(timeout=60)
    with half.connect() as blocker:
        # A later migration alters this table, has to wait for us, and is killed there.
        blocker.execute("LOCK TABLE synthesis.completion IN ACCESS SHARE MODE")
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


def _task(run: WatchedRun, task_id: str, index: int = 0) -> dict[str, Any]:
    path = f"/dags/{run.dag_id}/dagRuns/{run.run_id}/taskInstances/{task_id}/{index}"
    found: dict[str, Any] = run.cluster.call("GET", path)
    return found


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
