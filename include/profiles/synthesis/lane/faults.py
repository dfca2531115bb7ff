"""Requests without an answer and engines that crashed: whose fault it is, and what is released.

A fault counts against its document once the engine has answered something else, at least a short
request of ours. Many in a row are the engine's and count against none. Requests that ran until
their deadline are in flight in its crash and suspected like any others.

Most crashes are no request's fault, so after the first everything is retried as usual. An item that
could have been running in two is a suspect. Suspects run in groups, with nothing else in flight, on
an engine that has just answered. A group that comes through is cleared; one that crashes the engine
comes back in groups half as large; one request that does so alone is rejected. That takes log2(n)
crashes for n suspects and one poison, repeats fewer than n requests for it, and costs one pass
where there is none. `MOST_POISONS` bounds such crashes; they and the two before them do not count
against `engine_restarts`. The search is kept with each item, so the next lane or try goes on with
it.

A crash for lack of GPU memory is the settings' fault as long as `memory_ladder` knows a step down.
"""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field

from profiles.errors import EngineError
from profiles.models import Attempt, Completion, Message, Request, Sampling
from profiles.synthesis.lane.assessment import engine_fault, is_fault
from profiles.synthesis.lane.lease_tracker import LeaseTracker
from profiles.synthesis.lane.window import CRASHES_BEFORE_SUSPECT, Job
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import DEADLINE, EngineReady

log = logging.getLogger(__name__)

_MOST_IN_A_ROW = 16
PROBE_SECONDS = 60.0
_POLL_SECONDS = 0.25
_numbers = itertools.count(1)
MOST_POISONS = 8
_BACKOFF_SECONDS = 1.0
_MOST_BACKOFF_SECONDS = 30.0
_SLICE_SECONDS = 0.25
_RETRACTED = 0.25
"""Share of the running requests that an engine short of memory may have put back in its queue."""


class Faults:
    """Faults of one engine that are not settled yet. `record` stores one against its document."""

    def __init__(self, leases: LeaseTracker, record: Callable[[Job, Completion], None]) -> None:
        self._work = leases.work
        self._clock = leases.clock
        self._record = record
        self._faults: list[tuple[Job, Completion]] = []
        self.engine_answers = False
        """The engine has answered something, and since a request was given up."""

    def add(self, job: Job, completion: Completion) -> None:
        """Sets a fault aside. Raises EngineError when there were too many in a row."""
        self._faults.append((job, completion))
        if completion.error == DEADLINE:
            self.engine_answers = False
        if len(self._faults) >= _MOST_IN_A_ROW:
            self._blame_engine()

    def answered(self) -> None:
        """The engine has answered: what failed before was the documents'."""
        self.engine_answers = True
        self._count()

    def settle(self, engine: EngineClient) -> bool:
        """With nothing else to do: asks the engine. Returns whether there were any faults; raises
        EngineError where it answers nothing, so that its items are not to blame."""
        if not self._faults:
            return False
        if not self._has_answer(engine):
            self._blame_engine()
        self._count()
        return True

    def require_answer(self, engine: EngineClient) -> None:
        """Require an answer before a group of suspects: else each would look like the cause."""
        self.settle(engine)
        if not self._has_answer(engine):
            raise EngineError("the engine does not answer a short question")

    def _has_answer(self, engine: EngineClient) -> bool:
        """Return whether the engine has answered; with nothing in flight, one tiny request."""
        if self.engine_answers:
            return True
        request = Request(
            request_id=f"probe.{next(_numbers)}.1",
            messages=(Message("user", "Answer with the word yes."),),
            sampling=Sampling(temperature=0.0, max_new_tokens=4),
        )
        engine.submit(request)
        until = self._clock() + PROBE_SECONDS
        while self._clock() < until:
            for message in engine.poll(_POLL_SECONDS):
                if isinstance(message, Completion) and message.request_id == request.request_id:
                    self.engine_answers = not is_fault(message)
                    return self.engine_answers
        return False

    def _count(self) -> None:
        faults, self._faults = self._faults, []
        for job, completion in faults:
            self._record(job, completion)

    def _blame_engine(self) -> None:
        faults, self._faults = self._faults, []
        if all(completion.error == DEADLINE for _, completion in faults):
            self._work.restore_in_flight([job for job, _ in faults])
            raise EngineError(f"the engine ran {len(faults)} requests for too long and no other")
        self._work.forget_in_flight()
        raise EngineError(f"the engine answered {len(faults)} requests in a row with an error")


