"""What a server of OpenAI's chat API answered: its text and figures, or an error inside a 200."""

from __future__ import annotations

import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

from profiles.models import Completion, Request
from profiles.synthesis.engines.base import answer_prefix, chat_logprob, failed, with_prefix

__all__ = ["completion_of", "error_inside", "retry_after_seconds"]

_OWN_FAULTS = re.compile(r"4(?!01|03|04|08|25|29)\d\d|invalid|context|length|too_l", re.IGNORECASE)
"""Codes and types of an error object that no repetition of the request changes."""


def error_inside(answer: Any) -> str | None:
    """The code of an error that came with HTTP 200, as gateways report one of the server behind."""
    if not isinstance(answer, dict):
        return "fault no object"
    choice = next(iter(answer.get("choices") or ()), None)
    error = answer.get("error")
    if isinstance(choice, dict) and not error:
        error = choice.get("error")
        if choice.get("finish_reason") == "error":
            error = error or {"type": "error"}
    if not error:
        return None
    said = error if isinstance(error, dict) else {}
    code = " ".join(str(said[name]) for name in ("code", "type") if said.get(name))
    return "error inside" if _OWN_FAULTS.search(code) else "away error inside"


def completion_of(request: Request, answer: dict[str, Any], seconds: float) -> Completion:
    try:
        choice = answer["choices"][0]
        text = _text_of(choice["message"]["content"])
    except (KeyError, IndexError, TypeError):
        return failed(request, "answer without choices", seconds=seconds)
    if choice.get("finish_reason") == "content_filter":
        return failed(request, "content filter", seconds=seconds, is_lasting=True)
    usage = answer.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    spent = usage.get("completion_tokens_details") or {}
    return Completion(
        request_id=request.request_id,
        text=with_prefix(answer_prefix(request), text),
        finish_reason="length" if choice.get("finish_reason") == "length" else "stop",
        prompt_tokens=int(usage.get("prompt_tokens") or 0),
        completion_tokens=int(usage.get("completion_tokens") or 0),
        cached_tokens=int(details.get("cached_tokens") or 0),
        mean_logprob=chat_logprob(choice),
        reasoning_tokens=int(spent.get("reasoning_tokens") or 0),
        seconds=seconds,
    )


def _text_of(content: Any) -> str:
    """The text of a message, which some servers hand over in parts."""
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return str(content or "")


_MOST_SECONDS_ASKED = 900.0
"""A server may name the next day."""


def retry_after_seconds(text: str) -> float:
    """The wait that a Retry-After header asks for, in seconds or as a date; 0 without one."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), _MOST_SECONDS_ASKED) if math.isfinite(seconds) else 0.0
