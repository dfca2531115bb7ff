"""Notes what a person decided about a release, and shows releases to whoever decides."""

from __future__ import annotations

import logging
from typing import Any

from psycopg.types.json import Jsonb

from profiles.errors import ReleaseError
from profiles.models import ReleaseState
from profiles.storage.connection import Database
from profiles.storage.releases import (
    Release,
    all_releases,
    approve_release,
    approved_release,
    decide,
    find_release,
)
from profiles.storage.sql_files import records

log = logging.getLogger(__name__)


def approve(database: Database, *, release: str, by: str) -> str:
    """Make it the release of the nightly runs; return its id. A planned run goes on as it was."""
    with database.connect() as connection:
        found = find_release(connection, release)
        if found.state is not ReleaseState.APPROVED:
            # What nobody could ask under would fail every night from now on.
            found.engine_profile()
            approve_release(connection, found.release_id, by=by)
    log.info("release %s is approved", found.short_id)
    return found.release_id


def refuse(database: Database, *, release: str, by: str) -> str:
    """Marks it refused; the files keep proposing nothing until they change again."""
    with database.connect() as connection:
        found = find_release(connection, release)
        if found.state is ReleaseState.APPROVED:
            raise ReleaseError(
                f"release {found.short_id} is the approved one; approve another to replace it"
            )
        decide(connection, found.release_id, ReleaseState.REFUSED, by=by)
    log.info("release %s is refused", found.short_id)
    return found.release_id


def overview(database: Database) -> list[dict[str, Any]]:
    """All releases, the approved one first, JSON-ready."""
    with database.connect() as connection:
        releases = all_releases(connection)
    approved = next((r for r in releases if r.state is ReleaseState.APPROVED), None)
    return [_mapping(release, approved) for release in releases]


def show(database: Database, *, release: str) -> dict[str, Any]:
    """One release with old and new texts of its canary, JSON-ready; for the operator alone."""
    with database.connect() as connection:
        found = find_release(connection, release)
        shown = _mapping(found, approved_release(connection))
        canary = found.canary
        if canary is None:
            return {**shown, "canary": None}
        answers = [
            answer
            for candidate in canary["candidates"]
            for answer in (candidate["old"], candidate["new"])
            if answer
        ]
        found_texts = records(connection, "release/select_answer_texts", answers=Jsonb(answers))
    texts = {(row["candidate_id"], row["attempt_id"]): row for row in found_texts}
    for answer in answers:
        text = texts.get((answer["candidate_id"], answer["attempt_id"]))
        answer["summary"] = text["summary"] if text else None
        answer["skill_names"] = text["skills"] if text else None
    return {**shown, "canary": canary}


def _mapping(release: Release, approved: Release | None) -> dict[str, Any]:
    key = release.key
    return {
        "release": release.short_id,
        "release_id": release.release_id,
        "state": release.state.value,
        "model": key.model,
        "model_revision": key.model_revision,
        "engine": key.engine,
        "engine_profile": key.engine_profile,
        "differs_in": list(key.changes(approved.key)) if approved else [],
        "created_at": release.created_at.isoformat(),
        "decided_at": release.decided_at.isoformat() if release.decided_at else None,
        "decided_by": release.decided_by,
    }
