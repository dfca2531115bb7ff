"""Two cards: an engine on each (DP=2) against one engine over both (TP=2), the same prompts.

    CUDA_VISIBLE_DEVICES=0,1 python -m benchmarks.parallelism_check --model FOLDER --json out.json
    python -m benchmarks.parallelism_check --join dp.json tp.json --json parallelism.json

With DP both engines take their prompts from one list, as lanes take documents from one queue; the
time is that of the last answer. TP may run as many requests at once as both engines together.
`--only dp` or `--only tp` measures one of them; `--join` puts two such files together.

See `benchmarks.dummy_model` for the prompts and for `--budget-mib`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, synthetic_requests
from profiles.models import Completion, Request
from profiles.synthesis.process.engine_client import EngineClient

CARDS = 2


@dataclass
class Passes:
    """What the threads share: the prompts of each pass, and who is ready for it."""

    prompts: list[deque[Request]]
    barrier: threading.Barrier
    seconds: float
    began: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    answers: list[list[Completion]] = field(default_factory=list)
    load_seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def main() -> int:
    """Runs what was asked for and writes the figures after each."""
    options = _options()
    result: dict[str, Any]
    if options.join:
        result = {}
        for path in options.join:
            part = json.loads(path.read_text())
            if result and part["card"] != result["card"]:
                raise SystemExit(f"{path} was measured on {part['card']}, not {result['card']}")
            result |= part
        save(options.json, _compared(result))
        return 0
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")
    if len(visible) != CARDS:
        raise SystemExit(f"CUDA_VISIBLE_DEVICES names {len(visible)} cards; two are needed")
    result = {
        "card": gpu.card(),
        "n": options.n,
        "seed": options.seed,
        "budget_mib": options.budget_mib,
    }
    for name in ("dp", "tp") if options.only == "both" else (options.only,):
        engines = CARDS if name == "dp" else 1
        result[name] = _measure(options, visible, engines)
        print(name, json.dumps({**result[name], "settings": None}), flush=True)
        save(options.json, _compared(result))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=750)
    parser.add_argument("--warm-n", type=int, default=300, help="other prompts before, uncounted")
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--only", choices=("both", "dp", "tp"), default="both")
    parser.add_argument("--join", type=Path, nargs="+", help="put these files together")
    return parser.parse_args()


def _measure(options: argparse.Namespace, visible: Sequence[str], engines: int) -> dict[str, Any]:
    cards = CARDS // engines
    changes = {} if cards == 1 else {"tp_size": cards}
    settings, plan = dummy_model.planned(
        options, changes, cards=cards, running=options.running * cards
    )
    asked = dummy_model.longest_first(synthetic_requests(options.n, options.seed, options.profile))
    warm = synthetic_requests(options.warm_n, options.seed + 1, options.profile)
    shared = Passes(
        prompts=[deque(warm), *(deque(asked) for _ in range(options.passes))],
        barrier=threading.Barrier(engines),
        seconds=options.pass_seconds,
    )
    threads = [
        threading.Thread(
            target=_engine,
            args=(options, settings, number, ",".join(visible[number * cards :][:cards]), shared),
        )
        for number in range(engines)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passes = [_figures(shared, number, options.n) for number in range(1, len(shared.ended))]
    rates = [item["output_tokens_per_second"] for item in passes]
    return {
        "engines": engines,
        "cards_per_engine": cards,
        "settings": settings,
        "kv_tokens_per_engine": plan.kv_tokens,
        "load_seconds": shared.load_seconds,
        "passes": passes,
        "output_tokens_per_second": round(statistics.mean(rates), 1) if rates else None,
        "errors": shared.errors,
    }


def _engine(
    options: argparse.Namespace,
    settings: dict[str, Any],
    number: int,
    cards: str,
    shared: Passes,
) -> None:
    """One engine's thread: a client must stay in the thread that started it."""
    client = dummy_model.client(
        dummy_model.job(options, settings),
        options.log.with_name(f"{options.log.stem}-cards-{cards.replace(',', '-')}.log"),
        {"CUDA_VISIBLE_DEVICES": cards},
    )
    try:
        with client:
            started = time.monotonic()
            client.start()
            shared.load_seconds.append(round(time.monotonic() - started, 1))
            for turn, prompts in enumerate(shared.prompts):
                if shared.barrier.wait() == 0:
                    shared.began.append(time.monotonic())
                    shared.answers.append([])
                shared.barrier.wait()
                _ask(client, prompts, dummy_model.window(settings), shared, turn)
                if shared.barrier.wait() == 0:
                    shared.ended.append(time.monotonic())
    except threading.BrokenBarrierError:
        shared.errors.append(f"engine {number} ended because the other one failed")
    except Exception as error:
        # The other thread must not wait for this one; the figures carry the error.
        shared.errors.append(f"engine {number}: {type(error).__name__}: {error}")
        shared.barrier.abort()
        raise


def _ask(
    client: EngineClient, prompts: deque[Request], window: int, shared: Passes, turn: int
) -> None:
    deadline = time.monotonic() + shared.seconds
    while (prompts or client.in_flight) and time.monotonic() < deadline:
        while prompts and len(client.in_flight) < window:
            try:
                client.submit(prompts.popleft())
            except IndexError:  # the other thread took the last one
                break
        shared.answers[turn] += [item for item in client.poll(0.05) if isinstance(item, Completion)]
    if client.in_flight:
        raise TimeoutError(f"{len(client.in_flight)} requests had no answer in time")


def _figures(shared: Passes, turn: int, count: int) -> dict[str, Any]:
    answers = shared.answers[turn]
    good = [answer for answer in answers if answer.error is None]
    seconds = shared.ended[turn] - shared.began[turn]
    output = sum(answer.completion_tokens for answer in good)
    return {
        "asked": count,
        "ok": len(good),
        "failed": len(answers) - len(good),
        "seconds": round(seconds, 2),
        "output_tokens": output,
        "output_tokens_per_second": round(output / seconds, 1),
    }


def _compared(result: dict[str, Any]) -> dict[str, Any]:
    rates = [result.get(name, {}).get("output_tokens_per_second") for name in ("dp", "tp")]
    return {**result, "dp_over_tp": round(rates[0] / rates[1], 3) if all(rates) else None}


if __name__ == "__main__":
    sys.exit(main())
