"""Cost of production's request on one GPU: grammar, penalty and admission, side by side.

    python -m benchmarks.request --model FOLDER --passes none,llguidance,none --json a.json

One engine with dummy weights (`benchmarks.dummy_model`) takes every pass, so that only the request
differs: `none` is the JSON answer without a grammar, `llguidance` has the schema of the profile
`structured`, `xgrammar` that without length keywords, `xgrammar_lengths` with them, `tagged` is the
profile `tagged`, and `penalty` that with a repetition penalty of 1.05. All answers have the same
lengths, but those of `compact`: 600 own tokens of prompt and 200 of answer. The other names feed
the request `tagged` in other ways: `ours` through `Admission`, the rest straight into SGLang's
scheduler with one of its own settings. `--join` puts files together.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import (
    SHARED_TOKENS,
    save,
    shortened,
    synthetic_requests,
    warm_sizes,
)
from benchmarks.engine_feed import FeedEngine, empty_prefix_cache
from profiles.models import Completion, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob
from profiles.synthesis.process.trial import run_pass

ENGINE = "benchmarks.request:RequestEngine"
PENALTY = 1.05
WARM_UP = (96, 128)
"""Uncounted prompts and the cap of their answers, before as many real ones as a pass has."""
LENGTHS = ("minLength", "maxLength", "minItems", "maxItems")
GRAMMARS = ("none", "llguidance", "xgrammar", "xgrammar_lengths", "tagged", "penalty", "compact")
COMPACT = (600, 200)
"""Own tokens of a prompt and tokens of its answer, on average."""
ADMISSIONS: dict[str, dict[str, Any] | None] = {
    "ours": None,
    "scheduler": {},
    "min_free_slots_8": {"min_free_slots_delay": 8},
    "min_free_slots_12": {"min_free_slots_delay": 12},
    "interval_8": {"prefill_decode_interval": 8},
    "interval_16": {"prefill_decode_interval": 16},
    "delayer": {"enable_prefill_delayer": True},
}
KEPT = (
    "ok",
    "failed",
    "ended",
    "seconds",
    "output_tokens",
    "output_tokens_per_second",
    "cached_share",
    "retractions",
    "most_running",
    "most_token_usage",
    "peak_mib",
    "finish_reasons",
)


class RequestEngine(FeedEngine):
    """Can be told to leave admission to SGLang's scheduler."""

    def __init__(self, job: EngineJob) -> None:
        super().__init__(job)
        self._ours: Any = None

    async def generate(self, request: Request) -> Completion:
        """An answer; `admission:on` and `admission:off` only switch."""
        name, _, value = request.request_id.partition(":")
        if name != "admission":
            return await super().generate(request)
        self._ours = self._ours or self._admission
        self._admission = self._ours if value.startswith("on") else None
        return Completion(request.request_id, "", "stop")


def main() -> int:
    """Runs the passes and writes the figures after each."""
    options = _options()
    if options.join:
        save(options.json, joined([json.loads(path.read_text()) for path in options.join]))
        return 0
    settings, plan = dummy_model.planned(options)
    settings |= {"grammar_backend": "xgrammar", "constrained_json_disable_any_whitespace": True}
    names = options.passes.split(",")
    if unknown := set(names) - {*GRAMMARS, *ADMISSIONS}:
        raise SystemExit(f"no passes {sorted(unknown)}")
    if "delayer" in names:
        settings |= {"enable_prefill_delayer": True, "prefill_delayer_queue_min_ratio": 0.1}
    result: dict[str, Any] = {
        "card": gpu.card(),
        "budget_mib": options.budget_mib,
        "n": options.n,
        "seed": options.seed,
        "settings": settings,
        "kv_tokens_planned": plan.kv_tokens,
        "passes": [],
    }
    control = options.log.with_suffix(".control")
    client = dummy_model.client(
        dummy_model.job(options, settings, engine=ENGINE),
        options.log,
        {"SGLANG_DUMMY_GRAMMARS": "both", "SGLANG_DUMMY_CONTROL": str(control)},
    )
    began = time.monotonic()
    with client:
        ready = client.start()
        result |= {
            "version": ready.version,
            "load_seconds": round(time.monotonic() - began, 1),
            "loaded_mib": gpu.used_mib(),
        }
        print(json.dumps({**result, "passes": None}), flush=True)
        result["warm_up_seconds"] = _warm(client, options, dummy_model.window(settings))
        for number, name in enumerate(names):
            if options.until and time.monotonic() - began > options.until:
                print("no time for", ",".join(names[number:]), flush=True)
                break
            _prepare(client, name, number, control)
            requests = dummy_model.longest_first(_requests(name, options))
            took = run_pass(client, requests, dummy_model.window(settings), options.pass_seconds)
            figures = {"pass": name, **{key: asdict(took)[key] for key in KEPT}}
            result["passes"].append({**figures, "used_mib": gpu.used_mib()})
            print(json.dumps(result["passes"][-1]), flush=True)
            save(options.json, result | compared(result))
            if not took.ended:
                break
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=240)
    parser.add_argument("--passes", default=",".join(GRAMMARS), help="names in their order")
    parser.add_argument("--until", type=float, default=0, help="start no pass after these seconds")
    parser.add_argument("--join", type=Path, nargs="+", help="put the passes of these together")
    return parser.parse_args()


