"""After an engine crashed: whose fault it may be, what goes back to the queue, whether to go on.

Most crashes are no request's fault, so after the first one everything is asked again as usual. An
item that could have been running in two crashes is a suspect. Suspects are asked in groups, with
nothing else in flight, of an engine that has just answered a short question. A group that comes
through is cleared; one that takes the engine down comes back in groups half as large; one request
that takes it down by itself is refused.

The arithmetic, for `n` suspects and a window of `w` requests:

* No poison among them (two unrelated crashes): no further crash. The first groups hold
  min(w, n/2) requests, so clearing them costs two groups, or n/w where the window is smaller: one
  pass, plus at the end of each group the wait for its longest answer.
* One poison: the groups that crash have n/2, n/4, ... 1 requests, which is log2(n) crashes (9 for
  512) after the two that made them suspects. `k` poisons: at most k times that.
* Each crash repeats what was in flight in it: at most w in the first two, then n/2 + n/4 + ... < n
  for each poison. Answers that arrived before a crash are kept.

A crash for lack of GPU memory is the settings' fault as long as `memory_ladder` knows a step down.

Crashes of groups are bounded by `MOST_POISONS` times log2(n) for a lane and do not count against
`engine_restarts`, which is for engines that crash on their own; neither do the two crashes before
them, once the request is found. How far the search has come is
kept with each item (`engine_deaths`, `died_among`), so the next lane or try goes on with it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence

from profiles.errors import EngineError
from profiles.synthesis.lane.assessment import killer_attempt
from profiles.synthesis.lane.ledger import LaneLimits, Ledger
from profiles.synthesis.lane.window import DEATHS_BEFORE_SUSPECT, Job
from profiles.synthesis.process.protocol import EngineReady

log = logging.getLogger(__name__)

MOST_POISONS = 8
_MOST_BACKOFF_SECONDS = 30.0
_SLICE_SECONDS = 0.25
_RETRACTED = 0.25
"""Share of the running requests that an engine short of memory may have put back in its queue."""


class Recovery:
    """Recovers one lane from crashes of its engine."""

    def __init__(
        self,
        ledger: Ledger,
        limits: LaneLimits,
        *,
        relieve: Callable[[EngineError, EngineReady | None], str | None],
        is_ending: Callable[[], bool],
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self._ledger = ledger
        self._limits = limits
        self.notes: list[str] = []
        self._relieve = relieve
        self._is_ending = is_ending
        self._clock = clock
        self._sleep = sleep
        self._most_suspects = 1

    def recover(self, error: EngineError, *, ready: EngineReady | None) -> None:
        """Stores what was answered, releases the rest and waits a little.

        Raises:
            EngineError: the engine never came up, or too many have crashed.
        """
        counters = self._ledger.counters
        counters["engine_deaths"] += 1
        log.warning("engine crash %s: %s", counters["engine_deaths"], error)
        if self._take_step(error, ready):
            return
        lost = () if error.is_remote else self._ledger.work.in_flight
        in_group = bool(lost) and lost[0].is_suspect
        if in_group:
            counters["isolation_deaths"] += 1
            self._most_suspects = max(self._most_suspects, 2 * self._ledger.work.group_size)
        crashed = could_have_run(lost, ready)
        suspects = [job for job in crashed if job.item.engine_deaths >= DEATHS_BEFORE_SUSPECT - 1]
        if in_group and self._ledger.work.group_size == 1:
            self._refuse(lost[0])
        elif suspects:
            log.warning("%s requests are suspected of having ended the engine", len(suspects))
        self._ledger.flush_all()
        self._ledger.give_back({job.item.candidate_id for job in crashed}, among=len(suspects))
        own = self._unexplained_deaths
        if (
            self._ledger.cold_start.load_seconds is None
            or own > self._limits.engine_restarts
            or counters["isolation_deaths"] > self._most_isolation_deaths
        ):
            raise error
        self._back_off(1 if in_group else max(1, own))

    @property
    def _unexplained_deaths(self) -> int:
        """Crashes that neither a group, nor memory, nor a request found since accounts for."""
        counters = self._ledger.counters
        explained = counters["isolation_deaths"] + counters["memory_steps"]
        explained += DEATHS_BEFORE_SUSPECT * counters["poisons"]
        return max(0, counters["engine_deaths"] - explained)

    def _take_step(self, error: EngineError, ready: EngineReady | None) -> bool:
        """Whether the next engine needs less memory. Then no request is to blame for this one."""
        step = self._relieve(error, ready)
        if step is None:
            return False
        self.notes.append(step)
        log.warning("the next engine starts with less: %s", step)
        self._ledger.counters["memory_steps"] += 1
        self._ledger.flush_all()
        self._ledger.give_back()
        self._back_off(1)
        return True

    @property
    def _most_isolation_deaths(self) -> int:
        return MOST_POISONS * max(1, math.ceil(math.log2(self._most_suspects)))

    def _refuse(self, job: Job) -> None:
        self._ledger.counters["poisons"] += 1
        self._ledger.work.answered(job.request_id)
        self._ledger.keep(job, killer_attempt(job.item, job.number))
        log.warning("candidate %s ended an engine alone and is refused", job.item.candidate_id)

    def _back_off(self, crashes: int) -> None:
        wanted = self._limits.backoff_seconds * 2 ** (crashes - 1)
        until = self._clock() + min(wanted, _MOST_BACKOFF_SECONDS)
        while not self._is_ending() and self._clock() < until:
            self._sleep(min(_SLICE_SECONDS, max(0.0, until - self._clock())))


def could_have_run(lost: Sequence[Job], ready: EngineReady | None) -> Sequence[Job]:
    """Those of the requests in flight that the engine may have been working on when it crashed.

    An engine that takes requests in their order works on the oldest: no more than it runs at once,
    and a few that it had to put back. Where another order is set, all of them.
    """
    if ready is None:
        return lost
    order = ready.details.get("arguments", {}).get("schedule_policy", "fcfs")
    if order != "fcfs":
        return lost
    return lost[: math.ceil(ready.at_once * (1 + _RETRACTED))]
