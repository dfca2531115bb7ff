"""Decisions of people about candidates: identity, new syntheses, retries, erasure.

A decision about identity is stored as constraints between source rows and applied by the next
resolve; one that contradicts an earlier decision is refused here, so that resolve never has to
choose. Airflow's form names rows by their number, because a row's key can be an e-mail address or a
name, and what names them there stays in Airflow: in the run's Params, its log and its XCom.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from profiles import erase
from profiles.errors import DecisionError
from profiles.params import Action, ActionParams
from profiles.resolution.clustering import Ref
from profiles.resolution.decisions import Constraint, contradicted
from profiles.storage import identities as store
from profiles.storage.connection import Database
from profiles.storage.sql_files import Connection, execute

log = logging.getLogger(__name__)


def run(database: Database, *, params: ActionParams, by: str) -> list[dict[str, Any]]:
    """Perform the action; returns the Params of each `profile_synthesis` run to start, if any."""
    ids = params.candidate_ids
    match params.action:
        case Action.RESYNTHESISE:
            with database.connect() as connection:
                for candidate_id in ids:
                    live_candidate(connection, candidate_id)
            log.info("%s candidates will be synthesised again", len(ids))
            return [{"candidate_ids": list(ids), "force": True}]
        case Action.RETRY:
            opened = retry(database, reason=params.reason, candidate_ids=ids, run_id=params.run)
            log.info("%s refused documents are open again: %s", sum(opened.values()), opened)
        case Action.SPLIT:
            leaving = _rows_named(database, ids[0], params.row_ids)
            number = split(database, ids[0], leaving, decided_by=by)
            parts = "decision %s parts %s rows from %s; the next run applies it"
            log.info(parts, number, len(leaving), ids[0])
        case Action.MERGE:
            number = merge(database, *ids, decided_by=by)
            log.info("decision %s merges %s and %s; the next run applies it", number, *ids)
        case Action.ERASE:
            erase.erase(database, ids[0], asked_by=by)
    return []


def _rows_named(database: Database, candidate_id: int, row_ids: tuple[int, ...]) -> list[Ref]:
    with database.connect() as connection:
        live_candidate(connection, candidate_id)
        rows = execute(connection, "decisions/select_numbered_rows", candidate_id=candidate_id)
        found = {row_id: (source, source_key) for row_id, source, source_key in rows}
    if foreign := [str(row_id) for row_id in row_ids if row_id not in found]:
        raise DecisionError(
            f"candidate {candidate_id} does not have row {', '.join(foreign)}; its rows are "
            f"{', '.join(map(str, sorted(found))) or 'not read yet'}. A page that was open for a "
            "while may show rows that have moved: load it again"
        )
    return [found[row_id] for row_id in row_ids]


def retry(
    database: Database,
    *,
    reason: str | None = None,
    candidate_ids: Sequence[int] = (),
    run_id: str | None = None,
) -> dict[str, int]:
    """Opens the refused documents that match all that is given; returns reason → people."""
    wanted = {"reason": reason, "candidate_ids": list(candidate_ids) or None, "run_id": run_id}
    with database.connect() as connection:
        return dict(execute(connection, "retry/open_rejected", **wanted).fetchall())


_NEW = 0
"""The id of a decision that has none yet."""


def merge(database: Database, left: int, right: int, *, decided_by: str, note: str = "") -> int:
    """Decides that two candidates are one person, with all rows they have now; returns its id."""
    if left == right:
        raise DecisionError(f"candidate {left} is named twice; name two candidates to merge")
    with database.connect() as connection:
        store.lock_decisions(connection)
        rows = [*_rows_of(connection, left), *_rows_of(connection, right)]
        together = [Constraint(_NEW, True, rows[0], ref) for ref in rows[1:]]
        decision = {"candidate_id": left, "other_id": right, "decided_by": decided_by, "note": note}
        return _record(connection, together, kind="merge", **decision)


def split(
    database: Database,
    candidate_id: int,
    leaving: Sequence[Ref],
    *,
    decided_by: str,
    note: str = "",
) -> int:
    """Decides that rows of a candidate are another person, one and the same; returns its id."""
    with database.connect() as connection:
        store.lock_decisions(connection)
        rows = _rows_of(connection, candidate_id)
        leaves = sorted(set(leaving))
        foreign = [ref for ref in leaves if ref not in rows]
        if foreign or not leaves:
            named = ", ".join(map(":".join, foreign)) or "no row"
            raise DecisionError(
                f"candidate {candidate_id} does not have {named}; `profiles explain "
                f"{candidate_id}` lists its rows"
            )
        stays = [ref for ref in rows if ref not in leaves]
        if not stays:
            raise DecisionError(
                f"these are all {len(rows)} rows of candidate {candidate_id}; leave out those that "
                "stay"
            )
        first, *others = leaves
        constraints = [
            *(Constraint(_NEW, True, first, ref) for ref in others),
            *(Constraint(_NEW, False, first, ref) for ref in stays),
        ]
        decision = {"candidate_id": candidate_id, "other_id": None, "note": note}
        return _record(connection, constraints, kind="split", decided_by=decided_by, **decision)


def undo(database: Database, decision_id: int, *, revoked_by: str) -> None:
    """Revoke a decision; the next resolve decides by the evidence again."""
    with database.connect() as connection:
        store.lock_decisions(connection)
        bound = {"decision_id": decision_id, "revoked_by": revoked_by}
        if not execute(connection, "decisions/revoke", **bound).rowcount:
            raise DecisionError(
                f"no decision {decision_id} is in force; `profiles decisions` lists them"
            )


def live_candidate(connection: Connection, candidate_id: int) -> None:
    state = store.known_candidate(connection, candidate_id)
    if state["current_id"] is not None:
        raise DecisionError(
            f"candidate {candidate_id} was merged into {state['current_id']}; name that one"
        )
    if state["retired_at"] is not None:
        raise DecisionError(
            f"candidate {candidate_id} has no source row any more; it returns with its rows"
        )


def _rows_of(connection: Connection, candidate_id: int) -> list[Ref]:
    live_candidate(connection, candidate_id)
    return execute(connection, "decisions/select_rows", candidate_id=candidate_id).fetchall()


def _record(
    connection: Connection, constraints: Sequence[Constraint], *, kind: str, **decision: object
) -> int:
    if against := contradicted(store.constraints_in_force(connection), constraints):
        ids = " and ".join(map(str, against))
        raise DecisionError(
            f"this {kind} contradicts decision {ids}; revoke that first with "
            f"`profiles decisions --undo {against[-1]}`, or leave out the rows it names"
        )
    return store.add_decision(connection, constraints, kind=kind, **decision)
