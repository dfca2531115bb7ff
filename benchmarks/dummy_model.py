"""An engine with dummy weights, its requests and its settings, as the GPU benchmarks share them.

Requests are production's: sampling, schema and stops of an engine profile (`--profile`, by default
that of lanes on sglang). Prompts are random token ids: 350 shared by all, 900-1,700 of their own;
answers are texts of 500-900 tokens that `benchmarks.dummy_plugin` dictates.
`benchmarks.dummy_folder` makes the model folder.
`--budget-mib` imitates a smaller card: the settings planned for it, its number of KV cache tokens,
and the kernels of an Ada card. Speed of memory and arithmetic stay those of the card that is there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from benchmarks.dummy_folder import REPOSITORY, TABLES
from profiles.models import Request, Sampling
from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.model_shape import Card, ModelShape
from profiles.synthesis.gpu.parallelism import EnginePlan, plan_engine
from profiles.synthesis.lane.warm_up import warm_up
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob

ENGINE = "sglang"
PROMPTS = REPOSITORY / "include" / "prompts"
PLUGIN = REPOSITORY / "benchmarks" / "engine_plugin"
GPT_OSS_20B_BYTES = 13_761_264_768
"""Bytes of the model's files in MXFP4."""
PROCESS_FLAGS: dict[str, Any] = {
    "load_format": "dummy",
    "sampling_backend": "pytorch",
    "attention_backend": "triton",
    "moe_runner_backend": "triton_kernel",
    "random_seed": 1,
}
"""Dummy weights, and the kernels that an Ada card would run."""
SHARED_TOKENS = 350
OWN_TOKENS = (900, 1700)
WAITING = 200
LEASE = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that every benchmark of a dummy model has."""
    parser.add_argument("--model", type=Path, default=Path("model"), help="folder with config.json")
    parser.add_argument("--weight-bytes", type=int, default=GPT_OSS_20B_BYTES)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--profile", default="tagged", help="engine profile")
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
    most = running or options.running
    if options.budget_mib:
        found = [Card("imitated Ada card", options.budget_mib << 20, (8, 9))] * cards
    else:
        found = list(visible_gpus()[:cards])
    plan = plan_engine(shape, found, most_running=most, options=given)
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


def environment(model: Path, table: str = "") -> dict[str, str]:
    """Environment that puts `benchmarks.dummy_plugin` into the engine's processes.

    `table` names the form of all answers; without it the length of a prompt chooses.
    """
    folders = [REPOSITORY / "include", REPOSITORY, PLUGIN, os.environ.get("PYTHONPATH", "")]
    return {
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "SGLANG_DUMMY_ANSWERS": str(model / "answers.json"),
        **({"SGLANG_DUMMY_TABLE": str(TABLES[table])} if table else {}),
    }


def client(engine_job: EngineJob, log: Path, more: Mapping[str, str] | None = None) -> EngineClient:
    """A client with the time limits of a benchmark."""
    return EngineClient(
        engine_job,
        python=Path(sys.executable),
        log_path=log,
        start_timeout=400,
        silence_timeout=200,
        environment={**environment(Path(engine_job.model)), **(more or {})},
    )


def synthetic_requests(
    count: int, seed: int, profile: str = "tagged", *, form: str | None = None
) -> list[Request]:
    """Requests of an engine profile with prompts of random tokens; the seed decides them.

    Their lengths choose among the dictated answers. `form` names the table of these, by default
    that of the profile.
    """
    # Not with prompting, whose packages a bare GPU machine lacks.
    settings = yaml.safe_load((PROMPTS / profile / "profile.yaml").read_text())
    is_json = settings["answer"] == "json"
    schema = json.loads((PROMPTS / profile / "schema.json").read_text()) if is_json else None
    table = TABLES[form or ("compact" if is_json else "tagged")]
    source = random.Random(seed)
    shared = [source.randrange(1000, 190000) for _ in range(SHARED_TOKENS)]
    requests = []
    for number in range(count):
        tokens = SHARED_TOKENS + source.randint(*OWN_TOKENS)
        tokens += (table - tokens) % len(TABLES)
        own = [source.randrange(1000, 190000) for _ in range(tokens - SHARED_TOKENS)]
        requests.append(
            Request(
                request_id=str(number),
                messages=(),
                sampling=Sampling(**settings["sampling"]),
                json_schema=json.dumps(schema, separators=(",", ":")) if is_json else None,
                input_ids=(*shared, *own),
            )
        )
    return requests


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


LEAST_STEP = 0.25
"""Smallest prefill step that is warmed up, as a share of the largest."""
STEP_TOKENS = 32
"""Rows of a word of triton_kernels' bitmatrix; the number of words is compiled into kernels."""


def prefill_requests(chunk_tokens: int, context_tokens: int) -> list[Request]:
    """One prompt of random tokens for each size of a prefill step, for an answer of one token, the
    largest first; asked one after the other each is a step of its own. All but that one are one
    token short of a whole number of 32: most real sums are no multiple of 16."""
    largest = min(chunk_tokens, context_tokens - 1)
    if largest < 1:
        return []
    draw = random.Random(1)
    words = range(largest // STEP_TOKENS, int(largest * LEAST_STEP) // STEP_TOKENS, -1)
    return [
        Request(
            request_id=f"warm_up.size.{tokens}",
            messages=(),
            sampling=Sampling(max_new_tokens=1),
            input_ids=tuple(draw.choices(range(1_000, 10_000), k=tokens)),
        )
        for tokens in (largest, *(word * STEP_TOKENS - 1 for word in words))
    ]


def warm_sizes(client: EngineClient, seconds: float) -> float:
    """Seconds to compile the kernels of every size of a step, where no prefill graphs did."""
    ready = client.ready
    if ready is None or not ready.details["arguments"].get("disable_prefill_cuda_graph"):
        return 0.0
    sizes = prefill_requests(
        ready.details["arguments"]["chunked_prefill_size"], ready.context_tokens
    )
    started = time.monotonic()
    for request in sizes:
        left = seconds - (time.monotonic() - started)
        warm_up(client, [request], seconds=left, is_ending=lambda: False)
    return round(time.monotonic() - started, 1)
