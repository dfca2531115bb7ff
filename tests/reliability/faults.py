"""Faults of processes and of the services around a lane. Each function is one row of the matrix."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from scripts import embedded
from tests.reliability.cluster import (
    Cluster,
    engine_processes,
    is_engine,
    kill,
    wait_for,
    wait_gone,
)
from tests.reliability.watched import Row, WatchedRun

BEFORE = 12
"""Answers that are stored before a fault strikes."""
_DOWN_SECONDS = 3.0
_LONG_SECONDS = 20.0
_RECEIVED = "] received ["
"""Line of Celery's log for each task that a worker fetches."""


@dataclass(frozen=True)
class Fault:
    """`strike` returns when it has taken effect. A service that it ends stays away for a while.

    With `takes_over` it takes effect later: when the next try ends the leases of this one.
    """

    title: str
    strike: Callable[[WatchedRun], object]
    ends_engines: bool = False
    takes_over: bool = False
    down_seconds: float = 0.0
    note: str = ""


def engines_and_services(cluster: Cluster) -> list[Row]:
    """Faults through which one lane goes on, one after another in one run."""

    def kill_engine(run: WatchedRun) -> None:
        kill([_main_engine(run)])

    def kill_helper(run: WatchedRun) -> None:
        kill(_main_engine(run).children())

    return _strike_in_turn(
        cluster,
        Fault("kill -9 of the engine", kill_engine, ends_engines=True),
        Fault("kill -9 of a process that the engine started", kill_helper, ends_engines=True),
        *(
            Fault(
                f"kill -9 of {what}, away for {_DOWN_SECONDS:.0f} s",
                lambda _, name=name: cluster.kill_service(name),
                down_seconds=_DOWN_SECONDS,
            )
            for name, what in (("scheduler", "the scheduler"), ("redis", "Redis"))
        ),
    )


def lanes(cluster: Cluster) -> list[Row]:
    """Faults that end the lane's task or what is over it, one after another in one run."""

    def kill_main_process(_: WatchedRun) -> None:
        # Celery alone: the task and its supervisor live on without anybody over them.
        worker = cluster.service("gpu-worker")
        kill([child for child in worker.children(recursive=True) if not _is_task(child)])
        wait_gone([worker])

    return _strike_in_turn(
        cluster,
        Fault(
            "kill -9 of the lane's task", lambda run: kill(run.lane_processes()), ends_engines=True
        ),
        Fault(
            "kill -9 of the GPU worker with its tasks",
            lambda _: cluster.kill_service("gpu-worker"),
            ends_engines=True,
        ),
        Fault(
            "kill -9 of the GPU worker's main process alone",
            kill_main_process,
            takes_over=True,
            note="the lane works on until its next try takes over, or to its end",
        ),
    )


def postgres(cluster: Cluster) -> list[Row]:
    """The server of the profiles and of Airflow's metadata."""
    return _strike_in_turn(
        cluster,
        *(
            Fault(
                f"Postgres (profiles, Airflow's metadata) stopped at once, away for {down:.0f} s",
                lambda _: stop_postgres(cluster),
                down_seconds=down,
                note=note,
            )
            for down, note in (
                (_DOWN_SECONDS, ""),
                (_LONG_SECONDS, f"longer than the lease of {_lease_seconds()} s"),
            )
        ),
    )


def stop_postgres(cluster: Cluster) -> None:
    """An immediate stop, until the server is gone."""
    server = embedded.running(cluster.home)
    assert server is not None
    postmaster = psutil.Process(
        int((Path(server.data) / "postmaster.pid").read_text().split(maxsplit=1)[0])
    )
    # SIGQUIT: no checkpoint, sessions are cut off.
    postmaster.send_signal(signal.SIGQUIT)
    wait_gone([postmaster])


def queued_task_goes_with_its_worker(cluster: Cluster) -> Row:
    """kill -9 of Redis, and of the GPU worker that has fetched a second lane's task since"""
    log = cluster.home / "logs" / "gpu-worker.log"
    run = WatchedRun.start(cluster, lanes=2)
    run.wait_stored(BEFORE)
    received = log.read_text().count(_RECEIVED)
    run.strike(lambda: cluster.kill_service("redis"))
    cluster.heal_if_needed()
    # A worker that has lost its broker forgets, when it is back, that it has its hands full.
    wait_for(
        lambda: log.read_text().count(_RECEIVED) > received, what="a second task in the worker"
    )
    run.strike(lambda: cluster.kill_service("gpu-worker"), ends_engines=True)
    cluster.heal_if_needed()
    recovered = run.wait_recovered()
    run.wait_end("success")
    return run.row(
        _title(queued_task_goes_with_its_worker),
        recovery_seconds=recovered,
        note="Redis would keep the fetched task for a day; Airflow sends it again after "
        f"{os.environ['AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT']} s in the queue, in an "
        "installation after 10 minutes. The first lane's next try answers meanwhile",
    )


def wake_after_takeover(cluster: Cluster) -> Row:
    """a lane that sleeps through its lease and wakes when another has taken over"""
    with cluster.joined_worker():
        run = WatchedRun.start(cluster, lanes=2)
        run.wait_stored(BEFORE)
        wait_for(lambda: _running_lanes(run) == 2, what="a second lane")
        sleeper = run.lane_processes(0)[0]
        run.strike(sleeper.suspend)
        try:
            taken = run.wait_taken_over()
        finally:
            sleeper.resume()
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
        run.strike(lambda: _terminate(worker))
    recovered = run.wait_recovered()
    run.wait_end("success")
    return run.row(_title(remove_worker), recovery_seconds=recovered)


def _terminate(worker: subprocess.Popen[bytes]) -> None:
    worker.terminate()
    worker.wait(timeout=120)


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


def _strike_in_turn(cluster: Cluster, *faults: Fault) -> list[Row]:
    """One row for each. The next one strikes when answers asked for after the last are stored."""
    run = WatchedRun.start(cluster, lanes=1)
    recoveries = []
    for fault in faults:
        run.wait_stored(len(run.stored()) + BEFORE)
        run.strike(lambda fault=fault: fault.strike(run), ends_engines=fault.ends_engines)
        time.sleep(fault.down_seconds)
        cluster.heal_if_needed()
        healed = time.time() - run.struck_at if fault.down_seconds else 0.0
        taken = run.wait_taken_over() if fault.takes_over else 0.0
        recoveries.append(max(taken + run.wait_recovered(), healed))
    run.wait_end("success")
    return [
        run.row(fault.title, recovery_seconds=recovery, number=number, note=fault.note)
        for number, (fault, recovery) in enumerate(zip(faults, recoveries, strict=True))
    ]


def _main_engine(run: WatchedRun) -> psutil.Process:
    """The engine's first process: the one whose parent is the lane."""
    lanes = [process.pid for process in run.lane_processes()]
    return next(process for process in engine_processes(run.run_id) if process.ppid() in lanes)


def _is_task(process: psutil.Process) -> bool:
    """Return whether it runs a task, watches over one, or is an engine."""
    title = " ".join(process.cmdline())
    return title.startswith(("airflow supervisor", "airflow worker --")) or is_engine(process)


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
    queued_task_goes_with_its_worker,
    wake_after_takeover,
    add_worker,
    remove_worker,
)
