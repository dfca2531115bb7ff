"""Actions on candidates that a person requests, done by the steps that the commands use.

Rows are named by their number, because a row's key can be an e-mail address or a name, and what
names them here stays in Airflow: in the run's Params, its log and its XCom.
"""

from __future__ import annotations

import logging
from typing import Any

from profiles.erasure import erase
from profiles.errors import DecisionError
from profiles.operations import decide
from profiles.params import Action, ActionParams
from profiles.resolution.clustering import Ref
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute

log = logging.getLogger(__name__)


def run(database: Database, *, asked: ActionParams, by: str) -> list[dict[str, Any]]:
    """Does what was asked; returns the Params of each `profile_synthesis` run to start, if any."""
    if asked.action is Action.RESYNTHESISE:
        return _resynthesise(database, asked)
    if asked.action is Action.RETRY:
        _retry(database, asked)
    elif asked.action is Action.SPLIT:
        _split(database, asked, by)
    elif asked.action is Action.MERGE:
        left, right = asked.candidate_ids
        decision_id = decide.merge(database, left, right, decided_by=by)
        log.info("decision %s merges %s and %s; the next run applies it", decision_id, left, right)
    else:
        erase.erase(database, asked.candidate_ids[0], asked_by=by)
    return []


def _resynthesise(database: Database, asked: ActionParams) -> list[dict[str, Any]]:
    with database.connect() as connection:
        for candidate_id in asked.candidate_ids:
            decide.live_candidate(connection, candidate_id)
    log.info("%s candidates will be synthesised again", len(asked.candidate_ids))
    return [{"candidate_ids": list(asked.candidate_ids), "force": True}]


def _retry(database: Database, asked: ActionParams) -> None:
    opened: dict[str, int] = {}
    for candidate_id in asked.candidate_ids or (None,):
        found = retry(database, reason=asked.reason, candidate_id=candidate_id, run_id=asked.run)
        for reason, people in found.items():
            opened[reason] = opened.get(reason, 0) + people
    log.info("%s refused documents are open again: %s", sum(opened.values()), opened)


def _split(database: Database, asked: ActionParams, by: str) -> None:
    (candidate_id,) = asked.candidate_ids
    leaving = _rows_named(database, candidate_id, asked.row_ids)
    decision_id = decide.split(database, candidate_id, leaving, decided_by=by)
    log.info(
        "decision %s parts %s rows from %s; the next run applies it",
        decision_id,
        len(leaving),
        candidate_id,
    )


def _rows_named(database: Database, candidate_id: int, row_ids: tuple[int, ...]) -> list[Ref]:
    with database.connect() as connection:
        decide.live_candidate(connection, candidate_id)
        found = {
            row_id: (source, source_key)
            for row_id, source, source_key in execute(
                connection, "decisions/select_numbered_rows", candidate_id=candidate_id
            )
        }
    foreign = [str(row_id) for row_id in row_ids if row_id not in found]
    if foreign:
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
    candidate_id: int | None = None,
    run_id: str | None = None,
) -> dict[str, int]:
    """Opens the refused documents that match all that is given; returns reason → people."""
    wanted = {"reason": reason, "candidate_id": candidate_id, "run_id": run_id}
    with database.connect() as connection:
        return dict(execute(connection, "retry/open_rejected", **wanted).fetchall())
