"""What `profiles doctor` finds of the source tables and their mappings."""

from __future__ import annotations

from profiles.doctor.finding import Finding
from profiles.settings import Settings

SOURCE_TABLES = "source tables"


def mappings_finding(settings: Settings) -> Finding:
    """The mapping files and the tables that they name."""
    from profiles.storage.mappings import load_mappings

    mappings = load_mappings(settings.sources_dir)
    tables = ", ".join(f"{name} ({mapping.table})" for name, mapping in mappings.items())
    return Finding("source mappings", True, f"{len(mappings)} files: {tables}")


def source_tables_finding() -> Finding:
    """The tables as the next run would find them, and what of their rows nobody reads."""
    from profiles.operations.check_mappings import check
    from profiles.storage.connection import open_database

    found = check(open_database())
    if found.problems:
        detail = "; ".join(found.problems)
        return Finding(SOURCE_TABLES, False, detail, "correct these; `profiles check` lists them")
    rows = ", ".join(f"{table} {number:,} rows" for table, number in found.rows.items())
    said = [rows, *found.warnings]
    if found.unread:
        said.append(f"paths that nobody reads: {'; '.join(found.unread)}")
    remedy = "map them in include/sources, or list them there under ignored"
    return Finding(SOURCE_TABLES, None if found.warnings else True, "; ".join(said), remedy)
