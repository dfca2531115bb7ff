"""Removes a person from everything the pipeline made, and keeps the person out.

One transaction, under the locks of the steps that write about people, so that none of them carries
old rows across. Lanes may go on: an answer to a question about the person finds no candidate and is
not stored. The source tables belong to the team and are only read here. Every run compares the
database with the copy of the tombstones and erases again who came back with a restored backup.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, LiteralString

from psycopg import sql
from psycopg.types.json import Jsonb

from profiles.errors import BusyError, DecisionError, ErasureError
from profiles.resolution.blocking import WEAK_KINDS, strong_keys
from profiles.resolution.facts import decode_or_none
from profiles.settings import load_settings
from profiles.storage.connection import Database
from profiles.storage.identities import known_candidate
from profiles.storage.mappings import load_mappings
from profiles.storage.sql_files import Connection, execute
from profiles.storage.tombstones import (
    add_tombstones,
    erasure_keys,
    export_tombstones,
    insert_tombstones,
    read_copy,
    read_tombstones,
)

log = logging.getLogger(__name__)

STEP_LOCKS = ("resolve", "plan", "tag_domains", "publish")
"""The locks of steps that write about people, beside `extract:SOURCE` of every source."""

_FETCH_ROWS = 2_000
_PERSON = "candidate_id IN (SELECT candidate_id FROM erased_candidate)"
_ROW = "(source, source_key) IN (SELECT source, source_key FROM erased_row)"
_ROW_IDS = "(SELECT row_id FROM erased_row)"

_BEFORE_DECISIONS = {
    # The name of a freelance employer is the person's own.
    "unknown_industry": "value IN (SELECT left(employer, 200) FROM synthesis.experience "
    "JOIN erased_candidate USING (candidate_id))",
    "identity_edge": f"lo IN {_ROW_IDS} OR hi IN {_ROW_IDS}",
    "identity_constraint": "EXISTS (SELECT FROM erased_row WHERE "
    "(source, source_key) IN ((left_source, left_key), (right_source, right_key)))",
}
_AFTER_DECISIONS = {
    "identity_event": "EXISTS (SELECT FROM erased_candidate AS e WHERE e.candidate_id IN "
    "(identity_event.candidate_id, identity_event.other_id))",
    "identity_key": f"row_id IN {_ROW_IDS}",
    "identity_row": f"row_id IN {_ROW_IDS}",
    "generic_key": "(kind, value) IN (SELECT kind, value FROM erased_key) AND NOT EXISTS "
    "(SELECT FROM synthesis.identity_key AS k WHERE (k.kind, k.value) = "
    "(generic_key.kind, generic_key.value))",
    **dict.fromkeys(("source_record", "rejected_row", "reader_text"), _ROW),
    # Jobs go after documents, because a render that this waits for at a document leaves jobs, too;
    # what the triggers of jobs note goes after them.
    **dict.fromkeys((
        "candidate_synthesis", "candidate_embedding", "judge_score", "review_label", "completion",
        "run_item", "domain_tag", "document_search", "document", "experience", "untagged",
        "candidate_source", "former_source", "candidate",
    ), _PERSON),
}  # fmt: skip
"""Table → which of its rows go, in an order that no foreign key minds."""

ERASED_TABLES = frozenset(("identity_decision", *_BEFORE_DECISIONS, *_AFTER_DECISIONS))


def preview(database: Database, candidate_id: int) -> dict[str, Any]:
    """Preview of `erase`: changes nothing, and needs the secret like the real one."""
    erasure_keys()
    with database.connect() as connection:
        found = _erase(connection, candidate_id, asked_by="")
        connection.rollback()
    return found


def erase(database: Database, candidate_id: int, *, asked_by: str) -> dict[str, Any]:
    """Erases the person who answers under this id, with every id that was merged into it.
    `source_rows` still hold the person in the team's own tables; `shared_keys` counts those of
    other people too, which keep nobody out."""
    # Before the locks: no waiting helps where the secret is missing.
    erasure_keys()
    with ExitStack() as held:
        for name in (*(f"extract:{source}" for source in load_mappings()), *STEP_LOCKS):
            try:
                held.enter_context(database.lock(name))
            except BusyError as error:
                raise BusyError(
                    f"a run is in step '{name}'; nothing was erased. Retry when that step has "
                    "ended; running lanes do not matter"
                ) from error
        with database.connect() as connection:
            erasure = _erase(connection, candidate_id, asked_by=asked_by)
        export_tombstones(database)
    removed = sum(erasure["rows_removed"].values())
    log.info("erasure %s: %s rows are gone", erasure["erasure_id"], removed)
    return erasure


def _erase(connection: Connection, candidate_id: int, *, asked_by: str) -> dict[str, Any]:
    _require_current(connection, candidate_id)
    execute(connection, "erase/create_work_tables")
    execute(connection, "erase/fill_candidates", candidate_id=candidate_id)
    execute(connection, "erase/fill_rows")
    execute(connection, "erase/fill_keys", weak_kinds=list(WEAK_KINDS))
    ids = [row[0] for row in connection.execute("SELECT * FROM erased_candidate ORDER BY 1")]
    rows = connection.execute("SELECT source, source_key FROM erased_row ORDER BY 1, 2").fetchall()
    keys = connection.execute("SELECT kind, value, is_unique FROM erased_key").fetchall()
    unique = [(kind, value) for kind, value, is_unique in keys if is_unique]
    tombstones = add_tombstones(connection, rows=rows, keys=unique)
    removed = _remove(connection)
    # Records with a key of the person that no resolve has read yet.
    unread = rows_of_erased(connection, "select_unread")
    removed["source_record"] += forget_rows(connection, unread)
    done = {"asked_by": asked_by, "rows_removed": Jsonb(removed), "tombstones": tombstones}
    ((erasure_id,),) = execute(connection, "erase/insert_log", **done).fetchall()
    return {
        "erasure_id": erasure_id,
        "candidate_ids": ids,
        "rows_removed": removed,
        "tombstones": tombstones,
        "shared_keys": len(keys) - len(unique),
        "source_rows": [":".join(row) for row in rows],
    }


def _require_current(connection: Connection, candidate_id: int) -> None:
    try:
        state = known_candidate(connection, candidate_id)
    except DecisionError:
        for erasure_id, day in connection.execute(
            "SELECT erasure_id, erased_at::date FROM synthesis.erasure_log "
            "WHERE %s = ANY (candidate_ids)",
            (candidate_id,),
        ):
            raise ErasureError(
                f"candidate {candidate_id} was erased on {day} (erasure {erasure_id}); there is "
                "nothing left to erase"
            ) from None
        raise
    if state["current_id"] is not None:
        raise ErasureError(
            f"candidate {candidate_id} was merged into {state['current_id']}. To erase both: "
            f"`profiles erase {state['current_id']}`"
        )


def _remove(connection: Connection) -> dict[str, int]:
    # The next tag_domains looks at everybody and writes the industries again.
    connection.execute("DELETE FROM synthesis.tagged_by")
    execute(connection, "erase/compare_again")
    execute(connection, "erase/recount_runs")
    removed = _delete(connection, _BEFORE_DECISIONS)
    execute(connection, "erase/move_decisions")
    removed["identity_decision"] = execute(connection, "erase/delete_decisions").rowcount
    connection.execute(
        "UPDATE synthesis.candidate_source SET own_id = NULL "
        "WHERE own_id IN (SELECT candidate_id FROM erased_candidate)"
    )
    return removed | _delete(connection, _AFTER_DECISIONS)


def _delete(connection: Connection, conditions: Mapping[str, LiteralString]) -> dict[str, int]:
    return {
        table: connection.execute(
            sql.SQL("DELETE FROM {} WHERE {}").format(
                sql.Identifier("synthesis", table), sql.SQL(condition)
            )
        ).rowcount
        for table, condition in conditions.items()
    }


def rows_of_erased(connection: Connection, block: str) -> list[tuple[str, str]]:
    """The rows of a block of erase.sql with a tombstone of their own or of their person's key."""
    tombstones = read_tombstones(connection)
    with connection.cursor(name="stored_rows") as cursor:
        cursor.itersize = _FETCH_ROWS
        return [
            (source, key)
            for source, key, text in execute(cursor, f"erase/{block}")
            if tombstones.hold(source, key, decode_or_none(text) if text is not None else None)
        ]


