"""Choice of a run's release, engine, model and prompt.

A plan reads the deployment's files, to see whether they still are what was approved. Changed files
never change the requests of a nightly run: they make a release that waits for approval, unless it
makes the same requests, such as another engine for the same model. A lane asks as the row of its
run's release says, so that no answer is stored under the fingerprint of another prompt.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from profiles.errors import EngineJobError, ReleaseError, SettingsError, UnapprovedReleaseError
from profiles.models import EngineProfile, ReleaseState
from profiles.params import RunParams
from profiles.planning import ReleaseKey, profile_digests
from profiles.rendering.markdown import renderer_version
from profiles.settings import INCLUDE_DIR, Settings
from profiles.storage.releases import (
    Release,
    approve_release,
    approved_release,
    find_release,
    register_release,
)
from profiles.storage.sql_files import Connection
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.engines import BUILT_IN
from profiles.synthesis.engines.model_files import ModelFiles, locate_model
from profiles.synthesis.lane.engine_profiles import default_profile, load_engine_profile
from profiles.synthesis.lane.prompting import PLAIN_FORM_VERSION


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """`notice` is for a person to read. With `holds_renderer` documents that only the renderer or
    the skill aliases changed are deferred until their release is approved."""

    engine: str
    model: ModelFiles
    profile: EngineProfile
    options: dict[str, Any]
    key: ReleaseKey
    notice: str | None = None
    holds_renderer: bool = False


def choose_engine(
    settings: Settings, params: RunParams, *, with_files: bool = True
) -> EngineChoice:
    """The choice of this run. Another engine than the deployment's gets neither its model nor its
    options. Without `with_files` a pinned PROFILES_MODEL_REVISION is trusted, so that a host
    without the weights can plan."""
    engine = params.engine or settings.engine
    if engine not in (*BUILT_IN, settings.engine):
        # A Param is filled in by whoever may start a run; a module:Class is for PROFILES_ENGINE.
        raise EngineJobError(
            f"unknown engine {engine!r} in the Param `engine`; expected one of {sorted(BUILT_IN)}"
        )
    own_profile = settings.engine_profile if engine == settings.engine else None
    profile_name = params.engine_profile or own_profile
    profile = load_engine_profile(profile_name or default_profile(engine), settings.prompts_dir)
    model = _model(settings, engine, params.model, with_files=with_files)
    return EngineChoice(
        engine=engine,
        model=model,
        profile=profile,
        options=engine_options(settings) if engine == settings.engine else {},
        key=ReleaseKey(
            engine=engine,
            model=model.name,
            model_revision=model.revision,
            renderer_version=renderer_version(load_vocabulary(settings.taxonomy_dir)),
            **profile_digests(profile),
        ),
    )


def serve_release(
    settings: Settings, release: Release, *, model: str = "", with_files: bool = True
) -> EngineChoice:
    """The choice that asks as `release` does, from its row. `model` is the run's own, empty for the
    deployment's; else the place counts where the release's lay when it was registered."""
    engine = release.key.engine
    profile = release.engine_profile()
    asks = replace(release.key, **profile_digests(profile))
    is_other_form = profile.document_form == "plain" and (
        json.loads(profile.files["profile.yaml"]).get("plain_form") != PLAIN_FORM_VERSION
    )
    if asks != release.key or is_other_form:
        raise ReleaseError(
            f"release {release.short_id} was made by a version of this package that "
            "prompts differently. Install that version again, or approve a release of this one: "
            "trigger DAG release_approval"
        )
    return EngineChoice(
        engine=engine,
        model=_model_of_release(settings, release, model, with_files=with_files),
        profile=profile,
        options=engine_options(settings) if engine == settings.engine else {},
        key=release.key,
    )


def _model_of_release(
    settings: Settings, release: Release, wanted: str, *, with_files: bool
) -> ModelFiles:
    key = release.key
    pinned = key.model_revision if release.is_pinned else ""
    # A pinned revision is taken at its word, so it must not name what has taken its place since.
    is_replaced = release.model_path == settings.model and pinned != settings.model_revision
    places = []
    if wanted or key.engine == settings.engine:
        places.append((wanted or settings.model, "" if wanted else settings.model_revision))
    if release.model_path is not None and not (pinned and is_replaced):
        if pinned and not with_files:
            # A host without the weights plans; the lanes look whether they have them.
            return ModelFiles(release.model_path, key.model, pinned)
        places.append((release.model_path, pinned))
    for path, revision in places:
        try:
            found = locate_model(key.engine, path, revision=revision)
        except EngineJobError:
            continue
        if (found.name, found.revision) == (key.model, key.model_revision):
            return found
    raise EngineJobError(
        f"release {release.short_id} needs model {key.model}, revision {key.model_revision}; "
        f"this host has it neither as PROFILES_MODEL nor at {release.model_path!r}. Put its files "
        "back there, or approve a release whose model is here: trigger DAG release_approval, or "
        "`profiles releases approve ID`"
    )


def _model(settings: Settings, engine: str, wanted: str, *, with_files: bool) -> ModelFiles:
    if wanted or engine != settings.engine:
        return locate_model(engine, wanted)
    if settings.model and settings.model_revision and not with_files:
        name = settings.model if engine == "openai" else Path(settings.model).name
        return ModelFiles(settings.model, name, settings.model_revision)
    return locate_model(engine, settings.model, revision=settings.model_revision)


def engine_options(settings: Settings) -> dict[str, Any]:
    """PROFILES_ENGINE_OPTIONS: JSON, or the JSON in the file `@path`, relative to the checkout."""
    text, source = settings.engine_options, "PROFILES_ENGINE_OPTIONS"
    if text.startswith("@"):
        path = INCLUDE_DIR.parent / text[1:]
        source = f"{path}, which PROFILES_ENGINE_OPTIONS names,"
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"{source} cannot be read ({error}); `profiles tune` writes such a file, while "
                "PROFILES_ENGINE_OPTIONS does not name it yet"
            ) from error
    try:
        options = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"{source} is not JSON: {error}") from error
    if not isinstance(options, dict):
        raise SettingsError(f"{source} must be a JSON object of engine arguments")
    return options


def choose_release(connection: Connection, settings: Settings, params: RunParams) -> EngineChoice:
    """The choice of this run; registers what the files or Params ask for."""
    if params.release:
        release = find_release(connection, params.release)
        choice = serve_release(settings, release, model=params.model, with_files=False)
        _require_approval(release, params)
        return choice
    current = choose_engine(settings, params, with_files=False)
    if params.overrides_release:
        _require_approval(register_choice(connection, settings, current), params)
        return current
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


def _nightly(connection: Connection, settings: Settings, current: EngineChoice) -> EngineChoice:
    approved = approved_release(connection)
    ours = register_choice(connection, settings, current)
    if approved is None:
        approve_release(connection, ours.release_id, by="first release")
        return replace(current, notice=f"release {ours.short_id} is the first: approved")
    if ours.release_id == approved.release_id:
        return current
    changed = " and ".join(current.key.changes(approved.key))
    if current.key.answers_like(approved.key):
        approve_release(connection, ours.release_id, by="same answers")
        why = f"{changed} changed, which makes no document stale"
        return replace(current, notice=f"{why}: release {ours.short_id} approved")
    state = f"{changed} changed: release {ours.short_id} {_stands(ours.state)}"
    if approved.key.engine != current.engine:
        raise UnapprovedReleaseError(
            f"{state}, and the approved release {approved.short_id} is for engine "
            f"{approved.key.engine}, not for {current.engine}, which this deployment runs. "
            f"{_way_out(ours)}"
        )
    return replace(
        serve_release(settings, approved, with_files=False),
        notice=f"{state}; this run goes on under release {approved.short_id}. {_way_out(ours)}",
        holds_renderer=current.key.renderer_version != approved.key.renderer_version,
    )


def _stands(state: ReleaseState) -> str:
    return "proposed" if state in (ReleaseState.PROPOSED, ReleaseState.CANARY) else f"was {state}"


def _way_out(release: Release) -> str:
    return (
        f"Run DAG release_approval, or `profiles releases approve {release.short_id}`, to use it; "
        "put the old files and PROFILES_* settings back to drop it"
    )
