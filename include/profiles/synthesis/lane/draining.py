"""The end of a lane: the handle that stops it, and how requests in flight are collected."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from profiles.errors import EngineError
from profiles.models import Completion
from profiles.synthesis.lane.assessment import is_fault
from profiles.synthesis.lane.lease_tracker import LeaseTracker
from profiles.synthesis.lane.window import Job
from profiles.synthesis.process.engine_client import EngineClient

log = logging.getLogger(__name__)

_SLICE_SECONDS = 1.0


def drain(
    engine: EngineClient,
    leases: LeaseTracker,
    record: Callable[[Job, Completion], None],
    *,
    limit: Callable[[], float],
) -> None:
    """Collect answers until none is missing, the engine has ended or `limit` seconds are over. The
    limit is read each time: a lane may be stopped meanwhile. Faults are ignored; requests without
    an answer stay in flight, to be released."""
    started = leases.clock()
    while (
        leases.work.in_flight
        and engine.exit_code is None
        and (left := started + limit() - leases.clock()) > 0
    ):
        try:
            answers = engine.drain(min(left, _SLICE_SECONDS))
        except EngineError as error:
            log.warning("the engine crashed while draining: %s", error)
            break
        for completion in answers:
            job = leases.work.answered(completion.request_id)
            if job is not None and not is_fault(completion):
                record(job, completion)
        leases.maintain()
    log.info(
        "drained for %.0f s; %s requests without an answer are released",
        leases.clock() - started,
        len(leases.work.in_flight),
    )


class LaneControl:
    """Stops a lane, and ends its engine process when the lane does not. `stop` is safe in a signal
    handler that interrupts the lane itself, which never waits on the event."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._engine: EngineClient | None = None

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    def attach(self, engine: EngineClient | None) -> None:
        """Names the engine that `stop` has to end, None when there is none."""
        self._engine = engine

    def stop(self, *, drain_seconds: float) -> None:
        """Stop leasing and collect what is in flight. The engine's process group is killed at once
        when nothing is in flight, else when `drain_seconds` are over, or with the second call."""
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
