"""Prompts as token ids, by the model's own chat template and, for gpt-oss, Harmony.

Harmony is the format that gpt-oss was trained on. The model writes messages on channels: reasoning
on `analysis`, the answer on `final`. Runs in the engine process. Facts of SGLang 0.5.23 that shape
it: a chat template accepts any effort as text, so `none` would only be printed; a grammar binds
from the first token that is generated, and with a reasoning parser from the first `<|end|>`, which
in Harmony stands before the header of the final message. Neither place is the start of the answer,
so a reasoning model gets no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Message, ReasoningEffort, Request
from profiles.synthesis.engines.base import answer_prefix

__all__ = [
    "FINAL_CHANNEL",
    "FINAL_STOP_TOKENS",
    "PROMPT_DATE",
    "STOP_TOKENS",
    "ChatPrompt",
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


class ChatPrompt:
    """How one model is asked. `tokenizer` is Hugging Face's; None where requests have token ids."""

    def __init__(self, tokenizer: Any, *, is_gpt_oss: bool) -> None:
        self._tokenizer = tokenizer
        self._is_gpt_oss = is_gpt_oss

    def check(self, request: Request) -> None:
        """Rejects a reasoning effort that this model does not have.

        Raises:
            EngineJobError: every request of this profile would fail.
        """
        effort = request.sampling.reasoning_effort
        if effort != "none" and not self._is_gpt_oss:
            raise EngineJobError(
                f"reasoning_effort {effort} is for gpt-oss only; set it to none in the "
                "engine profile's sampling"
            )

    def stop_token_ids(self, request: Request) -> list[int]:
        """Beside the model's own end of text."""
        if not self._is_gpt_oss:
            return []
        skips = request.sampling.reasoning_effort == "none"
        return list(FINAL_STOP_TOKENS if skips else STOP_TOKENS)

    def token_ids(self, request: Request) -> list[int]:
        """The prompt, with the answer's beginning where the caller wrote one.

        Raises:
            EngineError: there is no tokenizer, and the request has no token ids.
            EngineJobError: the request cannot be put to this model.
        """
        if request.input_ids is not None:
            return list(request.input_ids)
        if self._tokenizer is None:
            raise EngineError("the engine has no tokenizer, and the request has no token ids")
        prefix = answer_prefix(request)
        effort = request.sampling.reasoning_effort
        skips = self._is_gpt_oss and effort == "none"
        if prefix and self._is_gpt_oss and not skips:
            raise EngineJobError("an answer cannot begin before its reasoning; use effort none")
        # gpt-oss's template would end a begun message.
        messages = request.messages[:-1] if prefix and skips else request.messages
        is_begun = bool(prefix) and not skips
        if effort != "none" and request.json_schema is not None:
            messages = with_response_format(messages, request.json_schema)
        ids = self._tokenizer.apply_chat_template(
            [{"role": item.role, "content": item.content} for item in messages],
            tokenize=True,
            return_dict=False,
            continue_final_message=is_begun,
            **(
                template_arguments(effort)
                if self._is_gpt_oss
                else {"add_generation_prompt": not is_begun}
            ),
            # Templates call this to print today's date; today must not change the prompt.
            strftime_now=lambda _format: PROMPT_DATE,
        )
        if not skips:
            return list(ids)
        begun = self._tokenizer.encode(prefix, add_special_tokens=False) if prefix else ()
        return [*ids, *FINAL_CHANNEL, *begun]
