"""Reads the new and changed rows of one source table into `synthesis.source_record`.

Memory is bounded by one batch, whatever the size of the table: a server-side cursor gives rows,
and each batch is stored by COPY and committed before the next is read. So a killed task loses one
batch, and its repetition reads only what is left.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from psycopg.types.string import ByteaBinaryLoader

from profiles.errors import MappingError, SettingsError
from profiles.extraction.mapping import SourceMapping, check_mapping, nearest
from profiles.extraction.reader import EMPTY, read_row
from profiles.models import RowRejection, SourceRecord
from profiles.models.record_json import digest, encode
from profiles.settings import load_settings
from profiles.standardization.text import bounded_key
from profiles.steps.stage import Counts, room_for_whole_tables, stage
from profiles.storage import source_tables as tables
from profiles.storage.connection import Database, begin
from profiles.storage.mappings import load_mappings
from profiles.storage.source_tables import select_changed, table_shape
from profiles.storage.sql_files import Connection, copy_rows, execute
from profiles.storage.tombstones import Tombstones, read_tombstones

log = logging.getLogger(__name__)

ROWS_A_PART = 150_000
"""New rows that one task reads, in a minute of a core. A larger table is shared out, or it would
keep one core busy long after the others ended; not further, because a task costs some seconds."""

LONGEST_ROW_KEY = 500
_KEY_DETAIL = f"expected a key of at most {LONGEST_ROW_KEY} characters; name another column as key"

FETCH_ROWS = 200
BATCH_ROWS = 1000
BATCH_BYTES = 16 * 2**20
_ANALYZE_FROM = 1000
"""Rows written by one extract from which on the planner needs fresh statistics at once."""

_COPY_NEW = (
    "COPY synthesis.source_record (source, extractor_version, source_key, change_token, "
    "observed_at, record_hash, record) FROM STDIN (FORMAT BINARY)"
)
_COPY_CHANGED = (
    "COPY incoming_record (source_key, change_token, observed_at, record_hash, record) "
    "FROM STDIN (FORMAT BINARY)"
)
_RECORD_TYPES = ("text", "text", "timestamptz", "text", "bytea")
"""Of `_Record`. In binary COPY json travels as its bytes do."""

_COUNTS = ("read", "added", "changed", "unchanged", "deleted", "rejected")

_Record = tuple[str, str, datetime | None, str, bytes]
"""Key, change token, observed at, hash, record."""


@dataclass(slots=True)
class _Batch:
    """Rows of a batch by their stored record: none yet, a different one, the same one."""

    new: list[_Record] = field(default_factory=list)
    changed: list[_Record] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    rejections: list[tuple[str, str, str, str]] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    cuts: list[str] = field(default_factory=list)
    rows: int = 0
    size: int = 0


def parts(database: Database, *, sources: Sequence[str]) -> list[dict[str, str | int]]:
    """The arguments of every task that reads: one a source, several where many rows are new."""
    mappings = load_mappings(load_settings().sources_dir)
    found: list[dict[str, str | int]] = []
    with database.connect() as connection:
        for source in sources:
            of = max(1, -(-tables.count_to_read(connection, mappings[source]) // ROWS_A_PART))
            found += [{"source": source, "part": number, "of": of} for number in range(of)]
    return found


def run(database: Database, *, run_id: str, source: str, part: int = 0, of: int = 1) -> Counts:
    """Counts of rows read, added, changed, unchanged, rejected (also by reason) and deleted.

    A row is read when its change token or the reading rules differ from what is stored. An
    unreadable one goes to `synthesis.rejected_row`, and its record from before stays. One of an
    erased person is dropped. Part `part` of `of` reads its share of the keys; the first also
    forgets vanished rows.
    """
    settings = load_settings()
    mappings = load_mappings(settings.sources_dir)
    if source not in mappings:
        raise SettingsError(f"no mapping for source '{source}'; {nearest(source, mappings)}")
    mapping = mappings[source]
    name = source if of == 1 else f"{source} {part + 1}/{of}"
    with (
        stage(database, run_id=run_id, name="extract_sources", part=name) as counts,
        database.lock(f"extract:{source}", shared=of > 1),
        database.lock(f"extract:{source} {part}/{of}"),
        database.connect() as reading,
        database.connect() as writing,
    ):
        counts.update(dict.fromkeys(_COUNTS, 0))
        for batch in _batches(reading, mapping, part, of, read_tombstones(writing)):
            begin(writing)
            _store(writing, mapping, run_id=run_id, batch=batch, counts=counts)
            database.check_locks()
            writing.commit()
        begin(writing)
        if part == 0:
            room_for_whole_tables(writing)
            share = settings.max_delete_share
            _, gone = tables.count_gone(writing, mapping, max_share=share)
            counts["deleted"] = tables.delete_gone(writing, mapping) if gone else 0
            # Such rows are read, and rejected, by every run.
            execute(writing, "extract/forget_long_keys", source=source, run_id=run_id)
        if counts["rejected"]:
            log.warning(
                "%s: %s of %s rows read were rejected", source, counts["rejected"], counts["read"]
            )
        if counts["added"] + counts["changed"] >= _ANALYZE_FROM:
            writing.execute("ANALYZE synthesis.source_record")
    return counts


def prepare_reading(connection: Connection) -> None:
    """Set up this transaction to read a whole source table, with values as text in one form."""
    connection.execute("SET TRANSACTION READ ONLY")
    # A plan that is quick only for its first rows would be slow.
    connection.execute("SET LOCAL cursor_tuple_fraction = 1")
    # A part looks small to the planner, and records that were none at its last count: it would go
    # through all that other tasks store meanwhile, for each row.
    connection.execute("SET LOCAL enable_nestloop = off")
    room_for_whole_tables(connection)


def _batches(
    connection: Connection, mapping: SourceMapping, part: int, of: int, tombstones: Tombstones
) -> Iterator[_Batch]:
    """The changed rows of the table, read and encoded, in batches to store."""
    prepare_reading(connection)
    shape = table_shape(connection, mapping)
    if shape is None:
        raise MappingError([f"{mapping.source}: there is no table {mapping.table}"])
    if problems := check_mapping(mapping, shape.columns):
        raise MappingError(problems)
    batch = _Batch()
    with connection.cursor(name="changed_rows", binary=True) as cursor:
        cursor.itersize = FETCH_ROWS
        # JSON is read from the bytes that came: a str of it would be made to be encoded again.
        cursor.adapters.register_loader("varchar", ByteaBinaryLoader)
        known = {"source": mapping.source, "extractor_version": mapping.extractor_version}
        cursor.execute(select_changed(mapping, shape), {**known, "part": part, "of": of})
        for key, token, stored, *cells in cursor:
            _read_into(batch, mapping, tombstones, key, token, stored, cells)
            if batch.size >= BATCH_BYTES or batch.rows >= BATCH_ROWS:
                yield batch
                batch = _Batch()
    if batch.rows:
        yield batch


def _read_into(
    batch: _Batch,
    mapping: SourceMapping,
    tombstones: Tombstones,
    key: str,
    token: str,
    stored: str | None,
    cells: list[str | bytes | None],
) -> None:
    """Reads a row; `stored` is the hash of what is known of it, None when nothing is."""
    batch.rows += 1
    result: SourceRecord | RowRejection
    if len(key) > LONGEST_ROW_KEY:
        key = bounded_key(key)
        result = RowRejection(mapping.source, key, "key_too_long", _KEY_DETAIL)
    else:
        result = read_row(mapping, dict(zip(mapping.columns, cells, strict=True)), batch.cuts)
    record = None if isinstance(result, RowRejection) else result
    if tombstones.hold(mapping.source, key, record):
        batch.erased.append(key)
        return
    if isinstance(result, RowRejection):
        log.debug("%s row %s rejected: %s", mapping.source, key, result.reason)
        batch.rejections.append((key, token, result.reason, result.detail))
        return
    encoded = encode(result)
    record_hash = digest(encoded)
    if record_hash == stored:
        batch.same.append((key, token))
        return
    observed = datetime.fromisoformat(result.observed_at) if result.observed_at else None
    row = (key, token, observed, record_hash, encoded)
    (batch.new if stored is None else batch.changed).append(row)
    batch.size += len(encoded)


def _store(
    connection: Connection, mapping: SourceMapping, *, run_id: str, batch: _Batch, counts: Counts
) -> None:
    source, version = known = (mapping.source, mapping.extractor_version)
    values = {"source": source, "extractor_version": version, "run_id": run_id}
    new = [known + row for row in batch.new]
    copy_rows(connection, _COPY_NEW, new, types=("text", "text", *_RECORD_TYPES))
    if batch.changed:
        execute(connection, "extract/create_incoming")
        copy_rows(connection, _COPY_CHANGED, batch.changed, types=_RECORD_TYPES)
        execute(connection, "extract/update_records", **values)
    if batch.same:
        keys, tokens = map(list, zip(*batch.same, strict=True))
        execute(connection, "extract/touch_unchanged", **values, source_keys=keys, tokens=tokens)
    readable = [row[0] for row in (*batch.new, *batch.changed, *batch.same)]
    execute(connection, "extract/forgive_rejections", source=source, source_keys=readable)
    if batch.rejections:
        keys, tokens, reasons, details = map(list, zip(*batch.rejections, strict=True))
        rejected = {"source_keys": keys, "tokens": tokens, "reasons": reasons, "details": details}
        execute(connection, "extract/upsert_rejections", **values, **rejected)
        emptied = [key for key, _, reason, _ in batch.rejections if reason == EMPTY]
        execute(connection, "extract/delete_emptied", source=source, source_keys=emptied)
    if batch.erased:
        execute(connection, "erase/forget_rows", source=source, source_keys=batch.erased)
        counts["erased"] = counts.get("erased", 0) + len(batch.erased)
    counts["added"] += len(batch.new)
    counts["changed"] += len(batch.changed)
    counts["unchanged"] += len(batch.same)
    counts["read"] += batch.rows
    counts["rejected"] += len(batch.rejections)
    noted = [f"rejected.{reason}" for _, _, reason, _ in batch.rejections]
    for name in noted + [f"cut.{reason}" for reason in batch.cuts]:
        counts[name] = counts.get(name, 0) + 1
