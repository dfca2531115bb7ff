"""Data of search preview: a query by `synthesis.search_candidates`, and over raw documents.

The second side is full text over the documents alone, as a search without profiles would be. Knows
no HTTP. Matches leave as parts of a text, never as markup.
"""

from __future__ import annotations

from pydantic import BaseModel

from profile_runs.database import Reader, Row
from profiles.storage.taxonomy import load_domains, load_vocabulary

PAGE_SIZE = 10
BEST = 200
"""Places of profiles that are kept, and so the last that can be paged to."""
BOUND = 1_000
"""Documents that are scored; a query that matches more says so."""

_START, _STOP, _NEXT = "\ue000", "\ue001", "\ue002"

Part = tuple[str, bool]
"""A piece of text and whether it matches."""


class Hit(BaseModel):
    """A person found on one side.

    `place` counts from 1; `other_place` is the one on the other side, None when it is not among
    the best there. `passages` are lists of parts; so are `skills`, which only summaries have.
    """

    candidate_id: int
    place: int
    other_place: int | None
    score: float
    full_name: str | None
    domains: list[str]
    method: str | None
    passages: list[list[Part]]
    skills: list[Part]


class Side(BaseModel):
    """One ranking. `matched` counts matches, of which there are more when `is_bounded`."""

    matched: int
    is_bounded: bool
    has_rows: bool
    hits: list[Hit]


class SearchView(BaseModel):
    """Both rankings of a query; `terms` is how Postgres reads it, "" for stop words alone.

    `shared` people are among the first `compared` of both sides.
    """

    terms: str
    domain: str | None
    skill: str | None
    page: int
    pages: int
    compared: int
    shared: int
    summaries: Side
    documents: Side


class Filters(BaseModel):
    """Choices of the filters: every domain of the taxonomy and every canonical skill."""

    domains: list[str]
    skills: list[str]


def filters() -> Filters:
    """The choices of the filters, from the deployment's taxonomy."""
    return Filters(domains=sorted(load_domains().domains), skills=sorted(load_vocabulary().aliases))


def search(
    reader: Reader, words: str, *, domain: str | None, skill: str | None, page: int
) -> SearchView:
    """Page `page`, from 1, of both rankings."""
    read = reader.row("page/search_query", words=words)
    assert read is not None  # noqa: S101 - a SELECT without FROM has a row
    canonical = load_vocabulary().canonical(skill) if skill else None
    filters = {
        "words": words,
        "domain": domain,
        "skill": canonical,
        "bound": BOUND + 1,
        "best": BEST,
    }
    empty: list[Row] = []
    profiles = {"words": words, "domain": domain, "skill": canonical, "best": BEST + 1}
    summaries = empty if read["is_empty"] else reader.rows("page/search_summaries", **profiles)
    within = "_within" if domain or canonical else ""
    documents = (
        empty if read["is_empty"] else reader.rows(f"page/search_documents{within}", **filters)
    )
    compared = min(PAGE_SIZE, len(summaries), len(documents))
    top = [{int(row["candidate_id"]) for row in side[:compared]} for side in (summaries, documents)]
    longest = min(BEST, max(len(summaries), len(documents)))
    return SearchView(
        terms=read["terms"],
        domain=domain,
        skill=canonical,
        page=page,
        pages=max(1, -(-longest // PAGE_SIZE)),
        compared=compared,
        shared=len(top[0] & top[1]),
        summaries=_side(reader, words, summaries, documents, page, raw=False, has=read),
        documents=_side(reader, words, documents, summaries, page, raw=True, has=read),
    )


def _side(
    reader: Reader,
    words: str,
    mine: list[Row],
    other: list[Row],
    page: int,
    *,
    raw: bool,
    has: Row,
) -> Side:
    places = {int(row["candidate_id"]): place for place, row in enumerate(other, start=1)}
    first = (page - 1) * PAGE_SIZE
    chosen = mine[first : first + PAGE_SIZE]
    ids = [int(row["candidate_id"]) for row in chosen]
    shown = {
        int(row["candidate_id"]): row
        for row in (reader.rows("page/search_shown", words=words, ids=ids, raw=raw) if ids else ())
    }
    matched = int(mine[0]["matched"]) if mine else 0
    bound = BOUND if raw else BEST
    return Side(
        matched=min(matched, bound),
        is_bounded=matched > bound,
        has_rows=has["has_documents" if raw else "has_summaries"],
        hits=[
            _hit(row, shown[int(row["candidate_id"])], place, places)
            for place, row in enumerate(chosen, start=first + 1)
        ],
    )


def _hit(row: Row, shown: Row, place: int, places: dict[int, int]) -> Hit:
    candidate_id = int(row["candidate_id"])
    return Hit(
        candidate_id=candidate_id,
        place=place,
        other_place=places.get(candidate_id),
        score=float(row["score"]),
        full_name=shown["full_name"],
        domains=shown["domains"] or [],
        method=shown["method"],
        passages=[parts(passage) for passage in shown["passages"].split(_NEXT) if passage],
        skills=parts(shown["skills"] or ""),
    )


def parts(marked: str) -> list[Part]:
    """A text with marks as parts of it.

    >>> parts("a \ue000b\ue001 c")
    [('a ', False), ('b', True), (' c', False)]
    """
    found: list[Part] = []
    for position, piece in enumerate(marked.split(_START)):
        match, stop, rest = piece.partition(_STOP) if position else ("", "", piece)
        if stop:
            found.append((match, True))
        else:
            rest = match + rest
        if rest:
            found.append((rest, False))
    return found
