"""Reads and writes human decisions about identity, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import psycopg
from psycopg.rows import TupleRow, class_row

from profiles.errors import DecisionError
from profiles.resolution.clustering import Ref
from profiles.resolution.decisions import Constraint
from profiles.storage.sql_files import load

Connection = psycopg.Connection[TupleRow]


@dataclass(frozen=True, slots=True)
class Decision:
    """One human decision. `applied_at` is None until a resolve has applied it, or taken it back."""

    decision_id: int
    kind: str
    candidate_id: int
    other_id: int | None
    decided_by: str
    decided_at: datetime
    note: str
    revoked_by: str | None
    revoked_at: datetime | None
    applied_at: datetime | None


@dataclass(frozen=True, slots=True)
class CandidateState:
    """An id that was given out; `current_id` is the one it answers under after a merge."""

    candidate_id: int
    current_id: int | None
    retired_at: datetime | None
    created_at: datetime


def lock_decisions(connection: Connection) -> None:
    """Waits until no other session decides: contradictions show only against all decisions.

    An advisory lock, because a resolve holds a lock on the table for as long as it runs.
    """
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('profiles:decide', 0))")


def constraints_in_force(connection: Connection) -> list[Constraint]:
    """The constraints of all decisions that were not revoked."""
    return [
        Constraint(decision_id, together, (left, left_key), (right, right_key))
        for decision_id, together, left, left_key, right, right_key in connection.execute(
            load("decisions/select_constraints")
        )
    ]


def add_decision(
    connection: Connection,
    *,
    kind: str,
    candidate_id: int,
    other_id: int | None,
    decided_by: str,
    note: str,
) -> int:
    """Records a decision and returns its id."""
    row = connection.execute(
        load("decisions/insert_decision"),
        {
            "kind": kind,
            "candidate_id": candidate_id,
            "other_id": other_id,
            "decided_by": decided_by,
            "note": note,
        },
    ).fetchone()
    if row is None:
        raise RuntimeError("INSERT … RETURNING returned no row")
    return int(row[0])


def add_constraints(connection: Connection, constraints: Iterable[Constraint]) -> None:
    """Records what a decision holds together and apart."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY synthesis.identity_constraint "
            "(decision_id, relation, left_source, left_key, right_source, right_key) FROM STDIN"
        ) as copy,
    ):
        for item in constraints:
            relation = "together" if item.together else "apart"
            copy.write_row((item.decision_id, relation, *item.left, *item.right))


def revoke(connection: Connection, *, decision_id: int, revoked_by: str) -> bool:
    """Takes a decision back; False when it is unknown or was taken back before."""
    values = {"decision_id": decision_id, "revoked_by": revoked_by}
    return connection.execute(load("decisions/revoke"), values).rowcount == 1


def decisions(connection: Connection, *, candidate_id: int | None = None) -> list[Decision]:
    """All decisions, or those that name a row of one candidate; newest first."""
    with connection.cursor(row_factory=class_row(Decision)) as cursor:
        return cursor.execute(
            load("decisions/select_decisions"), {"candidate_id": candidate_id}
        ).fetchall()


def candidate_state(connection: Connection, candidate_id: int) -> CandidateState | None:
    """The candidate of that id; None when the id was never given out."""
    with connection.cursor(row_factory=class_row(CandidateState)) as cursor:
        return cursor.execute(
            load("decisions/select_candidate"), {"candidate_id": candidate_id}
        ).fetchone()


def unknown_candidate(candidate_id: int) -> DecisionError:
    """The error for an id that was never given out, or whose person was erased."""
    return DecisionError(
        f"there is no candidate {candidate_id}: the id was never given out, or its person was "
        "erased. `profiles explain` finds a person by e-mail address or LinkedIn URL"
    )


def rows_of(connection: Connection, candidate_id: int) -> list[Ref]:
    """The rows of a candidate, sorted."""
    return [
        (source, source_key)
        for source, source_key in connection.execute(
            load("decisions/select_rows"), {"candidate_id": candidate_id}
        )
    ]
