"""Asks a release about a fixed sample, shows releases, and notes what a person decides about one.

The canary is a run that does not publish: its lanes, leases and gate are those of every night.
What it found is kept on the release as ids, counts and verdicts; texts stay in the completions.
"""

from __future__ import annotations

import logging
from typing import Any

from psycopg.types.json import Jsonb

from profiles.errors import ReleaseError, SettingsError
from profiles.models import ReleaseState
from profiles.params import CanaryParams, RunParams
from profiles.settings import load_settings
from profiles.steps import plan_synthesis
from profiles.steps.lanes.engine_choice import choose_engine, register_choice
from profiles.storage import releases
from profiles.storage.connection import Database
from profiles.storage.releases import Release, approved_release, find_release, store_canary
from profiles.storage.runs import read_assignment, start_run
from profiles.storage.sql_files import Connection, execute, records

log = logging.getLogger(__name__)

_SIDES = ("old", "new")
_KEY_SHOWN = ("model", "model_revision", "engine", "engine_profile")
_SHOWN = (
    "answers", "valid", "repaired", "extractive", "rejected", "mean_words", "mean_skills",
    "mean_output_tokens", "mean_attempts",
)  # fmt: skip


def plan(database: Database, *, run_id: str, params: CanaryParams) -> list[dict[str, Any]]:
    """Plan the canary of `params.release`, else of the files; `[]` when all was asked before."""
    with database.connect() as connection:
        release = _release(connection, params.release)
        sample = [
            row[0]
            for row in execute(connection, "release/select_canary_sample", size=params.documents)
        ]
        known = connection.execute(
            "SELECT params ->> 'release' FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
        # Two DAGs may have a run of the same name, which a person typed.
        if known and not known[0]:
            raise SettingsError(
                f"run id {run_id} belongs to DAG profile_synthesis; trigger release_approval "
                "again with another run id"
            )
        if not sample:
            raise ReleaseError(
                "no document is stored; run DAG profile_synthesis first, which "
                "renders documents and approves the first release"
            )
        store_canary(connection, release.release_id, None)
    run_params = RunParams(
        release=release.release_id,
        candidate_ids=tuple(sample),
        lanes=1,
        window_hours=params.window_hours,
    )
    start_run(database, run_id=run_id, params=run_params)
    log.info("release %s: a canary of %s documents", release.short_id, len(sample))
    return plan_synthesis.run(database, run_id=run_id, params=run_params)


def compare(database: Database, *, run_id: str) -> dict[str, Any]:
    """Compare both sides, keep that on the release and end the run; return counts, and a table of
    them in markdown."""
    _, release = read_assignment(database, run_id=run_id)
    with database.connect() as connection:
        (report,) = records(connection, "release/compare_canary", run_id=run_id)
        approved = approved_release(connection)
        if not report["new"]["answers"]:
            raise ReleaseError(
                f"release {release.short_id} has no answer within the canary's "
                "window; check the log of synthesise, then trigger DAG release_approval again"
            )
        report |= {
            "run_id": run_id,
            "against": approved.release_id if approved else None,
            "changed": list(release.key.changes(approved.key)) if approved else [],
        }
        store_canary(connection, release.release_id, report)
        connection.execute(
            "UPDATE synthesis.run SET state = 'succeeded', ended_at = now() WHERE run_id = %s",
            (run_id,),
        )
    counts = {name: report[name] for name in ("documents", "better", "worse", *_SIDES)}
    summary = {"release": release.short_id, **counts, "table": _table(release, report)}
    log.info("canary of release %s: %s", release.short_id, summary)
    return summary


def _table(release: Release, report: dict[str, Any]) -> str:
    against = (report["against"] or "nothing")[: len(release.short_id)]
    old, new = (report[side] for side in _SIDES)
    changed = " and ".join(report["changed"]) or "nothing"
    lines = [
        f"Release `{release.short_id}` against `{against}`: {changed} changed.\n",
        f"| of {report['documents']} documents | old | new |",
        "|---|---|---|",
        *(f"| {name.replace('_', ' ')} | {old[name]} | {new[name]} |" for name in _SHOWN),
        f"\nBy the gate {report['better']} are better and {report['worse']} worse. Both sides "
        f"with their texts: `profiles releases show {release.short_id}`.",
    ]
    return "\n".join(lines)


def _release(connection: Connection, wanted: str) -> Release:
    if wanted:
        release = find_release(connection, wanted)
    else:
        settings = load_settings()
        choice = choose_engine(settings, RunParams(), with_files=False)
        release = register_choice(connection, settings, choice)
    if release.state is ReleaseState.APPROVED:
        raise ReleaseError(
            f"release {release.short_id} is approved already. "
            "Change a prompt or setting first, or name another release of `profiles releases` in "
            "the Param `release`"
        )
    return release


def approve(database: Database, *, release: str, by: str) -> str:
    """Make it the release of the nightly runs; return its id. A planned run goes on as it was."""
    with database.connect() as connection:
        found = find_release(connection, release)
        if found.state is not ReleaseState.APPROVED:
            # What nobody could ask under would fail every night from now on.
            found.engine_profile()
            releases.approve_release(connection, found.release_id, by=by)
    log.info("release %s is approved", found.short_id)
    return found.release_id


def refuse(database: Database, *, release: str, by: str) -> str:
    """Marks it refused; the files keep proposing nothing until they change again."""
    with database.connect() as connection:
        found = find_release(connection, release)
        if found.state is ReleaseState.APPROVED:
            raise ReleaseError(
                f"release {found.short_id} is the approved one; approve another to replace it"
            )
        decision = {"release_id": found.release_id, "state": ReleaseState.REFUSED, "by": by}
        execute(connection, "release/decide_release", **decision)
    log.info("release %s is refused", found.short_id)
    return found.release_id


def overview(database: Database) -> list[dict[str, Any]]:
    with database.connect() as connection:
        approved = approved_release(connection)
        return [_mapping(release, approved) for release in releases.all_releases(connection)]


def show(database: Database, *, release: str) -> dict[str, Any]:
    """One release with old and new texts of its canary, JSON-ready; for the operator alone."""
    with database.connect() as connection:
        found = find_release(connection, release)
        shown = _mapping(found, approved_release(connection))
        canary = found.canary
        if canary is None:
            return {**shown, "canary": None}
        answers = [pair[side] for pair in canary["candidates"] for side in _SIDES if pair[side]]
        found_texts = records(connection, "release/select_answer_texts", answers=Jsonb(answers))
    texts = {(row["candidate_id"], row["attempt_id"]): row for row in found_texts}
    for answer in answers:
        text = texts.get((answer["candidate_id"], answer["attempt_id"]), {})
        answer |= {"summary": text.get("summary"), "skill_names": text.get("skills")}
    return {**shown, "canary": canary}


def _mapping(release: Release, approved: Release | None) -> dict[str, Any]:
    key = release.key
    return {
        "release": release.short_id,
        "release_id": release.release_id,
        "state": release.state.value,
        **{name: getattr(key, name) for name in _KEY_SHOWN},
        "differs_in": list(key.changes(approved.key)) if approved else [],
        "created_at": release.created_at.isoformat(),
        "decided_at": release.decided_at and release.decided_at.isoformat(),
        "decided_by": release.decided_by,
    }
