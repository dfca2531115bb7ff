"""Named ways to run an engine, one YAML file each under include/engine_presets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from profiles.errors import SettingsError
from profiles.models import EngineProfile

__all__ = ["DEFAULT_PRESET", "Preset", "load_preset"]

DEFAULT_PRESET = "planned"


class Preset(BaseModel):
    """Options that stand under the operator's, and how the engine is fed.

    `engine`: the one that the options are for, None for any. `planned`: sizes and kernels are
    worked out for the cards. `requests_per_call`: as many are asked at a time and no more before
    the last of them is answered, as synchronous calls do.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    planned: bool
    engine: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    requests_per_call: int | None = Field(default=None, ge=1)
    max_new_tokens: int | None = Field(default=None, ge=1)

    def apply_to(self, profile: EngineProfile) -> EngineProfile:
        """The profile with this preset's cap on answers, for every attempt."""
        cap = self.max_new_tokens
        if cap is None:
            return profile
        sampling = replace(profile.sampling, max_new_tokens=cap)
        return replace(profile, sampling=sampling, retry_max_new_tokens=cap)


def load_preset(name: str, folder: Path) -> Preset:
    """The named preset.

    Raises:
        SettingsError: there is none of that name, or its file is wrong.
    """
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in names:
        raise SettingsError(f"PROFILES_ENGINE_PRESET is {name!r}; there are {', '.join(names)}")
    path = folder / f"{name}.yaml"
    try:
        return Preset.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is no YAML: {error}") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise SettingsError(f"{path}: {problems}") from error
