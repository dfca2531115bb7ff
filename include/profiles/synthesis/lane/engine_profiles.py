"""Engine profiles: prompts, output schema, sampling and limits in a folder of include/prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from profiles.errors import SettingsError
from profiles.models import EngineProfile, LengthBand, LengthRule, ReasoningEffort, Sampling
from profiles.settings import INCLUDE_DIR, read_yaml
from profiles.synthesis.lane.prompting import PLAIN_FORM_VERSION, FollowUp, check_template

_DEFAULT_PROFILES = {"llama_cpp": "prose", "sglang": "tagged", "vllm": "tagged"}
_NO_PART_OF_REQUESTS = {"version", "attempts", "retry_max_new_tokens", "sampling"}


class _Length(BaseModel):
    model_config = ConfigDict(extra="forbid")

    full: tuple[int, int]
    full_from: int = Field(ge=0)
    share_minimum: float = Field(gt=0, le=1)
    share_maximum: float = Field(gt=0, le=1)
    floor: int = Field(default=15, ge=1)


class _Sampling(BaseModel):
    model_config = ConfigDict(extra="forbid")

    temperature: float = Field(ge=0, le=2)
    top_p: float = Field(default=1.0, gt=0, le=1)
    top_k: Literal[-1] | Annotated[int, Field(ge=1)] = -1
    repetition_penalty: float = Field(gt=0, le=2)
    max_new_tokens: int = Field(ge=1)
    stop: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    reasoning_effort: ReasoningEffort = "none"


class _ProfileFile(BaseModel):
    """include/prompts/<name>/profile.yaml."""

    model_config = ConfigDict(extra="forbid")

    version: str
    document: Literal["markdown", "plain"] = "markdown"
    answer_prefix: str = ""
    answer: Literal["json", "tagged", "prose"]
    skills_from: Literal["model", "document"]
    attempts: int = Field(ge=1, le=5)
    max_document_tokens: int = Field(ge=50)
    retry_max_new_tokens: int = Field(ge=1)
    length: _Length
    sampling: _Sampling


def default_profile(engine: str) -> str:
    return _DEFAULT_PROFILES.get(engine, "structured")


def load_engine_profile(name: str, prompts_dir: Path) -> EngineProfile:
    """The profile in folder `name`: profile.yaml, system.md, user.md; except for prose schema.json.
    `files` holds what shapes the answers: the prompts and parts of profile.yaml."""
    folder = prompts_dir / name
    known = sorted(path.parent.name for path in prompts_dir.glob("*/profile.yaml"))
    if name not in known:
        raise SettingsError(
            f"no engine profile {name!r} in {prompts_dir}; there are {known}. Correct "
            "PROFILES_ENGINE_PROFILE or the Param `engine_profile`."
        )
    advice = "compare it with a shipped profile"
    settings = read_yaml(_ProfileFile, folder / "profile.yaml", advice=advice)
    system, user = _text(folder / "system.md"), _text(folder / "user.md")
    check_template(folder / "user.md", user)
    schema = None if settings.answer == "prose" else _schema(folder / "schema.json")
    request_settings = settings.model_dump(mode="json", exclude=_NO_PART_OF_REQUESTS)
    full = settings.length.full
    if settings.document == "plain":
        request_settings["plain_form"] = PLAIN_FORM_VERSION
    return EngineProfile(
        name=name,
        system_prompt=system,
        user_template=user,
        output_schema=schema,
        length=LengthRule(LengthBand(*full), **settings.length.model_dump(exclude={"full"})),
        sampling=Sampling(**settings.sampling.model_dump()),
        document_form=settings.document,
        files={
            "profile.yaml": json.dumps(request_settings, sort_keys=True),
            "system.md": system,
            "user.md": user,
        },
        **settings.model_dump(exclude={"length", "sampling", "document"}),
    )


def load_follow_up(prompts_dir: Path) -> FollowUp:
    """The texts of follow_up.yaml in `prompts_dir`, or ours where that folder has none."""
    path = prompts_dir / "follow_up.yaml"
    if not path.is_file():
        path = INCLUDE_DIR / "prompts" / "follow_up.yaml"
    return read_yaml(FollowUp, path, advice="compare it with the shipped file")


def _schema(path: Path) -> str:
    """The output schema as compact JSON, key order kept: the grammar writes keys in that order."""
    try:
        return json.dumps(json.loads(_text(path)), separators=(",", ":"), ensure_ascii=False)
    except ValueError as error:
        raise SettingsError(f"{path} is no JSON: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise SettingsError(f"file {path} cannot be read") from error