@dataclass(eq=False)
class Recovery:
    leases: LeaseTracker
    _: KW_ONLY
    relieve: Callable[[EngineError, EngineReady | None], str | None]
    is_ending: Callable[[], bool]
    notes: list[str] = field(default_factory=list)
    _most_suspects: int = 1

    def recover(self, error: EngineError, *, ready: EngineReady | None) -> None:
        """Stores, releases and waits a little; raises `error` when too many have crashed."""
        counters = self.leases.counters
        counters["engine_deaths"] += 1
        log.warning("engine crash %s: %s", counters["engine_deaths"], error)
        if (step := self.relieve(error, ready)) is not None:
            # The next engine needs less memory, so no request is to blame.
            self.notes.append(step)
            log.warning("the next engine starts with less: %s", step)
            counters["memory_steps"] += 1
            self.leases.flush_all()
            self.leases.release()
            self._back_off(1)
            return
        lost = () if error.is_remote else self.leases.work.in_flight
        in_group = bool(lost) and lost[0].is_suspect
        if in_group:
            counters["isolation_deaths"] += 1
            self._most_suspects = max(self._most_suspects, 2 * self.leases.work.group_size)
        crashed = could_have_run(lost, ready)
        suspects = [job for job in crashed if job.item.engine_deaths >= CRASHES_BEFORE_SUSPECT - 1]
        if in_group and self.leases.work.group_size == 1:
            self._refuse(lost[0])
        elif suspects:
            log.warning("%s requests are suspected of having ended the engine", len(suspects))
        self.leases.flush_all()
        self.leases.release({job.item.candidate_id for job in crashed}, among=len(suspects))
        # Crashes that neither a group, nor memory, nor a request found since accounts for.
        explained = counters["isolation_deaths"] + counters["memory_steps"]
        explained += CRASHES_BEFORE_SUSPECT * counters["poisons"]
        own = max(0, counters["engine_deaths"] - explained)
        most = MOST_POISONS * max(1, math.ceil(math.log2(self._most_suspects)))
        if (
            self.leases.cold_start.load_seconds is None
            or own > self.leases.settings.engine_restarts
            or counters["isolation_deaths"] > most
        ):
            raise error
        self._back_off(1 if in_group else max(1, own))

    def _refuse(self, job: Job) -> None:
        self.leases.counters["poisons"] += 1
        self.leases.work.answered(job.request_id)
        completion = Completion(request_id="", text="", finish_reason="error")
        verdict = engine_fault("engine_died")
        self.leases.keep(job, Attempt(job.item, job.number, True, verdict, completion))
        log.warning("candidate %s ended an engine alone and is refused", job.item.candidate_id)

    def _back_off(self, crashes: int) -> None:
        leases = self.leases
        wanted = _BACKOFF_SECONDS * 2 ** (crashes - 1)
        until = leases.clock() + min(wanted, _MOST_BACKOFF_SECONDS)
        while not self.is_ending() and (left := until - leases.clock()) > 0:
            leases.sleep(min(_SLICE_SECONDS, left))


def could_have_run(lost: Sequence[Job], ready: EngineReady | None) -> Sequence[Job]:
    """Those of the requests in flight that the engine may have been working on when it crashed: in
    their order no more than it runs at once and may have put back, in another order all."""
    if ready is None:
        return lost
    order = ready.details.get("arguments", {}).get("schedule_policy", "fcfs")
    if order != "fcfs":
        return lost
    return lost[: math.ceil(ready.at_once * (1 + _RETRACTED))]
