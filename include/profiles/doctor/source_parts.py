"""What `profiles doctor` finds of the source tables and their mappings."""

from __future__ import annotations

from profiles.doctor.finding import Finding
from profiles.settings import Settings

SAMPLE_ROWS = 300
"""Rows of each source table in which unread paths are looked for."""


def mappings_finding(settings: Settings) -> Finding:
    """The mapping files and the tables that they name."""
    from profiles.storage.mappings import load_mappings

    mappings = load_mappings(settings.sources_dir)
    tables = ", ".join(f"{name} ({mapping.table})" for name, mapping in mappings.items())
    return Finding("source mappings", True, f"{len(mappings)} files: {tables}")


def source_data_finding() -> Finding:
    """Which paths of the source tables no mapping reads, in a sample of their rows."""
    from profiles.extraction.unread_paths import most_frequent, unread_paths
    from profiles.storage.connection import open_database
    from profiles.storage.mappings import load_mappings
    from profiles.storage.source_tables import sample_rows, table_shape

    name, found, tables = "source data", [], 0
    with open_database().connect() as connection:
        for mapping in load_mappings().values():
            shape = table_shape(connection, mapping)
            if shape is None or not set(mapping.columns) <= shape.columns.keys():
                continue
            tables += 1
            rows = sample_rows(connection, mapping, shape, limit=SAMPLE_ROWS)
            found += [
                f"{mapping.source}: {each}" for each in most_frequent(unread_paths(mapping, rows))
            ]
    if not tables:
        return Finding(name, None, "no source table to look at")
    if found:
        detail = f"paths of your data that nobody reads: {'; '.join(found)}"
        return Finding(
            name, True, detail, "map them in include/sources, or list them under ignored"
        )
    return Finding(name, True, f"{tables} tables, every path with text is read or ignored")
