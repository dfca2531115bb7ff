"""Keeps a vector of each published profile, for search by meaning: optional, after publish.

Only changed texts are embedded, in batches that commit one by one; the rest goes the next night.
"""

from __future__ import annotations

import hashlib
import logging
from time import monotonic

from psycopg import sql

from profiles.embedding import EmbeddingModel, embedding_revision
from profiles.settings import Settings, load_settings
from profiles.steps.stage import Counts, remove_stage, stage
from profiles.storage.connection import Database
from profiles.storage.migrations import ensure_extension
from profiles.storage.sql_files import compose, execute

log = logging.getLogger(__name__)

MAX_SECONDS = 1_800.0
TEXT_RULE = "2"
"""Version of what of a profile is embedded (embed/select_stale) and how chunks are pooled."""
_ROWS = 256
_UNTIL_ENDED = (
    "embedding has not ended. If no task is at it, its worker was lost or it was killed: what was "
    "published stands, and so do the vectors made so far. The next run makes the others; clear "
    "`embed_profiles` to have them now"
)


def run(database: Database, *, run_id: str) -> Counts:
    """Refreshes the vectors as a stage of a run, when `PROFILES_EMBEDDINGS` is on.

    Counts: `embedded`, `forgotten`, `left` (1 when time ran out), `indexed` (1 with pgvector).
    """
    settings = load_settings()
    if settings.embeddings == "off":
        remove_stage(database, run_id=run_id, name="embed")
        return {"forgotten": _forget(database)}
    with stage(database, run_id=run_id, name="embed", until_ended=_UNTIL_ENDED) as counts:
        counts["forgotten"] = _forget(database)
        counts["embedded"], counts["left"] = refresh(database, settings)
        counts["indexed"] = int(index_vectors(database, settings.embeddings_dir.name))
    return counts


def refresh(database: Database, settings: Settings) -> tuple[int, int]:
    """Embeds what changed for at most `MAX_SECONDS`; returns how many, and 1 if some are left."""
    deadline = monotonic() + MAX_SECONDS
    folder = settings.embeddings_dir
    revision = f"{embedding_revision(folder)} {TEXT_RULE}"
    after = embedded = 0
    model: EmbeddingModel | None = None
    while batch := _stale(database, folder.name, revision, after):
        if monotonic() >= deadline:
            log.warning("embedding is not done; the rest goes the next time")
            return embedded, 1
        # Loaded only when there is work.
        model = model or EmbeddingModel(folder)
        vectors = model.embed([text for _, text, _ in batch])
        with database.connect() as connection:
            embedded += execute(
                connection,
                "embed/upsert",
                model=model.name,
                dimension=model.dimension,
                candidate_ids=[candidate for candidate, _, _ in batch],
                fingerprints=[fingerprint for _, _, fingerprint in batch],
                embeddings=[
                    f"{{{','.join(f'{value:.8g}' for value in each)}}}" for each in vectors
                ],
            ).rowcount
        after = batch[-1][0]
    return embedded, 0


def index_vectors(database: Database, model: str) -> bool:
    """Make pgvector's index; False without the extension, when search reads every vector."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT dimension FROM synthesis.candidate_embedding WHERE model = %s LIMIT 1", (model,)
        ).fetchone()
        schema = ensure_extension(connection, "vector") if row else None
        if row is None or schema is None:
            return False
        names = {"index": sql.Identifier(index_name(model)), "schema": sql.Identifier(schema)}
        values = {"dimension": sql.Literal(row[0]), "model": sql.Literal(model)}
        connection.execute(compose("embed/create_index", **names, **values))
    return True


def index_name(model: str) -> str:
    """The index of one model's vectors; a name of any length and letters is no identifier."""
    return f"candidate_embedding_{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def _stale(database: Database, model: str, revision: str, after: int) -> list[tuple[int, str, str]]:
    bound = {"model": model, "revision": revision, "after": after, "rows": _ROWS}
    with database.connect() as connection:
        return execute(connection, "embed/select_stale", **bound).fetchall()


def _forget(database: Database) -> int:
    with database.connect() as connection:
        return execute(connection, "embed/delete_gone").rowcount
