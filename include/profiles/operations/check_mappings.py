"""`profiles check`: mappings and source tables as the next run would find them, without a run."""

from __future__ import annotations

from dataclasses import dataclass

from profiles.errors import MappingError
from profiles.settings import load_settings
from profiles.steps.check_sources import UNREAD, check_tables, warnings_of
from profiles.steps.stage import Counts
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings

__all__ = ["MappingCheck", "check"]


@dataclass(frozen=True, slots=True)
class MappingCheck:
    """Rows of each source's table, what stops a run, what it would only warn of, and paths with
    text that no mapping reads."""

    rows: dict[str, int]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]
    unread: tuple[str, ...]


def check(database: Database) -> MappingCheck:
    """Read all mappings and the tables that they name; writes nothing and needs no schema."""
    settings, counts = load_settings(), Counts()
    try:
        mappings = list(load_mappings(settings.sources_dir).values())
    except MappingError as error:
        return MappingCheck({}, tuple(error.problems), (), ())
    with database.connect() as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        problems = check_tables(connection, mappings, counts, settings)
    rows = {
        f"{mapping.source} ({mapping.table})": int(counts[f"{mapping.source}.rows"])
        for mapping in mappings
        if f"{mapping.source}.rows" in counts
    }
    unread = tuple(name.replace(f".{UNREAD}", ": ") for name in counts if f".{UNREAD}" in name)
    return MappingCheck(rows, tuple(problems), tuple(warnings_of(counts)), unread)
