"""Route of view Coverage."""

from __future__ import annotations

from fastapi import APIRouter

from profile_runs import coverage_queries
from profile_runs.coverage_queries import CoverageView
from profile_runs.database import ReaderDep

router = APIRouter(prefix="/api/coverage")


@router.get("")
def coverage(reader: ReaderDep) -> CoverageView:
    """Candidates by state, source, age, domain and skill; gate and tokens of the last runs."""
    return coverage_queries.view(reader)
