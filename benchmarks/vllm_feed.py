"""Throughput of vLLM on one GPU with the prompts that `benchmarks.request` gives SGLang.

    python -m benchmarks.vllm_feed --model FOLDER --moe marlin,triton --json vllm.json

An engine for each MoE kernel of `--moe` ("auto" is vLLM's choice), in production's process: dummy
weights that `benchmarks.dummy_plugin` spreads over all experts, attention in Triton and a KV cache
of as many bytes as SGLang's plan for `--budget-mib` gives it. Prompts, their order and the lengths
of their answers are those of the profile `tagged`; vLLM samples the tokens itself, where SGLang's
are dictated. One warm-up with short answers, then `--passes`, each from an empty prefix cache.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, replace
from typing import Any

from benchmarks import dummy_model, gpu
from benchmarks.dummy_model import save, shortened, synthetic_requests
from benchmarks.engine_feed import FLUSH, KEPT, empty_prefix_cache
from profiles.models import Completion, Request
from profiles.synthesis.engines.vllm_engine import VllmEngine
from profiles.synthesis.process.protocol import EngineJob
from profiles.synthesis.process.trial import run_pass

ENGINE = "benchmarks.vllm_feed:FeedEngine"
ENVIRONMENT = {"VLLM_USE_FLASHINFER_SAMPLER": "0", "VLLM_PLUGINS": "profiles_benchmarks"}
CONTEXT_TOKENS = 4096
WARM_UP = (60, 64)  # Uncounted prompts, and the tokens of their answers.


class FeedEngine(VllmEngine):
    """Ends no answer before its length, and empties its prefix cache when told to."""

    async def generate(self, request: Request) -> Completion:
        if not request.request_id.startswith(FLUSH):
            return await super().generate(request)
        emptied = await self._engine.reset_prefix_cache()
        return Completion(request.request_id, "", "stop", error=None if emptied else "in use")

    def _sampling(self, request: Request) -> Any:
        from vllm.sampling_params import RequestOutputKind, SamplingParams

        return SamplingParams(
            temperature=request.sampling.temperature,
            max_tokens=request.sampling.max_new_tokens,
            ignore_eos=True,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )


def main() -> None:
    """Runs the passes and writes the figures after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    dummy_model.add_arguments(parser)
    parser.add_argument("--n", type=int, default=240)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--moe", default="marlin", help="MoE kernels, one engine each")
    options = parser.parse_args()
    result = {"card": gpu.card(), "budget_mib": options.budget_mib, "n": options.n, "runs": []}
    for moe in options.moe.split(","):
        result["runs"].append({"settings": _settings(options, moe), "passes": []})
        _measure(options, result["runs"][-1], result)


def _settings(options: argparse.Namespace, moe: str) -> dict[str, Any]:
    """SGLang's plan in vLLM's words."""
    plan, size = dummy_model.planned(options)
    config = json.loads((options.model / "config.json").read_text())
    layer_bytes = 2 * 2 * config["num_key_value_heads"] * config["head_dim"]
    full = sum(kind == "full_attention" for kind in config["layer_types"])
    sliding = (len(config["layer_types"]) - full) * plan["swa_full_tokens_ratio"]
    settings = {
        "load_format": "dummy",
        "attention_backend": "TRITON_ATTN",
        "moe_backend": moe,
        "max_model_len": CONTEXT_TOKENS,
        "max_num_seqs": plan["max_running_requests"],
        "max_num_batched_tokens": plan["chunked_prefill_size"],
        "max_cudagraph_capture_size": plan["cuda_graph_max_bs_decode"],
        "kv_cache_memory_bytes": int(size.kv_tokens * layer_bytes * (full + sliding)),
        "disable_log_stats": False,
    }
    return settings | json.loads(options.options)


def _measure(options: argparse.Namespace, run: dict[str, Any], result: dict[str, Any]) -> None:
    job = EngineJob(
        ENGINE,
        str(options.model),
        run["settings"],
    )
    with dummy_model.client(job, options.log, ENVIRONMENT) as client:
        began = time.monotonic()
        run["version"] = client.start().version
        run |= {"load_seconds": round(time.monotonic() - began, 1), "loaded_mib": gpu.used_mib()}
        window = run["settings"]["max_num_seqs"] + dummy_model.WAITING
        warm = shortened(synthetic_requests(WARM_UP[0], options.seed + 1), WARM_UP[1])
        run_pass(client, warm, window, options.pass_seconds)
        run["warm_up_seconds"] = round(time.monotonic() - began - run["load_seconds"], 1)
        requests = _of_dictated_lengths(options, synthetic_requests(options.n, options.seed))
        for number in range(options.passes):
            empty_prefix_cache(client, number)
            took = asdict(run_pass(client, requests, window, options.pass_seconds))
            run["passes"].append({name: took[name] for name in KEPT})
            print(json.dumps(run["passes"][-1]), flush=True)
            save(options.json, result)


def _of_dictated_lengths(options: argparse.Namespace, requests: list[Request]) -> list[Request]:
    """In a lane's order, each with the tokens of the answer that SGLang would be dictated."""
    tables = json.loads((options.model / "answers.json").read_text())
    made = []
    for item in dummy_model.longest_first(requests):
        row, table = divmod(len(item.input_ids or ()), len(tables))
        tokens = len(tables[table][row % len(tables[table])]) + 1
        made.append(replace(item, sampling=replace(item.sampling, max_new_tokens=tokens)))
    return made


if __name__ == "__main__":
    main()
