"""Vectors of texts from a small model on the CPU, without network: all-MiniLM-L6-v2.

Texts in, unit vectors out. Knows no database and no Airflow; `steps.embed` brings both together.
"""

from profiles.embedding.chunks import Chunk, split
from profiles.embedding.model import (
    DIMENSION,
    EMBEDDING_MODEL,
    EmbeddingModel,
    locate_embedding_model,
    pool,
)
from profiles.embedding.wordpieces import WordPieces

__all__ = [
    "DIMENSION",
    "EMBEDDING_MODEL",
    "Chunk",
    "EmbeddingModel",
    "WordPieces",
    "locate_embedding_model",
    "pool",
    "split",
]
