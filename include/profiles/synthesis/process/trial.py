"""One engine with some options, sent some requests: how fast it was, and what it cost.

`profiles tune` and the benchmarks compare settings with it. Every trial is an engine process of its
own, driven by the client that lanes use, because most settings are fixed once a model is loaded.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from profiles.models import Completion, Request
from profiles.synthesis.gpu.cards import card_memory
from profiles.synthesis.gpu.device_lock import visible_cards
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineReady, Heartbeat

_POLL_SECONDS = 0.25
_MEMORY_SECONDS = 2.0
_RETRACTED = re.compile(rb"#retracted_reqs: (\d+)")


@dataclass(frozen=True, slots=True)
class PassFigures:
    """Figures of a pass: every request sent once.

    `ended` is False when time was over before the last answer; the rate is then that of the
    answers that came. `most_*` are the highest figures that the engine's heartbeats showed.
    `peak_mib` is the most memory in use on one visible card, None where nvidia-smi is missing.
    """

    requests: int
    ok: int
    failed: int
    ended: bool
    seconds: float
    output_tokens: int
    prompt_tokens: int
    cached_tokens: int
    output_tokens_per_second: float
    cached_share: float
    retractions: int
    retractions_per_minute: float
    most_running: float
    most_waiting: float
    most_token_usage: float
    peak_mib: int | None
    errors: dict[str, int] = field(default_factory=dict)
    finish_reasons: dict[str, int] = field(default_factory=dict)


def run_trial(
    client: EngineClient,
    requests: Sequence[Request],
    *,
    window: int,
    warm_up: Sequence[Request],
    seconds: float,
) -> tuple[EngineReady, PassFigures]:
    """Loads the engine, warms it up, sends `requests` with a window, and ends it. `warm_up` is sent
    first and not counted; give it real lengths and other prompts. `seconds` bounds each of the two
    passes."""
    with client:
        ready = client.start()
        run_pass(client, warm_up, window, seconds)
        # What the warm-up left behind would be counted with the measured answers.
        run_pass(client, (), window, seconds)
        return ready, run_pass(client, requests, window, seconds)


def run_pass(
    client: EngineClient,
    requests: Sequence[Request],
    window: int,
    seconds: float,
    *,
    answers: list[Completion] | None = None,
) -> PassFigures:
    """Send every request once through a sliding window; adds to `answers` where given."""
    answers = [] if answers is None else answers
    # A few more than the engine works on, so that it never waits for us between two.
    limit = window + max(1, window // 8)
    retracted = retractions(client.log_path)
    waiting = list(reversed(requests))
    beats: list[Heartbeat] = []
    peak: int | None = None
    started = looked = time.monotonic()
    while (waiting or client.in_flight) and time.monotonic() - started < seconds:
        while waiting and len(client.in_flight) < limit:
            client.submit(waiting.pop())
        for item in client.poll(_POLL_SECONDS):
            if isinstance(item, Completion):
                answers.append(item)
            else:
                beats.append(item)
        if time.monotonic() - looked > _MEMORY_SECONDS:
            looked = time.monotonic()
            used = [used for used, _ in card_memory(visible_cards()).values()]
            peak = max((*used, peak or 0)) if used else peak
    took = time.monotonic() - started
    retracted = retractions(client.log_path) - retracted
    good = [answer for answer in answers if answer.error is None]
    names = ("completion_tokens", "prompt_tokens", "cached_tokens")
    output, prompt, cached = (sum(getattr(answer, name) for answer in good) for name in names)
    return PassFigures(
        requests=len(requests),
        ok=len(good),
        failed=len(answers) - len(good),
        ended=not waiting and not client.in_flight,
        seconds=round(took, 2),
        output_tokens=output,
        prompt_tokens=prompt,
        cached_tokens=cached,
        output_tokens_per_second=round(output / took, 1) if took else 0.0,
        cached_share=round(cached / prompt, 3) if prompt else 0.0,
        retractions=retracted,
        retractions_per_minute=round(retracted * 60 / took, 1) if took else 0.0,
        most_running=_most(beats, "num_running_reqs"),
        most_waiting=_most(beats, "num_waiting_reqs"),
        most_token_usage=_most(beats, "token_usage"),
        peak_mib=peak,
        errors=dict(Counter(answer.error for answer in answers if answer.error)),
        finish_reasons=dict(Counter(answer.finish_reason for answer in answers)),
    )


def _most(beats: Sequence[Heartbeat], name: str) -> float:
    return max((beat.engine.get(name, 0.0) for beat in beats), default=0.0)


def retractions(log_path: Path) -> int:
    """Requests that SGLang's scheduler retracted for lack of KV cache, by its log."""
    return sum(int(found) for found in _RETRACTED.findall(log_path.read_bytes()))
