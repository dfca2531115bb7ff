"""One lane: one engine that works through leased documents until none are left.

A sliding window of requests is in flight; the next batch is leased before the last one drains;
answers are stored about every second. Whatever ends the lane, everything answered is stored, the
rest is released, and no engine process is left. Knows no SQL: the queue is
`profiles.storage.leases.LaneQueue`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from profiles.errors import EngineError, ProfilesError
from profiles.models import ColdStart, Completion, Request
from profiles.synthesis.lane.assessment import Assessor, is_fault
from profiles.synthesis.lane.faults import Faults, Recovery
from profiles.synthesis.lane.lease_tracker import LeaseTracker
from profiles.synthesis.lane.warm_up import warm_up
from profiles.synthesis.lane.window import Job, window_size
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import DEADLINE, EngineReady, Heartbeat

if TYPE_CHECKING:
    from profiles.settings import Settings
    from profiles.storage.leases import LaneQueue

log = logging.getLogger(__name__)

_POLL_SECONDS = 0.25
_DRAIN_POLL_SECONDS = 1.0
_LEASE_RETRY_SECONDS = 1.0
_WINDOWS_PER_BATCH = 4
_WINDOW_DRAIN_FACTOR = 4
"""At the window's end nobody is about to kill the lane, so answers in flight get more time."""


class LaneEnd(StrEnum):
    NO_WORK = "no work left"
    WINDOW = "the window ended"
    STOPPED = "told to stop"


@dataclass(frozen=True, slots=True)
class LaneOutcome:
    """Outcome of a lane. `counters` are counts of documents, answers, tokens and crashes; `notes`
    say what was changed for the engine meanwhile."""

    end: LaneEnd
    counters: dict[str, int]
    cold_start: ColdStart
    notes: tuple[str, ...] = ()


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


