"""Throughput by the way an engine is fed, on one GPU and one loaded engine.

    python -m benchmarks.engine_feed --model FOLDER --n 750 --batch 250 --json out.json
    python -m benchmarks.engine_feed --model FOLDER --order cab --json 1.json   # on one card
    python -m benchmarks.engine_feed --model FOLDER --order bac --json 2.json   # on a second
    python -m benchmarks.engine_feed --join 1.json 2.json --json out.json

Three ways to have the same prompts answered, with the same answer lengths:

    a  consecutive synchronous `generate` calls over batches, each waiting for its last answer
    b  ours: single requests in a sliding window, through EngineClient, pipes and engine process,
       in the order of a lane: lease after lease, within each the longest prompt first
    c  one `generate` over everything: the ceiling, for as much memory as it takes

They run in the order c a b b a c after a warm-up with the real shapes; the prefix cache is emptied
before each. `a` and `c` are asked inside the engine process, so that they pay for no pipe. `--join`
puts the passes of two engines together, on cards of the same name.

See `benchmarks.dummy_model` for the prompts and for `--budget-mib`.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, shortened, synthetic_requests
from profiles.models import Completion, Request, Sampling
from profiles.synthesis.engines.sglang_engine import SglangEngine
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob
from profiles.synthesis.process.trial import retractions, run_pass

ENGINE = "benchmarks.engine_feed:FeedEngine"
ORDER = "cabbac"
WARM_UP = 96
WARM_UP_TOKENS = 128
FLUSH = "flush"
LIST = re.compile(r"list:(\d+):(\d+):\d+")
KEPT = (
    "seconds", "output_tokens", "output_tokens_per_second", "cached_share", "failed", "ended",
    "most_running", "most_waiting", "most_token_usage", "peak_mib",
)  # fmt: skip


class FeedEngine(SglangEngine):
    """Also answers whole lists, each in one call, and empties its prefix cache when told to."""

    def __init__(self, job: EngineJob) -> None:
        options = dict(job.options)
        self._work = synthetic_requests(**work) if (work := options.pop("work", None)) else []
        super().__init__(replace(job, options=options))

    async def generate(self, request: Request) -> Completion:
        """One answer or, for `list:LOW:HIGH:N`, those of a whole slice in one call."""
        if request.request_id.startswith(FLUSH):
            await self._engine.tokenizer_manager.flush_cache()
            return Completion(request.request_id, "", "stop")
        named = LIST.fullmatch(request.request_id)
        if named is None:
            return await super().generate(request)
        part = self._work[int(named[1]) : int(named[2])]
        answers = await self._engine.async_generate(
            input_ids=[list(item.input_ids or ()) for item in part],
            sampling_params=[self._sampling(item) for item in part],
        )
        sums: dict[str, Any] = {
            name: sum(int(answer["meta_info"][name]) for answer in answers)
            for name in ("prompt_tokens", "completion_tokens", "cached_tokens")
        }
        return Completion(request.request_id, "", "length", **sums)


def main() -> int:
    """Runs the benchmark, prints a line per pass and writes the figures after each."""
    options = _options()
    if options.join:
        save(options.json, joined([json.loads(path.read_text()) for path in options.join]))
        return 0
    settings, _ = dummy_model.planned(options)
    result: dict[str, Any] = {
        "card": gpu.card(),
        "budget_mib": options.budget_mib,
        "seed": options.seed,
        "settings": settings,
        "n": options.n,
        "loop_batch": options.batch,
        "order": options.order,
        "ours": {"prompts": options.n, "passes": []},
    }
    _measure(options, result)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=750)
    parser.add_argument("--batch", type=int, default=250, help="prompts per call of the loop")
    parser.add_argument("--order", default=ORDER, help="passes")
    parser.add_argument(
        "--warm-n",
        type=int,
        default=-1,
        help="prompts, other ones, of the uncounted pass with real lengths that compiles the last "
        "kernels; as many as --n if not given, 0 for no such pass",
    )
    parser.add_argument(
        "--warm-sizes",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="without prefill graphs, ask one prompt of each size of a step before, as a lane does",
    )
    parser.add_argument("--join", type=Path, nargs="+", help="put the passes of these together")
    return parser.parse_args()


def _measure(options: argparse.Namespace, result: dict[str, Any]) -> None:
    """One engine, the passes of `--order`, figures into `result`."""
    into, count = result["ours"], options.n
    work = {"count": count, "seed": options.seed, "profile": options.profile}
    job = dummy_model.job(options, {**result["settings"], "work": work}, engine=ENGINE)
    with dummy_model.client(job, options.log) as client:
        started = time.monotonic()
        client.start()
        into["load_seconds"] = round(time.monotonic() - started, 1)
        into["used_mib"] = gpu.used_mib()
        _print("load", {name: into[name] for name in ("load_seconds", "used_mib")})
        whole = count if options.warm_n < 0 else options.warm_n
        warm = synthetic_requests(max(WARM_UP, whole), options.seed + 1, options.profile)
        window = dummy_model.window(result["settings"])
        into["warm_up"] = _sliding(
            client, shortened(warm[:WARM_UP], WARM_UP_TOKENS), window, options.pass_seconds
        )
        _print("warm_up", into["warm_up"])
        if whole:
            into["warm_pass"] = _sliding(client, warm[:whole], window, options.pass_seconds)
            _print("warm_pass", into["warm_pass"])
        if options.warm_sizes:
            into["warm_sizes_seconds"] = dummy_model.warm_sizes(client, options.pass_seconds)
            _print("warm_sizes", into["warm_sizes_seconds"])
        requests = synthetic_requests(count, options.seed, options.profile)
        for number, name in enumerate(options.order):
            empty_prefix_cache(client, number)
            if name == "b":
                ordered = dummy_model.longest_first(requests)
                figures = _sliding(client, ordered, window, options.pass_seconds)
            else:
                step = options.batch if name == "a" else count
                figures = synchronous_calls(client, name, count, step, options.pass_seconds)
            into["passes"].append(figures)
            _print(name, figures)
            result.update(_ratios(result))
            save(options.json, result)
            if not figures["ended"]:
                return


def _sliding(
    client: EngineClient, requests: Sequence[Request], window: int, seconds: float
) -> dict[str, Any]:
    figures = asdict(run_pass(client, requests, window, seconds))
    return {
        "pass": "b",
        **{name: figures[name] for name in KEPT},
        "retractions": figures["retractions"],
    }


def synchronous_calls(
    client: EngineClient, name: str, count: int, step: int, seconds: float
) -> dict[str, Any]:
    """Synchronous calls over slices of `step` prompts."""
    retracted = retractions(client.log_path)
    batches: list[float] = []
    answers = []
    began = time.monotonic()
    for low in range(0, count, step):
        started = time.monotonic()
        high = min(low + step, count)
        answers.append(_ask(client, f"list:{low}:{high}:{len(batches)}", seconds))
        batches.append(round(time.monotonic() - started, 2))
    took = time.monotonic() - began
    output = sum(answer.completion_tokens for answer in answers)
    prompt = sum(answer.prompt_tokens for answer in answers)
    return {
        "pass": name,
        "seconds": round(took, 2),
        "output_tokens": output,
        "output_tokens_per_second": round(output / took, 1),
        "cached_share": round(sum(a.cached_tokens for a in answers) / prompt, 3),
        "failed": sum(answer.error is not None for answer in answers),
        "ended": True,
        "batch_seconds": batches,
        "retractions": retractions(client.log_path) - retracted,
    }


def empty_prefix_cache(client: EngineClient, number: int) -> None:
    """Before pass `number`; a `FeedEngine` only."""
    _ask(client, f"{FLUSH}{number}", 60)


def _ask(client: EngineClient, request_id: str, seconds: float) -> Completion:
    """One answer, waiting for it.

    Raises:
        TimeoutError: it did not come in time.
    """
    client.submit(Request(request_id, (), Sampling(), input_ids=(1,)))
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for item in client.poll(0.25):
            if isinstance(item, Completion):
                if item.error is not None:
                    raise SystemExit(f"{request_id} failed: {item.error}; see {client.log_path}")
                return item
    raise TimeoutError(request_id)


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The passes of several engines as if they were one's; each engine is kept apart as well.

    Raises:
        SystemExit: they did not measure the same thing.
    """
    for name in ("card", "n", "seed", "loop_batch", "budget_mib", "settings"):
        if len({json.dumps(part[name], sort_keys=True) for part in parts}) > 1:
            raise SystemExit(f"the files to join differ in {name!r}")
    result = {**parts[0]}
    for part in parts[1:]:
        result |= {name: value for name, value in part.items() if name not in result}
    passes = [item for part in parts for item in part["ours"]["passes"]]
    result |= {
        "order": " ".join(part["order"] for part in parts),
        "engines": [part["ours"] for part in parts],
        "ours": {"prompts": parts[0]["ours"]["prompts"], "passes": passes},
    }
    return {**result, **_ratios(result)}


