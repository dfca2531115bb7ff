"""The gate's counts of runs with the bands they are expected in, and what lanes and cards did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pvariance
from typing import Any

from profiles.storage.sql_files import Connection, execute, records

HISTORY_RUNS = 20
"""Earlier runs that a control band is drawn from."""

FEWEST_RUNS = 5
"""Earlier runs without which there is no band."""

_FEWEST_ANSWERS = 100
"""Answers of a run below which its shares say too little, as a run and as history."""

_DEVIATIONS = 3.0
_NARROWEST = 0.01
"""Half-width below which a band is not drawn: a percent more of anything is no alarm."""

_GATE = {"counts": "count_gate", "scores": "count_scores", "removed": "count_removed"}


@dataclass(frozen=True, slots=True)
class Band:
    """One figure: its share in this run, and between which shares it is expected."""

    figure: str
    share: float
    low: float
    high: float

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


def gate_figures(connection: Connection, run_id: str) -> dict[str, dict[str, int]]:
    """Last answers of a run by outcome (`counts`), by score of claims, and removed sentences by
    reason."""
    return {
        name: dict(execute(connection, f"report/{statement}", run_id=run_id).fetchall())
        for name, statement in _GATE.items()
    }


def gate_bands(connection: Connection, run_id: str, gate: Mapping[str, Any]) -> tuple[Band, ...]:
    """Every share with its band, drawn from the published runs before; empty for few runs."""
    bound = {"run_id": run_id, "runs": HISTORY_RUNS}
    rows = execute(connection, "report/select_gate_history", **bound).fetchall()
    return (
        *share_bands(gate["counts"], [outcomes for outcomes, _ in rows]),
        *share_bands(_scores(gate["scores"]), [_scores(scores) for _, scores in rows]),
    )


def gate_drifts(connection: Connection, run_id: str, gate: Mapping[str, Any]) -> tuple[Band, ...]:
    """The figures of a run that lie outside their bands."""
    bands = gate_bands(connection, run_id, gate)
    return tuple(band for band in bands if not band.low <= band.share <= band.high)


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
