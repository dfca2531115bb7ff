"""The default worker, killed while one of its tasks is inside a stage. Each function gives rows."""

from __future__ import annotations

import time

import psycopg

from tests.reliability.cluster import Cluster, wait_for
from tests.reliability.watched import ENDED, Row, WatchedRun

READER_SECONDS = 600
_SERVED = "SELECT count(*) FROM synthesis.candidate_synthesis"
_PEOPLE = 12
_CHANGE = (
    "UPDATE src.linkedin_profiles SET fetched_at = now(), "
    "raw = raw || jsonb_build_object('headline', %s::text) "
    "WHERE id = (SELECT min(id) FROM src.linkedin_profiles)"
)
_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
_ENDED = (
    "SELECT count(*) FROM synthesis.run_stage WHERE run_id = %s AND stage = %s AND error IS NULL"
)
_HELD = {
    "extract_sources": "synthesis.source_record",
    "resolve_identities": "synthesis.identity_row",
    "render_profiles": "synthesis.document",
    "index_documents": "synthesis.search_term",
}
"""A table that each stage needs: while it is locked the stage stands still. The last stage is one
of task `report`."""


def default_worker(cluster: Cluster) -> list[Row]:
    """kill -9 of the default worker with its tasks, inside four stages, a run for each."""
    return [_inside(cluster, stage, table) for stage, table in _HELD.items()]


def _inside(cluster: Cluster, stage: str, table: str) -> Row:
    with cluster.database.connect() as connection:
        connection.execute(_CHANGE, (f"Struck in {stage} at {time.time():.0f}",))
    with psycopg.connect(cluster.database.url) as holder:
        holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        run = WatchedRun.start(cluster, limit=_PEOPLE)
        wait_for(lambda: cluster.rows(_WAITING, table)[0][0], what=f"{stage} at its table")
        run.strike(lambda: cluster.kill_service("worker"))
    cluster.heal_if_needed()
    wait_for(
        lambda: cluster.rows(_ENDED, run.run_id, stage)[0][0], what=f"{stage} again", seconds=300
    )
    recovery = time.time() - run.struck_at
    run.wait_end("success")
    return run.row(
        f"kill -9 of the default worker with its tasks, inside {stage}",
        recovery_seconds=recovery,
        note="until a later try ended it",
    )


def reader(cluster: Cluster) -> Row:
    """a transaction reads the serving table for ten minutes, a night publishes meanwhile"""
    connect = cluster.database.connect
    with connect(autocommit=True) as holding, connect(autocommit=True) as other:
        holding.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        before = holding.execute(_SERVED).fetchone() or (0,)
        least = before
        ends = time.monotonic() + READER_SECONDS
        with cluster.database.connect() as connection:
            connection.execute(_CHANGE, (f"Read at {time.time():.0f}",))
        run = WatchedRun.start(cluster, limit=_PEOPLE)
        run.strike(lambda: None)
        ended_at = 0.0
        while time.monotonic() < ends or not ended_at:
            assert holding.execute(_SERVED).fetchone() == before, "the snapshot changed"
            least = min(least, other.execute(_SERVED).fetchone() or (0,))
            if not ended_at and cluster.run_state(run.run_id) in ENDED:
                ended_at = time.time()
            time.sleep(1)
    run.wait_end("success")
    after = cluster.rows(_SERVED)[0]
    assert least >= min(before, after), f"a reader saw {least} rows of {before} and {after}"
    return run.row(
        (reader.__doc__ or "").strip(),
        recovery_seconds=ended_at - run.struck_at,
        note=f"{READER_SECONDS} s; recovery: until the run had ended. The open transaction saw its "
        f"rows unchanged, and no other reader fewer",
    )


ROWS = (default_worker, reader)
