"""Prompts as token ids, by the model's own chat template and, for gpt-oss, Harmony.

In Harmony the model reasons on channel `analysis` and answers on `final`. A grammar of SGLang
0.5.23 binds from the first generated token or, with a reasoning parser, from the first `<|end|>`;
neither is the start of the answer. So reasoning gets no grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Request
from profiles.synthesis.engines import answer_prefix

PROMPT_DATE = "2025-01-01"
"""Date that a chat template prints in place of the current date; part of no fingerprint
because it never changes."""

START, CHANNEL, MESSAGE, END = 200006, 200005, 200008, 200007
_ASSISTANT, _FINAL = 173781, 17196

FINAL_CHANNEL = (START, _ASSISTANT, CHANNEL, _FINAL, MESSAGE)
"""`<|start|>assistant<|channel|>final<|message|>`: what follows it is the answer."""

STOP_TOKENS = (200002, 200012)
"""`<|return|>` ends the answer, `<|call|>` a tool call that nobody will answer."""

FINAL_STOP_TOKENS = (*STOP_TOKENS, END, START, CHANNEL, MESSAGE)
"""Once the final message starts, every marker ends it; with reasoning they part its messages."""

_HEADER = re.compile(r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")


def final_message(text: str) -> str:
    """The final message of a text that still has its markers. A text without one comes back whole:
    the gate says what it is."""
    headers = list(_HEADER.finditer(text))
    return text[headers[-1].end() :] if headers else text


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """Prompts of one model. `tokenizer` is Hugging Face's; None where requests have token ids."""

    tokenizer: Any
    is_gpt_oss: bool

    def stop_token_ids(self, request: Request) -> list[int]:
        """Beside the model's own end of text."""
        if not self.is_gpt_oss:
            return []
        return list(STOP_TOKENS if request.sampling.reasons else FINAL_STOP_TOKENS)

    def token_ids(self, request: Request) -> list[int]:
        """The prompt, with the answer's beginning where the caller wrote one."""
        prefix, sampling, messages = answer_prefix(request), request.sampling, request.messages
        if sampling.reasons and not self.is_gpt_oss:
            raise EngineJobError(
                f"reasoning_effort {sampling.reasoning_effort} is for gpt-oss only; set it to none "
                "in the engine profile's sampling"
            )
        if request.input_ids is not None:
            return list(request.input_ids)
        if self.tokenizer is None:
            raise EngineError("the engine has no tokenizer, and the request has no token ids")
        arguments: dict[str, Any] = {
            "add_generation_prompt": not prefix,
            "continue_final_message": bool(prefix),
        }
        opened: list[int] = []
        if self.is_gpt_oss:
            if prefix and sampling.reasons:
                raise EngineJobError("an answer cannot begin before its reasoning; use effort none")
            arguments = {
                # Without reasoning the prompt asks for little of it.
                "reasoning_effort": sampling.reasoning_effort if sampling.reasons else "low",
                "add_generation_prompt": sampling.reasons,
                "continue_final_message": False,
            }
            # The template would end a started message.
            messages = messages[:-1] if prefix else messages
            if not sampling.reasons:
                opened = [*FINAL_CHANNEL]
                opened += self.tokenizer.encode(prefix, add_special_tokens=False) if prefix else ()
        chat = [{"role": item.role, "content": item.content} for item in messages]
        if sampling.reasons and request.json_schema is not None:
            # Where Harmony has it: at the end of the instructions.
            chat[0]["content"] = (
                f"{chat[0]['content'].rstrip()}\n\n# Response Formats\n\n## profile\n\n"
                f"{request.json_schema.strip()}"
            )
        ids = self.tokenizer.apply_chat_template(
            chat,
            tokenize=True,
            return_dict=False,
            **arguments,
            # Templates call this to print today's date; today must not change the prompt.
            strftime_now=lambda _format: PROMPT_DATE,
        )
        return [*ids, *opened]
