"""Random faults, one run after another, for a while. All but the timing follows from the seed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random

from tests.reliability.cluster import Cluster, engine_processes, kill
from tests.reliability.faults import stop_postgres
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
            fault, ends_engines = _FAULTS[name]
            run.strike(partial(fault, cluster, run), ends_engines=ends_engines)
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
    kill(engine_processes(run.run_id)[:1])


def _kill_lane(_: Cluster, run: WatchedRun) -> None:
    kill(run.lane_processes())


def _kill_service(name: str) -> Callable[[Cluster, WatchedRun], None]:
    return lambda cluster, _: cluster.kill_service(name)


_FAULTS: dict[str, tuple[Callable[[Cluster, WatchedRun], None], bool]] = {
    "engine": (_kill_engine, True),
    "lane": (_kill_lane, True),
    "gpu-worker": (_kill_service("gpu-worker"), True),
    "worker": (_kill_service("worker"), False),
    "scheduler": (_kill_service("scheduler"), False),
    "api-server": (_kill_service("api-server"), False),
    "redis": (_kill_service("redis"), False),
    "postgres": (lambda cluster, _: stop_postgres(cluster), False),
}
"""Effect of each, and whether the engines end with it. One GPU worker runs one lane at a time."""
