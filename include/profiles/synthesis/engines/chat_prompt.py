"""Prompts as token ids, by the model's own chat template and, for gpt-oss, Harmony."""

from __future__ import annotations

from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.models import Request
from profiles.synthesis.engines.base import answer_prefix
from profiles.synthesis.engines.harmony import (
    FINAL_CHANNEL,
    FINAL_STOP_TOKENS,
    PROMPT_DATE,
    STOP_TOKENS,
    template_arguments,
    with_response_format,
)

__all__ = ["ChatPrompt"]


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
