"""The work of one lane of one run: leases, results and the lane's own row, bound together."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

from psycopg.types.json import Jsonb

from profiles.models import Attempt, ColdStart, GpuSample, Lease, QueueState
from profiles.storage import leases
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute


@dataclass(frozen=True, slots=True)
class LaneQueue:
    """The queue of a lane; see `profiles.storage.leases` for the rules."""

    database: Database
    run_id: str
    lane: int
    lease_seconds: int

    def state(self, *, first: bool = False) -> QueueState:
        """Queue state of this lane; `first` counts leases of its earlier attempt as leasable."""
        return leases.queue_state(self.database, run_id=self.run_id, lane=self.lane, first=first)

    def reclaim(self) -> None:
        """Ends leases of an earlier try of this lane, whose process is gone or fenced from now."""
        leases.expire_batches(self.database, run_id=self.run_id, lane=self.lane)

    def lease(self, size: int) -> Lease | None:
        """The next items, None when nothing can be leased now."""
        return leases.lease_batch(
            self.database,
            run_id=self.run_id,
            lane=self.lane,
            size=size,
            lease_seconds=self.lease_seconds,
        )

    def renew(self, batch_ids: Collection[int]) -> frozenset[int]:
        return leases.renew(self.database, batch_ids=batch_ids, lease_seconds=self.lease_seconds)

    def store(self, batch_id: int, attempts: Sequence[Attempt]) -> None:
        """Stores attempts of one batch.

        Raises:
            FencedError: the lease was lost; nothing is stored.
        """
        leases.persist_results(self.database, batch_id=batch_id, attempts=attempts)

    def release(
        self, batch_id: int, *, died_in_flight: Collection[int] = (), died_among: int = 0
    ) -> None:
        leases.release_batch(
            self.database,
            batch_id=batch_id,
            died_in_flight=died_in_flight,
            died_among=died_among,
        )

    def open_lane(
        self, *, engine: str, model: str, cards: Sequence[str], parallelism: str, reason: str
    ) -> None:
        """Writes the lane's row: where it runs, on what, and why."""
        self._write(
            "synthesis/start_lane",
            host=socket.gethostname(),
            pid=os.getpid(),
            cards=list(cards),
            parallelism=parallelism,
            reason=reason,
            engine=engine,
            model=model,
        )

    def beat(
        self,
        counters: Mapping[str, float],
        *,
        cold_start: ColdStart,
        gauges: Mapping[str, float],
    ) -> None:
        """Shows that the lane lives, its counters and its engine's last figures."""
        self._write(
            "synthesis/beat_lane",
            counters=Jsonb(dict(counters)),
            gauges=Jsonb(dict(gauges)),
            **asdict(cold_start),
        )

    def store_gpu_samples(self, samples: Sequence[GpuSample]) -> None:
        self._write(
            "synthesis/insert_gpu_samples",
            samples=Jsonb([sample.to_row() for sample in samples]),
        )

    def close_lane(
        self,
        *,
        succeeded: bool,
        counters: Mapping[str, float],
        cold_start: ColdStart | None = None,
        reason: str | None = None,
        error: str | None = None,
    ) -> None:
        self._write(
            "synthesis/end_lane",
            state="succeeded" if succeeded else "failed",
            counters=Jsonb(dict(counters)),
            **asdict(cold_start or ColdStart()),
            reason=reason,
            error=error,
        )

    def _write(self, name: str, **values: object) -> None:
        with leases.transaction(self.database) as connection:
            execute(connection, name, run_id=self.run_id, lane=self.lane, **values)
