"""Keeps a vector of each published profile, for search by meaning: optional, after publish.

Only profiles whose text changed are embedded, in batches that commit one by one; what is left when
the time is over goes the next night. A vector goes when its profile does, also while embeddings are
switched off.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import psycopg
from psycopg import sql

from profiles.embedding import (
    DIMENSION,
    EMBEDDING_MODEL,
    EmbeddingModel,
    locate_embedding_model,
)
from profiles.settings import Settings, load_settings
from profiles.steps.stage import Counts, stage, take_back_stage
from profiles.storage.connection import Database
from profiles.storage.sql_files import compose, load
from profiles.synthesis.engines.model_files import locate_model

__all__ = ["INDEX", "MAX_SECONDS", "index_vectors", "refresh", "run"]

log = logging.getLogger(__name__)

MAX_SECONDS = 1_800.0
INDEX = "candidate_embedding_minilm"
TEXT_RULE = "1"
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

    Raises:
        EngineJobError: the model was not set up.
        EngineError: it does not load.
    """
    with database.connect() as connection:
        found = connection.execute("SELECT FROM synthesis.run WHERE run_id = %s", (run_id,))
        if found.rowcount == 0:
            return {}
    if load_settings().embeddings == "off":
        take_back_stage(database, run_id=run_id, name="embed")
        return {"forgotten": _forget(database)}
    with stage(database, run_id=run_id, name="embed", until_ended=_UNTIL_ENDED) as counts:
        counts["forgotten"] = _forget(database)
        counts["embedded"], counts["left"] = refresh(database, load_settings())
        counts["indexed"] = int(index_vectors(database))
    return counts


def refresh(
    database: Database, settings: Settings, *, clock: Callable[[], float] = time.monotonic
) -> tuple[int, int]:
    """Embeds what changed for at most `MAX_SECONDS`; returns how many, and 1 if some are left."""
    deadline = clock() + MAX_SECONDS
    path, _ = locate_embedding_model(settings.embeddings_dir)
    # The digest of the model's files, so that other weights make every vector anew.
    revision = f"{locate_model('llama_cpp', str(path)).revision} {TEXT_RULE}"
    after = embedded = 0
    model: EmbeddingModel | None = None
    try:
        while batch := _stale(database, revision, after):
            if clock() >= deadline:
                log.warning("embedding is not done; the rest goes the next time")
                return embedded, 1
            # Loaded only when there is work: a quiet night needs no 91 MB a core.
            model = model or EmbeddingModel(settings.embeddings_dir)
            vectors = model.embed([text for _, text, _ in batch])
            with database.connect() as connection:
                embedded += connection.execute(
                    load("embed/upsert"),
                    {
                        "model": EMBEDDING_MODEL,
                        "dimension": DIMENSION,
                        "candidate_ids": [candidate for candidate, _, _ in batch],
                        "fingerprints": [fingerprint for _, _, fingerprint in batch],
                        "embeddings": [_array(vector) for vector in vectors],
                    },
                ).rowcount
            after = batch[-1][0]
    finally:
        if model is not None:
            model.close()
    return embedded, 0


def index_vectors(database: Database) -> bool:
    """Makes pgvector's index of the vectors; False where the extension is missing or forbidden.

    Without it `synthesis.similarity` searches exactly, by reading every vector.
    """
    with database.connect() as connection:
        schema, is_available = connection.execute(load("embed/select_extension")).fetchone() or (
            None,
            False,
        )
        if schema is None and is_available:
            schema = _create_extension(connection)
        if schema is None:
            if not is_available:
                log.info("this server has no pgvector; search by vector reads every row")
            return False
        connection.execute(
            compose(
                "embed/create_index",
                index=sql.Identifier(INDEX),
                schema=sql.Identifier(schema),
                dimension=sql.Literal(DIMENSION),
                model=sql.Literal(EMBEDDING_MODEL),
            )
        )
    return True


def _create_extension(connection: psycopg.Connection[tuple[object, ...]]) -> str | None:
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION vector WITH SCHEMA public")
    except psycopg.errors.InsufficientPrivilege:
        log.info("pgvector is at hand, but this role may not create it; an administrator runs "
                 "CREATE EXTENSION vector once")  # fmt: skip
        return None
    return "public"


def _stale(database: Database, revision: str, after: int) -> list[tuple[int, str, str]]:
    with database.connect() as connection:
        return connection.execute(
            load("embed/select_stale"),
            {"model": EMBEDDING_MODEL, "revision": revision, "after": after, "rows": _ROWS},
        ).fetchall()


def _forget(database: Database) -> int:
    with database.connect() as connection:
        return connection.execute(load("embed/delete_gone")).rowcount


def _array(vector: tuple[float, ...]) -> str:
    return "{" + ",".join(f"{value:.8g}" for value in vector) + "}"
