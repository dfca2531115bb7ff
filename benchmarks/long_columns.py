"""What storing and reading long texts costs the server: compressed by pglz, by lz4, or as they are.

    python -m benchmarks.long_columns --server postgresql://postgres@/postgres?host=/tmp/other

Takes records and documents from PROFILES_DATABASE_URL, which a run has filled, copies them into
scratch tables of `--server` (default: the same one) in batches as extraction and rendering do, and
reads them back. The server has to run on this machine, because its CPU seconds are those that the
kernel counts for the process that serves the connection. lz4 is measured where the server has it.
`scan` reads the short columns alone, as a quiet night does. The least of `--rounds` counts, except
for WAL, which is that of the first round after a checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, LiteralString

import psycopg

Row = tuple[Any, ...]

TABLES: tuple[tuple[str, LiteralString, LiteralString, int], ...] = (
    ("source_record", "record", "source_key, record_hash", 1_000),
    ("document", "markdown", "candidate_id, input_hash", 500),
)
"""Table, its long column, what a quiet night reads of it, and the rows of a batch."""


def main() -> int:
    """Prints one line for each table and way of storing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", help="where to measure (default: PROFILES_DATABASE_URL)")
    parser.add_argument("--rows", type=int, default=20_000, help="of a table at the most")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    source = os.environ["PROFILES_DATABASE_URL"]
    with (
        psycopg.connect(source) as held,
        psycopg.connect(options.server or source, autocommit=True) as server,
    ):
        figures = measure(held, server, rows=options.rows, rounds=options.rounds)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def measure(
    held: psycopg.Connection, server: psycopg.Connection, *, rows: int, rounds: int
) -> dict[str, Any]:
    """Figures by table and way; the scratch tables are dropped again."""
    ways = ["pglz", "external", *(["lz4"] if _has_lz4(server) else [])]
    figures: dict[str, Any] = {"postgres": server.info.parameter_status("server_version")}
    server.execute("SET max_parallel_workers_per_gather = 0")
    for table, column, short, batch in TABLES:
        columns, batches = _batches(held, table, rows=rows, batch=batch)
        count = sum(map(len, batches))
        tried: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way in ways:
                _create(server, columns, column=column, way=way)
                tried[way].append(_one_round(server, batches, column=column, short=short))
        server.execute("DROP TABLE measured_column")
        for way, seen in tried.items():
            best = {
                name: round(min(round_[name] for round_ in seen) * 1e6 / count, 2)
                for name in ("write", "read", "scan")
            }
            sizes = {name: round(seen[0][name], 1) for name in ("wal_mb", "main_mb", "long_mb")}
            figures[f"{table}, {way}"] = {"rows": count, "us_a_row": best, **sizes}
            sys.stdout.write(f"{table:<14} {way:<9} {count} rows, us a row {best}, {sizes}\n")
    return figures


def _has_lz4(server: psycopg.Connection) -> bool:
    return server.execute(
        "SELECT FROM pg_settings "
        "WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"
    ).fetchone() is not None  # fmt: skip


def _batches(
    held: psycopg.Connection, table: str, *, rows: int, batch: int
) -> tuple[list[tuple[str, str]], list[list[Row]]]:
    """Names and types of a table's columns, and its rows as texts."""
    columns = held.execute(
        "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (f"synthesis.{table}",),
    ).fetchall()
    as_text = ", ".join(f"{name}::text" for name, _ in columns)
    found = held.execute(f"SELECT {as_text} FROM synthesis.{table} LIMIT {rows}").fetchall()
    if not found:
        raise SystemExit(f"synthesis.{table} is empty: run the pipeline on this database first")
    return columns, [found[start : start + batch] for start in range(0, len(found), batch)]


def _create(
    server: psycopg.Connection, columns: Sequence[tuple[str, str]], *, column: str, way: str
) -> None:
    server.execute("DROP TABLE IF EXISTS measured_column")
    declared = ", ".join(f"{name} {kind}" for name, kind in columns)
    server.execute(f"CREATE TABLE measured_column ({declared})")
    how = "STORAGE EXTERNAL" if way == "external" else f"COMPRESSION {way}"
    server.execute(f"ALTER TABLE measured_column ALTER COLUMN {column} SET {how}")
    server.execute("CHECKPOINT")


def _one_round(
    server: psycopg.Connection,
    batches: Sequence[Sequence[Row]],
    *,
    column: LiteralString,
    short: LiteralString,
) -> dict[str, float]:
    before, wal = _cpu(server), _wal(server)
    for batch in batches:
        with server.cursor() as cursor, cursor.copy("COPY measured_column FROM STDIN") as copy:
            for row in batch:
                copy.write_row(row)
    written, wal = _cpu(server), _wal(server) - wal
    server.execute("VACUUM (ANALYZE) measured_column")
    vacuumed = _cpu(server)
    server.execute(f"COPY (SELECT {column} FROM measured_column) TO '/dev/null'")
    read = _cpu(server)
    server.execute(f"SELECT count(hashtext(row({short})::text)) FROM measured_column")
    scanned = _cpu(server)
    sizes = server.execute(
        "SELECT pg_relation_size(oid) / 1e6::float8, pg_relation_size(reltoastrelid) / 1e6::float8 "
        "FROM pg_class WHERE oid = 'measured_column'::regclass"
    ).fetchone() or (0.0, 0.0)
    return {
        "write": written - before,
        "read": read - vacuumed,
        "scan": scanned - read,
        "wal_mb": wal / 1e6,
        "main_mb": sizes[0],
        "long_mb": sizes[1],
    }


def _cpu(server: psycopg.Connection) -> float:
    """CPU seconds of the process that serves this connection."""
    spent = Path(f"/proc/{server.info.backend_pid}/schedstat").read_text().split()[0]
    return int(spent) / 1e9


def _wal(server: psycopg.Connection) -> int:
    row = server.execute("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").fetchone()
    return int(row[0]) if row else 0


if __name__ == "__main__":
    sys.exit(main())