def _requests(name: str, options: argparse.Namespace) -> list[Request]:
    profile = "structured" if name in GRAMMARS[:4] else "tagged"
    form = "spaced" if name.startswith("xgrammar") else None
    made = synthetic_requests(options.n, options.seed, profile, form=form)
    if name == "compact":
        own, answer = COMPACT
        cut = [replace(it, input_ids=it.input_ids[: SHARED_TOKENS + own]) for it in made]
        return shortened(cut, answer)
    schema = made[0].json_schema
    if name == "penalty":
        sampling = replace(made[0].sampling, repetition_penalty=PENALTY)
        return [replace(item, sampling=sampling) for item in made]
    if name == "none" or schema is None:
        return [replace(item, json_schema=None) for item in made]
    texts = {"llguidance": f" {schema}", "xgrammar": without_lengths(schema)}
    return [replace(item, json_schema=texts.get(name, schema)) for item in made]


def without_lengths(schema: str) -> str:
    """The schema as JSON without the keywords that count characters and items."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in LENGTHS}
        return value

    return json.dumps(strip(json.loads(schema)))


def _warm(client: EngineClient, options: argparse.Namespace, window: int) -> float:
    """Every size of a step, then one pass with real lengths: other prompts, nothing counted."""
    began = time.monotonic()
    warm_sizes(client, options.pass_seconds)
    warm = synthetic_requests(max(WARM_UP[0], options.n // 2), options.seed + 1, "tagged")
    run_pass(client, shortened(warm[: WARM_UP[0]], WARM_UP[1]), window, options.pass_seconds)
    run_pass(client, warm, window, options.pass_seconds)
    return round(time.monotonic() - began, 1)


def _prepare(client: EngineClient, name: str, number: int, control: Path) -> None:
    """Empties the prefix cache, compiles the grammar, and sets who admits."""
    settings = ADMISSIONS.get(name)
    control.write_text(json.dumps(settings or {}))
    empty_prefix_cache(client, number)
    switch = "off" if settings is not None else "on"
    client.submit(Request(f"admission:{switch}:{number}", (), Sampling(), input_ids=(1,)))
    while client.in_flight:
        client.poll(0.25)


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """Means over the passes of a name, and their ratios to `none`, to 1.0 and to ours."""
    rates: dict[str, list[float]] = {}
    for item in result["passes"]:
        if item["ended"]:
            rates.setdefault(item["pass"], []).append(item["output_tokens_per_second"])
    mean = {name: round(statistics.mean(values), 1) for name, values in rates.items()}

    def ratios(names: Sequence[str], base: str, label: str) -> dict[str, Any]:
        if base not in mean:
            return {}
        return {
            name: {
                "tok_s": mean[name],
                label: round(mean[name] / mean[base], 3),
                "passes": rates[name],
            }
            for name in names
            if name in mean
        }

    peak = {item["pass"]: item["peak_mib"] for item in result["passes"]}
    penalty = ratios(("tagged", "penalty"), "tagged", "over_1.0")
    for name in penalty:
        penalty[name]["peak_mib"] = peak[name]
    seconds: dict[str, list[float]] = {}
    for item in result["passes"]:
        seconds.setdefault(item["pass"], []).append(item["seconds"])
    price = None
    if "compact" in mean and "tagged" in mean:
        price = statistics.mean(seconds["compact"]) / statistics.mean(seconds["tagged"])
    return {
        "compact_over_tagged_seconds": price,
        "grammar": ratios(GRAMMARS[:5], "none", "over_none"),
        "penalty": penalty if "penalty" in mean else {},
        "admission": ratios(tuple(ADMISSIONS), "ours", "over_ours"),
    }


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Runs on cards of one kind in one file, each under its budget and what ran at once."""
    if len({part["card"] for part in parts}) > 1:
        raise SystemExit("the files to join were measured on different cards")
    return {"card": parts[0]["card"], "runs": list(parts)}


if __name__ == "__main__":
    sys.exit(main())