def _ratios(result: dict[str, Any]) -> dict[str, Any]:
    """Ratios between the passes that have run."""
    found: dict[str, Any] = {}
    rates: dict[str, list[float]] = {}
    for figures in result["ours"]["passes"]:
        if figures["ended"]:
            rates.setdefault(figures["pass"], []).append(figures["output_tokens_per_second"])
    mean = {name: statistics.mean(values) for name, values in rates.items()}
    if {"b", "c"} <= mean.keys():
        found["ours_over_ceiling"] = round(mean["b"] / mean["c"], 4)
        found["ceiling_spread"] = round((max(rates["c"]) - min(rates["c"])) / mean["c"], 4)
    if {"a", "b"} <= mean.keys():
        found["ours_over_loop"] = round(mean["b"] / mean["a"], 4)
    if {"a", "c"} <= mean.keys():
        found |= _tail(result)
    return found


def _tail(result: dict[str, Any]) -> dict[str, float]:
    """Seconds that each barrier of the loop costs, and their share at batches of 1,000."""
    seconds: dict[str, list[float]] = {}
    for figures in result["ours"]["passes"]:
        if figures["ended"]:
            seconds.setdefault(figures["pass"], []).append(figures["seconds"])
    barriers = -(-result["n"] // result["loop_batch"]) - 1
    if barriers < 1:
        return {}
    whole = statistics.mean(seconds["c"])
    tail = (statistics.mean(seconds["a"]) - whole) / barriers
    return {
        "tail_seconds_per_batch": round(tail, 2),
        "tail_share_at_batches_of_1000": round(tail / (tail + whole * 1000 / result["n"]), 4),
    }


def _print(name: str, figures: Any) -> None:
    print(name, json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
