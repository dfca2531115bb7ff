"""Turns a document into a request: engine profiles from files, fenced data, wanted length.

The system prompt never varies within a profile, so that an engine's prefix cache holds it; all
that varies is in the user message. Nothing here knows the time: no prompt prints a date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from profiles.errors import SettingsError
from profiles.models import (
    EngineProfile,
    LengthBand,
    LengthRule,
    Message,
    ReasoningEffort,
    Refusal,
    Request,
    Sampling,
)
from profiles.rendering.reader_text import ReaderTextDetector
from profiles.rendering.trimming import trim_document
from profiles.standardization.text import defuse_tokens
from profiles.synthesis.lane.follow_up import FollowUp, token_budget
from profiles.synthesis.lane.plain_document import PLAIN_FORM_VERSION, plain_document

__all__ = [
    "Prompter",
    "default_profile",
    "engine_context_tokens",
    "load_engine_profile",
    "token_counter",
]

_DEFAULT_PROFILES = {"llama_cpp": "prose", "sglang": "tagged", "vllm": "tagged"}
_FENCE = re.compile(r"<\s*(/?)\s*candidate_record\s*>", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_PLACEHOLDERS = frozenset({"document", "minimum_words", "maximum_words"})
_ASKED = {
    "answer",
    "answer_prefix",
    "document",
    "length",
    "max_document_tokens",
    "skills_from",
}
_TEMPLATE_TOKENS = 64
"""Role markers and line feeds that a chat template adds around the messages."""
_REMEMBERED = 1024
"""Prompts kept for another try: more than most lanes have in flight, and 20 MB at most."""
_COUNT_MARGIN = 1.35
"""The counting vocabulary is larger than a small model's, so real counts are higher."""


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
    logprobs: bool = False
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
    """The profile an engine is asked with when nobody chose one."""
    return _DEFAULT_PROFILES.get(engine, "structured")


def load_engine_profile(name: str, prompts_dir: Path) -> EngineProfile:
    """The profile in folder `name`: profile.yaml, system.md, user.md; except for prose schema.json.

    `files` holds what shapes the answers: the two prompts, and of profile.yaml the parts that
    change what is asked or accepted. Attempts and token caps are not among them.

    Raises:
        SettingsError: the folder or a file is missing or wrong.
    """
    folder = prompts_dir / name
    known = sorted(path.parent.name for path in prompts_dir.glob("*/profile.yaml"))
    if name not in known:
        raise SettingsError(
            f"no engine profile {name!r} in {prompts_dir}; there are {known}. Correct "
            "PROFILES_ENGINE_PROFILE or the Param `engine_profile`."
        )
    settings = _settings(folder / "profile.yaml")
    system, user = _text(folder / "system.md"), _text(folder / "user.md")
    _check_template(folder / "user.md", user)
    schema = None if settings.answer == "prose" else _schema(folder / "schema.json")
    asked = settings.model_dump(mode="json", include=_ASKED)
    if settings.document == "plain":
        asked["plain_form"] = PLAIN_FORM_VERSION
    return EngineProfile(
        name=name,
        version=settings.version,
        answer=settings.answer,
        skills_from=settings.skills_from,
        system_prompt=system,
        user_template=user,
        output_schema=schema,
        length=LengthRule(
            full=LengthBand(*settings.length.full),
            full_from=settings.length.full_from,
            share_minimum=settings.length.share_minimum,
            share_maximum=settings.length.share_maximum,
            floor=settings.length.floor,
        ),
        sampling=Sampling(**settings.sampling.model_dump()),
        attempts=settings.attempts,
        max_document_tokens=settings.max_document_tokens,
        retry_max_new_tokens=settings.retry_max_new_tokens,
        document_form=settings.document,
        answer_prefix=settings.answer_prefix,
        files={
            "profile.yaml": json.dumps(asked, sort_keys=True),
            "system.md": system,
            "user.md": user,
        },
    )


