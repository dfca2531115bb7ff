"""What search has and lacks in the database."""

from __future__ import annotations

from profiles.doctor.finding import Finding

SEARCH = "search"

_WITHOUT = {
    "pg_trgm": "misspelt skills are not found without pg_trgm",
    "vector": "search by vector reads every row without pgvector",
}


def search_finding() -> Finding:
    """Extensions that search is better with; it works without."""
    from profiles.storage.connection import open_database
    from profiles.storage.search import extension_standing

    with open_database().connect() as connection:
        lacking = {
            name: is_available
            for name in _WITHOUT
            for schema, is_available in [extension_standing(connection, name)]
            if schema is None
        }
    if not lacking:
        return Finding(SEARCH, True, "pg_trgm and pgvector")
    remedy = " ".join(
        f"CREATE EXTENSION {name};" if is_available else f"install {name} on the server;"
        for name, is_available in lacking.items()
    )
    return Finding(SEARCH, None, "; ".join(_WITHOUT[name] for name in lacking), remedy)
