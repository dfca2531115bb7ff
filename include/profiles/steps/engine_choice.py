"""Which engine, model and prompt a run uses: the deployment's, unless its Params say otherwise.

Plan and lane both come here, on hosts that may differ; the lane compares the two results, so that
no answer is stored under the fingerprint of another prompt.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from profiles.errors import SettingsError
from profiles.models import EngineProfile
from profiles.params import RunParams
from profiles.planning import ReleaseKey, release_key
from profiles.rendering.markdown import RENDERER_VERSION
from profiles.settings import INCLUDE_DIR, Settings
from profiles.synthesis.model_files import ModelFiles, locate_model
from profiles.synthesis.presets import DEFAULT_PRESET, Preset, load_preset
from profiles.synthesis.prompting import default_profile, load_engine_profile


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """One engine with its model, the way it is asked, and its own options."""

    engine: str
    model: ModelFiles
    profile: EngineProfile
    options: dict[str, Any]
    preset: Preset
    key: ReleaseKey


def choose_engine(
    settings: Settings, params: RunParams, *, with_files: bool = True
) -> EngineChoice:
    """The choice of this run.

    Another engine than the deployment's gets neither its model nor its options: they are the
    deployment engine's own. Without `with_files` a pinned PROFILES_MODEL_REVISION is taken at its
    word, so that a host without the weights can plan.

    Raises:
        SettingsError: the options are no JSON object, or profile or preset do not exist.
        EngineJobError: the engine or the model is unknown.
    """
    engine = params.engine or settings.engine
    is_deployed = engine == settings.engine
    profile_name = params.engine_profile or (settings.engine_profile if is_deployed else None)
    preset = _preset(settings, engine) if is_deployed else _load(DEFAULT_PRESET)
    profile = preset.apply_to(
        load_engine_profile(profile_name or default_profile(engine), settings.prompts_dir)
    )
    model = _model(settings, engine, params.model, with_files=with_files)
    return EngineChoice(
        engine=engine,
        model=model,
        profile=profile,
        options={**preset.options, **engine_options(settings)} if is_deployed else {},
        preset=preset,
        key=release_key(
            profile,
            engine=engine,
            model=model.name,
            model_revision=model.revision,
            renderer_version=RENDERER_VERSION,
        ),
    )


def _preset(settings: Settings, engine: str) -> Preset:
    name = settings.engine_preset
    if name != DEFAULT_PRESET and engine != "sglang":
        raise SettingsError(
            f"preset {name!r} is for sglang, and PROFILES_ENGINE is {engine}; remove "
            "PROFILES_ENGINE_PRESET"
        )
    return _load(name)


def _load(name: str) -> Preset:
    return load_preset(name, INCLUDE_DIR / "engine_presets")


def _model(settings: Settings, engine: str, wanted: str, *, with_files: bool) -> ModelFiles:
    if wanted or engine != settings.engine:
        return locate_model(engine, wanted)
    if settings.model and settings.model_revision and not with_files:
        name = settings.model if engine == "openai" else Path(settings.model).name
        return ModelFiles(settings.model, name, settings.model_revision)
    return locate_model(engine, settings.model, revision=settings.model_revision)


def engine_options(settings: Settings) -> dict[str, Any]:
    """PROFILES_ENGINE_OPTIONS, parsed: JSON, or the JSON in the file that `@path` names.

    A relative path starts at the root of the checkout, whatever folder a worker runs in.

    Raises:
        SettingsError: it is no JSON object, or there is no such file.
    """
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
