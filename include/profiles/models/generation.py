"""Settings, requests and responses of an engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

ReasoningEffort = Literal["none", "low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters. `seed` and `max_new_tokens` may differ between attempts and are not
    part of a fingerprint. With a `reasoning_effort` the token cap covers the reasoning too."""

    temperature: float = 0.2
    top_p: float = 1.0
    top_k: int = -1
    repetition_penalty: float = 1.05
    max_new_tokens: int = 1200
    seed: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: ReasoningEffort = "none"

    @property
    def reasons(self) -> bool:
        return self.reasoning_effort != "none"


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the engine. `json_schema` is the JSON text of the output schema, None for
    plain prose. `input_ids` replaces `messages` when the caller tokenised already."""

    request_id: str
    messages: tuple[Message, ...]
    sampling: Sampling
    json_schema: str | None = None
    input_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. `finish_reason` is stop, length, abort or error; `error` says what went wrong
    with this request alone, and `is_lasting` that no repetition changes it. `seconds` is the time
    from submission to the last token."""

    request_id: str
    text: str
    finish_reason: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0
    error: str | None = None
    is_lasting: bool = False


@dataclass(frozen=True, slots=True)
class LengthBand:
    """Wanted number of words of a summary, both ends included."""

    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class LengthRule:
    """Wanted length from the document's length.

    A document of `full_from` words or more gets `full`; a shorter one gets `share_minimum` to
    `share_maximum` of its own words, because a fixed minimum forces invention. Never above
    `full.maximum`, never below `floor`.
    """

    full: LengthBand
    full_from: int
    share_minimum: float
    share_maximum: float
    floor: int = 15

    def band(self, document_words: int) -> LengthBand:
        if document_words >= self.full_from:
            return self.full
        low = max(self.floor, math.floor(document_words * self.share_minimum))
        high = max(low + self.floor, math.ceil(document_words * self.share_maximum))
        return LengthBand(min(low, self.full.minimum), min(high, self.full.maximum))


@dataclass(frozen=True, slots=True)
class EngineProfile:
    """One folder under include/prompts.

    `answer` json uses `output_schema` as a grammar; tagged asks for skills and summary between
    tags, which the schema checks afterwards; prose for one paragraph. `skills_from` model adds the
    vocabulary's finds to the model's list; document takes those alone. `files` is for the
    fingerprint. `document_form` plain leaves out markdown, dates and name, for small models. The
    model continues `answer_prefix`, which the completion's text includes.
    """

    name: str
    version: str
    answer: Literal["json", "tagged", "prose"]
    skills_from: Literal["model", "document"]
    system_prompt: str
    user_template: str
    output_schema: str | None
    length: LengthRule
    sampling: Sampling
    attempts: int
    max_document_tokens: int
    retry_max_new_tokens: int
    files: dict[str, str] = field(default_factory=dict)
    document_form: Literal["markdown", "plain"] = "markdown"
    answer_prefix: str = ""


class ReleaseState(StrEnum):
    """State of a release. At most one is approved; the nightly run uses its settings."""

    PROPOSED = "proposed"
    CANARY = "canary"
    APPROVED = "approved"
    SUPERSEDED = "superseded"
    REFUSED = "refused"
