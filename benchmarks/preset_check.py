"""What a preset runs on two cards, to compare with what `benchmarks.parallelism_check` measures.

    CUDA_VISIBLE_DEVICES=0,1 python -m benchmarks.preset_check --model FOLDER --json seed.json

Loads the preset (`seed` if not named) as its file says: the weights in its own precision, its
options, everything else as SGLang chooses it, and asks the prompts in synchronous calls of its
`requests_per_call`. Dummy weights in bf16 need a config without `quantization_config`: a copy of
the model's config without it is used. Attention, MoE and sampling run the kernels of the other
benchmarks (see `benchmarks.dummy_model`).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, shortened, synthetic_requests
from benchmarks.engine_feed import ENGINE, WARM_UP_TOKENS, empty_prefix_cache, synchronous_calls
from benchmarks.people import REPOSITORY
from profiles.synthesis.presets import Preset, load_preset
from profiles.synthesis.trial import run_pass

PRESETS = REPOSITORY / "include" / "engine_presets"


def main() -> int:
    """Runs the passes and writes the figures after each."""
    options = _options()
    preset = load_preset(options.preset, PRESETS)
    if preset.requests_per_call is None:
        raise SystemExit(f"the preset {options.preset} asks for no calls; engine_feed measures it")
    result: dict[str, Any] = {
        "card": gpu.card(),
        "preset": options.preset,
        "options": preset.options,
        "requests_per_call": preset.requests_per_call,
        "n": options.n,
        "seed": options.seed,
        "passes": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        options.model = _without_quantization(options.model, Path(folder))
        _measure(options, preset, preset.requests_per_call, result)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    dummy_model.add_arguments(parser)
    parser.add_argument("--preset", default="seed")
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--warm-n", type=int, default=300, help="other prompts before, uncounted")
    parser.add_argument("--passes", type=int, default=2)
    return parser.parse_args()


def _without_quantization(model: Path, folder: Path) -> Path:
    config = json.loads((model / "config.json").read_text())
    config.pop("quantization_config", None)
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def _measure(
    options: argparse.Namespace, preset: Preset, step: int, result: dict[str, Any]
) -> None:
    work = {"count": options.n, "seed": options.seed, "profile": options.profile}
    job = dummy_model.job(options, {**preset.options, "work": work}, engine=ENGINE)
    with dummy_model.client(job, options.log) as client:
        started = time.monotonic()
        client.start()
        result["load_seconds"] = round(time.monotonic() - started, 1)
        result["used_mib"] = gpu.used_mib()
        warm = synthetic_requests(options.warm_n, options.seed + 1, options.profile)
        for requests in (shortened(warm, WARM_UP_TOKENS), warm):
            run_pass(client, requests, len(requests), options.pass_seconds)
        for number in range(options.passes):
            empty_prefix_cache(client, number)
            figures = synchronous_calls(client, "a", options.n, step, options.pass_seconds)
            result["passes"].append(figures)
            rates = [item["output_tokens_per_second"] for item in result["passes"]]
            result["output_tokens_per_second"] = round(statistics.mean(rates), 1)
            print(json.dumps(figures), flush=True)
            save(options.json, result)


if __name__ == "__main__":
    sys.exit(main())
