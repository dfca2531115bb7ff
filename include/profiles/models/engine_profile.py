"""How one kind of engine is asked, and what its answers must look like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from profiles.models.generation import Sampling


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

    `answer` json asks with `output_schema` as a grammar; tagged asks for skills and summary between
    tags, which the same schema checks afterwards; prose asks for one plain paragraph.
    `skills_from` model takes the model's list and adds what the vocabulary finds in the
    document; document takes the vocabulary's finds alone. `files` maps file name to text, for
    the fingerprint.

    `document_form` plain hands the document over without markdown, dates and name, because a small
    model goes on writing markdown when it has read some. `answer_prefix` is the beginning of the
    answer, which the model continues; the completion's text includes it.
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
    """Where a release stands. At most one is approved; the nightly run asks as that one says."""

    PROPOSED = "proposed"
    CANARY = "canary"
    APPROVED = "approved"
    SUPERSEDED = "superseded"
    REFUSED = "refused"
