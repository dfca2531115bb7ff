"""What the way of feeding an engine is worth, on one GPU and one loaded engine.

    python -m benchmarks.engine_feed --model FOLDER --weight-bytes BYTES --n 750 --json out.json

Three ways to have the same prompts answered, with the same answer lengths:

    a  consecutive synchronous `generate` calls over batches, each waiting for its last answer
    b  ours: single requests in a sliding window, through EngineClient, pipes and engine process
    c  one `generate` over everything: the ceiling, for as much memory as it takes

They run in the order c a b b a c after a warm-up with the real shapes; the prefix cache is emptied
before each. `a` and `c` are asked inside the engine process, so that they pay for no pipe. Then the
same engine is loaded with the sizes that SGLang would choose itself for a card of the budget, and
fed with b.

`--budget-mib` imitates a smaller card: the settings planned for it, its number of KV cache tokens,
and the kernels of an Ada card. Speed of memory and arithmetic stay those of the card that is there.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import gpu
from benchmarks.engine_check import run_pass, synthetic_requests
from profiles.models import Completion, Request, Sampling
from profiles.synthesis.engine_client import EngineClient
from profiles.synthesis.engines.sglang import SglangEngine
from profiles.synthesis.parallelism import Card, ModelShape, Workload, plan_engine
from profiles.synthesis.protocol import EngineJob

ORDER = "cabbac"
WARM_UP = 96
WARM_UP_TOKENS = 128
FLUSH = "flush"
LIST = re.compile(r"list:(\d+):(\d+):\d+")
PROCESS_FLAGS = {
    "load_format": "dummy",
    "skip_tokenizer_init": True,
    "sampling_backend": "pytorch",
    "attention_backend": "triton",
    "moe_runner_backend": "triton_kernel",
    "disable_prefill_cuda_graph": True,
    "random_seed": 1,
}
"""Dummy weights, and the kernels that an Ada card would run."""
SGLANG_24_GB = {"cuda_graph_max_bs_decode": 24, "chunked_prefill_size": 2048}
"""What SGLang 0.5.17 chooses itself for 20 to 35 GiB; `swa_full_tokens_ratio` stays 0.8."""


class FeedEngine(SglangEngine):
    """The production engine, which also answers whole lists and always to the full length."""

    def __init__(self, job: EngineJob) -> None:
        options = dict(job.options)
        self._work = synthetic_requests(**options.pop("work"))
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

    def _sampling(self, request: Request) -> dict[str, Any]:
        return {**super()._sampling(request), "ignore_eos": True}


def main() -> int:
    """Runs the benchmark, prints a line per pass and writes the figures after each."""
    options = _options()
    result: dict[str, Any] = {}
    for path in options.resume:
        result |= json.loads(path.read_text())
    ours, defaults = _settings(options)
    if options.order or options.defaults_n:
        card = gpu.card()
        if result.setdefault("card", card) != card:
            raise SystemExit(f"{result['card']} was measured before, and this is {card}")
        result |= {"budget_mib": options.budget_mib, "window": options.window}
        result |= {"settings": ours, "default_settings": defaults}
    if options.order:
        result |= {"n": options.n, "seed": options.seed, "loop_batch": options.batch}
        _measure(options, ours, options.order, options.n, result.setdefault("ours", {}), result)
    if options.defaults_n:
        count = options.defaults_n
        for name, settings in (("ours_short", ours), ("defaults", defaults)):
            _measure(options, settings, "b", count, result.setdefault(name, {}), result)
    result |= _ratios(result)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="folder with config.json")
    parser.add_argument("--weight-bytes", type=int, required=True)
    parser.add_argument("--n", type=int, default=750)
    parser.add_argument("--batch", type=int, default=250, help="prompts per call of the loop")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--window", type=int, default=256, help="requests in flight")
    parser.add_argument("--budget-mib", type=int, default=24564, help="card to imitate")
    parser.add_argument("--order", default=ORDER, help="passes; empty for none")
    parser.add_argument("--defaults-n", type=int, default=128, help="prompts for SGLang's defaults")
    parser.add_argument(
        "--no-warm-pass",
        dest="warm_pass",
        action="store_false",
        help="leave out the whole uncounted pass that compiles the last kernels",
    )
    parser.add_argument(
        "--resume",
        type=Path,
        nargs="*",
        default=[],
        help="files of earlier runs on the same card; what is not measured now is kept",
    )
    parser.add_argument("--options", default="{}", help="JSON; laid over our settings")
    parser.add_argument("--pass-seconds", type=float, default=240)
    parser.add_argument("--log", type=Path, default=Path("engine.log"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


def _settings(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Our settings and SGLang's own for the imitated card."""
    config = json.loads((options.model / "config.json").read_text())
    shape = ModelShape.from_config(config, options.weight_bytes)
    card = Card("imitated Ada card", options.budget_mib << 20, (8, 9))
    workload = Workload(in_flight=options.window)
    arguments = json.loads(options.options)
    plan = plan_engine(shape, [card], workload=workload, options=arguments)
    theirs = plan_engine(
        shape, [card], workload=workload, options={"swa_full_tokens_ratio": 0.8, **SGLANG_24_GB}
    )
    ours = {**plan.arguments, "max_total_tokens": plan.kv_tokens}
    # The number of KV tokens stands for the card's memory; a share of this card would not.
    del ours["mem_fraction_static"]
    return ours, {**SGLANG_24_GB, "max_total_tokens": theirs.kv_tokens}


