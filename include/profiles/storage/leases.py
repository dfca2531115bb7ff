"""Leases of planned documents: a batch of items that one lane may work on for a while.

Every write carries the batch id as fencing token. A lease that nobody renews is taken over, and
from then on the old holder's writes store nothing (`FencedError`). Leases are global: two runs
never work on one fingerprint at the same time. All times are the database's.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import psycopg
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from profiles.errors import DatabaseUnavailableError, FencedError
from profiles.models import (
    Attempt,
    Lease,
    PreviousRejection,
    QueueState,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
    WorkItem,
)
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute

log = logging.getLogger(__name__)


def lease_batch(
    database: Database, *, run_id: str, lane: int, size: int, lease_seconds: int
) -> Lease | None:
    """The next items of the run for this lane, None when there is nothing to lease now. Expired
    leases are reclaimed first; items that another run has finished get that outcome."""
    bound = {"run_id": run_id, "lane": lane, "size": size, "lease_seconds": lease_seconds}
    while True:
        with transaction(database) as connection:
            execute(connection, "synthesis/lock_leases")
            _expire(connection, run_id=None, lane=None)
            while execute(connection, "synthesis/adopt_outcomes", **bound).rowcount:
                pass
            rows = execute(connection, "synthesis/lease_batch", **bound).fetchall()
            if not rows:
                return None
            lease = _lease_of(rows)
            changed = [row[1] for row in rows if row[4] is None]
            _defer(connection, (run_id, lease.batch_id), changed, "that changed after the plan")
        if lease.items:
            return lease
        release_batch(database, batch_id=lease.batch_id)


def renew(database: Database, *, batch_ids: Collection[int], lease_seconds: int) -> frozenset[int]:
    """Prolongs leases and returns those that were lost to somebody else."""
    if not batch_ids:
        return frozenset()
    with transaction(database) as connection:
        kept = execute(
            connection,
            "synthesis/renew_batches",
            batch_ids=list(batch_ids),
            lease_seconds=lease_seconds,
        ).fetchall()
    return frozenset(batch_ids) - {row[0] for row in kept}


def persist_results(database: Database, *, batch_id: int, attempts: Sequence[Attempt]) -> None:
    """Stores attempts of one batch in one short transaction; repeating the call changes nothing.

    An answer about somebody who was erased meanwhile is dropped.

    Raises:
        FencedError: the batch lost its lease, or an item is no longer its own; nothing is stored.
        DatabaseUnavailableError: the outcome is unknown; call again.
    """
    if not attempts:
        return
    with transaction(database) as connection:
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
        deferred = [attempt.candidate_id for attempt in attempts if attempt.is_deferred]
        _defer(connection, (held[1], batch_id), deferred, "over faults of the engine")
        if closed != sum(attempt.is_terminal for attempt in attempts):
            raise FencedError(batch_id)
        execute(connection, "synthesis/end_batch", **bound)


def release_batch(
    database: Database,
    *,
    batch_id: int,
    died_in_flight: Collection[int] = (),
    died_among: int = 0,
) -> None:
    """End a lease and release its open items; no effect on a lease that was lost. The requests of
    `died_in_flight` were in a crash, `died_among` of all the lane's are suspected of it."""
    with transaction(database) as connection:
        execute(
            connection,
            "synthesis/end_batch",
            batch_id=batch_id,
            release=True,
            crashed=list(died_in_flight),
            died_among=died_among,
        )


def expire_batches(
    database: Database, *, run_id: str | None = None, lane: int | None = None
) -> list[int]:
    """Reclaim expired leases and return their batch ids.

    With `run_id` and `lane`, also the live ones of an earlier try of that lane: one lane is one
    task instance, so their holder has ended or is about to, and is fenced either way.
    """
    with transaction(database) as connection:
        execute(connection, "synthesis/lock_leases")
        return _expire(connection, run_id=run_id, lane=lane)


