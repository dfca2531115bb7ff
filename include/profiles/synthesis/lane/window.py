"""State of each leased item of a lane: waiting, in flight, or answered and not yet stored.

Bookkeeping alone: no engine, no database, no clock. Rejected attempts are sent first, then batch
after batch, within a batch the longest document first, so that its last answers are short ones.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from profiles.models import Attempt, Lease, Rejection, WorkItem
from profiles.synthesis.process.protocol import EngineReady

CRASHES_BEFORE_SUSPECT = 2
"""Most crashes are no request's fault; an item that was there at this many is a suspect."""


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt at one item. With a suspect, only others of its group may be in flight.
    `rejection` is why the attempt before was refused."""

    item: WorkItem
    batch_id: int
    number: int
    is_suspect: bool = False
    rejection: Rejection | None = None

    @property
    def request_id(self) -> str:
        """Unique within an engine process."""
        return f"{self.batch_id}.{self.item.candidate_id}.{self.number}"


class WorkWindow:
    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._suspects: deque[Job] = deque()
        self.group_size = 0
        """Count of suspects in the group that is in flight, or was last."""
        self._group_limit = 0
        self._in_flight: dict[str, Job] = {}
        self.unsaved: dict[int, list[Attempt]] = {}
        """Answers to store, by batch; to be read only."""
        self._open: dict[int, set[int]] = {}

    @property
    def batches(self) -> tuple[int, ...]:
        """Batches with items that have no stored outcome."""
        return tuple(self._open)

    @property
    def waiting(self) -> int:
        return len(self._waiting) + len(self._suspects)

    @property
    def may_start_group(self) -> bool:
        """The next attempt is the first of a group of suspects."""
        return bool(self._suspects) and not self._in_flight

    @property
    def in_flight(self) -> tuple[Job, ...]:
        """Attempts that the engine has and has not answered."""
        return tuple(self._in_flight.values())

    @property
    def unsaved_count(self) -> int:
        return sum(len(attempts) for attempts in self.unsaved.values())

    def add(self, lease: Lease) -> None:
        """Take the items of a new lease, the longest first: words stand for prompt and answer."""
        self._open[lease.batch_id] = {item.candidate_id for item in lease.items}
        for item in sorted(lease.items, key=lambda item: -item.word_count):
            suspect = item.engine_deaths >= CRASHES_BEFORE_SUSPECT
            job = Job(item, lease.batch_id, item.attempts_made + 1, suspect, item.rejection)
            (self._suspects if suspect else self._waiting).append(job)

    def next_job(self, limit: int) -> Job | None:
        """The next attempt, now in flight, groups of suspects first; None when there is none."""
        in_group = any(job.is_suspect for job in itertools.islice(self._in_flight.values(), 1))
        if in_group or self._suspects:
            job = self._next_suspect(limit)
        else:
            fits = self._waiting and len(self._in_flight) < limit
            job = self._waiting.popleft() if fits else None
        if job is not None:
            self._in_flight[job.request_id] = job
        return job

    def _next_suspect(self, limit: int) -> Job | None:
        if self.may_start_group:
            self.group_size, self._group_limit = 0, limit
        elif not self._suspects or not next(iter(self._in_flight.values())).is_suspect:
            return None
        # Half as many as it last crashed among.
        half = max(1, (self._suspects[0].item.died_among + 1) // 2)
        group_limit = min(self._group_limit, half)
        if self.group_size >= group_limit or len(self._in_flight) >= limit:
            return None
        self.group_size, self._group_limit = self.group_size + 1, group_limit
        return self._suspects.popleft()

    def answered(self, request_id: str) -> Job | None:
        """Takes an attempt out of flight; None when its lease was lost meanwhile."""
        return self._in_flight.pop(request_id, None)

    def restore_in_flight(self, jobs: Sequence[Job]) -> None:
        """Takes attempts in flight again, as the oldest: the engine has them after all."""
        self._in_flight = {job.request_id: job for job in jobs} | self._in_flight

    def forget_in_flight(self) -> None:
        """Drops what is in flight without an answer; its items stay open in their batches."""
        self._in_flight.clear()

    def record(self, job: Job, attempt: Attempt) -> None:
        """Keep the attempt until it is stored; a rejected one is retried next, unless deferred."""
        if job.batch_id not in self._open:
            return
        self.unsaved.setdefault(job.batch_id, []).append(attempt)
        if not attempt.is_terminal and not attempt.is_deferred:
            # The engine has answered it and lives: it is no suspect any more.
            rejection = attempt.verdict if isinstance(attempt.verdict, Rejection) else None
            again = replace(job, number=job.number + 1, is_suspect=False, rejection=rejection)
            self._waiting.appendleft(again)

    def saved(self, batch_id: int) -> None:
        """Forgets what is stored; a batch whose items are all closed is done."""
        for attempt in self.unsaved.pop(batch_id, ()):
            if attempt.is_terminal or attempt.is_deferred:
                self._open[batch_id].discard(attempt.item.candidate_id)
        if not self._open.get(batch_id):
            self._open.pop(batch_id, None)

    def drop(self, batch_id: int) -> int:
        """Forgets a batch, stored or not; returns how many attempts that throws away."""
        self._open.pop(batch_id, None)
        self._waiting = deque(job for job in self._waiting if job.batch_id != batch_id)
        self._suspects = deque(job for job in self._suspects if job.batch_id != batch_id)
        kept = [job for job in self._in_flight.values() if job.batch_id != batch_id]
        self._in_flight = {job.request_id: job for job in kept}
        return len(self.unsaved.pop(batch_id, ()))


_WAITING = 100
"""Requests in the queue of an engine's own scheduler: enough to choose those that fill a step."""


def window_size(ready: EngineReady, *, most: int) -> int:
    """Requests to keep in flight: a few more than the engine works on, so that it never waits for
    us between two."""
    ahead = max(1, ready.at_once // 8, _WAITING if ready.running else 0)
    return min(ready.at_once + ahead, most)
