"""Erasures that a restored backup forgot, and of rows that are nobody's yet.

Every run compares the database with the copy and erases again who came back.
"""

from __future__ import annotations

import logging
from pathlib import Path

from profiles.erasure.erase import erase, forget_rows, rows_of_erased
from profiles.errors import ErasureError
from profiles.resolution.blocking import strong_keys
from profiles.resolution.facts import decode_or_none
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute
from profiles.storage.tombstones import (
    add_tombstones,
    export_tombstones,
    read_copy,
    tombstone_file,
)

log = logging.getLogger(__name__)


def catch_up(database: Database) -> None:
    """Applies the deployment's own file where the database knows fewer tombstones than it."""
    with database.connect() as connection:
        missing = _missing(connection, read_copy(tombstone_file()))
    if not missing:
        return
    log.warning(
        "the database lacks %s of the tombstones in %s, as an older backup does; they are applied",
        len(missing),
        tombstone_file(),
    )
    apply(database, tombstone_file(), asked_by="restored backup")


def apply(database: Database, path: Path, *, asked_by: str) -> dict[str, int]:
    """Adds the tombstones of the file and erases whoever they are of."""
    lines = read_copy(path)
    if not lines:
        raise ErasureError(f"{path} holds no tombstones; `profiles tombstones export` writes some")
    with database.connect() as connection:
        missing = _missing(connection, lines)
        connection.execute(
            "INSERT INTO synthesis.tombstone (hmac, kind) SELECT * FROM unnest(%s::bytea[], "
            "%s::text[]) ON CONFLICT DO NOTHING",
            ([digest for digest, _ in missing], [kind for _, kind in missing]),
        )
        rows = rows_of_erased(connection, "select_stored")
        people = connection.execute(
            "SELECT DISTINCT s.candidate_id FROM synthesis.candidate_source AS s "
            "JOIN unnest(%s::text[], %s::text[]) AS r (source, source_key) "
            "USING (source, source_key)",
            ([source for source, _ in rows], [key for _, key in rows]),
        ).fetchall()
    for (candidate_id,) in people:
        erase(database, candidate_id, asked_by=asked_by)
    with database.connect() as connection:
        forget_rows(connection, rows)
    return {"tombstones": len(missing), "people": len(people), "rows": len(rows)}


def erase_row(database: Database, source: str, key: str) -> dict[str, int]:
    """Erases one row that belongs to nobody yet: before a first night, or a rejected one."""
    with database.lock(f"extract:{source}"), database.connect() as connection:
        ((owner, text),) = execute(
            connection, "erase/select_row", source=source, source_key=key
        ).fetchall()
        if owner is not None:
            raise ErasureError(f"this row is candidate {owner}'s; run `profiles erase {owner}`")
        record = decode_or_none(text) if text is not None else None
        keys = strong_keys(record) if record is not None else []
        added = add_tombstones(connection, rows=[(source, key)], keys=keys)
        forget_rows(connection, [(source, key)])
    export_tombstones(database)
    return {"tombstones": added}


def _missing(connection: Connection, lines: list[tuple[bytes, str]]) -> list[tuple[bytes, str]]:
    held = {bytes(row[0]) for row in connection.execute("SELECT hmac FROM synthesis.tombstone")}
    return [(digest, kind) for digest, kind in lines if digest not in held]
