"""Faults of processes and of the services around a lane. Each function is one row of the matrix."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from profiles import embedded
from tests.reliability.cluster import Cluster, engine_processes, wait_for
from tests.reliability.watched import Row, WatchedRun

BEFORE = 12
"""Answers that are stored before a fault strikes."""
_DOWN_SECONDS = 3.0


def engines_and_services(cluster: Cluster) -> list[Row]:
    """Faults through which one lane goes on, one after another in one run."""

    def kill_engine(run: WatchedRun) -> None:
        _main_engine(run).kill()

    def kill_helper(run: WatchedRun) -> None:
        _main_engine(run).children()[0].kill()

    def kill(name: str) -> Callable[[WatchedRun], None]:
        return lambda _: cluster.kill_service(name)

    return _strike_in_turn(
        cluster,
        ("kill -9 of the engine", kill_engine, 0.0),
        ("kill -9 of a process that the engine started", kill_helper, 0.0),
        ("kill -9 of the scheduler, away for 3 s", kill("scheduler"), _DOWN_SECONDS),
        ("kill -9 of Redis, away for 3 s", kill("redis"), _DOWN_SECONDS),
    )


def lanes(cluster: Cluster) -> list[Row]:
    """Faults that end the lane's task, one after another in one run."""

    def kill_lane(run: WatchedRun) -> None:
        os.kill(run.lane_pid(), signal.SIGKILL)

    def kill_worker(_: WatchedRun) -> None:
        cluster.kill_service("gpu-worker")

    def kill_main_process(_: WatchedRun) -> None:
        # Celery alone, so that the task lives on without anybody over it.
        for process in cluster.service("gpu-worker").children():
            process.kill()

    return _strike_in_turn(
        cluster,
        ("kill -9 of the lane's task", kill_lane, 0.0),
        ("kill -9 of the GPU worker with its tasks", kill_worker, 0.0),
        ("kill -9 of the GPU worker's main process alone", kill_main_process, 0.0),
    )


def postgres(cluster: Cluster) -> list[Row]:
    """The server of the profiles and of Airflow's metadata."""

    def stop_postgres(_: WatchedRun) -> None:
        server = embedded.running(cluster.home)
        assert server is not None
        postmaster = int((Path(server.data) / "postmaster.pid").read_text().split()[0])
        # SIGQUIT is an immediate stop: no checkpoint, sessions are cut off.
        os.kill(postmaster, signal.SIGQUIT)

    return _strike_in_turn(
        cluster,
        (
            "Postgres (profiles and Airflow's metadata) stopped at once, away for 3 s",
            stop_postgres,
            _DOWN_SECONDS,
        ),
    )


def wake_after_takeover(cluster: Cluster) -> Row:
    """a lane that sleeps through its lease and wakes when another has taken over"""
    with cluster.joined_worker():
        run = WatchedRun.start(cluster, lanes=2)
        run.wait_stored(BEFORE)
        wait_for(lambda: _running_lanes(run) == 2, what="a second lane")
        pid = run.lane_pid(0)
        run.strike(lambda: os.kill(pid, signal.SIGSTOP))
        try:
            wait_for(
                lambda: cluster.rows(
                    "SELECT 1 FROM synthesis.batch WHERE run_id = %s AND lane = 0 "
                    "AND state = 'expired'",
                    run.run_id,
                ),
                what="a lease that is taken over",
            )
            taken = time.time() - run.struck_at
        finally:
            os.kill(pid, signal.SIGCONT)
        run.wait_end("success")
    fenced = cluster.rows(
        "SELECT coalesce(sum((counters ->> 'fenced_batches')::int), 0)::int FROM synthesis.lane "
        "WHERE run_id = %s",
        run.run_id,
    )[0][0]
    assert fenced >= 1, "the sleeper was not fenced"
    return run.row(
        _title(wake_after_takeover),
        recovery_seconds=taken,
        note=f"leases of {_lease_seconds()} s; {fenced} batches of the sleeper stored nothing",
    )


