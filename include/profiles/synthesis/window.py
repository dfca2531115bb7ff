"""Where each leased item of a lane is: waiting, in flight, or answered and not yet stored.

Bookkeeping alone: no engine, no database, no clock. Invariant: an item of a held batch is in
exactly one of waiting, alone, in flight, set aside by the lane, or closed.

Order of sending: refused attempts first, then batch after batch, within a batch the longest
document first. So the last answers of a batch are short ones, and nothing can be overtaken by
more than the rest of its own batch.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from profiles.models import Attempt, Lease, WorkItem

DEATHS_BEFORE_ALONE = 2
"""An item that was in flight in this many engine deaths is asked alone, to know for sure."""


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt at one item. `alone`: nothing else may be in flight with it."""

    item: WorkItem
    batch_id: int
    number: int
    alone: bool = False

    @property
    def request_id(self) -> str:
        """Unique within an engine process."""
        return f"{self.batch_id}.{self.item.candidate_id}.{self.number}"


class WorkWindow:
    """The leased items of one lane."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._alone: deque[Job] = deque()
        self._in_flight: dict[str, Job] = {}
        self._unsaved: dict[int, list[Attempt]] = {}
        self._open: dict[int, set[int]] = {}

    @property
    def batches(self) -> tuple[int, ...]:
        """Batches with items that have no stored outcome."""
        return tuple(self._open)

    @property
    def waiting(self) -> int:
        """Items that are leased and not yet asked."""
        return len(self._waiting) + len(self._alone)

    @property
    def in_flight_count(self) -> int:
        """How many attempts the engine has."""
        return len(self._in_flight)

    @property
    def in_flight(self) -> tuple[Job, ...]:
        """Attempts that the engine has and has not answered."""
        return tuple(self._in_flight.values())

    @property
    def unsaved(self) -> dict[int, tuple[Attempt, ...]]:
        """Attempts that are not stored yet, by batch."""
        return {batch_id: tuple(attempts) for batch_id, attempts in self._unsaved.items()}

    @property
    def unsaved_count(self) -> int:
        """How many attempts are not stored yet."""
        return sum(len(attempts) for attempts in self._unsaved.values())

    @property
    def is_idle(self) -> bool:
        """Nothing to ask and nothing in flight."""
        return not (self._waiting or self._alone or self._in_flight)

    def add(self, lease: Lease) -> None:
        """Takes the items of a new lease in, the longest first.

        Words stand for both lengths: the prompt grows with them, and so does the wanted answer.
        """
        self._open[lease.batch_id] = {item.candidate_id for item in lease.items}
        for item in sorted(lease.items, key=lambda item: -item.word_count):
            alone = item.engine_deaths >= DEATHS_BEFORE_ALONE
            job = Job(item, lease.batch_id, item.attempts_made + 1, alone)
            (self._alone if alone else self._waiting).append(job)

    def next_job(self, limit: int) -> Job | None:
        """The next attempt to send, now in flight; None when the window is full or empty.

        Items to be asked alone go first, once everything in flight has been answered.
        """
        if self._alone:
            job = None if self._in_flight else self._alone.popleft()
        elif self._in_flight and next(iter(self._in_flight.values())).alone:
            job = None
        else:
            fits = self._waiting and len(self._in_flight) < limit
            job = self._waiting.popleft() if fits else None
        if job is not None:
            self._in_flight[job.request_id] = job
        return job

    def answered(self, request_id: str) -> Job | None:
        """Takes an attempt out of flight; None when its lease was lost meanwhile."""
        return self._in_flight.pop(request_id, None)

    def forget_in_flight(self) -> None:
        """Drops what is in flight without an answer; its items stay open in their batches."""
        self._in_flight.clear()

    def record(self, job: Job, attempt: Attempt) -> None:
        """Keeps the attempt until it is stored; a refused one is asked again next."""
        if job.batch_id not in self._open:
            return
        self._unsaved.setdefault(job.batch_id, []).append(attempt)
        if not attempt.is_terminal:
            again = replace(job, number=job.number + 1)
            (self._alone if job.alone else self._waiting).appendleft(again)

    def saved(self, batch_id: int) -> None:
        """Forgets what is stored; a batch whose items are all closed is done."""
        for attempt in self._unsaved.pop(batch_id, ()):
            if attempt.is_terminal:
                self._open[batch_id].discard(attempt.candidate_id)
        if not self._open.get(batch_id):
            self._open.pop(batch_id, None)

    def drop(self, batch_id: int) -> int:
        """Forgets a batch, stored or not; returns how many attempts that throws away."""
        self._open.pop(batch_id, None)
        self._waiting = deque(job for job in self._waiting if job.batch_id != batch_id)
        self._alone = deque(job for job in self._alone if job.batch_id != batch_id)
        self._in_flight = {
            request_id: job
            for request_id, job in self._in_flight.items()
            if job.batch_id != batch_id
        }
        return len(self._unsaved.pop(batch_id, ()))
