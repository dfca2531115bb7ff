"""Leaked text around an answer or about its making: reasoning, channels, instructions. Pure."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from profiles.models import RejectionReason
from profiles.validation.words import regex, words_of

__all__ = ["Stripped", "prompt_fault", "reasoning_fault", "strip_reasoning"]

_RUN = 8
"""Words in a row; a true summary shares shorter runs with a prompt ("years of experience")."""
# A model that loops on white space fills its whole budget with it.
_SPACE_RUN = re.compile(r"\s{3,}")


class Stripped(NamedTuple):
    """The text that was meant as the answer. `leaked` says that reasoning stood around it."""

    text: str
    leaked: bool


def strip_reasoning(text: str) -> Stripped | RejectionReason:
    """The final answer without channels, thoughts and end markers.

    LEAKED_REASONING when the text is reasoning that never came to an answer.
    """
    text = _SPACE_RUN.sub(lambda run: "\n\n" if "\n" in run[0] else " ", text)
    before = text
    finals = [found for found in regex("final").finditer(text) if text[found.end() :].strip()]
    if finals:
        text = text[finals[-1].end() :]
    elif text.lstrip().startswith("{"):
        # An answer, and then another channel: what was opened after the object is no part of it.
        channel = regex("channel").search(text)
        text = text if channel is None else text[: channel.start()]
    elif "<|channel|>" in text or regex("analysis").match(text) or regex("final").search(text):
        return RejectionReason.LEAKED_REASONING
    text = _without_tail(text)
    ends = list(regex("thought end").finditer(text))
    if ends:
        # Also where the thought stands between parts of an answer: the last word counts.
        rest = text[ends[-1].end() :]
        text = rest if rest.strip() else text[: text.lower().find("<think")]
    elif regex("thought").search(text):
        return RejectionReason.LEAKED_REASONING
    leaked = text.strip() != before.strip()
    end = regex("end marker").search(text)
    if end is not None:
        text = text[: end.start()]
    if regex("any marker").search(text):
        return RejectionReason.LEAKED_REASONING
    return Stripped(text.strip(), leaked)


def _without_tail(text: str) -> str:
    """The object alone, where the name of a channel is glued to its end."""
    text = text.lstrip()
    if not text.startswith("{"):
        return text
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return text
    return text[:end] if regex("glued tail").match(text, end) else text


def reasoning_fault(text: str) -> str | None:
    """Return "thinking aloud" when the text is about its own making instead of the person."""
    lowered = text.lower()
    talk = regex("talk")
    is_talk = regex("marker").search(lowered) or any(
        talk.match(lowered, word.start()) for word in regex("talk begins").finditer(lowered)
    )
    return "thinking aloud" if is_talk else None


def prompt_fault(summary: str, *, prompt: str, document: str) -> str | None:
    """`instructions` when a run of words stands in the prompt and not in the document."""
    runs = _runs(summary) & _instructions(prompt)
    return "instructions" if runs and runs - _runs(document) else None


@lru_cache(maxsize=8)
def _instructions(prompt: str) -> frozenset[tuple[str, ...]]:
    return _runs(prompt)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = list(words_of(text))
    return frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))