def remove_worker(cluster: Cluster) -> Row:
    """a worker that joined is drained and leaves in mid-run"""
    with cluster.joined_worker() as worker:
        run = WatchedRun.start(cluster, lanes=2)
        wait_for(lambda: _running_lanes(run) == 2, what="a second lane")
        run.wait_stored(BEFORE)
        run.strike(worker.terminate)
        worker.wait(timeout=60)
    recovered = run.wait_recovered()
    run.wait_end("success")
    return run.row(_title(remove_worker), recovery_seconds=recovered)


def add_worker(cluster: Cluster) -> Row:
    """a worker joins in mid-run"""
    run = WatchedRun.start(cluster, lanes=2)
    run.wait_stored(BEFORE)
    run.strike(lambda: None)
    with cluster.joined_worker():
        wait_for(lambda: _running_lanes(run) == 2, what="a second lane")
        joined = time.time()
        run.wait_end("success")
    stored = sorted(run.stored().values())
    alone = len([at for at in stored if at <= joined]) / (joined - stored[0])
    # From the first answer of the second lane on, and not the tail where one has nothing left.
    first = min(
        row[0]
        for row in cluster.rows(
            "SELECT extract(epoch FROM c.created_at)::float8 FROM synthesis.completion AS c "
            "JOIN synthesis.batch AS b USING (batch_id) WHERE c.run_id = %s AND b.lane = ("
            "SELECT lane FROM synthesis.lane WHERE run_id = %s ORDER BY started_at DESC LIMIT 1)",
            run.run_id,
            run.run_id,
        )
    )
    both = [at for at in stored if at > first]
    together = len(both) / (both[-1] - first)
    assert together > 1.3 * alone, f"{alone:.1f} answers/s alone, {together:.1f} with a second one"
    return run.row(
        _title(add_worker),
        recovery_seconds=joined - run.struck_at,
        note=f"{alone:.1f} answers/s before, {together:.1f} with it; recovery: until it had a lane",
    )


def _strike_in_turn(
    cluster: Cluster, *faults: tuple[str, Callable[[WatchedRun], object], float]
) -> list[Row]:
    """One row for each fault: its title, what it does, and for how long a service stays away.

    The next one strikes when answers asked for after the last one are stored.
    """
    run = WatchedRun.start(cluster, lanes=1)
    recoveries = []
    for _, strike, down_seconds in faults:
        run.wait_stored(len(run.stored()) + BEFORE)
        run.strike(lambda strike=strike: strike(run))
        time.sleep(down_seconds)
        cluster.heal_if_needed()
        healed = time.time() - run.struck_at
        recoveries.append(max(run.wait_recovered(), healed if down_seconds else 0.0))
    run.wait_end("success")
    return [
        run.row(title, recovery_seconds=recovery, number=number)
        for number, ((title, _, _), recovery) in enumerate(zip(faults, recoveries, strict=True))
    ]


def _main_engine(run: WatchedRun) -> psutil.Process:
    """The engine's first process: the one whose parent is the lane."""
    lane = run.lane_pid()
    return next(process for process in engine_processes(run.run_id) if process.ppid() == lane)


def _running_lanes(run: WatchedRun) -> int:
    return int(
        run.cluster.rows(
            "SELECT count(DISTINCT lane) FROM synthesis.batch "
            "WHERE run_id = %s AND state = 'leased'",
            run.run_id,
        )[0][0]
    )


def _lease_seconds() -> str:
    return os.environ["PROFILES_LEASE_SECONDS"]


def _title(fault: Callable[[Cluster], Row]) -> str:
    assert fault.__doc__ is not None
    return fault.__doc__


ROWS = (
    engines_and_services,
    lanes,
    postgres,
    wake_after_takeover,
    add_worker,
    remove_worker,
)
