"""Requests that a fresh engine answers before the lane's own, so that kernels are compiled.

SGLang without prefill graphs compiles kernels for every number of 32 tokens that a step holds,
0.3-0.5 s each, and once more where the tokens are a multiple of 16 (docs/performance.md). So such
sizes are requested once each, from the largest down, as far as the time goes. Answers are dropped.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from profiles.models import Completion, EngineProfile, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient

if TYPE_CHECKING:
    # Its packages are missing where a benchmark runs on a bare GPU machine.
    from profiles.synthesis.lane.prompting import Prompter

log = logging.getLogger(__name__)

_POLL_SECONDS = 0.25
_ANSWER_TOKENS = (128, 384)
"""Different ends, so that the number of running requests passes through all batch sizes."""
_SHARE_OF_BUDGET = (0.25, 0.85)
"""Lengths of real documents over the most that a prompt may hold of one."""
_TOKENS_PER_WORD = 1.4
_LEAST_STEP = 0.25
"""Smallest prefill step that is tried, as a share of the largest; groups fill most of one."""
_STEP_TOKENS = 32
"""Rows of a word of triton_kernels' bitmatrix; the number of words is compiled into kernels."""
_TOKEN_IDS = (1_000, 10_000)
"""Token ids that every vocabulary has."""


Groups = Sequence[Sequence[Request]]
"""Requests for a fresh engine: those of a group at once, one group after the other."""


def prefill_requests(chunk_tokens: int, context_tokens: int) -> list[list[Request]]:
    """One prompt of random tokens for each size of a prefill step, for an answer of one token. Each
    is a group, and so a step of its own, the largest first. All but that one are one token short of
    a whole number of 32: most real sums are no multiple of 16."""
    largest = min(chunk_tokens, context_tokens - 1)
    if largest < 1:
        return []
    draw = random.Random(1)  # noqa: S311 - tokens of invented prompts
    words = range(largest // _STEP_TOKENS, int(largest * _LEAST_STEP) // _STEP_TOKENS, -1)
    return [
        [
            Request(
                request_id=f"warm_up.size.{tokens}",
                messages=(),
                sampling=Sampling(max_new_tokens=1),
                input_ids=tuple(draw.choices(range(*_TOKEN_IDS), k=tokens)),
            )
        ]
        for tokens in (largest, *(word * _STEP_TOKENS - 1 for word in words))
    ]


def warm_up_requests(profile: EngineProfile, prompter: Prompter, count: int) -> list[Request]:
    """`count` questions as `profile` asks them, about documents of usual lengths."""
    draw = random.Random(0)  # noqa: S311 - lengths and words of invented text
    most = min(_ANSWER_TOKENS[1], profile.sampling.max_new_tokens)
    prompts = f"{profile.system_prompt} {profile.user_template}"
    vocabulary = sorted({word for word in prompts.split() if word.isalpha()})
    requests = []
    for number in range(count):
        share = draw.uniform(*_SHARE_OF_BUDGET)
        words = max(20, int(profile.max_document_tokens * share / _TOKENS_PER_WORD))
        requests.append(
            prompter.request(
                document=_document(number, words, vocabulary, draw),
                word_count=words,
                request_id=f"warm_up.{number}.1",
                seed=number,
                max_new_tokens=draw.randint(min(_ANSWER_TOKENS[0], most), most),
            )
        )
    return requests


def warm_up(
    engine: EngineClient,
    groups: Groups,
    *,
    seconds: float,
    is_ending: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> float:
    """Asks for all of it and waits for the answers, `seconds` at most; how long it took."""
    started = clock()
    answered = 0

    def has_time() -> bool:
        return clock() - started < seconds and not is_ending()

    for group in groups:
        if not has_time():
            break
        for request in group:
            engine.submit(request)
        left = {request.request_id for request in group}
        while left and has_time():
            for message in engine.poll(_POLL_SECONDS):
                if isinstance(message, Completion):
                    left.discard(message.request_id)
        answered += len(group) - len(left)
    took = round(clock() - started, 3)
    log.info("warmed up with %s of %s requests in %.1f s", answered, sum(map(len, groups)), took)
    return took


def _document(number: int, words: int, vocabulary: Sequence[str], draw: random.Random) -> str:
    lines = [f"# Candidate {number}", "", "## Experience", f"### Engineer — Firm {number}"]
    while words > 0:
        size = min(words, draw.randint(8, 16))
        lines.append(f"- {' '.join(draw.choices(vocabulary, k=size)).capitalize()}.")
        words -= size
    return "\n".join([*lines, "", "## Skills", ", ".join(draw.choices(vocabulary, k=8))]) + "\n"
