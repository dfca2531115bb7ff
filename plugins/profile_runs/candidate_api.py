"""Routes of views Candidates and Search preview."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Path, Query

from profile_runs import candidate_queries, search_queries
from profile_runs.candidate_queries import CandidateList, CandidateView, Erasure
from profile_runs.database import ReaderDep
from profile_runs.runs_api import LARGEST_ID
from profile_runs.search_queries import BEST, PAGE_SIZE, Filters, SearchView

router = APIRouter(prefix="/api")


@router.get("/candidates")
def candidates(
    reader: ReaderDep,
    q: Annotated[str, Query(min_length=1, max_length=200)],
    by: Literal["any", "name", "skill", "id"] = "any",
    after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
) -> CandidateList:
    """People by name, id or skill; `after` is the `next` of the page before."""
    return candidate_queries.find(reader, q, by=by, after=after)


@router.get("/candidates/{candidate_id}")
def candidate(
    reader: ReaderDep, candidate_id: Annotated[int, Path(ge=1, le=LARGEST_ID)]
) -> CandidateView:
    """One person: rows, evidence, document, what is served and what was before."""
    found = candidate_queries.view(reader, candidate_id)
    if isinstance(found, Erasure):
        raise HTTPException(
            404,
            f"Candidate {candidate_id} was erased on {found.erased_at:%Y-%m-%d} (erasure "
            f"{found.erasure_id}). Nothing about this person is kept.",
        )
    if found is None:
        raise HTTPException(404, f"Candidate {candidate_id} was never given out.")
    return found


@router.get("/search")
def search(
    reader: ReaderDep,
    q: Annotated[str, Query(min_length=1, max_length=300)],
    domain: Annotated[str | None, Query(max_length=100)] = None,
    skill: Annotated[str | None, Query(max_length=100)] = None,
    page: Annotated[int, Query(ge=1, le=BEST // PAGE_SIZE)] = 1,
) -> SearchView:
    """The same query over summaries and over raw documents, each best first."""
    return search_queries.search(reader, q, domain=domain, skill=skill, page=page)


@router.get("/search/filters")
def filters() -> Filters:
    """The domains and skills that a search can be narrowed to."""
    return search_queries.filters()
