"""Brings the serving table up to date, in one transaction."""

from __future__ import annotations

import logging

from profiles.errors import ReconciliationError
from profiles.settings import load_settings
from profiles.steps.stage import Counts, stage
from profiles.storage.connection import Database
from profiles.storage.reports import count_buckets
from profiles.storage.sql_files import load

log = logging.getLogger(__name__)


def run(database: Database, *, run_id: str, planned: bool, tagged: bool) -> Counts:
    """Publishes what is valid and withdraws who is gone; a second call changes nothing.

    What is published depends on the state, not on the run: each person's accepted completion of
    the document as it is, else the newest. So a cleared task of an old run cannot put an older
    text over a newer one.

    Args:
        planned: whether plan_synthesis of this run succeeded.
        tagged: whether tag_domains of this run succeeded.

    Raises:
        ReconciliationError: a needed task failed, or the buckets do not add up.
        BusyError: another run is publishing.
    """
    _require(run_id, planned=planned, tagged=tagged)
    with (
        stage(database, run_id=run_id, name="publish") as counts,
        database.lock("publish"),
        database.connect() as connection,
    ):
        connection.execute(load("publish/defer_after_window"), {"run_id": run_id})
        count_buckets(connection, run_id).check(run_id)
        connection.execute(
            load("publish/select_wanted"),
            {"publish_inferred": load_settings().publish_inferred_skills},
        )
        counts["published"] = connection.execute(
            load("publish/upsert_wanted"), {"run_id": run_id}
        ).rowcount
        counts["withdrawn"] = connection.execute(load("publish/withdraw_gone")).rowcount
        connection.execute(
            load("publish/mark_published"), {"run_id": run_id, "withdrawn": counts["withdrawn"]}
        )
    return counts


def _require(run_id: str, *, planned: bool, tagged: bool) -> None:
    failed = [
        name
        for name, succeeded in (("plan_synthesis", planned), ("tag_domains", tagged))
        if not succeeded
    ]
    if failed:
        raise ReconciliationError(
            f"run {run_id}: nothing was published because {' and '.join(failed)} did not succeed. "
            "Mend the cause and clear that task with what follows."
        )
