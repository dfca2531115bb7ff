"""What goes to an engine and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FINAL_HEADER_TOKENS = 6
"""`<|end|><|start|>assistant<|channel|>final<|message|>`, between bounded reasoning and answer."""

ReasoningEffort = Literal["none", "low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters. `seed` and `max_new_tokens` may differ between attempts and are not
    part of a fingerprint. Nor is `logprobs`, which asks for more figures and changes no answer.
    With a `reasoning_effort` the token cap covers the reasoning too, unless it has a
    `reasoning_budget`: at most so many tokens of reasoning, 0 for an empty message of it."""

    temperature: float = 0.2
    top_p: float = 1.0
    top_k: int = -1
    repetition_penalty: float = 1.05
    max_new_tokens: int = 1200
    seed: int | None = None
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    reasoning_effort: ReasoningEffort = "none"
    reasoning_budget: int | None = None

    @property
    def reasons(self) -> bool:
        """Return whether the model writes reasoning before its answer."""
        return self.reasoning_effort != "none" and self.reasoning_budget != 0

    @property
    def most_tokens(self) -> int:
        """Tokens of the longest answer, with the reasoning that is bounded apart from it."""
        budget = self.reasoning_budget
        return self.max_new_tokens + (budget + FINAL_HEADER_TOKENS if budget else 0)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the engine. `request_id` is unique within one engine process.

    `json_schema` is the JSON text of the output schema, None for plain prose. `input_ids`
    replaces `messages` when the caller tokenised already.
    """

    request_id: str
    messages: tuple[Message, ...]
    sampling: Sampling
    json_schema: str | None = None
    input_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. `finish_reason` is stop, length, abort or error; `error` says what went wrong
    with this request alone, and `is_lasting` that no repetition changes it. `seconds` is the time
    from submission to the last token.
    `mean_logprob` is that of the answer's tokens, where it was asked for. `reasoning_tokens` are
    those of the `completion_tokens` that stood before the answer."""

    request_id: str
    text: str
    finish_reason: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0
    error: str | None = None
    is_lasting: bool = False
    mean_logprob: float | None = None
    reasoning_tokens: int = 0
