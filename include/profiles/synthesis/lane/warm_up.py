"""Requests that a fresh engine answers before the lane's own, so that most kernels are compiled.

Answers are dropped.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from profiles.models import EngineProfile, Request
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
    requests: Sequence[Request],
    *,
    seconds: float,
    is_ending: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> float:
    """Asks for all of it and waits for the answers, `seconds` at most; how long it took."""
    started = clock()
    for request in requests:
        engine.submit(request)
    while engine.in_flight and clock() - started < seconds and not is_ending():
        engine.poll(_POLL_SECONDS)
    took = round(clock() - started, 3)
    answered = len(requests) - len(engine.in_flight)
    log.info("warmed up with %s of %s requests in %.1f s", answered, len(requests), took)
    return took


def _document(number: int, words: int, vocabulary: Sequence[str], draw: random.Random) -> str:
    lines = [f"# Candidate {number}", "", "## Experience", f"### Engineer — Firm {number}"]
    while words > 0:
        size = min(words, draw.randint(8, 16))
        lines.append(f"- {' '.join(draw.choices(vocabulary, k=size)).capitalize()}.")
        words -= size
    return "\n".join([*lines, "", "## Skills", ", ".join(draw.choices(vocabulary, k=8))]) + "\n"
