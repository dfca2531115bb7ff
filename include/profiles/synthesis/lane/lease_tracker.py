"""Writes that a lane owes the database: leases to renew, answers to store, items to release.

Everything here survives a short absence of Postgres: answers are kept and stored when it is back,
as long as the leases could still be ours.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, TypeVar

from profiles.errors import DatabaseUnavailableError, FencedError
from profiles.models import Attempt, ColdStart, QueueState
from profiles.synthesis.lane.window import Job, WorkWindow
from profiles.synthesis.process.protocol import Heartbeat

if TYPE_CHECKING:
    from profiles.settings import Settings
    from profiles.storage.leases import LaneQueue

log = logging.getLogger(__name__)

Result = TypeVar("Result")

_BEAT_SECONDS = 10.0
_AGAIN_SECONDS = 1.0
_FLUSH_SECONDS = 1.0
_FLUSH_RESULTS = 64


@dataclass(eq=False)
class LeaseTracker:
    """The lane's leases and unsaved answers. `deadline` is the run's `stop_at` on `clock`."""

    queue: LaneQueue
    settings: Settings
    _: KW_ONLY
    clock: Callable[[], float]
    sleep: Callable[[float], None]

    def __post_init__(self) -> None:
        self.work = WorkWindow()
        self.counters: Counter[str] = Counter()
        self.cold_start = ColdStart()
        self._gauges: dict[str, float] = {}
        self.deadline = float("inf")
        self._outage_since: float | None = None
        self._has_unstorable = False
        self._next_flush = self._next_beat = 0.0

    @property
    def is_cut_off(self) -> bool:
        """Return whether Postgres is unavailable or stores nothing: its disk may be full."""
        unstorable = self._has_unstorable and self.work.unsaved_count > 0
        return unstorable or self._outage_since is not None

    def state(self) -> QueueState | None:
        """State of the run's queue, None while Postgres is unavailable."""
        state = self._tolerate(self.queue.state)
        if state is not None:
            self.deadline = self.clock() + state.seconds_left
        return state

    def lease(self, size: int) -> bool:
        """Return whether new items were leased and put into `work`."""
        lease = self._tolerate(lambda: self.queue.lease(size))
        if lease is None:
            return False
        self.deadline = self.clock() + lease.seconds_left
        self.counters["batches"] += 1
        self.work.add(lease)
        return True

    def keep(self, job: Job, attempt: Attempt) -> None:
        name = "deferred" if attempt.is_deferred else "refused_attempts"
        self.counters[attempt.verdict.outcome.value if attempt.is_terminal else name] += 1
        for tokens in ("prompt_tokens", "completion_tokens", "cached_tokens"):
            self.counters[tokens] += getattr(attempt.completion, tokens)
        self.work.record(job, attempt)

    def note(self, beat: Heartbeat) -> None:
        """Keeps what the engine said about itself, for the lane's row and its batches' metrics."""
        if not self._gauges:
            # The first figures are stored at once, or a short run would have none.
            self._next_beat = 0.0
        # JSON of Postgres has no NaN, which an engine gives for a share of nothing.
        figures = {name: value for name, value in beat.engine.items() if math.isfinite(value)}
        self._gauges = {
            "running": figures.get("num_running_reqs", float(beat.running)),
            "waiting": figures.get("num_waiting_reqs", 0.0) + beat.queued,
        }
        for name in figures.keys() & {"token_usage", "context_tokens"}:
            self._gauges[name] = figures[name]

    def maintain(self) -> None:
        """Stores and renews what is due; raises once Postgres was away for a lease's time."""
        now = self.clock()
        unsaved = self.work.unsaved_count
        if unsaved and (unsaved >= _FLUSH_RESULTS or now >= self._next_flush):
            self.flush()
        if now >= self._next_beat:
            self._renew()
            pause = min(self.settings.lease_seconds / 3, _BEAT_SECONDS)
            # Nothing is sent meanwhile, so the end of an absence must be noticed at once.
            self._next_beat = self.clock() + (_AGAIN_SECONDS if self.is_cut_off else pause)

    def flush(self) -> None:
        """Stores what is unsaved; keeps it while Postgres is unavailable."""
        self._has_unstorable = False
        for batch_id, attempts in list(self.work.unsaved.items()):
            try:
                self.queue.store(batch_id, attempts)
            except FencedError:
                self._fenced(batch_id)
            except DatabaseUnavailableError as error:
                self._has_unstorable = True
                self._note_outage(error)
                break
            else:
                self._outage_since = None
                self.work.saved(batch_id)
        self._next_flush = self.clock() + _FLUSH_SECONDS

    def flush_all(self) -> None:
        """Stores what is unsaved, waiting for Postgres if need be."""
        self.flush()
        while self.work.unsaved_count:
            self.sleep(_FLUSH_SECONDS)
            self.flush()

    def release(self, crashed: Collection[int] = (), *, among: int = 0) -> None:
        """Release all leases. `crashed` were in flight in a crash, `among` of them suspects."""
        for batch_id in self.work.batches:
            self.queue.release(batch_id, died_in_flight=crashed, died_among=among)
            self.work.drop(batch_id)

    def _renew(self) -> None:
        for batch_id in self._tolerate(lambda: self.queue.renew(self.work.batches)) or ():
            self._fenced(batch_id)
        counters = dict(self.counters)
        self._tolerate(
            lambda: self.queue.beat(counters, cold_start=self.cold_start, gauges=self._gauges)
        )

    def _fenced(self, batch_id: int) -> None:
        lost = self.work.drop(batch_id)
        self.counters["fenced_batches"] += 1
        log.warning("batch %s is another lane's now; %s answers were not stored", batch_id, lost)

    def _tolerate(self, call: Callable[[], Result]) -> Result | None:
        """The result, None while Postgres is unavailable for less than a lease lasts."""
        try:
            result = call()
        except DatabaseUnavailableError as error:
            self._note_outage(error)
            return None
        self._outage_since = None
        return result

    def _note_outage(self, error: DatabaseUnavailableError) -> None:
        now = self.clock()
        self._outage_since = now if self._outage_since is None else self._outage_since
        if now - self._outage_since > self.settings.lease_seconds:
            raise error
        log.warning("%s", error)
