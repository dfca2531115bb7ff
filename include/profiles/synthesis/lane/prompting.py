"""Turns a document into a request: fenced data, wanted length, plain form for small models.

The system prompt never varies within a profile, so that an engine's prefix cache holds it; all
that varies is in the user message. Nothing here knows the time: no prompt prints a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, Field, model_validator

from profiles.errors import SettingsError
from profiles.models import EngineProfile, Message, Rejection, RemovalReason, Request
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.rendering.trimming import trim_document
from profiles.standardization.characters import defuse_tokens
from profiles.synthesis.lane.assessment import NO_VERDICT

PLAIN_FORM_VERSION = "1"
"""Raise it when the same document gives another plain form: it is part of the fingerprint."""

_YEARS_IN_BRACKETS = re.compile(r"\s*\((?:[A-Z][a-z]{2} )?\d{4}[^()]*\)")
_DATE_LINE = re.compile(r"^(?:from |until )?(?:[A-Z][a-z]{2} )?(?:\d{4}\b|Present\b)")
_SILENT_HEADINGS = frozenset({"Summary", "Experience"})

_MOST_FOLLOW_UP_TOKENS = 240
_SHARE_OF_DOCUMENT = 4
"""At most this part of the document's budget goes to it, so that no prompt is larger for it."""
_MAX_QUOTE_CHARS = 240
_FENCE = re.compile(r"<\s*(/?)\s*candidate_record\s*>", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_PLACEHOLDERS = frozenset({"document", "minimum_words", "maximum_words"})
_TEMPLATE_TOKENS = 64
"""Role markers and line feeds that a chat template adds around the messages."""
_COUNT_MARGIN = 1.35
"""The counting vocabulary is larger than a small model's, so real counts are higher."""


def token_budget(profile: EngineProfile) -> int:
    """Most tokens of a follow-up to a prompt of `profile`."""
    return min(_MOST_FOLLOW_UP_TOKENS, profile.max_document_tokens // _SHARE_OF_DOCUMENT)


class FollowUp(BaseModel):
    """Feedback to the model on a retry: why its answer was rejected, and which of its sentences.
    Never the document; no fingerprint holds it."""

    heading: str = Field(pattern=r"^[^{}]*\{reason\}[^{}]*$")
    quotes: str
    refusals: dict[str, str]
    removals: dict[RemovalReason, str]

    @model_validator(mode="after")
    def _is_complete(self) -> FollowUp:
        lacking = {"other"} - self.refusals.keys() | set(RemovalReason) - self.removals.keys()
        if lacking:
            raise ValueError(f"lacks a text for {', '.join(sorted(lacking))}")
        return self


@dataclass(frozen=True, slots=True)
class Prompter:
    """Asks about documents. `follow_up` tells why an earlier answer was refused, None to retry
    without."""

    profile: EngineProfile
    count_tokens: Callable[[str], int]
    follow_up: FollowUp | None = None
    reader_text: ReaderTextDetector | None = None

    def request(
        self,
        *,
        document: str,
        word_count: int,
        request_id: str,
        seed: int | None,
        max_new_tokens: int | None = None,
        rejection: Rejection | None = None,
    ) -> Request:
        """The request for one document of `word_count` words, trimmed to the profile's budget."""
        sampling = self.profile.sampling
        return Request(
            request_id=request_id,
            messages=self._messages(document, word_count, self._follow_up_text(rejection)),
            sampling=replace(
                sampling, seed=seed, max_new_tokens=max_new_tokens or sampling.max_new_tokens
            ),
            json_schema=self.profile.output_schema if self.profile.answer == "json" else None,
        )

    def _follow_up_text(self, rejection: Rejection | None) -> str:
        """Text to add to the prompt, without sentences that address a reader; "" for none."""
        texts, budget = self.follow_up, token_budget(self.profile)
        if texts is None or rejection is None or rejection.reason in NO_VERDICT:
            return ""
        reason = texts.refusals.get(rejection.reason, texts.refusals["other"])
        text = texts.heading.format(reason=reason)
        if self.count_tokens(text) > budget:
            return ""
        opening = f"\n{texts.quotes}"
        for removed in dict.fromkeys(rejection.removed):
            sentence = " ".join(_fenced(removed.sentence).split()).replace('"', "'")
            if self.reader_text is not None and self.reader_text.addresses(sentence):
                continue
            if len(sentence) > _MAX_QUOTE_CHARS:
                sentence = sentence[:_MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + " …"
            longer = f'{text}{opening}\n- "{sentence}" ({texts.removals[removed.reason]})'
            if self.count_tokens(longer) > budget:
                break
            text, opening = longer, ""
        return text

    def _messages(self, document: str, word_count: int, follow_up: str) -> tuple[Message, ...]:
        # The follow-up comes out of the document's budget, so that no prompt outgrows the context.
        room = self.profile.max_document_tokens - (self.count_tokens(follow_up) if follow_up else 0)
        data, _ = trim_document(_fenced(document), room, self.count_tokens)
        if self.profile.document_form == "plain":
            data = plain_document(data)
        band = self.profile.length.band(word_count)
        values = {
            "document": data.strip(),
            "minimum_words": str(band.minimum),
            "maximum_words": str(band.maximum),
        }
        user = _PLACEHOLDER.sub(lambda match: values[match[1]], self.profile.user_template)
        messages = [Message("user", f"{user}\n\n{follow_up}" if follow_up else user)]
        if self.profile.system_prompt:
            messages.insert(0, Message("system", self.profile.system_prompt))
        if self.profile.answer_prefix:
            messages.append(Message("assistant", self.profile.answer_prefix))
        return tuple(messages)


def engine_context_tokens(profile: EngineProfile, count_tokens: Callable[[str], int]) -> int:
    """Context that the longest prompt of a profile and its longest answer need together."""
    prompt = count_tokens(profile.system_prompt) + count_tokens(profile.user_template)
    answer = max(profile.sampling.max_new_tokens, profile.retry_max_new_tokens)
    needed = (prompt + profile.max_document_tokens) * _COUNT_MARGIN + answer + _TEMPLATE_TOKENS
    return -(-int(needed) // 256) * 256


@lru_cache(maxsize=1)
def token_counter() -> Callable[[str], int]:
    """Counts tokens of the o200k vocabulary (gpt-oss's), offline; about 0.6 ms a document."""
    # Imported late: the vocabulary takes a noticeable part of a second to load.
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def _fenced(document: str) -> str:
    """The document without anything that could end its fence or be read as a special token."""
    return _FENCE.sub(r"[\1candidate record]", defuse_tokens(document))


def check_template(path: Path, template: str) -> None:
    """Raises SettingsError unless the template asks about one document, with known names."""
    names = _PLACEHOLDER.findall(template)
    unknown = sorted(set(names) - _PLACEHOLDERS)
    if unknown or names.count("document") != 1:
        raise SettingsError(
            f"{path} must have {{{{document}}}} once and may have {sorted(_PLACEHOLDERS)}; "
            f"unknown: {unknown}"
        )


def plain_document(markdown: str) -> str:
    """One paragraph with the facts of a rendered document, for models too small for markdown.

    Such a model goes on writing headings, copies date lines and invents a story for the first name.

    >>> plain_document("# A\\nEngineer\\n\\n## Skills\\nGo, Kafka\\n")
    'Engineer. Skills: Go, Kafka.'
    """
    sentences = [_sentence(line.strip()) for line in markdown.splitlines()]
    return " ".join(sentence for sentence in sentences if sentence)


def _sentence(line: str) -> str:
    """Text of one line, closed with a full stop or, for a heading, with a colon."""
    if not line or line.startswith("# ") or _DATE_LINE.match(line):
        return ""
    if line.startswith("### "):
        return line[4:].replace(" — ", " at ") + ":"
    if line.startswith("## "):
        return "" if line[3:] in _SILENT_HEADINGS else line[3:] + ":"
    text = _YEARS_IN_BRACKETS.sub("", line.removeprefix("- ")).replace(" — ", ", ")
    return text if text.endswith((".", "!", "?", ":")) else text + "."
