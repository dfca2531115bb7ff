"""The `synthesis.run` row, what a lane has to know of it, and the bucket sums of a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from psycopg.types.json import Jsonb

from profiles.errors import ReconciliationError, SettingsError
from profiles.models import Bucket
from profiles.params import RunParams
from profiles.storage.connection import Database
from profiles.storage.releases import Release, find_release
from profiles.storage.sql_files import Connection, execute, record


def note_alert(database: Database, *, run_id: str, message: str, failed: bool) -> str | None:
    """Adds to the run's row that it failed or is late; returns what the row says then, None without
    a row. What verify_run or a stage recorded already explains a failure better and stays alone."""
    with database.connect() as connection:
        row = execute(
            connection, "report/note_alert", run_id=run_id, message=message, failed=failed
        ).fetchone()
    return row[0] if row else None


def start_run(database: Database, *, run_id: str, params: RunParams) -> None:
    """Creates the row of this run, or sets an existing one (a cleared run) back to running."""
    with database.connect() as connection:
        database.require_primary(connection)
        open_run(connection, run_id=run_id, params=params)


def open_run(connection: Connection, *, run_id: str, params: RunParams) -> None:
    execute(
        connection,
        "plan/start_run",
        run_id=run_id,
        params=Jsonb(asdict(params)),
        publishes=params.publish_override or not params.overrides_release,
    )


def read_assignment(database: Database, *, run_id: str) -> tuple[RunParams, Release]:
    """The run's Params and the release that its items were fingerprinted with."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT params, release_id FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
        if row is None or row[1] is None:
            raise SettingsError(
                f"run {run_id} has no plan; clear plan_synthesis and its downstream tasks"
            )
        return RunParams.from_mapping(row[0]), find_release(connection, row[1])


@dataclass(frozen=True, slots=True)
class BucketCounts:
    """Candidates of a run by bucket, counted now; `candidates` and `planned` by the plan."""

    candidates: int
    planned: int
    buckets: dict[Bucket, int]

    def check(self, run_id: str) -> None:
        """Raises ReconciliationError where the sums do not hold."""
        planned = sum(self.buckets[bucket] for bucket in Bucket.planned())
        total = sum(self.buckets.values())
        if (planned, total) != (self.planned, self.candidates):
            raise ReconciliationError(
                f"run {run_id}: {self.planned} documents of {self.candidates} candidates were "
                f"planned, but {planned} of {total} are counted now. Clear plan_synthesis and its "
                "downstream tasks; nothing was published."
            )


def count_buckets(connection: Connection, run_id: str) -> BucketCounts:
    """The buckets of a run; ReconciliationError when it was never planned."""
    row = record(connection, "report/count_buckets", run_id=run_id)
    if row is None or row["planned"] is None:
        raise ReconciliationError(
            f"run {run_id} has no plan; look at the log of plan_synthesis, fix the cause, "
            "then clear it and its downstream tasks"
        )
    return BucketCounts(
        candidates=row["candidates"],
        planned=row["planned"],
        buckets={bucket: row[bucket.value] for bucket in Bucket},
    )
