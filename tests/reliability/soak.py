"""Random faults, one run after another, for a while. All but the timing follows from the seed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from random import Random

from tests.reliability.cluster import Cluster, engine_processes
from tests.reliability.watched import Row, WatchedRun, total


def soak(cluster: Cluster, *, seconds: float, seed: int) -> Row:
    """Runs under random faults until `seconds` are over; every run must end with all buckets."""
    random = Random(seed)
    started = time.monotonic()
    rows: list[Row] = []
    struck: list[str] = []
    while time.monotonic() - started < seconds:
        run = WatchedRun.start(cluster, lanes=random.choice((1, 2)))
        at = 0
        # A lane has three more tries: fewer faults than that for each run.
        for _ in range(random.randint(1, 3)):
            at += random.randint(5, 30)
            run.wait_stored(at)
            name = random.choice(sorted(_FAULTS))
            run.strike(partial(_FAULTS[name], cluster, run))
            struck.append(name)
            cluster.heal_if_needed()
        run.wait_end("success")
        rows.append(run.row("", recovery_seconds=0))
    return total(
        f"soak of {seconds / 60:.0f} minutes with random faults",
        rows,
        recovery_seconds=0.0,
        note=f"seed {seed}: {len(rows)} runs, {len(struck)} faults ("
        + ", ".join(f"{name} {struck.count(name)}" for name in sorted(set(struck)))
        + "); every document in exactly one bucket after each run",
    )


def _kill_engine(_: Cluster, run: WatchedRun) -> None:
    for process in engine_processes(run.run_id)[:1]:
        process.kill()


def _kill_lane(_: Cluster, run: WatchedRun) -> None:
    try:
        os.kill(run.lane_pid(), signal.SIGKILL)
    except ProcessLookupError:
        return  # it has just ended


def _kill_service(name: str) -> Callable[[Cluster, WatchedRun], None]:
    return lambda cluster, _: cluster.kill_service(name)


_FAULTS: dict[str, Callable[[Cluster, WatchedRun], None]] = {
    "engine": _kill_engine,
    "lane": _kill_lane,
    "gpu-worker": _kill_service("gpu-worker"),
    "worker": _kill_service("worker"),
    "scheduler": _kill_service("scheduler"),
    "api-server": _kill_service("api-server"),
    "redis": _kill_service("redis"),
}