def queue_state(database: Database, *, run_id: str, lane: int, first: bool = False) -> QueueState:
    """State of the queue for this lane; `first` counts items of its earlier attempt as leasable."""
    with transaction(database) as connection:
        row = execute(
            connection, "synthesis/select_queue_state", run_id=run_id, lane=lane, first=first
        ).fetchone()
    if row is None:
        return QueueState(leasable=False, held=False, seconds_left=0.0)
    return QueueState(leasable=row[0], held=row[1], seconds_left=row[2])


@contextmanager
def transaction(database: Database) -> Iterator[Connection]:
    """A short transaction on a connection of its own; an outage is one kind of error.

    Raises:
        DatabaseUnavailableError: the server did not answer or went away meanwhile.
    """
    try:
        with database.connect() as connection:
            yield connection
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise DatabaseUnavailableError(
            f"Postgres at {database.location} went away ({type(error).__name__}); the lane tries "
            "again until its leases run out"
        ) from error


def _of_known_people(connection: Connection, attempts: Sequence[Attempt]) -> list[Attempt]:
    known = {
        candidate_id
        for (candidate_id,) in execute(
            connection,
            "synthesis/hold_candidates",
            candidate_ids=[attempt.candidate_id for attempt in attempts],
        )
    }
    kept = [attempt for attempt in attempts if attempt.candidate_id in known]
    if len(kept) < len(attempts):
        log.warning("dropped %s answers about erased people", len(attempts) - len(kept))
    return kept


def _expire(connection: Connection, *, run_id: str | None, lane: int | None) -> list[int]:
    rows = execute(connection, "synthesis/expire_batches", run_id=run_id, lane=lane).fetchall()
    expired = [row[0] for row in rows]
    if expired:
        log.warning("reclaimed %s leases that expired: %s", len(expired), expired)
    return expired


def _lease_of(rows: Sequence[TupleRow]) -> Lease:
    return Lease(
        batch_id=rows[0][0],
        items=tuple(
            WorkItem(
                candidate_id=candidate_id,
                fingerprint=fingerprint,
                content_hash=content_hash,
                document=markdown,
                word_count=word_count,
                attempts_made=attempts_made,
                engine_deaths=engine_deaths,
                died_among=died_among,
                rejection=_rejection_of(rejection) if rejection else None,
            )
            for (
                _,
                candidate_id,
                fingerprint,
                content_hash,
                markdown,
                word_count,
                engine_deaths,
                died_among,
                attempts_made,
                rejection,
                _,
            ) in rows
            if markdown is not None
        ),
        seconds_left=rows[0][-1],
    )


def _rejection_of(stored: dict[str, Any]) -> PreviousRejection:
    return PreviousRejection(
        RejectionReason(stored["reason"]),
        tuple(
            RemovedSentence(found["sentence"], RemovalReason(found["reason"]))
            for found in stored["removed"]
            if found["sentence"]
        ),
    )


def _defer(
    connection: Connection,
    lease: tuple[str, int],
    candidate_ids: list[int],
    why: str,
) -> None:
    """Defers items of the lease of a run, `(run_id, batch_id)`."""
    if not candidate_ids:
        return
    run_id, batch_id = lease
    bound = {"run_id": run_id, "batch_id": batch_id, "candidate_ids": candidate_ids}
    execute(connection, "synthesis/defer_items", **bound)
    log.warning("deferred %s documents %s; the next run plans them again", len(candidate_ids), why)


def _row_of(attempt: Attempt, batch_id: int) -> dict[str, Any]:
    """The attempt as `insert_completions` reads it. Postgres stores neither NUL nor surrogates."""
    row = asdict(attempt)
    row["attempt"] = row.pop("number")
    row["attempt_id"] = f"{batch_id}.{attempt.number}"
    row["wants_accepted"] = attempt.is_terminal and attempt.outcome.is_published
    return {name: _storable(value) for name, value in row.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
