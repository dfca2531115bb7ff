"""Stored documents to try an engine on."""

from __future__ import annotations

from profiles.storage.connection import Database
from profiles.storage.sql_files import load

__all__ = ["sample_documents"]


def sample_documents(
    database: Database, *, size: int, renderer_version: str
) -> list[tuple[str, int]]:
    """Up to `size` documents with their word counts, spread over all people."""
    with database.connect() as connection:
        return connection.execute(
            load("tune/sample_documents"), {"size": size, "renderer_version": renderer_version}
        ).fetchall()
