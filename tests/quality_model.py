"""Marks tests that need the embedding model, which is an extra."""

from __future__ import annotations

import os

import pytest

from profiles.embedding import locate_embedding_model
from profiles.errors import EngineJobError
from profiles.settings import Settings

EMBEDDING_FOLDER = Settings.model_fields["embeddings_dir"].default


def _is_missing() -> bool:
    try:
        locate_embedding_model(EMBEDDING_FOLDER)
    except EngineJobError:
        return True
    return False


EMBEDDING_READY = pytest.mark.skipif(
    _is_missing() and not os.environ.get("CI"),
    reason="the embedding model is not set up; run `make embeddings`",
)
