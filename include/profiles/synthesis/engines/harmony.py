"""Harmony, the format that gpt-oss was trained on: how a prompt ends and where an answer begins.

The model writes messages on channels: reasoning on `analysis`, the answer on `final`. Runs in the
engine process. Facts of SGLang 0.5.23 that shape it: a chat template accepts any effort as text,
so `none` would only be printed; a grammar binds from the first token that is generated, and with
a reasoning parser from the first `<|end|>`, which in Harmony stands before the header of the
final message. Neither place is the start of the answer, so a reasoning model gets no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from profiles.models import Message, ReasoningEffort

__all__ = [
    "FINAL_CHANNEL",
    "FINAL_STOP_TOKENS",
    "PROMPT_DATE",
    "STOP_TOKENS",
    "Spoken",
    "split",
    "template_arguments",
    "with_response_format",
]

PROMPT_DATE = "2025-01-01"
"""What a chat template that prints the current date prints instead; part of no fingerprint
because it never changes."""

START, CHANNEL, MESSAGE, END = 200006, 200005, 200008, 200007
_ASSISTANT, _FINAL = 173781, 17196

FINAL_CHANNEL = (START, _ASSISTANT, CHANNEL, _FINAL, MESSAGE)
"""`<|start|>assistant<|channel|>final<|message|>`: what follows it is the answer."""

STOP_TOKENS = (200002, 200012)
"""`<|return|>` ends the answer, `<|call|>` a tool call that nobody will answer."""

FINAL_STOP_TOKENS = (*STOP_TOKENS, END, START, CHANNEL, MESSAGE)
"""Once the final message has begun every marker ends it; with reasoning they part its messages."""

_HEADER = re.compile(r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer without its reasoning, and how many tokens stood before it."""

    text: str
    reasoning_tokens: int


def template_arguments(effort: ReasoningEffort) -> dict[str, Any]:
    """What the chat template is given. Without reasoning the prompt asks for little of it, and
    `FINAL_CHANNEL` is to be appended; else the model opens its channels itself."""
    return {
        "reasoning_effort": "low" if effort == "none" else effort,
        "add_generation_prompt": effort != "none",
    }


def with_response_format(messages: Sequence[Message], schema: str) -> tuple[Message, ...]:
    """The messages with the schema where Harmony has it: at the end of the instructions."""
    first, *rest = messages
    text = f"{first.content.rstrip()}\n\n# Response Formats\n\n## profile\n\n{schema.strip()}"
    return (Message(first.role, text), *rest)


def split(text: str, output_ids: Sequence[int]) -> Spoken:
    """The final message of a text that still has its markers.

    A text without one comes back whole, all of it reasoning: the gate says what it is.
    """
    headers = list(_HEADER.finditer(text))
    if not headers:
        return Spoken(text, len(output_ids))
    return Spoken(text[headers[-1].end() :], _header_end(output_ids))


def _header_end(ids: Sequence[int]) -> int:
    """Position after the last header of a final message, whatever stands in it."""
    for start in range(len(ids) - 2, -1, -1):
        if ids[start] == CHANNEL and ids[start + 1] == _FINAL:
            for position in range(start + 2, len(ids)):
                if ids[position] == MESSAGE:
                    return position + 1
    return 0
