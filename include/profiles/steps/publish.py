"""Brings the serving table up to date, in one transaction.

A night that changes few people writes their rows. One that changes most builds the table again
beside the old one and swaps them at the end, because adding to the GIN indexes row by row costs
more than building them; where a reader holds the table for minutes, it writes rows too. Readers
see the old rows until the commit, either way.
"""

from __future__ import annotations

import logging

from profiles.errors import BusyError, DriftError, ReconciliationError
from profiles.settings import load_settings
from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.lock_waits import in_short_waits
from profiles.storage.runs import count_buckets, count_reasons, gate_bands
from profiles.storage.sql_files import Connection, execute, load

log = logging.getLogger(__name__)

REBUILD_SHARE = 0.2
"""Share of the serving table from which on building it again is quicker than writing into it."""

REBUILD_ROWS = 5_000
"""Changed rows below which writing takes seconds, so that no reader needs to be locked out."""


def run(database: Database, *, run_id: str, planned: bool, tagged: bool) -> Counts:
    """Publishes what is valid and withdraws who is gone; a second call changes nothing.

    What is published depends on the state, not on the run, so a cleared task of an old run puts no
    older text over a newer. `planned` and `tagged`: these tasks of the run succeeded.
    """
    done = {"plan_synthesis": planned, "tag_domains": tagged}
    if failed := [name for name, succeeded in done.items() if not succeeded]:
        raise ReconciliationError(
            f"run {run_id}: nothing was published because {' and '.join(failed)} did not succeed. "
            "Fix the cause and clear that task and its downstream tasks."
        )
    with (
        stage(database, run_id=run_id, name="publish") as counts,
        database.lock("publish"),
        database.connect() as connection,
    ):
        execute(connection, "publish/defer_after_window", run_id=run_id)
        count_buckets(connection, run_id).check(run_id)
        if load_settings().stop_on_drift:
            bands = gate_bands(connection, run_id, count_reasons(connection, run_id))
            if outside := [str(band) for band in bands if band.is_outside]:
                raise DriftError(
                    f"run {run_id}: nothing was published because the gate's figures left their "
                    f"bands: {'; '.join(outside)}. Check what it rejected (profiles export); to "
                    "publish anyway, set PROFILES_STOP_ON_DRIFT=false and clear publish."
                )
        execute(connection, "publish/set_resources")
        _write(connection, run_id, counts)
        execute(connection, "publish/mark_published", run_id=run_id, withdrawn=counts["withdrawn"])
    return counts


def _write(connection: Connection, run_id: str, counts: Counts) -> None:
    execute(connection, "publish/find_changes")
    connection.execute("ANALYZE synthesis.publish_change")
    limits = {"rebuild_rows": REBUILD_ROWS, "rebuild_share": REBUILD_SHARE}
    ((changed, gone, is_rebuilt),) = execute(connection, "publish/count_changes", **limits)
    counts["published"], counts["withdrawn"] = changed, gone
    execute(connection, "publish/create_fresh")
    if is_rebuilt and _replace(connection, run_id):
        counts["rebuilt"] = 1
    else:
        execute(connection, "publish/upsert_fresh", run_id=run_id)
        execute(connection, "publish/withdraw_gone")
    connection.execute("DROP VIEW synthesis.publish_fresh")
    connection.execute("DROP TABLE synthesis.publish_change")


def _replace(connection: Connection, run_id: str) -> bool:
    """Build the table again and swap; False, with nothing done, where a reader goes on holding it:
    writing the rows takes longer, but waits for no reader."""
    for statement in load("publish/build_next").split(";"):
        connection.execute(statement, {"run_id": run_id})
    try:
        # Until the commit, which follows at once.
        in_short_waits(
            connection,
            lambda: connection.execute(
                "LOCK TABLE synthesis.candidate_synthesis IN ACCESS EXCLUSIVE MODE"
            ),
            what=f"publish of run {run_id}, to put the new serving table in place,",
        )
    except BusyError as busy:
        log.warning("%s; the rows are written into the present table instead", busy)
        connection.execute("DROP TABLE synthesis.candidate_synthesis_next")
        return False
    execute(connection, "publish/swap_next")
    return True
