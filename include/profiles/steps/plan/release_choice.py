"""Choice of a run's release: the approved one, unless Param `release` names another.

Changed files never change the requests of a nightly run: they make a release that waits for
approval. The first release of an empty deployment needs none, nor does one with the same requests,
such as another engine for the same model.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from profiles.errors import UnapprovedReleaseError
from profiles.models import ReleaseState
from profiles.params import RunParams
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import EngineChoice, choose_engine, serve_release
from profiles.storage.releases import (
    Release,
    approve_release,
    approved_release,
    find_release,
    register_release,
)
from profiles.storage.sql_files import Connection

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReleaseChoice:
    """Engine choice of a run. `notice` is for a person to read, such as a release pending approval.

    `holds_renderer`: documents that only the renderer or the skill aliases changed are deferred,
    because the release that goes with them waits for approval.
    """

    choice: EngineChoice
    notice: str | None = None
    holds_renderer: bool = False


def choose_release(connection: Connection, settings: Settings, params: RunParams) -> ReleaseChoice:
    """The choice of this run; registers what the files or Params ask for."""
    if params.release:
        release = find_release(connection, params.release)
        choice = serve_release(settings, release, model=params.model, with_files=False)
        _require_approval(release, params)
        return ReleaseChoice(choice)
    current = choose_engine(settings, params, with_files=False)
    if params.overrides_release:
        _require_approval(register_choice(connection, settings, current), params)
        return ReleaseChoice(current)
    return _nightly(connection, settings, current)


def _require_approval(release: Release, params: RunParams) -> None:
    """An override is published only under a release that a person approved at some time."""
    if params.publish_override and release.approved_at is None:
        raise UnapprovedReleaseError(
            f"release {release.short_id} {_stands(release.state)}, and the Param publish_override "
            f"publishes approved releases only. {_way_out(release)}"
        )


def register_choice(connection: Connection, settings: Settings, choice: EngineChoice) -> Release:
    """Stores the release that `choice` asks under, as proposed if it is new."""
    return register_release(
        connection,
        key=choice.key,
        profile=choice.profile,
        model_path=choice.model.path,
        is_pinned=bool(settings.model_revision)
        and settings.model_revision == choice.model.revision,
    )


def _nightly(connection: Connection, settings: Settings, current: EngineChoice) -> ReleaseChoice:
    approved = approved_release(connection)
    ours = register_choice(connection, settings, current)
    if approved is None:
        approve_release(connection, ours.release_id, by="first release")
        return ReleaseChoice(current, f"release {ours.short_id} is the first: approved")
    if ours.release_id == approved.release_id:
        return ReleaseChoice(current)
    changed = " and ".join(current.key.changes(approved.key))
    if current.key.answers_like(approved.key):
        approve_release(connection, ours.release_id, by="same answers")
        return ReleaseChoice(
            current,
            f"{changed} changed, which asks no document again: release {ours.short_id} approved",
        )
    notice = (
        f"{changed} changed: release {ours.short_id} {_stands(ours.state)}; this run goes on "
        f"under release {approved.short_id}. {_way_out(ours)}"
    )
    if approved.key.engine != current.engine:
        raise UnapprovedReleaseError(
            f"{changed} changed: release {ours.short_id} {_stands(ours.state)}, and the approved "
            f"release {approved.short_id} is for engine {approved.key.engine}, not for "
            f"{current.engine}, which this deployment runs. {_way_out(ours)}"
        )
    return ReleaseChoice(
        choice=serve_release(settings, approved, with_files=False),
        notice=notice,
        holds_renderer=current.key.renderer_version != approved.key.renderer_version,
    )


def _stands(state: ReleaseState) -> str:
    if state in (ReleaseState.PROPOSED, ReleaseState.CANARY):
        return "proposed"
    return f"was {state}"


def _way_out(release: Release) -> str:
    return (
        f"Run DAG release_approval, or `profiles releases approve {release.short_id}`, to use it; "
        "put the old files and PROFILES_* settings back to drop it"
    )
