"""Routes of views Runs and Coverage. A run is named in the query: its id has `:` and `+` in it."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, HTTPException, Query

from profile_runs import runs_queries
from profile_runs.database import ReaderDep
from profile_runs.runs_queries import CoverageView, RunDetails, RunList, RunPeople, RunView
from profiles.models import Bucket

router = APIRouter(prefix="/api")

_T = TypeVar("_T")

LARGEST_ID = 2**63 - 1
RunId = Annotated[str, Query(min_length=1, max_length=250)]


@router.get("/runs")
def runs(reader: ReaderDep, before: RunId | None = None) -> RunList:
    """Runs, newest first; `before` is the `next` of the page before."""
    return runs_queries.list_runs(reader, before=before)


@router.get("/runs/view")
def view(reader: ReaderDep, run: RunId) -> RunView:
    """One run as it stands: progress, buckets, lanes, cards."""
    return _found(runs_queries.view_run(reader, run), run)


@router.get("/runs/details")
def details(reader: ReaderDep, run: RunId) -> RunDetails:
    """Stages, refusals and the gate of one run."""
    return _found(runs_queries.run_details(reader, run), run)


@router.get("/runs/people")
def people(
    reader: ReaderDep,
    run: RunId,
    bucket: Bucket | None = None,
    reason: Annotated[str | None, Query(max_length=100)] = None,
    removed: Annotated[str | None, Query(max_length=100)] = None,
    after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
) -> RunPeople:
    """People in a bucket of a run, or behind a reason of its gate, with what was rejected."""
    return runs_queries.run_people(
        reader, run, bucket=bucket, reason=reason, removed=removed, after=after
    )


@router.get("/runs/series")
def series(reader: ReaderDep, run: RunId) -> dict[str, Any]:
    """Throughput of lanes and heat, power, load and memory of cards over time."""
    return runs_queries.series(reader, run)


@router.get("/coverage")
def coverage(reader: ReaderDep) -> CoverageView:
    """Candidates by state, source, age, domain and skill; gate and tokens of the last runs."""
    return runs_queries.coverage(reader)


def _found(found: _T | None, run: str) -> _T:
    if found is None:
        raise HTTPException(
            404,
            f"Schema synthesis has no run '{run}'. Runs of profile_synthesis are here from their "
            "first task on: it may be queued in Airflow, which waits while the DAG is paused.",
        )
    return found
