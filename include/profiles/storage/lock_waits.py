"""Changes of tables that others read: short waits for their locks, and who was in the way.

A statement that waits for a table lets nobody in who comes after it. So it waits shortly, steps
back, and tries again once those who were in its way have ended. Work that takes long is none of
this: only waiting ends a try.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Event, Thread

import psycopg
from psycopg.rows import TupleRow

from profiles.errors import BusyError, ProfilesError
from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["in_short_waits"]

log = logging.getLogger(__name__)

LOCK_SECONDS = 2.0
"""How long others may queue behind a statement that itself waits. Longer than Postgres'
deadlock_timeout, after which an autovacuum in the way ends itself."""

PATIENCE_SECONDS = 240.0
"""How long all waiting for locks may take."""

REPEATED_SECONDS = 1_800.0
"""How long work may take altogether that a lock after it undid, unless these are the first tries:
others may come in its way again and again, none of them for long."""

FEWEST_TRIES = 3

WATCH_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class _Wait:
    """The lock that was waited for, and the transactions that had it or stood before."""

    wanted: str
    holders: tuple[str, ...]
    transactions: tuple[str, ...]

    def is_as(self, other: _Wait) -> bool:
        """Whether the same are in the way of the same; for how long they are changes always."""
        return (self.wanted, self.transactions) == (other.wanted, other.transactions)

    def __str__(self) -> str:
        return f"{self.wanted}, which {' and '.join(self.holders)} has"


def in_short_waits(
    database: Database,
    connection: psycopg.Connection[TupleRow],
    work: Callable[[], object],
    *,
    what: str,
    again: str,
) -> None:
    """Does `work` in one transaction of `connection`, or in one part of a transaction.

    What follows in that transaction waits for its locks as it would have before.

    Args:
        what: who waits, for messages.
        again: how a person starts it again.

    Raises:
        BusyError: others held a lock all the while, or came in the way of long work too often;
            nothing was done.
    """
    waited = worked = 0.0
    told: _Wait | None = None
    for tries in count(1):
        begun = time.monotonic()
        seen: list[_Wait] = []
        try:
            with connection.transaction():
                _try(database, connection, work, seen)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            # What came before the wait is work, and as long as it is.
            took = time.monotonic() - begun
            waited += min(LOCK_SECONDS, took)
            worked += max(0.0, took - LOCK_SECONDS)
        else:
            return
        wait = seen[-1] if seen else _UNSEEN
        if told is None or not wait.is_as(told):
            told = wait
            log.warning("%s waits for %s", what, wait)
        is_given_up = worked >= REPEATED_SECONDS and tries >= FEWEST_TRIES
        if not is_given_up:
            waited += _let_others_in(connection, wait, PATIENCE_SECONDS - waited)
        if is_given_up or waited >= PATIENCE_SECONDS:
            raise BusyError(
                f"{what} waited {waited:.0f} s in {tries} tries for {wait}. Nothing of it was "
                "done, and others were let in between its tries. Wait for that to end, or end it "
                f"with `SELECT pg_terminate_backend(PID)`, then {again}"
            )


def _try(
    database: Database,
    connection: psycopg.Connection[TupleRow],
    work: Callable[[], object],
    seen: list[_Wait],
) -> None:
    # Asked in the transaction: behind a pooler the driver knows the pooler's number.
    pid, before = connection.execute(
        "SELECT pg_backend_pid(), current_setting('lock_timeout')"
    ).fetchone() or (0, "0")
    set_timeout = "SELECT set_config('lock_timeout', %s, true)"
    connection.execute(set_timeout, (f"{LOCK_SECONDS:g}s",))
    with _watching(database, pid, seen):
        work()
    # An outer transaction goes on, and must not fail over a row that somebody writes.
    connection.execute(set_timeout, (before,))


_UNSEEN = _Wait("a lock", ("another transaction (pg_stat_activity shows it)",), ())


def _let_others_in(connection: psycopg.Connection[TupleRow], wait: _Wait, at_most: float) -> float:
    """Sleeps until those in the way have ended; asks for no lock meanwhile. Returns the seconds.

    By then nothing was changed, so a session that is in a transaction may ask from inside it.
    """
    begun = time.monotonic()
    time.sleep(LOCK_SECONDS)
    while time.monotonic() - begun < at_most:
        row = connection.execute(
            load("locks/select_going_on"), {"transactions": list(wait.transactions)}
        ).fetchone()
        if row is None or not row[0]:
            break
        time.sleep(LOCK_SECONDS / 2)
    return time.monotonic() - begun


@contextmanager
def _watching(database: Database, pid: int, seen: list[_Wait]) -> Iterator[None]:
    """Looks from a second connection at what session `pid` waits for; `seen` has the newest.

    Never waited for: it may be connecting still when the lock that others queue for is held.
    """
    done = Event()
    Thread(target=_watch, args=(database, pid, seen, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(database: Database, pid: int, seen: list[_Wait], done: Event) -> None:
    try:
        with database.connect(autocommit=True) as connection:
            while not done.wait(WATCH_SECONDS):
                found = connection.execute(load("locks/select_waits"), {"pid": pid}).fetchall()
                if found:
                    seen[:] = [_wait_of(found)]
    except (psycopg.Error, ProfilesError) as error:
        # It only adds to a message. Not its text: a driver may quote the address.
        log.info("who holds a lock cannot be looked at (%s)", type(error).__name__)


def _wait_of(found: list[TupleRow]) -> _Wait:
    name, mode = found[0][:2]
    return _Wait(
        f"{mode} on {name}",
        tuple(_holder(*row[2:]) for row in found),
        tuple(row[3] for row in found if row[3] is not None),
    )


def _holder(
    pid: int,
    _transaction: str | None,
    user: str | None,
    state: str | None,
    seconds: int | None,
) -> str:
    if pid == 0:
        return "a prepared transaction (pg_prepared_xacts shows it; ROLLBACK PREPARED ends it)"
    known = [
        text
        for text in (
            user and f"user {user}",
            state,
            None if seconds is None else f"for {seconds} s",
        )
        if text
    ]
    return f"process {pid} ({', '.join(known)})" if known else f"process {pid}"
