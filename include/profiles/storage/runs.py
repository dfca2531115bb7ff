"""The row of a run, its bucket sums, the gate's counts with their bands, series of its lanes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean, pvariance
from typing import Any

from psycopg.types.json import Jsonb

from profiles.errors import ReconciliationError, SettingsError
from profiles.models import Bucket
from profiles.params import RunParams
from profiles.storage.connection import Database
from profiles.storage.releases import Release, find_release
from profiles.storage.sql_files import Connection, execute, record, records


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


FEWEST_RUNS = 5
"""Earlier runs without which there is no band."""

_FEWEST_ANSWERS = 100
"""Answers of a run below which its shares say too little, as a run and as history."""

_DEVIATIONS = 3.0
_NARROWEST = 0.01
"""Half-width below which a band is not drawn: a percent more of anything is no alarm."""


@dataclass(frozen=True, slots=True)
class Band:
    """One figure: its share in this run, and between which shares it is expected."""

    figure: str
    share: float
    low: float
    high: float

    @property
    def is_outside(self) -> bool:
        return not self.low <= self.share <= self.high

    def __str__(self) -> str:
        return f"{self.figure} {self.share:.1%} (band {self.low:.1%} to {self.high:.1%})"


def share_bands(now: Mapping[str, int], before: Sequence[Mapping[str, int]]) -> tuple[Band, ...]:
    """Every figure of `now` or of the runs before, with its band: a control chart for shares.

    Its middle is the mean over the earlier runs, its width three standard deviations to either
    side, of the scatter between those runs and of the counts in this one: so a night of few answers
    is not called odd for being small. Empty when this run or the history is too small to tell.
    """
    total = sum(now.values())
    runs = [run for run in before if sum(run.values()) >= _FEWEST_ANSWERS]
    if total < _FEWEST_ANSWERS or len(runs) < FEWEST_RUNS:
        return ()
    found = []
    for figure in sorted(set(now).union(*runs)):
        shares = [run.get(figure, 0) / sum(run.values()) for run in runs]
        mean = fmean(shares)
        deviation = sqrt(pvariance(shares) + mean * (1 - mean) / total)
        width = max(_DEVIATIONS * deviation, _NARROWEST)
        share = now.get(figure, 0) / total
        found.append(Band(figure, share, max(0.0, mean - width), min(1.0, mean + width)))
    return tuple(found)


def count_reasons(connection: Connection, run_id: str) -> dict[str, dict[str, int]]:
    """What a run's documents, answers and source rows are counted by, for each kind of reason."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, reason, number in execute(connection, "report/count_reasons", run_id=run_id):
        found[kind][reason] = number
    return found


def gate_bands(connection: Connection, run_id: str, gate: Mapping[str, Any]) -> tuple[Band, ...]:
    """Every share with its band, drawn from the 20 published runs before; empty for few runs."""
    rows = execute(connection, "report/select_gate_history", run_id=run_id).fetchall()
    return (
        *share_bands(gate["counts"], [outcomes for outcomes, _ in rows]),
        *share_bands(_scores(gate["scores"]), [_scores(scores) for _, scores in rows]),
    )


def _scores(counts: dict[str, int]) -> dict[str, int]:
    return {f"score: {score}": answers for score, answers in counts.items()}


def run_series(connection: Connection, run_id: str) -> dict[str, Any]:
    """The series of a run, JSON-ready.

    `start` is the time of second 0 in seconds since 1970, `seconds` the middle of each bucket,
    `lanes` and `cards` the series. Empty lists where nothing was measured.
    """
    (span,) = records(connection, "report/select_series_span", run_id=run_id)
    if span["first"] is None:
        return {"start": None, "bucket_seconds": None, "seconds": [], "lanes": [], "cards": []}
    width = span["width"]
    points = int((span["last"] - span["first"]) / width) + 1
    bound = {"run_id": run_id, "first": span["first"], "width": width, "points": points}
    return {
        "start": span["first"],
        "bucket_seconds": round(width, 3),
        "seconds": [round((n + 0.5) * width, 1) for n in range(points)],
        "lanes": records(connection, "report/select_token_series", **bound),
        "cards": records(connection, "report/select_gpu_series", **bound),
    }
