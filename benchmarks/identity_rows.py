"""Tables and truth of a folder as the resolver finds them, and its answer as a file.

For rows that somebody else made: `docs/identity.md` names the files.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from benchmarks.identity_people import COPY_RECORDS, create_truth, stored_record
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import RowRejection
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from sample_data.writer import COLUMNS

_RAW = "pg_temp.raw_row"


def read_folder(database: Database, folder: Path) -> int:
    """Fills an empty database with the rows of a folder; returns how many."""
    create_truth(database)
    with (folder / "truth.csv").open(newline="") as file:
        person_of = {(row["table"], row["id"]): row["person"] for row in csv.DictReader(file)}
    numbers = {person: n for n, person in enumerate(dict.fromkeys(person_of.values()))}
    rows = 0
    with database.connect() as connection:
        for mapping in load_mappings().values():
            table = mapping.table.removeprefix("src.")
            connection.execute(_raw_table(table))
            with (
                (folder / f"{table}.copy").open("rb") as file,
                connection.cursor().copy(f"COPY {_RAW} FROM STDIN") as copy,
            ):
                while block := file.read(1 << 20):
                    copy.write(block)
            with database.connect() as writing:
                rows += _write_rows(connection, writing, mapping, table, person_of, numbers)
        connection.execute(f"DROP TABLE {_RAW}")
    with database.connect() as connection:
        connection.execute("ANALYZE synthesis.source_record")
    return rows


def _raw_table(table: str) -> str:
    columns = ", ".join(f'"{name}" text' for name in COLUMNS[table])
    return f"DROP TABLE IF EXISTS {_RAW}; CREATE TEMP TABLE raw_row ({columns})"


def _write_rows(
    reading: Any, writing: Any, mapping: SourceMapping, table: str,
    person_of: dict[tuple[str, str], str], numbers: dict[str, int],
) -> int:  # fmt: skip
    truth: list[tuple[str, str, int]] = []
    with reading.cursor(name="raw") as raw, writing.cursor().copy(COPY_RECORDS) as copy:
        for values in raw.execute(f"SELECT * FROM {_RAW}"):
            cells = dict(zip(COLUMNS[table], values, strict=True))
            record = read_row(mapping, {name: cells[name] for name in mapping.columns})
            if isinstance(record, RowRejection):
                raise SystemExit(f"row {cells['id']} of {table} was rejected: {record.reason}")
            copy.write_row((*stored_record(record), "1", "1"))
            person = person_of[table, cells["id"]]
            truth.append((record.source, record.source_key, numbers[person]))
    with writing.cursor().copy("COPY bench.truth (source, source_key, person) FROM STDIN") as copy:
        for row in truth:
            copy.write_row(row)
    return len(truth)


def write_partition(database: Database, path: Path) -> int:
    """Writes table, id and candidate of every row; returns how many."""
    tables = {name: mapping.table.removeprefix("src.") for name, mapping in load_mappings().items()}
    with database.connect() as connection, path.open("w", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(("table", "id", "candidate"))
        found = connection.execute(
            "SELECT source, source_key, candidate_id FROM synthesis.candidate_source"
        ).fetchall()
        lines.writerows((tables[source], key, candidate) for source, key, candidate in found)
    return len(found)
