"""Changes of tables that others read: short waits for their locks, and who held them.

A statement that waits for a table blocks everybody who comes after it. So it waits shortly, rolls
back, pauses and tries again. Only the wait for a lock is limited, not the work before it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import psycopg

from profiles.errors import BusyError
from profiles.storage.sql_files import Connection, execute

log = logging.getLogger(__name__)

LOCK_SECONDS = 2.0
"""Most time that others may queue behind a statement that itself waits. Longer than Postgres'
deadlock_timeout, after which an autovacuum in the way ends itself."""

PAUSES = (5.0, 25.0, 60.0, 120.0)
"""Seconds between the tries: others use the table meanwhile."""

_SET_TIMEOUT = "SELECT set_config('lock_timeout', %s, true)"


def in_short_waits(
    connection: Connection, work: Callable[[], object], *, what: str, again: str = ""
) -> None:
    """Do `work` in one transaction of `connection`, or in one savepoint of a transaction. `what`
    waits, and `again` is how a person starts it again. BusyError, with nothing done, where others
    held a lock in each try."""
    for pause in (*PAUSES, None):
        try:
            with connection.transaction():
                before = connection.execute("SELECT current_setting('lock_timeout')").fetchone()
                connection.execute(_SET_TIMEOUT, (f"{LOCK_SECONDS:g}s",))
                work()
                # An outer transaction goes on, and must not fail over a row that somebody writes.
                connection.execute(_SET_TIMEOUT, before)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as error:
            found = execute(connection, "locks/select_holders", seconds=LOCK_SECONDS).fetchall()
            holders = " and ".join(text for (text,) in found) or "a transaction that has ended"
            if pause is None:
                advice = (
                    ". Nothing of it was done. Wait for that to end, or end it with "
                    f"`SELECT pg_terminate_backend(PID)`, then {again}"
                )
                raise BusyError(
                    f"{what} got no lock in {len(PAUSES) + 1} tries; tables are held by {holders}"
                    f"{advice if again else ''}"
                ) from error
        else:
            return
        log.warning("%s waits for tables held by %s; next try in %g s", what, holders, pause)
        time.sleep(pause)
