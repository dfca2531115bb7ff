"""The `synthesis.release` rows: what prompt, schema, model and sampling an answer was made with.

A row holds all that is needed to ask under it, so that the approved release outlives a change of
its files. One release is approved at a time.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from profiles.errors import ReleaseError
from profiles.models import EngineProfile, ReleaseState
from profiles.planning import ReleaseKey, fingerprinted_sampling
from profiles.storage.sql_files import Connection, execute, records

SHORT_ID = 12
"""Hexadecimal digits by which people name a release."""


@dataclass(frozen=True, slots=True)
class Release:
    """One row. `profile` is null for a row from before profiles were stored."""

    release_id: str
    state: ReleaseState
    key: ReleaseKey
    profile: dict[str, Any] | None
    model_path: str | None
    is_pinned: bool
    created_at: datetime
    approved_at: datetime | None
    decided_at: datetime | None
    decided_by: str | None
    canary: dict[str, Any] | None

    @property
    def short_id(self) -> str:
        return self.release_id[:SHORT_ID]

    def engine_profile(self) -> EngineProfile:
        try:
            return msgspec.convert(self.profile, EngineProfile)
        except msgspec.ValidationError as error:
            raise ReleaseError(
                f"release {self.short_id} was stored by another version of this package, which "
                "kept other fields of how it asks. Restore the files it was made of, or approve a "
                "release of this version: trigger DAG release_approval"
            ) from error


def register_release(
    connection: Connection,
    *,
    key: ReleaseKey,
    profile: EngineProfile,
    model_path: str,
    is_pinned: bool,
) -> Release:
    """Stores the release, as proposed if it is new, and returns its row."""
    schema = profile.output_schema
    execute(
        connection,
        "release/register_release",
        **asdict(key),
        release_id=key.release_id,
        state=ReleaseState.PROPOSED,
        prompt=Jsonb(profile.files),
        output_schema=None if schema is None else Jsonb(json.loads(schema)),
        sampling=Jsonb(fingerprinted_sampling(profile.sampling)),
        profile=Jsonb(asdict(profile)),
        model_path=model_path,
        is_pinned=is_pinned,
    )
    return find_release(connection, key.release_id)


def approve_release(connection: Connection, release_id: str, *, by: str) -> None:
    """Makes it the one that nightly runs ask under; the one before is superseded."""
    execute(connection, "release/supersede_approved", release_id=release_id)
    state = ReleaseState.APPROVED
    execute(connection, "release/decide_release", release_id=release_id, state=state, by=by)


def store_canary(connection: Connection, release_id: str, report: dict[str, Any] | None) -> None:
    """Keeps what the canary found; `report` holds ids, counts and verdicts, no profile text."""
    connection.execute(
        "UPDATE synthesis.release SET state = 'canary', canary = %s WHERE release_id = %s",
        (None if report is None else Jsonb(report), release_id),
    )


def approved_release(connection: Connection) -> Release | None:
    """The release that nightly runs ask under; None in an empty deployment."""
    return next(iter(_select(connection, "release/select_approved")), None)


def all_releases(connection: Connection) -> list[Release]:
    """All releases, the approved one first, then the newest."""
    return _select(connection, "release/select_releases")


def find_release(connection: Connection, prefix: str) -> Release:
    found = _select(connection, "release/find_release", prefix=prefix) if prefix else []
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} releases have an id that begins" if found else "no release has an id"
    raise ReleaseError(
        f"{problem} with {prefix!r}; expected the first digits of one release. `profiles releases` "
        "lists them"
    )


def _select(connection: Connection, name: str, **values: object) -> list[Release]:
    found = []
    for row in records(connection, name, **values):
        key = ReleaseKey(**{field.name: row.pop(field.name) for field in fields(ReleaseKey)})
        found.append(Release(key=key, state=ReleaseState(row.pop("state")), **row))
    return found
