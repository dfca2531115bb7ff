"""Many requests in one go on one card: no failures, an even rate, flat memory.

    python -m benchmarks.long_run --model FOLDER --n 5000 --budget-mib 0 --json long_run.json

The requests of `benchmarks.dummy_model` through EngineClient with a sliding window. Tokens per
second of every slice of 30 seconds, and the memory of client, engine and card at its end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter, deque
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, shortened, synthetic_requests
from profiles.models import Completion
from profiles.synthesis.process.engine_client import EngineClient


def main() -> int:
    """Runs it; 0 when every request was answered."""
    options = _options()
    settings, plan = dummy_model.planned(options)
    requests = synthetic_requests(options.n, options.seed, options.profile)
    result: dict[str, Any] = {
        "card": gpu.card(),
        "n": options.n,
        "seed": options.seed,
        "budget_mib": options.budget_mib,
        "settings": settings,
        "kv_tokens_planned": plan.kv_tokens,
    }
    client = dummy_model.client(dummy_model.job(options, settings), options.log)
    with client:
        started = time.monotonic()
        client.start()
        result["load_seconds"] = round(time.monotonic() - started, 1)
        warm = shortened(synthetic_requests(options.warm_n, options.seed + 1, options.profile), 128)
        window = dummy_model.window(settings)
        began = time.monotonic()
        _run(client, deque(warm), window, began + options.pass_seconds, slice_seconds=1e9)
        result["warm_up_seconds"] = round(time.monotonic() - began, 1)
        began = time.monotonic()
        ordered = deque(dummy_model.longest_first(requests))
        answers, slices = _run(
            client, ordered, window, began + options.pass_seconds, options.slice_seconds
        )
        seconds = time.monotonic() - began
        result |= _figures(answers, seconds) | {
            "unanswered": len(ordered) + len(client.in_flight),
            "slices": slices,
        }
    print(json.dumps({**result, "settings": None}), flush=True)
    save(options.json, result)
    return 0 if result["ok"] == options.n else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--warm-n", type=int, default=96, help="other prompts before, uncounted")
    parser.add_argument("--slice-seconds", type=float, default=30)
    return parser.parse_args()


def _run(
    client: EngineClient,
    waiting: deque[Any],
    window: int,
    deadline: float,
    slice_seconds: float,
) -> tuple[list[Completion], list[dict[str, Any]]]:
    """Asks everything; the answers without their texts, and a row per slice of time."""
    answers: list[Completion] = []
    slices: list[dict[str, Any]] = []
    began = last = time.monotonic()
    counted = 0
    while (waiting or client.in_flight) and time.monotonic() < deadline:
        while waiting and len(client.in_flight) < window:
            client.submit(waiting.popleft())
        answers += [item for item in client.poll(0.25) if isinstance(item, Completion)]
        now = time.monotonic()
        if now - last >= slice_seconds or not (waiting or client.in_flight):
            fresh = sum(item.completion_tokens for item in answers[counted:])
            slices.append(
                {
                    "second": round(now - began, 1),
                    "answered": len(answers),
                    "output_tokens_per_second": round(fresh / (now - last), 1),
                    "client_mib": _resident_mib(os.getpid()),
                    "engine_mib": sum(_resident_mib(pid) for pid in _session(client.pid)),
                    "card_mib": gpu.used_mib(),
                }
            )
            print("slice", json.dumps(slices[-1]), flush=True)
            last, counted = now, len(answers)
    return answers, slices


def _figures(answers: list[Completion], seconds: float) -> dict[str, Any]:
    good = [answer for answer in answers if answer.error is None]
    prompt = sum(answer.prompt_tokens for answer in good)
    output = sum(answer.completion_tokens for answer in good)
    cached = sum(answer.cached_tokens for answer in good)
    return {
        "ok": len(good),
        "failed": len(answers) - len(good),
        "errors": dict(Counter(answer.error for answer in answers if answer.error)),
        "seconds": round(seconds, 1),
        "prompt_tokens": prompt,
        "prompt_tokens_each": round(prompt / max(1, len(good)), 1),
        "output_tokens": output,
        "output_tokens_each": round(output / max(1, len(good)), 1),
        "cached_tokens": cached,
        "requests_with_cached_tokens": sum(answer.cached_tokens > 0 for answer in good),
        "output_tokens_per_second": round(output / seconds, 1),
        "requests_per_second": round(len(good) / seconds, 2),
    }


def _session(leader: int | None) -> list[int]:
    """The processes of the engine's session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader:
            found.append(int(folder.name))
    return found


def _resident_mib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    sizes = [int(line.split()[1]) for line in lines if line.startswith("VmRSS:")]
    return sum(sizes) >> 10


if __name__ == "__main__":
    sys.exit(main())
