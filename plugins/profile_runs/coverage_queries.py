"""Data of the coverage view: the counts that the last report of a run kept. Independent of HTTP."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from profile_runs.database import Reader

HISTORY_RUNS = 60


class State(BaseModel):
    """Candidates in one state, for stale ones by reason."""

    state: str
    reason: str | None
    candidates: int


class Combination(BaseModel):
    """Candidates whom exactly these source tables know."""

    sources: list[str]
    candidates: int


class Age(BaseModel):
    """Served summaries younger than `days` and not younger than the line before; None: older."""

    days: int | None
    candidates: int


class Named(BaseModel):
    """Candidates with a domain or skill."""

    name: str
    candidates: int


class Coverage(BaseModel):
    """The people as they were counted at `taken_at`, by the report of `run_id`."""

    run_id: str
    taken_at: datetime
    now: datetime
    candidates: int
    states: list[State]
    sources: list[Combination]
    ages: list[Age]
    domains: list[Named]
    skills: list[Named]


class RunFigures(BaseModel):
    """The gate's outcomes and the tokens of one run."""

    run_id: str
    started_at: datetime
    gate: dict[str, int]
    tokens: dict[str, float]


class CoverageView(BaseModel):
    """`coverage` is None until a run has reported; `history` has the oldest run first."""

    coverage: Coverage | None
    history: list[RunFigures]


def view(reader: Reader) -> CoverageView:
    """The newest coverage and the figures of the last runs."""
    latest = reader.row("page/coverage_latest")
    history = reader.rows("page/coverage_history", runs=HISTORY_RUNS)
    return CoverageView(
        coverage=None if latest is None else Coverage.model_validate(latest),
        history=[RunFigures.model_validate(row) for row in history],
    )
