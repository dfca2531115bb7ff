"""The handle by which somebody outside the loop ends a lane: a signal handler or another thread."""

from __future__ import annotations

import threading
from typing import Protocol


class Killable(Protocol):
    """What a lane runs and can lose: an engine process."""

    @property
    def in_flight(self) -> frozenset[str]: ...

    def kill(self) -> None: ...


class LaneControl:
    """Asks a lane to stop, and sees to it that no engine process is left when it does not.

    `stop` is safe in a signal handler that interrupts the lane itself: the lane only ever looks
    at the event, it never waits on it.
    """

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._engine: Killable | None = None

    @property
    def is_stopping(self) -> bool:
        """Whether the lane was told to stop."""
        return self._stop.is_set()

    def attach(self, engine: Killable | None) -> None:
        """Names the engine that `stop` has to end, None when there is none."""
        self._engine = engine

    def stop(self, *, drain_seconds: float) -> None:
        """Tells the lane to stop leasing and to take in what is in flight.

        The engine's process group is killed at once when nothing is in flight (it may still be
        loading), else when `drain_seconds` are over, or with the second call.
        """
        again = self._stop.is_set()
        self._stop.set()
        engine = self._engine
        if engine is None:
            return
        if again or not engine.in_flight:
            engine.kill()
            return
        timer = threading.Timer(drain_seconds, engine.kill)
        timer.daemon = True
        timer.start()
