"""Cost of finding requests that end engines: a real lane, its queue and engine in memory.

    python -m benchmarks.isolation --json benchmarks/results/isolation.json

Counts engine crashes and requests asked again; measures no time. The engine works on a whole window
and answers the newest request first, so that the ones to be found stay in it as long as they can.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.memory_queue import PROFILE, MemoryQueue
from profiles.errors import EngineError
from profiles.models import Completion, Outcome, Profile, Request, Sampling
from profiles.synthesis.lane.assessment import Assessor
from profiles.synthesis.lane.lane import Lane, LaneControl
from profiles.synthesis.process.protocol import EngineReady

CASES = ((512, 0), (512, 1), (512, 2), (2500, 1), (2500, 4))


class Clock:
    """Time that passes only where somebody waits."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        self.now += seconds


class FragileEngine:
    """Crashes as long as one of `poisons` is in flight."""

    def __init__(self, window: int, poisons: set[int], clock: Clock) -> None:
        self._window = window
        self._poisons = poisons
        self._clock = clock
        self._requests: list[Request] = []
        self.exit_code: int | None = None

    @property
    def in_flight(self) -> frozenset[str]:
        """Ids without an answer."""
        return frozenset(item.request_id for item in self._requests)

    def start(self) -> EngineReady:
        """Loads nothing."""
        return EngineReady("fragile", "1", "none", self._window, 4096)

    def submit(self, request: Request) -> None:
        """Takes one request."""
        self._requests.append(request)

    def poll(self, timeout: float) -> Sequence[Completion]:
        """One answer."""
        self._clock.sleep(1.0)
        for item in self._requests:
            kind, candidate, _ = item.request_id.split(".")
            if kind != "probe" and int(candidate) in self._poisons:
                self.exit_code = 70
                raise EngineError("crashed", exit_code=70)
        return [Completion(self._requests.pop().request_id, "x", "stop")] if self._requests else []

    drain = poll

    def close(self) -> None:
        """Nothing to end."""

    def kill(self) -> None:
        """Nothing to end."""


def case(documents: int, count: int, *, window: int, seed: int) -> dict[str, Any]:
    """One night with `count` requests that end engines; with none, two crashes by chance."""
    poisons = set(random.Random(seed).sample(range(documents), count))
    clock, queue = Clock(), MemoryQueue(documents)
    engines: list[FragileEngine] = []
    asked = []

    def new_engine() -> FragileEngine:
        chance = {window - 1} if not count and len(engines) < 2 else set()
        engines.append(FragileEngine(window, poisons | chance, clock))
        return engines[-1]

    def new_request(wanted: Any) -> Request:
        asked.append(wanted.item.candidate_id)
        return Request(wanted.request_id, (), Sampling())

    lane = Lane(
        queue=queue,
        new_engine=new_engine,
        new_request=new_request,
        assessor=Assessor(PROFILE, lambda answer, item: Profile("", (), (), Outcome.VALID, ())),
        settings=SimpleNamespace(
            batch_size=256,
            max_in_flight=window,
            lease_seconds=120,
            drain_seconds=5,
            engine_restarts=3,
            warm_up_seconds=0,
        ),
        control=LaneControl(),
        clock=clock,
        sleep=clock.sleep,
    )
    counters = lane.run().counters
    return {
        "documents": documents,
        "poisons": count,
        "answered_or_refused": len(queue.answered_at),
        "refused": counters.get("rejected", 0),
        "engine_deaths": counters["engine_deaths"],
        "deaths_in_groups": counters.get("isolation_deaths", 0),
        "asked_again": len(asked) - documents,
    }


def main() -> int:
    """Runs every case; 0 when each refused exactly those that end engines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=512, help="requests at once")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    rows = []
    for documents, count in CASES:
        rows.append(case(documents, count, window=options.n, seed=options.seed))
        print(json.dumps(rows[-1]), flush=True)
    if options.json:
        result = {"at_once": options.n, "seed": options.seed, "cases": rows}
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    exact = all(row["refused"] == row["poisons"] for row in rows)
    return 0 if exact and all(r["answered_or_refused"] == r["documents"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