def _measure(
    options: argparse.Namespace,
    settings: dict[str, Any],
    order: str,
    count: int,
    into: dict[str, Any],
    result: dict[str, Any],
) -> None:
    """One engine with these settings, the passes of `order`, figures into `into`."""
    job = EngineJob(
        "benchmarks.engine_feed:FeedEngine",
        str(options.model),
        options={
            **PROCESS_FLAGS,
            **settings,
            "work": {"count": max(count, WARM_UP), "seed": options.seed},
        },
        max_in_flight=options.window,
        heartbeat_seconds=1.0,
    )
    client = EngineClient(
        job,
        python=Path(sys.executable),
        log_path=options.log,
        start_timeout=400,
        silence_timeout=200,
    )
    into |= {"prompts": count, "passes": []}
    with client:
        started = time.monotonic()
        client.start()
        into["load_seconds"] = round(time.monotonic() - started, 1)
        into["used_mib"] = gpu.used_mib()
        requests = synthetic_requests(max(count, WARM_UP), options.seed)
        into["warm_up"] = _pass(client, "b", _shortened(requests[:WARM_UP]), options)
        print("warm_up", json.dumps(into["warm_up"]), flush=True)
        if options.warm_pass and order != "b":
            into["warm_pass"] = _pass(client, "b", requests[:count], options)
            print("warm_pass", json.dumps(into["warm_pass"]), flush=True)
        for number, name in enumerate(order):
            _ask(client, f"{FLUSH}{number}", 60)
            retracted = _retractions(options.log)
            figures = _pass(client, name, requests[:count], options)
            figures["retractions"] = _retractions(options.log) - retracted
            into["passes"].append(figures)
            print(name, json.dumps(figures), flush=True)
            result.update(_ratios(result))
            if options.json:
                options.json.write_text(json.dumps(result, indent=1) + "\n")
            if not figures["ended"]:
                return


def _pass(
    client: EngineClient, name: str, requests: Sequence[Request], options: argparse.Namespace
) -> dict[str, Any]:
    if name == "b":
        figures, _ = run_pass(client, requests, options.window, options.pass_seconds)
        kept = ("seconds", "output_tokens", "output_tokens_per_second", "cached_share", "failed")
        more = ("ended", "most_running", "most_token_usage", "peak_mib")
        return {"pass": name, **{key: figures[key] for key in (*kept, *more)}}
    step = options.batch if name == "a" else len(requests)
    batches: list[float] = []
    answers = []
    began = time.monotonic()
    for low in range(0, len(requests), step):
        high = min(low + step, len(requests))
        started = time.monotonic()
        answers.append(_ask(client, f"list:{low}:{high}:{len(batches)}", options.pass_seconds))
        batches.append(round(time.monotonic() - started, 2))
    seconds = time.monotonic() - began
    output = sum(answer.completion_tokens for answer in answers)
    prompt = sum(answer.prompt_tokens for answer in answers)
    return {
        "pass": name,
        "seconds": round(seconds, 1),
        "output_tokens": output,
        "output_tokens_per_second": round(output / seconds),
        "cached_share": round(sum(a.cached_tokens for a in answers) / prompt, 3),
        "failed": sum(answer.error is not None for answer in answers),
        "ended": True,
        "batch_seconds": batches,
    }


def _shortened(requests: Sequence[Request]) -> list[Request]:
    """The same prompts at the same concurrency, with short answers."""
    return [
        replace(item, sampling=replace(item.sampling, max_new_tokens=WARM_UP_TOKENS))
        for item in requests
    ]


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
                return item
    raise TimeoutError(request_id)


def _retractions(log: Path) -> int:
    """Requests that the scheduler has taken back for want of KV cache, so far."""
    text = log.read_text(errors="replace")
    return sum(int(found) for found in re.findall(r"#retracted_reqs: (\d+)", text))


def _ratios(result: dict[str, Any]) -> dict[str, Any]:
    """What the passes say about one another, as far as they have run."""
    found: dict[str, Any] = {}
    rates: dict[str, list[int]] = {}
    for figures in result.get("ours", {}).get("passes", []):
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
    short, theirs = (result.get(name, {}).get("passes", []) for name in ("ours_short", "defaults"))
    if short and theirs:
        found["ours_over_defaults"] = round(
            short[0]["output_tokens_per_second"] / theirs[0]["output_tokens_per_second"], 3
        )
    return found


def _tail(result: dict[str, Any]) -> dict[str, float]:
    """Seconds that each barrier of the loop costs, and their share at batches of 1,000."""
    seconds: dict[str, list[float]] = {"a": [], "c": []}
    for figures in result["ours"]["passes"]:
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


if __name__ == "__main__":
    sys.exit(main())