@dataclass(kw_only=True, eq=False)
class Lane:
    """Works through the queue; call `run` once."""

    queue: LaneQueue
    new_engine: Callable[[], EngineClient]
    new_request: Callable[[Job], Request]
    new_warm_up: Callable[[EngineReady], Sequence[Request]] = lambda ready: ()
    assessor: Assessor
    relieve: Callable[[EngineError, EngineReady | None], str | None] = lambda *_: None
    settings: Settings
    control: LaneControl
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self._leases = LeaseTracker(self.queue, self.settings, clock=self.clock, sleep=self.sleep)
        self._work = self._leases.work
        self._engine: EngineClient | None = None
        self._ready: EngineReady | None = None
        self._window = 0  # of the engine that runs
        self._next_lease = 0.0
        self._faults = Faults(self._leases, self._record)
        self._recovery = Recovery(
            self._leases, relieve=self.relieve, is_ending=lambda: self._is_ending
        )

    @property
    def counters(self) -> dict[str, int]:
        return dict(self._leases.counters)

    def run(self) -> LaneOutcome:
        """Works until nothing is left, the window ends or the lane is stopped. Raises EngineError
        where the engine cannot start or crashed too often, DatabaseUnavailableError where Postgres
        was unavailable for longer than a lease lasts."""
        try:
            self.queue.reclaim()
            while self._serve_or_recover():
                pass
            self._finish()
        except BaseException:
            self._abandon()
            raise
        end = LaneEnd.WINDOW if self._is_ending else LaneEnd.NO_WORK
        end = LaneEnd.STOPPED if self.control.is_stopping else end
        return LaneOutcome(end, self.counters, self._leases.cold_start, tuple(self._recovery.notes))

    def _serve_or_recover(self) -> bool:
        try:
            if not self._has_work():
                return False
            self._serve()
        except EngineError as error:
            # The loop starts a new one.
            self._drop_engine()
            if not self.control.is_stopping:
                self._recovery.recover(error, ready=self._ready)
        return True

    @property
    def _is_ending(self) -> bool:
        return self.control.is_stopping or self.clock() >= self._leases.deadline

    def _has_work(self) -> bool:
        """Waits for items that others hold: they may yet fail."""
        while not self._is_ending:
            state = self._leases.state()
            if state is not None and state.leasable:
                return not self._is_ending
            if state is not None and not state.held:
                return False
            self._leases.maintain()
            if self._engine is None:
                self.sleep(_LEASE_RETRY_SECONDS)
            else:
                self._engine.poll(_LEASE_RETRY_SECONDS)
        return False

    def _serve(self) -> None:
        """Feeds the engine until the queue gives nothing more, or the lane has to end."""
        engine = self._engine or self._start_engine()
        self._next_lease = 0.0
        while not self._is_ending:
            self._feed(engine)
            idle = not self._work.waiting and not self._work.in_flight
            if idle and not self._faults.settle(engine):
                break
            self._receive(engine.poll(_POLL_SECONDS))
            self._leases.maintain()
        self._leases.flush()

    def _feed(self, engine: EngineClient) -> None:
        """Leases and sends. Not while answers cannot be stored: they might be asked for again."""
        if not self._leases.is_cut_off:
            self._refill()
        if self._leases.is_cut_off:
            return
        if self._work.may_start_group:
            self._faults.require_answer(engine)
        while job := self._work.next_job(self._window):
            engine.submit(self.new_request(job))

    def _start_engine(self) -> EngineClient:
        engine = self._engine = self.new_engine()
        self.control.attach(engine)
        self._ready = None
        ready = self._ready = engine.start()
        self._leases.cold_start = replace(self._leases.cold_start, load_seconds=ready.load_seconds)
        self._faults = Faults(self._leases, self._record)
        self._window = window_size(ready, most=self.settings.max_in_flight)
        log.info("engine %s is ready after %.1f s", ready.engine, ready.load_seconds)
        if wanted := self.new_warm_up(ready):
            seconds = warm_up(
                engine,
                wanted,
                seconds=self.settings.warm_up_seconds,
                is_ending=lambda: self._is_ending,
                clock=self.clock,
            )
            self._leases.cold_start = replace(self._leases.cold_start, warm_up_seconds=seconds)
        return engine

    def _refill(self) -> None:
        """Lease until what waits here fills half a window, so that no batch comes too late."""
        limit = self._window
        # A slow engine takes small batches, so that it does not keep work from a fast one.
        size = min(self.settings.batch_size, _WINDOWS_PER_BATCH * limit)
        missing = max(0, limit - len(self._work.in_flight))
        wanted = missing + limit // 2
        while self._work.waiting <= wanted and self.clock() >= self._next_lease:
            if not self._leases.lease(size):
                self._next_lease = self.clock() + _LEASE_RETRY_SECONDS

    def _receive(self, messages: Sequence[Completion | Heartbeat]) -> None:
        for message in messages:
            if isinstance(message, Heartbeat):
                self._leases.note(message)
                continue
            job = self._work.answered(message.request_id)
            if job is not None and is_fault(message):
                self._faults.add(job, message)
            elif job is not None:
                self._faults.answered()
                self._record(job, message)

    def _record(self, job: Job, completion: Completion) -> None:
        self._leases.counters["model_calls"] += 1
        if completion.error == DEADLINE:
            self._leases.counters["deadlines"] += 1
        self._leases.keep(job, self.assessor.assess(completion, job.item, job.number))

    def _finish(self) -> None:
        if self._engine is not None and self._work.in_flight:
            self._drain(self._engine)
        self._leases.flush_all()
        self._leases.release()
        self._drop_engine(graceful=True)

    def _drain(self, engine: EngineClient) -> None:
        """Collect answers until none is missing, the engine has ended or time is over. Faults are
        ignored; requests without an answer stay in flight, to be released."""
        started = self.clock()
        while self._work.in_flight and engine.exit_code is None:
            # A lane may be stopped meanwhile.
            factor = 1 if self.control.is_stopping else _WINDOW_DRAIN_FACTOR
            left = started + self.settings.drain_seconds * factor - self.clock()
            if left <= 0:
                break
            try:
                answers = engine.drain(min(left, _DRAIN_POLL_SECONDS))
            except EngineError as error:
                log.warning("the engine crashed while draining: %s", error)
                break
            for completion in answers:
                job = self._work.answered(completion.request_id)
                if job is not None and not is_fault(completion):
                    self._record(job, completion)
            self._leases.maintain()
        log.info(
            "drained for %.0f s; %s requests without an answer are released",
            self.clock() - started,
            len(self._work.in_flight),
        )

    def _abandon(self) -> None:
        """The way out of an unexpected error: no process and, if possible, no lease stays."""
        self._drop_engine()
        try:
            self._leases.flush()
            self._leases.release()
        except ProfilesError as error:
            log.warning("leases are left to expire: %s", error)

    def _drop_engine(self, *, graceful: bool = False) -> None:
        engine, self._engine = self._engine, None
        self.control.attach(None)
        if engine is None:
            return
        if graceful and engine.exit_code is None:
            engine.close()
        engine.kill()
