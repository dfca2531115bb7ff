"""Leases of planned documents: a batch of items that one lane may work on for a while.

Every write carries the batch id as fencing token. A lease that nobody renews is taken over, and
from then on the old holder's writes store nothing (`FencedError`). Leases are global: two runs
never work on one fingerprint at the same time. All times are the database's.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import psycopg
from psycopg.types.json import Jsonb

from profiles.errors import DatabaseUnavailableError, FencedError
from profiles.models import Attempt, ColdStart, Lease, Outcome, QueueState, WorkItem
from profiles.planning import ReleaseKey
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute, record, records

log = logging.getLogger(__name__)

IDLE_SECONDS = 30
"""Postgres ends a lane's transaction after so long without a statement: the process is frozen, and
all other lanes wait for its lock."""

_END_WHEN_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '{}s'"
_OUTAGES = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.IdleInTransactionSessionTimeout,
)


@dataclass(frozen=True, slots=True)
class LaneQueue:
    """The work of one lane of one run: leases, results and the lane's own row."""

    database: Database
    run_id: str
    lane: int
    lease_seconds: int

    def state(self, *, first: bool = False) -> QueueState:
        """Queue state of this lane; `first` counts items of its earlier attempt as leasable."""
        with self._transaction() as connection:
            row = record(connection, "synthesis/select_queue_state", **self._key, first=first)
        return QueueState(**row or {"leasable": False, "held": False, "seconds_left": 0.0})

    def reclaim(self) -> None:
        """Ends expired leases and those of an earlier try of this lane: one lane is one task
        instance, so their holder has ended or is about to, and is fenced either way."""
        with self._transaction() as connection:
            execute(connection, "synthesis/lock_leases")
            _expire(connection, **self._key)

    def lease(self, size: int) -> Lease | None:
        """The next items, None when there are none now; what another run finished is adopted."""
        bound = {**self._key, "size": size, "lease_seconds": self.lease_seconds}
        while True:
            with self._transaction() as connection:
                execute(connection, "synthesis/lock_leases")
                _expire(connection, run_id=None, lane=None)
                while execute(connection, "synthesis/adopt_outcomes", **bound).rowcount:
                    pass
                rows = records(connection, "synthesis/lease_batch", **bound)
                if not rows:
                    return None
                batch_id, seconds_left = rows[0]["batch_id"], rows[0]["seconds_left"]
                changed = [row["candidate_id"] for row in rows if row["document"] is None]
                _defer(connection, self.run_id, batch_id, changed, "that changed after the plan")
            unchanged = [row for row in rows if row["document"] is not None]
            if unchanged:
                items = msgspec.convert(unchanged, tuple[WorkItem, ...])
                return Lease(batch_id, items, seconds_left)
            self.release(batch_id)

    def renew(self, batch_ids: Collection[int]) -> frozenset[int]:
        """Prolongs leases and returns those that were lost to somebody else."""
        if not batch_ids:
            return frozenset()
        with self._transaction() as connection:
            bound = {"batch_ids": list(batch_ids), "lease_seconds": self.lease_seconds}
            kept = execute(connection, "synthesis/renew_batches", **bound).fetchall()
        return frozenset(batch_ids) - {row[0] for row in kept}

    def store(self, batch_id: int, attempts: Sequence[Attempt]) -> None:
        """Stores attempts of one batch in one short transaction; a repeated call changes nothing.
        An answer about somebody who was erased meanwhile is dropped. Raises FencedError, with
        nothing stored, when the lease was lost, DatabaseUnavailableError when the outcome is
        unknown: call again."""
        if not attempts:
            return
        with self._transaction() as connection:
            held = execute(connection, "synthesis/hold_batch", batch_id=batch_id).fetchone()
            if held is None or held[0] not in ("leased", "done"):
                raise FencedError(batch_id)
            if held[0] == "done":
                # Only its holder ends a batch as done, with every item's outcome stored: this is
                # the same call again after an answer of the server got lost.
                return
            attempts = _of_known_people(connection, attempts)
            bound = {
                "batch_id": batch_id,
                "run_id": held[1],
                "attempts": Jsonb([_row_of(attempt, batch_id) for attempt in attempts]),
                "release": False,
                "crashed": [],
                "died_among": 0,
            }
            execute(connection, "synthesis/retract_accepted", **bound)
            execute(connection, "synthesis/insert_completions", **bound)
            closed = execute(connection, "synthesis/close_items", **bound).rowcount
            deferred = [attempt.item.candidate_id for attempt in attempts if attempt.is_deferred]
            _defer(connection, held[1], batch_id, deferred, "over faults of the engine")
            if closed != sum(attempt.is_terminal for attempt in attempts):
                raise FencedError(batch_id)
            execute(connection, "synthesis/end_batch", **bound)

    def release(
        self, batch_id: int, *, died_in_flight: Collection[int] = (), died_among: int = 0
    ) -> None:
        """End a lease and release its open items; no effect on a lease that was lost. The requests
        of `died_in_flight` were in a crash, `died_among` of all the lane's are suspected of it."""
        bound = {"batch_id": batch_id, "crashed": list(died_in_flight), "died_among": died_among}
        with self._transaction() as connection:
            execute(connection, "synthesis/end_batch", **bound, release=True)

    def open_lane(self, release: ReleaseKey, *, reason: str, cards: Sequence[str] = ()) -> None:
        self._write(
            "synthesis/start_lane",
            host=socket.gethostname(),
            pid=os.getpid(),
            cards=list(cards),
            parallelism=f"TP={len(cards)}" if cards else "",
            reason=reason,
            engine=release.engine,
            model=release.model,
        )

    def beat(
        self, counters: Mapping[str, float], *, cold_start: ColdStart, gauges: Mapping[str, float]
    ) -> None:
        """Shows that the lane lives, its counters and its engine's last figures."""
        self._write(
            "synthesis/beat_lane",
            counters=Jsonb(dict(counters)),
            gauges=Jsonb(dict(gauges)),
            **asdict(cold_start),
        )

    def store_gpu_samples(self, samples: Sequence[dict[str, Any]]) -> None:
        self._write("synthesis/insert_gpu_samples", samples=Jsonb(samples))

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

    @property
    def _key(self) -> dict[str, Any]:
        return {"run_id": self.run_id, "lane": self.lane}

    def _write(self, name: str, **values: object) -> None:
        with self._transaction() as connection:
            execute(connection, name, **self._key, **values)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A short transaction on a connection of its own; every outage is the same error."""
        try:
            with self.database.connect() as connection:
                connection.execute(_END_WHEN_IDLE.format(IDLE_SECONDS))
                yield connection
        except _OUTAGES as error:
            raise DatabaseUnavailableError(
                f"Postgres at {self.database.location} went away ({type(error).__name__}); the "
                "lane tries again until its leases run out"
            ) from error


def _of_known_people(connection: Connection, attempts: Sequence[Attempt]) -> list[Attempt]:
    candidate_ids = [attempt.item.candidate_id for attempt in attempts]
    found = execute(connection, "synthesis/hold_candidates", candidate_ids=candidate_ids)
    known = {candidate_id for (candidate_id,) in found}
    kept = [attempt for attempt in attempts if attempt.item.candidate_id in known]
    if len(kept) < len(attempts):
        log.warning("dropped %s answers about erased people", len(attempts) - len(kept))
    return kept


def _expire(connection: Connection, *, run_id: str | None, lane: int | None) -> None:
    """Reclaims expired leases, and the live ones of a lane that is named."""
    rows = execute(connection, "synthesis/expire_batches", run_id=run_id, lane=lane).fetchall()
    if rows:
        log.warning("reclaimed %s leases that expired: %s", len(rows), [row[0] for row in rows])


def _defer(
    connection: Connection, run_id: str, batch_id: int, candidate_ids: list[int], why: str
) -> None:
    if not candidate_ids:
        return
    bound = {"run_id": run_id, "batch_id": batch_id, "candidate_ids": candidate_ids}
    execute(connection, "synthesis/defer_items", **bound)
    log.warning("deferred %s documents %s; the next run plans them again", len(candidate_ids), why)


def _row_of(attempt: Attempt, batch_id: int) -> dict[str, Any]:
    """The attempt as `insert_completions` reads it. Postgres stores neither NUL nor surrogates."""
    item, verdict = attempt.item, attempt.verdict
    row = {
        **asdict(attempt.completion),
        **asdict(verdict),
        "raw_text": attempt.completion.text,
        "outcome": verdict.outcome,
        "method": "extractive" if verdict.outcome is Outcome.EXTRACTIVE else "model",
        "candidate_id": item.candidate_id,
        "fingerprint": item.fingerprint,
        "content_hash": item.content_hash,
        "attempt": attempt.number,
        "attempt_id": f"{batch_id}.{attempt.number}",
        "is_terminal": attempt.is_terminal,
        "wants_accepted": attempt.is_terminal and verdict.outcome is not Outcome.REJECTED,
    }
    return {name: _storable(value) for name, value in row.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
