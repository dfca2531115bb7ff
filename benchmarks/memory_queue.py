"""The queue of one lane in memory, for benchmarks of lanes without Postgres."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from profiles.models import (
    Attempt,
    ColdStart,
    EngineProfile,
    Lease,
    LengthBand,
    LengthRule,
    QueueState,
    Sampling,
    WorkItem,
)

ANSWER_TOKENS = 200
PROFILE = EngineProfile(
    name="endurance",
    version="1",
    answer="text",
    skills_from="document",
    system_prompt="",
    user_template="",
    output_schema=None,
    length=LengthRule(LengthBand(1, 1000), 600, 0.4, 0.8),
    sampling=Sampling(max_new_tokens=ANSWER_TOKENS),
    attempts=2,
    max_document_tokens=4000,
    retry_max_new_tokens=ANSWER_TOKENS,
)


class MemoryQueue:
    """The lease tables of one lane, in memory; keeps the time of each answer."""

    def __init__(self, count: int) -> None:
        self._items = {n: WorkItem(n, f"{n:032x}", "hash", "", 100) for n in range(count)}
        self._free = list(self._items)
        self._held: dict[int, set[int]] = {}
        self._batches = 0
        self.answered_at: dict[int, float] = {}

    def state(self, *, first: bool = False) -> QueueState:
        """Number of pending documents."""
        return QueueState(bool(self._free), len(self.answered_at) < len(self._items), 1e9)

    def reclaim(self) -> None:
        """Nothing: there was no earlier try."""

    def lease(self, size: int) -> Lease | None:
        """The next documents."""
        if not self._free:
            return None
        self._batches += 1
        taken, self._free = self._free[:size], self._free[size:]
        self._held[self._batches] = set(taken)
        return Lease(self._batches, tuple(self._items[n] for n in taken), 1e9)

    def renew(self, batch_ids: Collection[int]) -> frozenset[int]:
        """Every lease is kept."""
        return frozenset()

    def store(self, batch_id: int, attempts: Sequence[Attempt]) -> None:
        """Takes answers; one document may have one."""
        for attempt in attempts:
            if attempt.is_terminal:
                if attempt.item.candidate_id in self.answered_at:
                    raise RuntimeError(f"document {attempt.item.candidate_id} was answered twice")
                self.answered_at[attempt.item.candidate_id] = time.monotonic()
                self._held[batch_id].discard(attempt.item.candidate_id)

    def release(
        self, batch_id: int, *, died_in_flight: Collection[int] = (), died_among: int = 0
    ) -> None:
        """Frees what has no answer."""
        for n in sorted(self._held.pop(batch_id)):
            item = self._items[n]
            if n in died_in_flight:
                crashes = item.engine_deaths + 1
                self._items[n] = replace(item, engine_deaths=crashes, died_among=died_among)
            self._free.append(n)
        # As a lease orders them: what was asked first is asked first again.
        self._free.sort()

    def beat(
        self, counters: Mapping[str, float], *, cold_start: ColdStart, gauges: Mapping[str, float]
    ) -> None:
        """Nobody watches."""
