"""The newest answer about a person: what of it is not published, what the document leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from profiles.models import ReaderText
from profiles.storage.sql_files import Connection, execute


@dataclass(frozen=True, slots=True)
class Answer:
    """The newest answer about a person. `removed` are the sentences that are not published, each
    with its reason; the text is None once it is older than PROFILES_KEEP_RAW_DAYS."""

    outcome: str
    reason: str | None
    method: str
    supported: int
    claims: int
    removed: tuple[dict[str, Any], ...]
    created_at: datetime
    is_current: bool | None


def newest_answer(connection: Connection, candidate_id: int) -> Answer | None:
    """The newest terminal answer, else the newest one; None when there is none."""
    row = execute(connection, "explain/select_answer", candidate_id=candidate_id).fetchone()
    if row is None:
        return None
    outcome, reason, method, supported, claims, removed, created_at, is_current = row
    return Answer(
        outcome, reason, method, supported, claims, tuple(removed), created_at, is_current
    )


def reader_text(connection: Connection, candidate_id: int) -> tuple[ReaderText, ...]:
    """Fields of the person's rows that address a reader."""
    found = execute(connection, "page/candidate_reader_text", candidate_id=candidate_id)
    return tuple(ReaderText(*row[:4]) for row in found)
