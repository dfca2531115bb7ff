"""The gate's figures of a run and of the runs before it, and the bands they are expected in."""

from __future__ import annotations

from typing import Any, NamedTuple

import psycopg

from profiles.storage.sql_files import load
from profiles.validation.drift import Band, Drift, bands, drifts

__all__ = ["HISTORY_RUNS", "GateFigures", "gate_bands", "gate_drifts", "gate_figures"]

HISTORY_RUNS = 20
"""Earlier runs that a control band is drawn from."""


class GateFigures(NamedTuple):
    """Last answers of a run by outcome and reason, accepted ones by the score of their claims, and
    sentences removed from them by reason."""

    outcomes: dict[str, int]
    scores: dict[str, int]
    removed: dict[str, int]


def gate_figures(connection: psycopg.Connection[Any], run_id: str) -> GateFigures:
    """What the gate said of a run."""
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        return GateFigures(
            *(
                dict(cursor.execute(load(f"report/{name}"), {"run_id": run_id}).fetchall())
                for name in ("count_gate", "count_scores", "count_removed")
            )
        )


def gate_bands(
    connection: psycopg.Connection[Any], run_id: str, figures: GateFigures
) -> tuple[Band, ...]:
    """Every share of outcomes and scores with its band; empty while the history is too small."""
    outcomes, scores = _history(connection, run_id)
    return (*bands(figures.outcomes, outcomes), *bands(_scores(figures.scores), scores))


def gate_drifts(
    connection: psycopg.Connection[Any], run_id: str, figures: GateFigures
) -> tuple[Drift, ...]:
    """The shares of outcomes and scores that lie outside their bands."""
    outcomes, scores = _history(connection, run_id)
    return (*drifts(figures.outcomes, outcomes), *drifts(_scores(figures.scores), scores))


_Counts = list[dict[str, int]]


def _history(connection: psycopg.Connection[Any], run_id: str) -> tuple[_Counts, _Counts]:
    """Outcomes and scores of the published runs before a run, newest first."""
    bound = {"run_id": run_id, "runs": HISTORY_RUNS}
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        rows = cursor.execute(load("report/select_gate_history"), bound).fetchall()
    return [outcomes for outcomes, _ in rows], [_scores(scores) for _, scores in rows]


def _scores(counts: dict[str, int]) -> dict[str, int]:
    return {f"score: {score}": answers for score, answers in counts.items()}
