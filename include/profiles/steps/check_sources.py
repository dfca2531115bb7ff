"""Opens the run, and stops it before any work when a source table is not what its mapping says."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping

from profiles.erase import catch_up
from profiles.errors import MappingError, SettingsError
from profiles.extraction.coverage import FEWEST_ROWS, most_frequent, unread_paths, unseen_paths
from profiles.extraction.facts import instant
from profiles.extraction.mapping import SourceMapping, check_mapping, nearest
from profiles.params import RunParams
from profiles.settings import Settings, load_settings
from profiles.steps.stage import Counts, room_for_whole_tables, stage
from profiles.storage import migrations
from profiles.storage import source_tables as tables
from profiles.storage.connection import Database
from profiles.storage.mappings import INDUSTRY_COLUMNS, industry_columns, load_mappings
from profiles.storage.runs import start_run
from profiles.storage.source_tables import TableShape, table_columns, table_shape
from profiles.storage.sql_files import Connection

log = logging.getLogger(__name__)

SAMPLE_ROWS = 1_000
"""Rows of each table in which every path of its mapping is looked for: well under a second."""

WARNING, UNREAD = "warning: ", "unread: "
"""Begin the name of a count that is a warning, or the share of rows with a path nobody reads."""

_CHANGE = re.compile("updated|modified|changed", re.IGNORECASE)


def run(database: Database, *, run_id: str, params: RunParams) -> list[str]:
    """Names of the sources that this run reads for changes."""
    migrations.require(database)
    start_run(database, run_id=run_id, params=params)
    with stage(database, run_id=run_id, name="check_sources") as counts:
        catch_up(database)
        settings = load_settings()
        mappings = chosen_mappings(load_mappings(settings.sources_dir), params.sources)
        with database.connect() as connection:
            room_for_whole_tables(connection)
            problems = check_tables(connection, mappings, counts, settings)
            if problems:
                raise MappingError(problems)
            for mapping in mappings:
                share = settings.max_delete_share
                known, gone = tables.count_gone(connection, mapping, max_share=share)
                counts[f"{mapping.source}.known"] = known
                counts[f"{mapping.source}.gone"] = gone
    return [mapping.source for mapping in mappings]


def chosen_mappings(
    mappings: dict[str, SourceMapping], names: tuple[str, ...]
) -> list[SourceMapping]:
    if unknown := [name for name in names if name not in mappings]:
        raise SettingsError(
            f"Param 'sources' names '{unknown[0]}', which has no mapping; "
            f"{nearest(unknown[0], mappings)}. Correct the trigger form or add the YAML file."
        )
    return [mapping for name, mapping in mappings.items() if not names or name in names]


def check_tables(
    connection: Connection, mappings: list[SourceMapping], counts: Counts, settings: Settings
) -> list[str]:
    """One sentence per fault of the tables that the mappings name; adds what it counts."""
    problems: list[str] = []
    for mapping in mappings:
        shape = table_shape(connection, mapping)
        if shape is None:
            problems.append(f"{mapping.source}: {tables.no_table(connection, mapping.table)}")
            continue
        faults = check_mapping(mapping, shape.columns)
        faults += tables.child_problems(connection, mapping, shape)
        faults += tables.access_problems(mapping, shape, role=connection.info.user)
        problems += faults
        if not faults:
            problems += _check_paths(connection, mapping, shape, counts)
        is_readable = shape.is_filled and not shape.unreadable and not shape.hides_rows
        if mapping.key in shape.columns and is_readable:
            problems += _check_key(connection, mapping, shape, counts)
    return problems + industry_problems(connection, settings)


def industry_problems(connection: Connection, settings: Settings) -> list[str]:
    """One sentence per fault of the table of company industries and the names of its columns."""
    table = settings.industry_table
    columns = table_columns(connection, table)
    if columns is None:
        missing = tables.no_table(connection, table)
        return [f"company industries: {missing}. Set PROFILES_INDUSTRY_TABLE"]
    problems = [
        f"company industries: PROFILES_INDUSTRY_COLUMNS names '{name}', which is not read; "
        f"{nearest(name, INDUSTRY_COLUMNS)}"
        for name in settings.industry_columns
        if name not in INDUSTRY_COLUMNS
    ]
    return problems + [
        f"company industries: table {table} has no column '{column}'; {nearest(column, columns)}. "
        "PROFILES_INDUSTRY_COLUMNS gives other names"
        for column in industry_columns(settings).values()
        if column and column not in columns
    ]


def noted(counts: Mapping[str, int | float], kind: str) -> dict[str, int | float]:
    """Of the counts of a stage, the texts of one kind with their figures."""
    return {name[len(kind) :]: value for name, value in counts.items() if name.startswith(kind)}


def time_columns(columns: Mapping[str, str]) -> list[str]:
    """The columns (name → SQL type) that by type and name hold when a row was changed."""
    return [
        name
        for name, sql_type in columns.items()
        if sql_type.startswith(("timestamp", "date")) and _CHANGE.search(name)
    ]


def _check_paths(
    connection: Connection, mapping: SourceMapping, shape: TableShape, counts: Counts
) -> list[str]:
    """Warns of paths that lead to nothing beside a member of nearly their name, and of times that
    are not read, in the log and in the run's record; other paths are only counted, because vendors
    leave out what they do not know. A variant whose people have no names is a fault."""
    rows = tables.sample_rows(connection, mapping, shape, limit=SAMPLE_ROWS)
    faults = []
    if unread := unread_paths(mapping, rows):
        often = most_frequent(unread)
        counts.update({f"{UNREAD}{mapping.source}: {path}": round(path.share, 4) for path in often})
        log.warning(
            "%s: %s unmapped paths of your data: %s. Map them in "
            "include/sources, or list them there under 'ignored'",
            mapping.source,
            len(unread),
            "; ".join(map(str, often[:5])),
        )
    found = unseen_paths(mapping, rows)
    counts[f"{mapping.source}.paths_without_value"] = len(found)
    warnings = list(_unread_times(mapping, shape, rows))
    for unseen in found:
        if unseen.nearest is not None:
            warnings.append(f"a path of the mapping leads to nothing: {unseen}")
        if unseen.is_needed:
            faults.append(
                f"{mapping.source}: nobody would have a name, because the path leads to nothing: "
                f"{unseen}. Correct {mapping.file or 'the mapping'}"
            )
    for text in warnings:
        log.warning("%s: %s", mapping.source, text)
        counts[f"{WARNING}{mapping.source}: {text}"] = 1
    return faults


def _unread_times(
    mapping: SourceMapping, shape: TableShape, rows: Iterable[Mapping[str, str | None]]
) -> Iterator[str]:
    if mapping.updated_at is None:
        for name in time_columns(shape.columns):
            yield (
                f"column '{name}' holds times, but the mapping names no updated_at, so the newest "
                "row does not win"
            )
        return
    values = [row.get(mapping.updated_at) for row in rows]
    unread = sum(instant(value) is None for value in values)
    is_empty = len(values) < FEWEST_ROWS and not any(values)
    if unread and not is_empty:
        yield (
            f"updated_at '{mapping.updated_at}' is no time in {unread / len(values):.0%} of the "
            "rows; they count as oldest"
        )


def _check_key(
    connection: Connection, mapping: SourceMapping, shape: TableShape, counts: Counts
) -> list[str]:
    rows, without_key = tables.count_rows(connection, mapping, shape)
    counts[f"{mapping.source}.rows"] = rows
    if not without_key:
        return []
    return [
        f"{mapping.source}: {without_key} of {rows} rows of {mapping.table} share a value of "
        f"'{mapping.key}' with another row or have none, and would be lost; name a unique column "
        "as key"
    ]
