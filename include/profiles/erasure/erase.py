"""Removes a person from everything the pipeline made, and keeps the person out.

One transaction, under the locks of the steps that write about people, so that none of them carries
old rows across. Lanes may go on: an answer to a question about the person finds no candidate and is
not stored. The source tables belong to the team and are only read here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, LiteralString

from psycopg import sql
from psycopg.types.json import Jsonb

from profiles.errors import BusyError, ErasureError
from profiles.resolution.blocking import WEAK_KINDS
from profiles.resolution.facts import decode_or_none
from profiles.storage.connection import Database
from profiles.storage.identities import candidate_state, unknown_candidate
from profiles.storage.mappings import load_mappings
from profiles.storage.sql_files import Connection, execute
from profiles.storage.tombstones import (
    add_tombstones,
    erasure_keys,
    export_tombstones,
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
    state = candidate_state(connection, candidate_id)
    if state is None:
        logged = connection.execute(
            "SELECT erasure_id, erased_at::date FROM synthesis.erasure_log "
            "WHERE %s = ANY (candidate_ids)",
            (candidate_id,),
        ).fetchone()
        if logged is not None:
            raise ErasureError(
                f"candidate {candidate_id} was erased on {logged[1]} (erasure {logged[0]}); there "
                "is nothing left to erase"
            )
        raise unknown_candidate(candidate_id)
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
    """The rows of a block of erase.sql that a tombstone is of, by their own key or by one of their
    person's."""
    tombstones = read_tombstones(connection)
    found = []
    with connection.cursor(name="stored_rows") as cursor:
        cursor.itersize = _FETCH_ROWS
        for source, key, text in execute(cursor, f"erase/{block}"):
            record = decode_or_none(text) if text is not None else None
            if tombstones.row_is_erased(source, key) or (
                record is not None and tombstones.record_is_erased(record)
            ):
                found.append((source, key))
    return found


def forget_rows(connection: Connection, rows: Sequence[tuple[str, str]]) -> int:
    """Drops what extracts stored of these rows; returns how many records that were."""
    return sum(
        execute(connection, "erase/forget_rows", source=source, source_keys=[key]).rowcount
        for source, key in rows
    )
