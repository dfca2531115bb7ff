"""An engine with dummy weights, its requests and its settings, as the GPU benchmarks share them.

Prompts are random token ids: 350 shared by all, 900-1,700 of their own, answers of 500-900 tokens.
`--budget-mib` imitates a smaller card: the settings planned for it, its number of KV cache tokens,
and the kernels of an Ada card. Speed of memory and arithmetic stay those of the card that is there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from profiles.models import Request, Sampling
from profiles.synthesis.cards import visible_gpus
from profiles.synthesis.engine_client import EngineClient
from profiles.synthesis.engines.sglang import SglangEngine
from profiles.synthesis.model_shape import Card, ModelShape, Workload
from profiles.synthesis.parallelism import EnginePlan, plan_engine
from profiles.synthesis.protocol import EngineJob

ENGINE = "benchmarks.dummy_model:FullLengthEngine"
GPT_OSS_20B_BYTES = 13_761_264_768
"""Bytes of the model's files in MXFP4."""
PROCESS_FLAGS: dict[str, Any] = {
    "load_format": "dummy",
    "skip_tokenizer_init": True,
    "sampling_backend": "pytorch",
    "attention_backend": "triton",
    "moe_runner_backend": "triton_kernel",
    "random_seed": 1,
}
"""Dummy weights, and the kernels that an Ada card would run."""
SHARED_TOKENS = 350
WAITING = 200
LEASE = 256


class FullLengthEngine(SglangEngine):
    """The production engine, which answers every request to its full length."""

    def _sampling(self, request: Request) -> dict[str, Any]:
        return {**super()._sampling(request), "ignore_eos": True}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that every benchmark of a dummy model has."""
    parser.add_argument("--model", type=Path, default=Path("model"), help="folder with config.json")
    parser.add_argument("--weight-bytes", type=int, default=GPT_OSS_20B_BYTES)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--running", type=int, default=256, help="most requests that run at once")
    parser.add_argument(
        "--budget-mib", type=int, default=24564, help="card to imitate; 0: the one that is there"
    )
    parser.add_argument("--options", default="{}", help="JSON; laid over our settings")
    parser.add_argument("--pass-seconds", type=float, default=240)
    parser.add_argument("--log", type=Path, default=Path("engine.log"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")


def planned(
    options: argparse.Namespace,
    changes: Mapping[str, Any] | None = None,
    *,
    cards: int = 1,
    running: int = 0,
) -> tuple[dict[str, Any], EnginePlan]:
    """The planner's settings under `--options` and `changes`, and the plan they come from."""
    file = options.model / "config.json"
    if not file.is_file():
        raise SystemExit(f"there is no {file}; let --model name the folder of gpt-oss-20b's config")
    config = json.loads(file.read_text())
    shape = ModelShape.from_config(config, options.weight_bytes)
    given = {**json.loads(options.options), **(changes or {})}
    workload = Workload(most_running=running or options.running)
    if options.budget_mib:
        found = [Card("imitated Ada card", options.budget_mib << 20, (8, 9))] * cards
    else:
        found = list(visible_gpus()[:cards])
    plan = plan_engine(shape, found, workload=workload, options=given)
    settings = dict(plan.arguments)
    if options.budget_mib:
        # The number of KV tokens stands for the card's memory; a share of this card would not.
        settings.pop("mem_fraction_static", None)
        settings.setdefault("max_total_tokens", plan.kv_tokens)
    return settings, plan


def job(
    options: argparse.Namespace,
    settings: Mapping[str, Any],
    *,
    engine: str = ENGINE,
) -> EngineJob:
    """The job of an engine with these settings over the flags that dummy weights need."""
    return EngineJob(
        engine,
        str(options.model),
        options={**PROCESS_FLAGS, **settings},
    )


def window(settings: Mapping[str, Any]) -> int:
    """Requests in flight: what runs at once and, as a lane keeps it, some that wait."""
    return int(settings["max_running_requests"]) + WAITING


def longest_first(requests: Sequence[Request]) -> list[Request]:
    """In the order of a lane: lease after lease, within each the longest prompt first."""
    ordered: list[Request] = []
    for low in range(0, len(requests), LEASE):
        lease = requests[low : low + LEASE]
        ordered += sorted(lease, key=lambda item: -len(item.input_ids or ()))
    return ordered


def client(
    engine_job: EngineJob, log: Path, environment: Mapping[str, str] | None = None
) -> EngineClient:
    """A client with the time limits of a benchmark."""
    return EngineClient(
        engine_job,
        python=Path(sys.executable),
        log_path=log,
        start_timeout=400,
        silence_timeout=200,
        environment=dict(environment or {}),
    )


def synthetic_requests(
    count: int,
    seed: int,
    *,
    own_tokens: tuple[int, int] = (900, 1700),
    answer_tokens: tuple[int, int] = (500, 900),
) -> list[Request]:
    """Prompts of random token ids with a shared beginning; the seed decides them."""
    source = random.Random(seed)
    shared = [source.randrange(1000, 190000) for _ in range(SHARED_TOKENS)]
    bodies = [
        [source.randrange(1000, 190000) for _ in range(source.randint(*own_tokens))]
        for _ in range(count)
    ]
    return [
        Request(
            request_id=str(number),
            messages=(),
            sampling=Sampling(
                temperature=1.0,
                repetition_penalty=1.0,
                max_new_tokens=source.randint(*answer_tokens),
            ),
            input_ids=tuple(shared + body),
        )
        for number, body in enumerate(bodies)
    ]


def shortened(requests: Sequence[Request], tokens: int) -> list[Request]:
    """The same prompts with answers of at most `tokens`."""
    return [
        replace(
            item,
            sampling=replace(
                item.sampling, max_new_tokens=min(tokens, item.sampling.max_new_tokens)
            ),
        )
        for item in requests
    ]


def save(path: Path | None, figures: Mapping[str, Any]) -> None:
    """Writes the figures, if a file was asked for."""
    if path is not None:
        path.write_text(json.dumps(figures, indent=1) + "\n")
