"""Data of the candidates view, read with a few indexed statements. Independent of HTTP.

Contacts are in no answer: the page's role cannot read them, and what free text might still hold of
them is taken out of headlines here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from profile_runs.database import Reader, Row
from profile_runs.skill_evidence import SkillEvidence, skills_with_evidence
from profiles.models import Outcome
from profiles.standardization.contacts import redact_contacts
from profiles.storage.taxonomy import load_vocabulary

PAGE_SIZE = 25
MAX_ROWS = 20
"""Source rows of one person that are set side by side."""
MAX_VERSIONS = 40
MAX_EVENTS = 100

_MARKS = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")


class State(StrEnum):
    """State of a person in search."""

    FRESH = "fresh"
    STALE = "stale"
    REJECTED = "rejected"
    TOO_THIN = "too_thin"
    NEVER = "never"
    RETIRED = "retired"


class CandidateLine(BaseModel):
    """One person in the list. `is_current`: the summary was made from the document as it is."""

    candidate_id: int
    full_name: str | None
    skills: list[str]
    domains: list[str]
    method: str | None
    has_summary: bool
    is_current: bool
    too_thin: bool
    synthesised_at: datetime | None


class CandidateList(BaseModel):
    """A page of people by id; `next` is what to ask for as `after`, None at the end.

    `by` says how the text was read: as an id, a skill (`skill` is its canonical name) or a name.
    """

    by: str
    skill: str | None
    candidates: list[CandidateLine]
    next: int | None


class CandidateView(BaseModel):
    """All about one person. `asked_id` differs from `candidate_id` after a merge."""

    asked_id: int
    candidate_id: int
    state: State
    state_reason: str | None
    full_name: str | None
    created_at: datetime
    retired_at: datetime | None
    absorbed: list[int]
    document: dict[str, Any] | None
    served: dict[str, Any] | None
    skills: list[SkillEvidence]
    inferred_skills: list[str]
    domains: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    fields: list[dict[str, Any]]
    versions: list[dict[str, Any]]
    events: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    planned: list[dict[str, Any]]
    reader_text: list[dict[str, Any]]


class Erasure(BaseModel):
    """Erasure of an id: its time, and its line in the log."""

    erasure_id: int
    erased_at: datetime


def find(reader: Reader, text: str, *, by: str, after: int) -> CandidateList:
    """People by id, skill or name. `by` "any" reads digits as an id and known skills as skills."""
    query = text.strip()
    if by == "id" or (by == "any" and query.isascii() and query.isdigit()):
        found = reader.rows("page/candidate_by_id", candidate_id=_id(query)) if _id(query) else []
        return _page("id", found, skill=None)
    vocabulary = load_vocabulary()
    if by == "skill" or (by == "any" and query in vocabulary):
        skill = vocabulary.canonical(query)
        found = reader.rows("page/candidate_by_skill", skill=skill, after=after, rows=PAGE_SIZE + 1)
        return _page("skill", found, skill=skill)
    words = name_query(query)
    if not words:
        return _page("name", [], skill=None)
    found = reader.rows("page/candidate_by_name", words=words, after=after, rows=PAGE_SIZE + 1)
    return _page("name", found, skill=None)


def name_query(text: str) -> str:
    """The text as a tsquery of word beginnings, folded as `synthesis.name_words` does; "" for none.

    >>> name_query("José O'B")
    'jose:* & o:* & b:*'
    """
    folded = _MARKS.sub("", unicodedata.normalize("NFKD", text.lower()))
    return " & ".join(f"{word}:*" for word in _WORD.findall(folded))


def view(reader: Reader, candidate_id: int) -> CandidateView | Erasure | None:
    """All about one person; the erasure of one who was erased; None for an id never given out."""
    head = reader.row("page/candidate_head", candidate_id=candidate_id)
    if head is None:
        erased = reader.row("page/candidate_erased", candidate_id=candidate_id)
        return Erasure(**erased) if erased else None
    current = int(head["candidate_id"])
    versions = reader.rows("page/candidate_versions", candidate_id=current, rows=MAX_VERSIONS)
    planned = reader.rows("page/candidate_planned", candidate_id=current)
    state, reason = _state(head, versions)
    served = _served_version(head, versions)
    return CandidateView(
        asked_id=candidate_id,
        candidate_id=current,
        state=state,
        state_reason=reason,
        full_name=head["full_name"],
        created_at=head["created_at"],
        retired_at=head["retired_at"],
        absorbed=head["absorbed"],
        document=_pick(head, _DOCUMENT) if head["content_hash"] else None,
        served=_served(head, served) if head["is_served"] else None,
        skills=skills_with_evidence(
            _skill_names(head, served), head["markdown"] or "", load_vocabulary()
        ),
        inferred_skills=list(served["inferred_skills"]) if served else [],
        domains=reader.rows("page/candidate_domains", candidate_id=current),
        rows=_without_contacts(
            reader.rows("page/candidate_sources", candidate_id=current, rows=MAX_ROWS)
        ),
        fields=[choice for choice in head["choices"] or () if "value" in choice],
        versions=[_version(row, served) for row in versions],
        events=reader.rows("page/candidate_events", candidate_id=current, rows=MAX_EVENTS),
        decisions=reader.rows("page/candidate_decisions", candidate_id=current),
        planned=planned,
        reader_text=reader.rows("page/candidate_reader_text", candidate_id=current),
    )


_DOCUMENT = (
    "markdown", "content_hash", "word_count", "token_estimate", "too_thin", "as_of", "trimmed",
    "rendered_at", "changed_at",
)  # fmt: skip
_SERVED = (
    "summary", "skills", "domains", "method", "model", "prompt_version", "release_id",
    "approved_release", "run_id", "synthesised_at", "published_at",
)  # fmt: skip


def _served(head: Row, version: Row | None) -> dict[str, Any]:
    """Served fields of a person, with their score."""
    score = {name: version[name] if version else 0 for name in ("supported", "claims")}
    return _pick(head, _SERVED) | score


def _pick(row: Row, names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _id(text: str) -> int | None:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    return number or None


def _page(by: str, found: list[Row], *, skill: str | None) -> CandidateList:
    lines = [CandidateLine(**row) for row in found[:PAGE_SIZE]]
    following = lines[-1].candidate_id if len(found) > PAGE_SIZE else None
    return CandidateList(by=by, skill=skill, candidates=lines, next=following)


def _state(head: Row, versions: list[Row]) -> tuple[State, str | None]:
    """State of a person and the reason for it, as the coverage counts it."""
    if head["retired_at"] is not None:
        return State.RETIRED, "no source row is left"
    if head["too_thin"]:
        return State.TOO_THIN, "the document has too few words for a model call"
    last = _answer_that_counts(head, versions)
    if last is None:
        return State.NEVER, "no run has answered yet"
    if last["content_hash"] != head["content_hash"]:
        return State.STALE, "the document changed since"
    if last["outcome"] == Outcome.REJECTED:
        waits = "; opened again for the next run" if last["retried_at"] else ""
        return State.REJECTED, f"{last['reason']}{waits}"
    if not last["is_approved"]:
        return State.STALE, "it was made under another release than the approved one"
    if last["outcome"] == Outcome.EXTRACTIVE:
        return State.FRESH, f"the document's sentences replace a rejected answer ({last['reason']})"
    return State.FRESH, None


def _answer_that_counts(head: Row, versions: list[Row]) -> Row | None:
    """One to the document as it is under the approved release, else the newest."""
    done = [v for v in versions if v["publishes"] and (v["is_terminal"] or v["retried_at"])]
    current = (v for v in done if v["is_approved"] and v["content_hash"] == head["content_hash"])
    return next(current, done[0] if done else None)


def _served_version(head: Row, versions: list[Row]) -> Row | None:
    if not head["is_served"] or head["fingerprint"] is None:
        return None
    return next(
        (v for v in versions if v["is_accepted"] and v["fingerprint"] == head["fingerprint"]), None
    )


def _skill_names(head: Row, served: Row | None) -> list[tuple[str, str | None]]:
    """Published skills and where each comes from; None where that is no longer stored."""
    stored = served["skills"] if served else ()
    provenance = {skill["name"]: skill["provenance"] for skill in stored}
    return [(name, provenance.get(name)) for name in head["skills"] or ()]


def _version(row: Row, served: Row | None) -> dict[str, Any]:
    same = served is not None and row["fingerprint"] == served["fingerprint"]
    return {**row, "is_served": same and row["is_accepted"]}


def _without_contacts(rows: list[Row]) -> list[Row]:
    for row in rows:
        for name in ("headline", "location"):
            if row[name]:
                row[name] = redact_contacts(row[name])
    return rows
