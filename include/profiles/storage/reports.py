"""What a run came to: the bucket sums that publish, report, status and the page all read."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
from psycopg.rows import dict_row

from profiles.errors import ReconciliationError
from profiles.models import Bucket
from profiles.storage.sql_files import load


@dataclass(frozen=True, slots=True)
class BucketCounts:
    """How many candidates of a run stand in each bucket.

    `candidates` and `planned` are what the plan counted; `buckets` is counted now.
    """

    candidates: int
    planned: int
    buckets: dict[Bucket, int]

    def check(self, run_id: str) -> None:
        """Refuses sums that do not hold.

        Raises:
            ReconciliationError: with both sides of the sum that fails.
        """
        planned = sum(self.buckets[bucket] for bucket in Bucket.planned())
        if planned != self.planned:
            raise ReconciliationError(
                f"run {run_id}: {self.planned} documents were planned but its items add up to "
                f"{planned}. Clear plan_synthesis and what follows; nothing was published."
            )
        idle = (Bucket.FRESH, Bucket.REJECTED_BEFORE, Bucket.TOO_THIN)
        total = sum(self.buckets[bucket] for bucket in idle) + self.planned
        if total != self.candidates:
            raise ReconciliationError(
                f"run {run_id}: fresh + rejected_before + too_thin + planned = {total}, "
                f"but there are {self.candidates} candidates. Clear plan_synthesis and what "
                "follows; nothing was published."
            )


def count_buckets(connection: psycopg.Connection, run_id: str) -> BucketCounts:
    """The buckets of a run.

    Raises:
        ReconciliationError: the run was never planned.
    """
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(load("report/count_buckets"), {"run_id": run_id}).fetchone()
    if row is None or row["planned"] is None:
        raise ReconciliationError(
            f"run {run_id} has no plan; look at the log of plan_synthesis, mend its cause, and "
            "clear it with what follows"
        )
    return BucketCounts(
        candidates=row["candidates"],
        planned=row["planned"],
        buckets={bucket: row[bucket.value] for bucket in Bucket},
    )
