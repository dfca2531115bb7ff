"""A run: its row, what a lane has to know of it, its bucket sums, and its figures beside those of
the runs before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import psycopg
from psycopg.types.json import Jsonb

from profiles.errors import ReconciliationError, SettingsError
from profiles.models import Bucket
from profiles.params import RunParams
from profiles.storage.connection import Database
from profiles.storage.releases import Release, find_release
from profiles.storage.sql_files import Connection, load, records
from profiles.validation.drift import Band, Drift, bands, outside


def note_alert(database: Database, *, run_id: str, message: str, failed: bool) -> str | None:
    """Adds to the run's row that it failed or is late; returns what the row says then.

    What verify_run or a stage said already explains a failure better and stays alone. None when
    the run has no row: it failed before it could make one.
    """
    with database.connect() as connection:
        row = connection.execute(
            load("report/note_alert"), {"run_id": run_id, "message": message, "failed": failed}
        ).fetchone()
    return row[0] if row else None


def start_run(database: Database, *, run_id: str, params: RunParams) -> None:
    """Creates the row of this run, or sets an existing one (a cleared run) back to running."""
    with database.connect() as connection:
        database.require_primary(connection)
        connection.execute(
            load("plan/start_run"),
            {
                "run_id": run_id,
                "params": Jsonb(params.to_mapping()),
                "publishes": params.publish_override or not params.overrides_release,
            },
        )


@dataclass(frozen=True, slots=True)
class Assignment:
    """The run's Params and the release that its items were fingerprinted with."""

    run_id: str
    params: RunParams
    release: Release


def read_assignment(database: Database, *, run_id: str) -> Assignment:
    """The assignment of a planned run.

    Raises:
        SettingsError: the run does not exist or was never planned.
    """
    with database.connect() as connection:
        row = connection.execute(
            "SELECT params, release_id FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
        if row is None or row[1] is None:
            raise SettingsError(
                f"run {run_id} has no plan; clear plan_synthesis with what follows, then its lanes"
            )
        return Assignment(
            run_id=run_id,
            params=RunParams.from_mapping(row[0]),
            release=find_release(connection, row[1]),
        )


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


def count_buckets(connection: Connection, run_id: str) -> BucketCounts:
    """The buckets of a run.

    Raises:
        ReconciliationError: the run was never planned.
    """
    row = next(iter(records(connection, "report/count_buckets", run_id=run_id)), None)
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


HISTORY_RUNS = 20
"""Earlier runs that a control band is drawn from."""


class GateFigures(NamedTuple):
    """Last answers of a run by outcome and reason, accepted ones by the score of their claims, and
    sentences removed from them by reason."""

    outcomes: dict[str, int]
    scores: dict[str, int]
    removed: dict[str, int]


def gate_figures(connection: Connection, run_id: str) -> GateFigures:
    """What the gate said of a run."""
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        return GateFigures(
            *(
                dict(cursor.execute(load(f"report/{name}"), {"run_id": run_id}).fetchall())
                for name in ("count_gate", "count_scores", "count_removed")
            )
        )


def gate_bands(connection: Connection, run_id: str, figures: GateFigures) -> tuple[Band, ...]:
    """Every share of outcomes and scores with its band, drawn from the published runs before this
    one; empty while the history is too small."""
    bound = {"run_id": run_id, "runs": HISTORY_RUNS}
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        rows = cursor.execute(load("report/select_gate_history"), bound).fetchall()
    return (
        *bands(figures.outcomes, [outcomes for outcomes, _ in rows]),
        *bands(_scores(figures.scores), [_scores(scores) for _, scores in rows]),
    )


def gate_drifts(connection: Connection, run_id: str, figures: GateFigures) -> tuple[Drift, ...]:
    """The shares of outcomes and scores that lie outside their bands."""
    return outside(gate_bands(connection, run_id, figures))


def _scores(counts: dict[str, int]) -> dict[str, int]:
    return {f"score: {score}": answers for score, answers in counts.items()}


MOST_POINTS = 600
"""Buckets of time of a run: more than a plot has pixels for."""

MOST_VALUES = 60_000
"""Values of all series together, so that a report of many cards stays one to send by mail."""

_FEWEST_POINTS = 60
_NARROWEST_SECONDS = 5.0
_SAMPLES_A_BUCKET = 2.0
"""So that a bucket is not empty because a sample came a little late."""

_GPU_FIGURES = ("celsius", "watts", "utilisation", "memory_used_mb", "throttled")
_LANE_FIGURES = ("output_tokens_per_second", "prompt_tokens_per_second", "waiting")


def run_series(connection: Connection, run_id: str) -> dict[str, Any]:
    """The series of a run, JSON-ready.

    `start` is the time of second 0 in seconds since 1970, `seconds` the middle of each bucket,
    `lanes` and `cards` the series. Empty lists where nothing was measured.
    """
    (span,) = records(connection, "report/select_series_span", run_id=run_id)
    if span["first"] is None:
        return {"start": None, "bucket_seconds": None, "seconds": [], "lanes": [], "cards": []}
    width = _width(span)
    points = int((span["last"] - span["first"]) / width) + 1
    bound = {"run_id": run_id, "first": span["first"], "width": width}
    tokens = records(connection, "report/select_token_series", **bound)
    gpus = records(connection, "report/select_gpu_series", **bound)
    return {
        "start": span["first"],
        "bucket_seconds": round(width, 3),
        "seconds": [round((n + 0.5) * width, 1) for n in range(points)],
        "lanes": _pivot(tokens, ("lane",), _LANE_FIGURES, points),
        "cards": _pivot(gpus, ("lane", "uuid", "card"), _GPU_FIGURES, points),
    }


def _width(span: dict[str, float]) -> float:
    """Seconds of a bucket."""
    values = span["cards"] * len(_GPU_FIGURES) + span["lanes"] * len(_LANE_FIGURES)
    points = max(_FEWEST_POINTS, min(MOST_POINTS, MOST_VALUES / max(1, values)))
    return max(
        (span["last"] - span["first"]) / points,
        (span["sample_seconds"] or 0) * _SAMPLES_A_BUCKET,
        _NARROWEST_SECONDS,
    )


def _pivot(
    rows: list[dict[str, Any]], keys: tuple[str, ...], figures: tuple[str, ...], points: int
) -> list[dict[str, Any]]:
    """One mapping per series: its keys, and for each figure a list with one value per bucket."""
    series: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        name = tuple(row[key] for key in keys)
        if name not in series:
            empty = {figure: [None] * points for figure in figures}
            series[name] = {**dict(zip(keys, name, strict=True)), **empty}
        # Rounding may put the first or last moment a bucket beyond the axis.
        bucket = min(max(row["bucket"], 0), points - 1)
        for figure in figures:
            series[name][figure][bucket] = row[figure]
    return [series[name] for name in sorted(series, key=lambda name: tuple(map(str, name)))]