def forget_rows(connection: Connection, rows: Sequence[tuple[str, str]]) -> int:
    """Drops what extracts stored of these rows; returns how many records that were."""
    return sum(
        execute(connection, "erase/forget_rows", source=source, source_keys=[key]).rowcount
        for source, key in rows
    )


def catch_up(database: Database) -> None:
    """Applies the deployment's own file where the database knows fewer tombstones than it."""
    path = load_settings().tombstone_file
    with database.connect() as connection:
        held = {bytes(row[0]) for row in connection.execute("SELECT hmac FROM synthesis.tombstone")}
    missing = {digest for digest, _ in read_copy(path)} - held
    if missing:
        lacks = "the database lacks %s of the tombstones in %s, as an older backup does; applying"
        log.warning(lacks, len(missing), path)
        apply(database, path, asked_by="restored backup")


def apply(database: Database, path: Path, *, asked_by: str) -> dict[str, int]:
    """Adds the tombstones of the file and erases whoever they are of."""
    lines = read_copy(path)
    if not lines:
        raise ErasureError(f"{path} holds no tombstones; `profiles tombstones export` writes some")
    with database.connect() as connection:
        added = insert_tombstones(connection, lines)
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
    return {"tombstones": added, "people": len(people), "rows": len(rows)}


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
