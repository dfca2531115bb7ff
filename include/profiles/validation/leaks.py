"""Leaked text around an answer or about its making: reasoning, channels, instructions. Pure."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from profiles.models import RejectionReason
from profiles.validation.words import regex

__all__ = ["Stripped", "strip_reasoning"]

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
