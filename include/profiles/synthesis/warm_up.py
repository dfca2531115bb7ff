"""Asks a fresh engine invented questions of the real shapes, so that no document pays for it.

The first requests after a load compile kernels, for every batch size and prompt length anew; on
empty kernel caches that halves the speed of everything that waits behind them. The answers are
thrown away.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence

from profiles.models import Completion, EngineProfile, Request
from profiles.synthesis.probe import Engine
from profiles.synthesis.prompting import Prompter

log = logging.getLogger(__name__)

_POLL_SECONDS = 0.25
_ANSWER_TOKENS = (128, 384)
"""Different ends, so that the number of running requests passes through all batch sizes."""
_SHARE_OF_BUDGET = (0.25, 0.85)
"""Lengths of real documents over the most that a prompt may hold of one."""
_TOKENS_PER_WORD = 1.4
_WORDS = [
    "built",
    "led",
    "managed",
    "designed",
    "improved",
    "service",
    "platform",
    "billing",
    "data",
    "customer",
    "migration",
    "support",
    "pipeline",
    "quality",
    "team",
    "product",
    "delivery",
    "review",
    "planning",
    "vendor",
    "budget",
    "training",
    "release",
    "network",
]


def warm_up_requests(profile: EngineProfile, prompter: Prompter, count: int) -> list[Request]:
    """`count` questions as `profile` asks them, about invented documents of usual lengths."""
    draw = random.Random(0)  # noqa: S311 - lengths and words of invented text
    most = min(_ANSWER_TOKENS[1], profile.sampling.max_new_tokens)
    requests = []
    for number in range(count):
        share = draw.uniform(*_SHARE_OF_BUDGET)
        words = max(20, int(profile.max_document_tokens * share / _TOKENS_PER_WORD))
        requests.append(
            prompter.request(
                document=_document(number, words, draw),
                word_count=words,
                request_id=f"warm_up.{number}.1",
                seed=number,
                max_new_tokens=draw.randint(min(_ANSWER_TOKENS[0], most), most),
            )
        )
    return requests


def warm_up(
    engine: Engine,
    requests: Sequence[Request],
    *,
    seconds: float,
    is_ending: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> float:
    """Asks all of them at once and waits for the answers, `seconds` at the most; how long it took.

    Raises:
        EngineError: the engine died over it.
    """
    started = clock()
    for request in requests:
        engine.submit(request)
    left = {request.request_id for request in requests}
    while left and clock() - started < seconds and not is_ending():
        for message in engine.poll(_POLL_SECONDS):
            if isinstance(message, Completion):
                left.discard(message.request_id)
    took = round(clock() - started, 3)
    log.info(
        "warmed up with %s of %s requests in %.1f s", len(requests) - len(left), len(requests), took
    )
    return took


def _document(number: int, words: int, draw: random.Random) -> str:
    lines = [f"# Candidate {number}", "", "## Experience", f"### Engineer — Firm {number}"]
    while words > 0:
        size = min(words, draw.randint(8, 16))
        lines.append(f"- {' '.join(draw.choices(_WORDS, k=size)).capitalize()}.")
        words -= size
    return "\n".join([*lines, "", "## Skills", ", ".join(draw.sample(_WORDS, 8))]) + "\n"