class Prompter:
    """Asks about documents. The text of each is counted and trimmed once as long as it is
    remembered. `follow_up` tells why an earlier answer was refused, None to retry without."""

    def __init__(
        self,
        profile: EngineProfile,
        count_tokens: Callable[[str], int],
        *,
        follow_up: FollowUp | None = None,
        reader_text: ReaderTextDetector | None = None,
    ) -> None:
        self._profile = profile
        self._count_tokens = count_tokens
        self._follow_up = follow_up
        self._reader_text = reader_text
        self._messages = lru_cache(maxsize=_REMEMBERED)(self._build)

    def request(
        self,
        *,
        document: str,
        word_count: int,
        request_id: str,
        seed: int | None,
        max_new_tokens: int | None = None,
        refusal: Refusal | None = None,
    ) -> Request:
        """The question about one document, trimmed by section rules to the profile's budget.

        `word_count` is the whole document's; it decides the wanted length, as it does in the gate.
        """
        sampling = self._profile.sampling
        return Request(
            request_id=request_id,
            messages=self._messages(document, word_count, self._told(refusal)),
            sampling=replace(
                sampling, seed=seed, max_new_tokens=max_new_tokens or sampling.max_new_tokens
            ),
            json_schema=self._profile.output_schema if self._profile.answer == "json" else None,
        )

    def _told(self, refusal: Refusal | None) -> str:
        if self._follow_up is None or refusal is None:
            return ""
        detector = self._reader_text
        return self._follow_up.text(
            refusal,
            budget=token_budget(self._profile),
            count_tokens=self._count_tokens,
            neutralize=_fenced,
            addresses_reader=lambda text: detector is not None and detector.addresses(text),
        )

    def _build(self, document: str, word_count: int, told: str) -> tuple[Message, ...]:
        return _messages(document, word_count, told, self._profile, self._count_tokens)


def _messages(
    document: str,
    word_count: int,
    told: str,
    profile: EngineProfile,
    count_tokens: Callable[[str], int],
) -> tuple[Message, ...]:
    # The follow-up comes out of the document's budget, so that no prompt outgrows the context.
    room = profile.max_document_tokens - (count_tokens(told) if told else 0)
    data, _ = trim_document(_fenced(document), room, count_tokens)
    if profile.document_form == "plain":
        data = plain_document(data)
    band = profile.length.band(word_count)
    values = {
        "document": data.strip(),
        "minimum_words": str(band.minimum),
        "maximum_words": str(band.maximum),
    }
    user = _PLACEHOLDER.sub(lambda match: values[match[1]], profile.user_template)
    messages = [Message("user", f"{user}\n\n{told}" if told else user)]
    if profile.system_prompt:
        messages.insert(0, Message("system", profile.system_prompt))
    if profile.answer_prefix:
        messages.append(Message("assistant", profile.answer_prefix))
    return tuple(messages)


def engine_context_tokens(profile: EngineProfile, count_tokens: Callable[[str], int]) -> int:
    """Context that the longest prompt of a profile and its longest answer need together."""
    prompt = count_tokens(profile.system_prompt) + count_tokens(profile.user_template)
    answer = max(profile.sampling.max_new_tokens, profile.retry_max_new_tokens)
    needed = (prompt + profile.max_document_tokens) * _COUNT_MARGIN + answer + _TEMPLATE_TOKENS
    return -(-int(needed) // 256) * 256


def token_counter() -> Callable[[str], int]:
    """Counts tokens of the o200k vocabulary (gpt-oss's), offline; about 0.6 ms a document."""
    encoding = _encoding()

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count


@lru_cache(maxsize=1)
def _encoding() -> Any:
    # Imported late: the vocabulary takes a noticeable part of a second to load.
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")


def _fenced(document: str) -> str:
    """The document without anything that could end its fence or be read as a special token."""
    return _FENCE.sub(r"[\1candidate record]", defuse_tokens(document))


def _settings(path: Path) -> _ProfileFile:
    try:
        return _ProfileFile.model_validate(yaml.safe_load(_text(path)))
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is no YAML: {error}") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors()
        )
        raise SettingsError(f"{path}: {problems}") from error


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
        raise SettingsError(f"prompt file {path} cannot be read") from error


def _check_template(path: Path, template: str) -> None:
    names = _PLACEHOLDER.findall(template)
    unknown = sorted(set(names) - _PLACEHOLDERS)
    if unknown or names.count("document") != 1:
        raise SettingsError(
            f"{path} must have {{{{document}}}} once and may have {sorted(_PLACEHOLDERS)}; "
            f"unknown: {unknown}"
        )
