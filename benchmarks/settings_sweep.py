"""Throughput by single settings of SGLang: one engine each, the same prompts, one change.

    python -m benchmarks.settings_sweep --model FOLDER --rows base,lpm,base --json 1.json
    python -m benchmarks.settings_sweep --merge 1.json 2.json --json settings.json

`base` is what the planner chooses for the card; every other row lays one change over it, and sizes
that hang on it are planned again. Name `base` several times, on every card and in every run: its
spread says which differences mean something. A row is compared with the mean of the bases of its
own file and budget. `cold` is the base again, for the first row on a machine whose kernel caches
are empty: no mean has it. `--rows` may also be `all`; `--list` shows them. A row that fails says
why.

See `benchmarks.dummy_model` for the prompts and for `--budget-mib`. Every engine answers some other
prompts first, uncounted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, shortened, synthetic_requests
from profiles.errors import EngineError, EngineJobError
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.trial import run_trial

WARM_TOKENS = 250
ROWS: dict[str, dict[str, Any]] = {
    "base": {},
    "cold": {},
    "conservativeness_0.3": {"schedule_conservativeness": 0.3},
    "conservativeness_1.3": {"schedule_conservativeness": 1.3},
    "lpm": {"schedule_policy": "lpm"},
    "chunk_512": {"chunked_prefill_size": 512},
    "chunk_1024": {"chunked_prefill_size": 1024},
    "chunk_2048": {"chunked_prefill_size": 2048},
    "chunk_4096": {"chunked_prefill_size": 4096},
    "chunk_8192": {"chunked_prefill_size": 8192},
    "chunk_16384": {"chunked_prefill_size": 16384},
    "swa_0.2": {"swa_full_tokens_ratio": 0.2},
    "swa_0.5": {"swa_full_tokens_ratio": 0.5},
    "swa_0.8": {"swa_full_tokens_ratio": 0.8},
    "fp8_e5m2": {"kv_cache_dtype": "fp8_e5m2"},
    "fp8_e4m3": {"kv_cache_dtype": "fp8_e4m3"},
    "mixed_chunk": {"enable_mixed_chunk": True},
    "prefill_graphs": {"disable_prefill_cuda_graph": False},
    "no_prefill_graphs": {"disable_prefill_cuda_graph": True},
    "mem_fraction_0.80": {"mem_fraction_static": 0.8},
    "running_128": {"max_running_requests": 128},
    "running_512": {"max_running_requests": 512},
    "flashinfer": {"attention_backend": "flashinfer"},
    "fa3": {"attention_backend": "fa3"},
}
NOT_RUNNABLE = {
    "flashinfer": "not runnable here: the package flashinfer is a stub in this installation",
    "fa3": "not runnable here: the FA3 kernels (flash_ops) are left out of this installation",
}


def main() -> int:
    """Runs the rows in their order and writes the figures after each."""
    options = _options()
    if options.list:
        print("\n".join(f"{name}  {json.dumps(change)}" for name, change in ROWS.items()))
        return 0
    if options.merge:
        save(options.json, merged([json.loads(path.read_text()) for path in options.merge]))
        return 0
    names = list(ROWS) if options.rows == "all" else options.rows.split(",")
    if unknown := [name for name in names if name not in ROWS]:
        raise SystemExit(f"no rows {unknown}; --list shows those that there are")
    started = time.monotonic()
    result: dict[str, Any] = {
        "card": gpu.card(),
        "n": options.n,
        "seed": options.seed,
        "rows": [],
    }
    for name in names:
        if options.until and time.monotonic() - started > options.until:
            print(f"{name} and what follows: no time left", flush=True)
            break
        row = _row(name, options)
        result["rows"].append(row)
        print(name, json.dumps({**row, "settings": None}), flush=True)
        save(options.json, compared(result))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--warm-n", type=int, default=96, help="other prompts before, uncounted")
    parser.add_argument("--rows", default="all", help="names with commas, in their order")
    parser.add_argument("--until", type=float, default=0, help="start no row after these seconds")
    parser.add_argument("--list", action="store_true", help="show the rows and end")
    parser.add_argument("--merge", type=Path, nargs="+", help="put the rows of these together")
    return parser.parse_args()


def _row(name: str, options: argparse.Namespace) -> dict[str, Any]:
    change = ROWS[name]
    row: dict[str, Any] = {
        "row": name,
        "setting": next(iter(change), name),
        "value": next(iter(change.values()), None),
        "budget_mib": options.budget_mib,
        "output_tokens_per_second": None,
        "retractions_per_minute": None,
        "failed": None,
        "error": NOT_RUNNABLE.get(name),
    }
    if row["error"]:
        return row
    running = int(change.get("max_running_requests", options.running))
    try:
        settings, plan = dummy_model.planned(options, change, running=running)
        row |= {"settings": settings, "kv_tokens": plan.kv_tokens}
        if not plan.kv_tokens:
            return {**row, "error": "not runnable: the planner finds no room for a KV cache"}
        window = dummy_model.window(settings)
        client = EngineClient(
            replace(dummy_model.job(options, settings), max_in_flight=window),
            python=Path(sys.executable),
            log_path=options.log.with_name(f"{options.log.stem}-{name}.log"),
            start_timeout=400,
            silence_timeout=200,
            environment=dummy_model.environment(options.model),
        )
        ready, measured = run_trial(
            client,
            dummy_model.longest_first(synthetic_requests(options.n, options.seed, options.profile)),
            window=window,
            warm_up=shortened(
                synthetic_requests(options.warm_n, options.seed + 1, options.profile), WARM_TOKENS
            ),
            seconds=options.pass_seconds,
        )
    except (EngineError, EngineJobError) as error:
        return {**row, "error": f"{type(error).__name__}: {error}"}
    return {
        **row,
        "output_tokens_per_second": measured.output_tokens_per_second,
        "seconds": measured.seconds,
        "retractions": measured.retractions,
        "retractions_per_minute": measured.retractions_per_minute,
        "failed": measured.failed,
        "ended": measured.ended,
        "cached_share": measured.cached_share,
        "most_running": measured.most_running,
        "most_token_usage": measured.most_token_usage,
        "peak_mib": measured.peak_mib,
        "load_seconds": ready.load_seconds,
    }


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """The result with each row's rate over the mean of the bases of its budget."""
    bases: dict[int, list[float]] = {}
    for row in result["rows"]:
        if row["setting"] == "base" and row["output_tokens_per_second"]:
            bases.setdefault(row["budget_mib"], []).append(row["output_tokens_per_second"])
    for row in result["rows"]:
        rates = bases.get(row["budget_mib"])
        rate = row["output_tokens_per_second"]
        row["ratio_to_base"] = round(rate / statistics.mean(rates), 3) if rates and rate else None
    summary = [
        {
            "budget_mib": budget,
            "runs": len(rates),
            "output_tokens_per_second": round(statistics.mean(rates), 1),
            "spread": round((max(rates) - min(rates)) / statistics.mean(rates), 4),
        }
        for budget, rates in bases.items()
    ]
    return {**result, "base": summary}


def merged(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All rows in one result, each compared with the bases of its own file.

    Raises:
        SystemExit: the parts were not measured with the same prompts on the same kind of card.
    """
    for name in ("card", "n", "seed"):
        if len({part[name] for part in parts}) > 1:
            raise SystemExit(f"the files to merge differ in {name!r}")
    rows = [
        {**row, "file": number}
        for number, part in enumerate(parts)
        for row in compared(part)["rows"]
    ]
    ratios = [row["ratio_to_base"] for row in rows]
    result = compared({**parts[0], "rows": rows})
    for row, ratio in zip(result["rows"], ratios, strict=True):
        row["ratio_to_base"] = ratio if ratio is not None else row["ratio_to_base"]
    return result


if __name__ == "__main__":
    sys.exit(main())
