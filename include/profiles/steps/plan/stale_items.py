"""Writes the items of a run: every stale document with its fingerprint, reason and place in line.

Documents and completions stream through a server-side cursor in chunks, so that memory stays flat
for any number of people; the rules themselves are `profiles.planning`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from psycopg.rows import DictRow, dict_row

from profiles.models import StaleReason
from profiles.params import RunParams
from profiles.planning import LastCompletion, ReleaseKey, fingerprint, stale_reason
from profiles.storage.sql_files import Connection, execute, load

_CHUNK = 10_000


def write_items(
    connection: Connection,
    *,
    run_id: str,
    params: RunParams,
    release: ReleaseKey,
    held: tuple[StaleReason, ...] = (),
) -> dict[str, int]:
    """Writes the items; returns how many documents there are and how many are too thin.

    Items with a reason in `held` are deferred, and no limit counts them.
    """
    bound = {
        "run_id": run_id,
        "force": params.force,
        "limit": params.limit,
        "held": list(held),
        "candidate_ids": list(params.candidate_ids) or None,
    }
    # Every row of the cursors below is read, so the plan that gives the first one soonest is wrong.
    connection.execute("SET LOCAL cursor_tuple_fraction = 1")
    # A night writes more completions than autovacuum has counted by the next plan.
    connection.execute("ANALYZE synthesis.completion, synthesis.document")
    execute(connection, "plan/create_planned_document")
    execute(connection, "plan/create_stale_document")
    totals = {"candidates": 0, "too_thin": 0}
    documents = _stream(connection, load("plan/select_documents"), bound)
    _copy(
        connection,
        "COPY planned_document (candidate_id, fingerprint) FROM STDIN",
        _fingerprints(documents, release, totals),
    )
    connection.execute("ANALYZE planned_document")
    execute(connection, "plan/reset_run", **bound)
    execute(connection, "plan/delete_open_items", **bound)
    _copy(
        connection,
        "COPY stale_document (candidate_id, fingerprint, content_hash, reason, forced, "
        "token_estimate, last_done_at) FROM STDIN",
        _reasons(_stream(connection, load("plan/select_stale"), bound), release),
    )
    execute(connection, "plan/insert_run_items", **bound)
    # Lanes lease within seconds, long before autovacuum would notice the new rows.
    connection.execute("ANALYZE synthesis.run_item")
    return totals


def _fingerprints(
    documents: Iterable[list[DictRow]], release: ReleaseKey, totals: dict[str, int]
) -> Iterator[list[tuple[Any, ...]]]:
    for rows in documents:
        thin = sum(row["too_thin"] for row in rows)
        totals["candidates"] += len(rows)
        totals["too_thin"] += thin
        yield [
            (
                row["candidate_id"],
                fingerprint(content_hash=row["content_hash"], release=release),
            )
            for row in rows
            if not row["too_thin"]
        ]


def _reasons(
    stale: Iterable[list[DictRow]], release: ReleaseKey
) -> Iterator[list[tuple[Any, ...]]]:
    for rows in stale:
        yield [
            (
                row["candidate_id"],
                row["fingerprint"],
                row["content_hash"],
                stale_reason(
                    content_hash=row["content_hash"],
                    renderer_version=row["renderer_version"],
                    release=release,
                    last=_last_of(row),
                    forced=row["forced"],
                    retried=row["retried"],
                ),
                row["forced"],
                row["token_estimate"],
                row["last_done_at"],
            )
            for row in rows
        ]


def _last_of(row: DictRow) -> LastCompletion | None:
    if row["last_done_at"] is None:
        return None
    return LastCompletion(
        content_hash=row["last_content_hash"],
        prompt_digest=row["last_prompt_digest"],
        schema_digest=row["last_schema_digest"],
        sampling_digest=row["last_sampling_digest"],
        renderer_version=row["last_renderer_version"],
        identity_changed=row["identity_changed"],
        source_changed=row["source_changed"],
    )


def _stream(
    connection: Connection, statement: Any, bound: dict[str, Any]
) -> Iterator[list[DictRow]]:
    """Chunks of rows through a server-side cursor, so that memory stays flat."""
    with connection.cursor(name="plan_rows", row_factory=dict_row) as cursor:
        cursor.execute(statement, bound)
        while rows := cursor.fetchmany(_CHUNK):
            yield rows


def _copy(connection: Connection, statement: Any, chunks: Iterable[list[tuple[Any, ...]]]) -> None:
    """One COPY per chunk: the connection cannot read the next chunk during a COPY."""
    for chunk in chunks:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in chunk:
                copy.write_row(row)
