"""Removes a person from everything the pipeline made, and keeps the person out.

One transaction, under the locks of the steps that write about people, so that none of them carries
old rows across. Lanes may go on: an answer to a question about the person finds no candidate and is
not stored. The source tables belong to the team and are only read here.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from profiles.errors import BusyError, ErasureError
from profiles.resolution.blocking import WEAK_KINDS, strong_keys
from profiles.resolution.facts import decode_or_none
from profiles.storage.connection import Database
from profiles.storage.identities import candidate_state, unknown_candidate
from profiles.storage.mappings import load_mappings
from profiles.storage.sql_files import Connection, execute
from profiles.storage.tombstones import add_tombstones, erasure_keys, export_tombstones

log = logging.getLogger(__name__)


STEP_LOCKS = ("resolve", "plan", "tag_domains", "publish")
"""The locks of steps that write about people, beside `extract:SOURCE` of every source."""

_FETCH_ROWS = 2_000

_BY_CANDIDATE = (
    "candidate_synthesis",
    "candidate_embedding",
    "judge_score",
    "review_label",
    "completion",
    "run_item",
    "domain_tag",
    "document_search",
    "document",
    "experience",
    "untagged",
    "candidate_source",
    "former_source",
    "candidate",
)
"""Jobs go after documents, because a render that this waits for at a document leaves jobs, too;
what the triggers of jobs note goes after them."""
_BY_ROW = ("source_record", "rejected_row", "reader_text")
_BY_ROW_ID = ("identity_key", "identity_row")
_BY_FILE = {
    "identity_edge": "erase/delete_edges",
    "identity_constraint": "erase/delete_constraints",
    "identity_decision": "erase/delete_decisions",
    "identity_event": "erase/delete_events",
    "generic_key": "erase/delete_generic_keys",
}

_INDUSTRIES = """
DELETE FROM synthesis.unknown_industry WHERE value IN (
  SELECT left(employer, 200) FROM synthesis.experience JOIN erased_candidate USING (candidate_id)
)"""
"""The name of a freelance employer is the person's own."""

ERASED_TABLES = frozenset(("unknown_industry", *_BY_CANDIDATE, *_BY_ROW, *_BY_ROW_ID, *_BY_FILE))


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
    log.info(
        "erasure %s: %s rows of %s tables, %s tombstones",
        erasure["erasure_id"],
        sum(erasure["rows_removed"].values()),
        sum(map(bool, erasure["rows_removed"].values())),
        erasure["tombstones"],
    )
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
    unique = {(kind, value) for kind, value, is_unique in keys if is_unique}
    tombstones = add_tombstones(connection, rows=rows, keys=unique)
    removed = _remove(connection)
    removed["source_record"] += _remove_unread(connection, unique)
    logged = execute(
        connection,
        "erase/insert_log",
        asked_by=asked_by,
        rows_removed=Jsonb(removed),
        tombstones=tombstones,
    ).fetchone()
    return {
        "erasure_id": logged[0] if logged else None,
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
    """Deletes in an order that no foreign key minds; returns table → rows."""
    removed: dict[str, int] = {"unknown_industry": connection.execute(_INDUSTRIES).rowcount}
    # The next tag_domains looks at everybody and writes the industries again.
    connection.execute("DELETE FROM synthesis.tagged_by")
    execute(connection, "erase/compare_again")
    execute(connection, "erase/recount_runs")
    for table in ("identity_edge", "identity_constraint"):
        removed[table] = execute(connection, _BY_FILE[table]).rowcount
    execute(connection, "erase/move_decisions")
    for table in ("identity_decision", "identity_event"):
        removed[table] = execute(connection, _BY_FILE[table]).rowcount
    for table in _BY_ROW_ID:
        removed[table] = _delete(connection, table, "erased_row", ("row_id",))
    removed["generic_key"] = execute(connection, "erase/delete_generic_keys").rowcount
    for table in _BY_ROW:
        removed[table] = _delete(connection, table, "erased_row", ("source", "source_key"))
    connection.execute(
        "UPDATE synthesis.candidate_source SET own_id = NULL "
        "WHERE own_id IN (SELECT candidate_id FROM erased_candidate)"
    )
    for table in _BY_CANDIDATE:
        removed[table] = _delete(connection, table, "erased_candidate", ("candidate_id",))
    return removed


def _delete(connection: Connection, table: str, erased: str, columns: Sequence[str]) -> int:
    matches = sql.SQL(" AND ").join(
        sql.SQL("t.{0} = e.{0}").format(sql.Identifier(column)) for column in columns
    )
    statement = sql.SQL("DELETE FROM {} AS t USING {} AS e WHERE {}").format(
        sql.Identifier("synthesis", table), sql.Identifier(erased), matches
    )
    return connection.execute(statement).rowcount


def _remove_unread(connection: Connection, unique: set[tuple[str, str]]) -> int:
    """Drops records with a key of the person that no resolve has read yet."""
    found: dict[str, list[str]] = {}
    with connection.cursor(name="unread") as cursor:
        cursor.itersize = _FETCH_ROWS
        for source, source_key, text in execute(cursor, "erase/select_unread"):
            record = decode_or_none(text)
            if record is not None and unique.intersection(strong_keys(record)):
                found.setdefault(source, []).append(source_key)
    return sum(
        execute(connection, "erase/forget_rows", source=source, source_keys=source_keys).rowcount
        for source, source_keys in found.items()
    )
