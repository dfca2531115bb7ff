"""How many requests a lane keeps in flight, steered by the engine's own figures.

An engine that always finds the next request in its own queue never waits for the lane; more than
that queue only keeps documents from other lanes and is lost time when the lane has to stop. So
between `LEAST_WAITING` and what runs should wait there, `MOST_WAITING` at the most.

Pure arithmetic over heartbeats. An engine that reports no figures keeps the depth it began with.
"""

from __future__ import annotations

from profiles.synthesis.process.protocol import EngineReady, Heartbeat

LEAST_WAITING = 100
MOST_WAITING = 2000
_FULL = 0.9
"""Share of the KV cache in use from which on more requests at once only wait."""
_GROWTH = 4
"""A depth that leaves KV cache unused grows by a quarter a heartbeat."""


class Depth:
    """`limit` is the number of requests to keep in flight; it never passes `ceiling`."""

    def __init__(self, ready: EngineReady, *, ceiling: int) -> None:
        # A few more than the engine works on, so that it never waits for us between two.
        ahead = max(1, ready.at_once // 8)
        self._ceiling = max(1, ceiling)
        self._least = min(ready.at_once + ahead, self._ceiling)
        self.limit = self._least

    def hear(self, beat: Heartbeat, *, was_full: bool) -> None:
        """Takes one heartbeat in. `was_full`: the lane had enough documents to fill its window."""
        if "num_waiting_reqs" not in beat.engine or "num_running_reqs" not in beat.engine:
            return
        waiting = int(beat.engine["num_waiting_reqs"]) + beat.queued
        running = int(beat.engine["num_running_reqs"])
        most = min(max(2 * LEAST_WAITING, running), MOST_WAITING)
        wanted = self.limit
        if waiting < LEAST_WAITING and was_full:
            missing = LEAST_WAITING - waiting
            has_room = beat.engine.get("token_usage", 0.0) < _FULL
            wanted += max(missing, self.limit // _GROWTH) if has_room else missing
        elif waiting > most:
            wanted -= waiting - most
        self.limit = max(self._least, min(wanted, self._ceiling))
