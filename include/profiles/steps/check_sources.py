"""Opens the run, and stops it before any work when a source table is not what its mapping says."""

from __future__ import annotations

import logging

from psycopg import Connection
from psycopg.rows import TupleRow

from profiles.errors import MappingError, SettingsError
from profiles.extraction.mapping import SourceMapping, check_mapping, nearest
from profiles.extraction.path_coverage import unseen_paths
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps.erase_again import catch_up
from profiles.steps.stage import Counts, room_for_whole_tables, stage
from profiles.storage import migrations
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from profiles.storage.runs import start_run
from profiles.storage.source_tables import (
    TableShape,
    access_problems,
    count_deletions,
    count_rows,
    sample_rows,
    table_columns,
    table_names,
    table_shape,
)

log = logging.getLogger(__name__)

SAMPLE_ROWS = 1_000
"""Rows of each table in which every path of its mapping is looked for: well under a second."""

INDUSTRY_COLUMNS = (
    "company_name",
    "company_domain",
    "company_linkedin_id",
    "company_linkedin_url",
    "industry",
    "industry_code",
    "is_primary",
)
"""What `tag_domains` reads, named here so that a missing one is found before any work."""


def run(database: Database, *, run_id: str, params: RunParams) -> list[str]:
    """The names of the sources that this run reads for changes.

    Rows, known rows and vanished rows of each go to the run's record, as `source.count`.

    Raises:
        MappingError: mappings and tables do not fit; every fault of every source is listed with
            table, column and nearest match.
        SourceError: a table lost more rows than one night may.
        SettingsError: the run names a source that has no mapping.
        MigrationError: schema synthesis is not what this version expects.
    """
    migrations.require(database)
    start_run(database, run_id=run_id, params=params)
    catch_up(database)
    settings = load_settings()
    mappings = chosen_mappings(load_mappings(settings.sources_dir), params.sources)
    with (
        stage(database, run_id=run_id, name="check_sources") as counts,
        database.connect() as connection,
    ):
        room_for_whole_tables(connection)
        _check_tables(connection, mappings, counts, industry_table=settings.industry_table)
        for mapping in mappings:
            deletions = count_deletions(connection, mapping)
            counts[f"{mapping.source}.known"] = deletions.known
            counts[f"{mapping.source}.gone"] = deletions.gone
            deletions.check(mapping, max_share=settings.max_delete_share)
    return [mapping.source for mapping in mappings]


def chosen_mappings(
    mappings: dict[str, SourceMapping], names: tuple[str, ...]
) -> list[SourceMapping]:
    """The mappings of the named sources, or all of them.

    Raises:
        SettingsError: a name has no mapping.
    """
    unknown = [name for name in names if name not in mappings]
    if unknown:
        raise SettingsError(
            f"Param 'sources' names '{unknown[0]}', which has no mapping; "
            f"{nearest(unknown[0], mappings)}. Correct the trigger form or add the YAML file."
        )
    return [mapping for name, mapping in mappings.items() if not names or name in names]


def _check_tables(
    connection: Connection[TupleRow],
    mappings: list[SourceMapping],
    counts: Counts,
    *,
    industry_table: str,
) -> None:
    problems: list[str] = []
    for mapping in mappings:
        shape = table_shape(connection, mapping)
        if shape is None:
            advice = nearest(mapping.table, table_names(connection))
            problems.append(f"{mapping.source}: there is no table {mapping.table}; {advice}")
            continue
        faults = check_mapping(mapping, shape.columns)
        faults += access_problems(mapping, shape, role=connection.info.user)
        problems += faults
        if not faults:
            problems += _check_paths(connection, mapping, shape, counts)
        if mapping.key in shape.columns and not shape.unreadable:
            problems += _check_key(connection, mapping, shape, counts)
    problems += _check_industries(connection, industry_table)
    if problems:
        raise MappingError(problems)


def _check_industries(connection: Connection[TupleRow], table: str) -> list[str]:
    columns = table_columns(connection, table)
    if columns is None:
        return [
            f"company industries: there is no table {table}; "
            f"{nearest(table, table_names(connection))}. Set PROFILES_INDUSTRY_TABLE"
        ]
    return [
        f"company industries: table {table} has no column '{column}'; {nearest(column, columns)}"
        for column in INDUSTRY_COLUMNS
        if column not in columns
    ]


def _check_paths(
    connection: Connection[TupleRow], mapping: SourceMapping, shape: TableShape, counts: Counts
) -> list[str]:
    """Warns of paths that lead to nothing beside a member of nearly their name, in the log and in
    the run's record; the others are only counted, because vendors leave out what they do not know.
    A variant whose people have no names is a fault."""
    rows = sample_rows(connection, mapping, shape, limit=SAMPLE_ROWS)
    faults = []
    found = unseen_paths(mapping, rows)
    counts[f"{mapping.source}.paths_without_value"] = len(found)
    for unseen in found:
        if unseen.nearest is not None:
            counts[f"{mapping.source}.never_found: {unseen}"] = unseen.rows
            log.warning("%s: the mapping's path leads to nothing: %s", mapping.source, unseen)
        if unseen.is_needed:
            faults.append(
                f"{mapping.source}: nobody would have a name, because the path leads to nothing: "
                f"{unseen}. Correct the mapping"
            )
    return faults


def _check_key(
    connection: Connection[TupleRow], mapping: SourceMapping, shape: TableShape, counts: Counts
) -> list[str]:
    rows, without_key = count_rows(connection, mapping, shape)
    counts[f"{mapping.source}.rows"] = rows
    if not without_key:
        return []
    log.warning("%s: %s rows share a key or have none", mapping.source, without_key)
    return [
        f"{mapping.source}: {without_key} of {rows} rows of {mapping.table} share a value of "
        f"'{mapping.key}' with another row or have none, and would be lost; name a unique column "
        "as key"
    ]
