"""Routes of view Search preview."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from profile_runs import search_queries
from profile_runs.database import ReaderDep
from profile_runs.search_queries import BEST, PAGE_SIZE, Filters, SearchView

router = APIRouter(prefix="/api/search")


@router.get("")
def search(
    reader: ReaderDep,
    q: Annotated[str, Query(min_length=1, max_length=300)],
    domain: Annotated[str | None, Query(max_length=100)] = None,
    skill: Annotated[str | None, Query(max_length=100)] = None,
    page: Annotated[int, Query(ge=1, le=BEST // PAGE_SIZE)] = 1,
) -> SearchView:
    """The same query over summaries and over raw documents, each best first."""
    return search_queries.search(reader, q, domain=domain, skill=skill, page=page)


@router.get("/filters")
def filters() -> Filters:
    """The domains and skills that a search can be narrowed to."""
    return search_queries.filters()
