"""Prompts as token ids, by the model's own chat template and, for gpt-oss, Harmony.

In Harmony the model reasons on channel `analysis` and answers on `final`. A grammar of SGLang
0.5.23 binds from the first generated token or, with a reasoning parser, from the first `<|end|>`;
neither is the start of the answer. So reasoning without a bound gets no grammar, and with one a
structural tag holds all of it: the analysis, the header of the final message, the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Message, Request, Sampling
from profiles.synthesis.engines.base import answer_prefix

PROMPT_DATE = "2025-01-01"
"""Date that a chat template prints in place of the current date; part of no fingerprint
because it never changes."""

START, CHANNEL, MESSAGE, END = 200006, 200005, 200008, 200007
_ASSISTANT, _FINAL, _ANALYSIS = 173781, 17196, 35644

FINAL_CHANNEL = (START, _ASSISTANT, CHANNEL, _FINAL, MESSAGE)
"""`<|start|>assistant<|channel|>final<|message|>`: what follows it is the answer."""

_ANALYSIS_CHANNEL = (START, _ASSISTANT, CHANNEL, _ANALYSIS, MESSAGE)

STOP_TOKENS = (200002, 200012)
"""`<|return|>` ends the answer, `<|call|>` a tool call that nobody will answer."""

FINAL_STOP_TOKENS = (*STOP_TOKENS, END, START, CHANNEL, MESSAGE)
"""Once the final message starts, every marker ends it; with reasoning they part its messages."""

_HEADER = re.compile(r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")


def opening(sampling: Sampling) -> tuple[int, ...]:
    """The tokens that begin the model's message: of its answer, of bounded reasoning, or none where
    it opens its channels itself."""
    if sampling.reasoning_effort == "none":
        return FINAL_CHANNEL
    if sampling.reasoning_budget is None:
        return ()
    return _ANALYSIS_CHANNEL if sampling.reasons else (*_ANALYSIS_CHANNEL, END, *FINAL_CHANNEL)


def structural_tag(budget: int, *, prefix: str, schema: str | None) -> str:
    """The grammar of a message after its analysis starts: at most `budget` tokens of it, the header
    of the final message, and the answer: by the schema, or any text after the prefix."""
    elements: list[dict[str, Any]] = [
        {"type": "any_tokens", "exclude_tokens": [*FINAL_STOP_TOKENS], "max_tokens": budget},
        *({"type": "token", "token": token} for token in (END, *FINAL_CHANNEL)),
    ]
    if schema is not None:
        elements.append({"type": "json_schema", "json_schema": json.loads(schema)})
    else:
        if prefix:
            elements.append({"type": "const_string", "value": prefix})
        elements.append({"type": "any_tokens", "exclude_tokens": [*FINAL_STOP_TOKENS[1:]]})
    form = {"type": "sequence", "elements": elements}
    return json.dumps({"type": "structural_tag", "format": form})


def with_response_format(messages: Sequence[Message], schema: str) -> tuple[Message, ...]:
    """The messages with the schema where Harmony has it: at the end of the instructions."""
    first, *rest = messages
    text = f"{first.content.rstrip()}\n\n# Response Formats\n\n## profile\n\n{schema.strip()}"
    return (Message(first.role, text), *rest)


def split(text: str, output_ids: Sequence[int]) -> tuple[str, int]:
    """The final message of a text that still has its markers, and the tokens before it. A text
    without one comes back whole, all of it reasoning: the gate says what it is."""
    headers = list(_HEADER.finditer(text))
    if not headers:
        return text, len(output_ids)
    return text[headers[-1].end() :], _header_end(output_ids)


def _header_end(ids: Sequence[int]) -> int:
    """Position after the last header of a final message, whatever stands in it."""
    ids = list(ids)
    for start in range(len(ids) - 2, -1, -1):
        if ids[start : start + 2] == [CHANNEL, _FINAL] and MESSAGE in ids[start:]:
            return ids.index(MESSAGE, start) + 1
    return 0


class ChatPrompt:
    """Prompts of one model. `tokenizer` is Hugging Face's; None where requests have token ids."""

    def __init__(self, tokenizer: Any, *, is_gpt_oss: bool, grammar_backend: str = "") -> None:
        self._tokenizer = tokenizer
        self._is_gpt_oss = is_gpt_oss
        self._grammar_backend = grammar_backend

    def check(self, request: Request) -> None:
        """Rejects reasoning that this model does not have, or that cannot be bounded."""
        effort = request.sampling.reasoning_effort
        if effort != "none" and not self._is_gpt_oss:
            raise EngineJobError(
                f"reasoning_effort {effort} is for gpt-oss only; set it to none in the "
                "engine profile's sampling"
            )
        if request.sampling.reasoning_budget and self._grammar_backend != "xgrammar":
            raise EngineJobError(
                "reasoning_budget needs the grammar backend xgrammar, and this engine has "
                f"{self._grammar_backend or 'none'}; choose it in PROFILES_ENGINE_OPTIONS, or let "
                "the engine profile's sampling have a reasoning_budget of 0"
            )

    def stop_token_ids(self, request: Request) -> list[int]:
        """Beside the model's own end of text."""
        if not self._is_gpt_oss:
            return []
        return list(STOP_TOKENS if request.sampling.reasons else FINAL_STOP_TOKENS)

    def grammar(self, request: Request) -> dict[str, str]:
        """The grammar of the answer, by its name in SGLang's sampling parameters; {} for none."""
        sampling, schema = request.sampling, request.json_schema
        if sampling.reasoning_budget:
            prefix = answer_prefix(request)
            tag = structural_tag(sampling.reasoning_budget, prefix=prefix, schema=schema)
            return {"structural_tag": tag}
        return {} if schema is None or sampling.reasons else {"json_schema": schema}

    def token_ids(self, request: Request) -> list[int]:
        """The prompt, with the answer's beginning where the caller wrote one."""
        if request.input_ids is not None:
            return list(request.input_ids)
        if self._tokenizer is None:
            raise EngineError("the engine has no tokenizer, and the request has no token ids")
        prefix, sampling, messages = answer_prefix(request), request.sampling, request.messages
        opened: tuple[int, ...] = ()
        arguments: dict[str, Any] = {
            "add_generation_prompt": not prefix,
            "continue_final_message": bool(prefix),
        }
        if self._is_gpt_oss:
            opened = opening(sampling)
            if prefix and not opened:
                raise EngineJobError(
                    "an answer cannot begin before its reasoning; use effort none, or give it a "
                    "reasoning_budget"
                )
            effort = sampling.reasoning_effort
            arguments = {
                # Without reasoning the prompt asks for little of it.
                "reasoning_effort": "low" if effort == "none" else effort,
                "add_generation_prompt": not opened,
                "continue_final_message": False,
            }
            # The template would end a started message.
            messages = messages[:-1] if prefix else messages
        if sampling.reasons and request.json_schema is not None:
            messages = with_response_format(messages, request.json_schema)
        ids = self._tokenizer.apply_chat_template(
            [{"role": item.role, "content": item.content} for item in messages],
            tokenize=True,
            return_dict=False,
            **arguments,
            # Templates call this to print today's date; today must not change the prompt.
            strftime_now=lambda _format: PROMPT_DATE,
        )
        # Bounded reasoning has the prefix in its grammar.
        is_answer = bool(opened and prefix) and not sampling.reasons
        prefix_ids = self._tokenizer.encode(prefix, add_special_tokens=False) if is_answer else ()
        return [*ids, *opened, *prefix_ids]
