"""The `synthesis.release` rows: what prompt, schema, model and sampling an answer was made with."""

from __future__ import annotations

import json
from dataclasses import asdict

import psycopg
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from profiles.models import EngineProfile
from profiles.planning import ReleaseKey, fingerprinted_sampling
from profiles.storage.sql_files import load


def register_release(
    connection: psycopg.Connection[TupleRow],
    *,
    key: ReleaseKey,
    profile: EngineProfile,
    is_deployment: bool,
) -> str:
    """Stores the release if it is new and returns its id.

    The deployment's own release is approved as it appears; one that a single run asked for stays
    proposed, so that it never becomes what the nightly run uses.
    """
    schema = profile.output_schema
    connection.execute(
        load("plan/register_release"),
        {
            **asdict(key),
            "release_id": key.release_id,
            "state": "approved" if is_deployment else "proposed",
            "prompt": Jsonb(profile.files),
            "output_schema": None if schema is None else Jsonb(json.loads(schema)),
            "sampling": Jsonb(fingerprinted_sampling(profile.sampling)),
        },
    )
    return key.release_id
