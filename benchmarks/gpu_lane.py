"""The project's own lane on a GPU: extract to publish, against a Postgres of its own.

    python -m benchmarks.gpu_lane --model FOLDER --people 200 --json gpu_lane.json
    python -m benchmarks.gpu_lane --model FOLDER --dummy --people 2000

Generated people go through every step of the DAG; `synthesise` is the lane with its engine process.
The gate's verdicts are counted by reason; the people are invented.
Then an engine without a lane answers `--alone` of the same requests, to which the lane's rate is
compared. With `--dummy` FOLDER is one of `benchmarks.dummy_folder`: the answers are dictated texts,
which the gate rejects, so that every request is made twice.

Starts a throwaway Postgres unless PROFILES_DATABASE_URL names one. `--engine` may be the scripted
one of the tests, to try the benchmark where no GPU is.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import dummy_model
from benchmarks.dummy_model import PROCESS_FLAGS, longest_first, save, shortened
from profiles.operations import apply_migrations
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps import (
    check_sources,
    extract_sources,
    plan_synthesis,
    publish,
    render_profiles,
    resolve_identities,
    synthesise,
    tag_domains,
)
from profiles.storage.connection import Database, open_database
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.prompting import Prompter, engine_context_tokens, token_counter
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob
from profiles.synthesis.process.trial import run_pass
from sample_data import load_sample, write_sample
from scripts import embedded

OPTIONS = {
    "attention_backend": "triton",
    "sampling_backend": "pytorch",
    "disable_prefill_cuda_graph": True,
    "mem_fraction_static": 0.5,
}
"""The kernels that this installation has; half of the card is plenty for a small model."""
WARM = 96


def main() -> int:
    """Runs everything and writes the figures after each part."""
    options = _options()
    result: dict[str, Any] = {
        "card": _card(),
        "engine": options.engine,
        "model": options.model.name if options.model else "",
        "people": options.people,
        "seed": options.seed,
    }
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="profiles-gpu-lane-", dir="/tmp"))
        folder.chmod(0o755)
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        configure(options, folder, stack)
        database = open_database()
        result["source_rows"] = load(database, folder / "sample", options)
        result["night"] = night(database, "night", RunParams())
        _print("night", result["night"])
        save(options.json, result)
        if options.alone:
            result["alone"] = _alone(database, options, options.profile)
            result["lane_over_alone"] = _ratio(result["night"], result["alone"])
            _print("alone", result["alone"])
            save(options.json, result)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", default="sglang")
    parser.add_argument("--model", type=Path, help="Hugging Face folder")
    parser.add_argument("--options", help="engine options as JSON")
    parser.add_argument("--profile", default="tagged", help="engine profile")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--dummy", action="store_true", help="dummy weights, dictated answers")
    parser.add_argument("--alone", type=int, default=128, help="requests to an engine alone")
    parser.add_argument("--alone-seconds", type=float, default=240)
    parser.add_argument("--log", type=Path, default=Path("engine.log"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    options.options = options.options or json.dumps(PROCESS_FLAGS if options.dummy else OPTIONS)
    return options


def _card() -> str:
    if shutil.which("nvidia-smi") is None:
        return "none"
    from benchmarks import gpu

    return gpu.card()


def configure(options: argparse.Namespace, folder: Path, stack: ExitStack) -> None:
    """The deployment's settings, in the environment that the steps read."""
    if not os.environ.get("PROFILES_DATABASE_URL"):
        server = embedded.start(folder, durable=False)
        stack.callback(embedded.remove, folder)
        embedded.ensure_database(server, "profiles")
        os.environ["PROFILES_DATABASE_URL"] = server.url("profiles")
    os.environ |= {
        "PROFILES_ENGINE": options.engine,
        "PROFILES_ENGINE_PROFILE": options.profile,
        "PROFILES_ENGINE_PYTHON": sys.executable,
        "PROFILES_ENGINE_OPTIONS": options.options,
        "PROFILES_LANES": "1",
    }
    if options.model:
        os.environ["PROFILES_MODEL"] = str(options.model)
    if options.dummy:
        os.environ |= dummy_model.environment(options.model, table="tagged")
        with (options.model / "model.safetensors").open("wb") as file:
            file.truncate(dummy_model.GPT_OSS_20B_BYTES)  # Never read: the plan goes by its size.


def load(database: Database, folder: Path, options: argparse.Namespace) -> dict[str, int]:
    apply_migrations.run(database)
    write_sample(folder, people=options.people, seed=options.seed)
    return load_sample(database, folder=folder)


def night(database: Database, run_id: str, params: RunParams) -> dict[str, Any]:
    """One run of every step and what came of it."""
    seconds: dict[str, float] = {}

    def step(name: str, call: Any, **arguments: Any) -> Any:
        started = time.monotonic()
        found = call(database, run_id=run_id, **arguments)
        seconds[name] = round(seconds.get(name, 0) + time.monotonic() - started, 2)
        return found

    for source in step("check_sources", check_sources.run, params=params):
        step("extract_sources", extract_sources.run, source=source)
    step("resolve_identities", resolve_identities.run)
    for bounds in resolve_identities.ranges(database):
        step("render_profiles", render_profiles.run, **bounds)
    lanes = step("plan_synthesis", plan_synthesis.run, params=params)
    counts = [step("synthesise", synthesise.run, lane=lane["lane"]) for lane in lanes[:1]]
    step("tag_domains", tag_domains.run)
    published = step("publish", publish.run, planned=True, tagged=True)
    return {
        "step_seconds": seconds,
        "lane": counts[0] if counts else {},
        "publish": published,
        **_recorded(database, run_id),
    }


def _recorded(database: Database, run_id: str) -> dict[str, Any]:
    """Records of the run in the database: outcomes, verdicts, tokens, times."""
    with database.connect() as connection:

        def rows(statement: str) -> list[tuple[Any, ...]]:
            return connection.execute(statement, {"run_id": run_id}).fetchall()

        mine = "FROM synthesis.completion WHERE run_id = %(run_id)s"
        lanes = rows(
            "SELECT load_seconds, warm_up_seconds, counters, "
            "extract(epoch FROM ended_at - started_at)::float8, reason FROM synthesis.lane "
            "WHERE run_id = %(run_id)s"
        )
        prompt, completion, cached, hits, answers, span = rows(
            "SELECT sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), "
            "count(*) FILTER (WHERE cached_tokens > 0), count(*), "
            "extract(epoch FROM max(created_at) - min(created_at))::float8 " + mine
        )[0]
        load, warm_up, counters, lane_seconds, reason = (
            lanes[0] if lanes else (None, None, {}, None, None)
        )
        serving = lane_seconds - (load or 0) - (warm_up or 0) if lane_seconds else None
        return {
            "outcomes": dict(
                rows(
                    "SELECT coalesce(outcome, 'open'), count(*) FROM synthesis.run_item "
                    "WHERE run_id = %(run_id)s GROUP BY 1 ORDER BY 1"
                )
            ),
            "verdicts": [
                {"attempt": attempt, "outcome": outcome, "reason": why, "answers": count}
                for attempt, outcome, why, count in rows(
                    f"SELECT attempt, outcome, reason, count(*) {mine} GROUP BY 1, 2, 3 "
                    "ORDER BY 1, 4 DESC"
                )
            ],
            "finish_reasons": dict(
                rows(f"SELECT finish_reason, count(*) {mine} GROUP BY 1 ORDER BY 1")
            ),
            "answers": answers,
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "cached_tokens": cached,
            "answers_with_cached_tokens": hits,
            "load_seconds": load,
            "warm_up_seconds": warm_up,
            "gpu_samples": [
                value
                for (value,) in rows(
                    "SELECT value FROM synthesis.run_metric WHERE run_id = %(run_id)s "
                    "AND kind = 'gpu' ORDER BY sampled_at"
                )
            ],
            "lane_seconds": lane_seconds,
            "seconds_from_first_to_last_stored": span,
            "lane_tokens_per_second": round(float(completion) / serving, 1) if serving else None,
            "lane_reason": reason,
            "lane_counters": counters,
        }


def _alone(database: Database, options: argparse.Namespace, name: str) -> dict[str, Any]:
    """The same requests to one engine without a lane: no database, no gate, no retries."""
    settings = load_settings()
    profile = load_engine_profile(name, settings.prompts_dir)
    count_tokens = token_counter()
    prompter = Prompter(profile, count_tokens)
    with database.connect() as connection:
        documents = connection.execute(
            "SELECT markdown, word_count FROM synthesis.document WHERE NOT too_thin "
            "ORDER BY candidate_id LIMIT %s",
            (options.alone,),
        ).fetchall()
    requests = [
        prompter.request(
            document=markdown,
            word_count=words,
            request_id=str(number),
            seed=number,
            max_new_tokens=profile.sampling.max_new_tokens,
        )
        for number, (markdown, words) in enumerate(documents)
    ]
    job = EngineJob(
        options.engine,
        str(options.model or ""),
        options=json.loads(options.options),
        max_in_flight=settings.max_in_flight,
        max_running=settings.max_running,
        context_tokens=engine_context_tokens(profile, count_tokens),
        json_schema=profile.output_schema if profile.answer == "json" else None,
        network=settings.engine_network,
    )
    client = EngineClient(
        job,
        python=Path(sys.executable),
        log_path=options.log,
        start_timeout=300,
        silence_timeout=120,
    )
    with client:
        started = time.monotonic()
        client.start()
        figures: dict[str, Any] = {"load_seconds": round(time.monotonic() - started, 1)}
        run_pass(client, shortened(requests[:WARM], WARM), settings.max_in_flight, 120)
        figures |= asdict(
            run_pass(client, longest_first(requests), settings.max_in_flight, options.alone_seconds)
        )
    return figures


def _ratio(night: dict[str, Any], alone: dict[str, Any]) -> float | None:
    """Output tokens per second of the lane after load and warm-up, over those of the engine."""
    rate = alone["output_tokens_per_second"]
    return round(night["lane_tokens_per_second"] / rate, 3) if rate else None


def _print(name: str, figures: Any) -> None:
    print(name, json.dumps(figures, default=str)[:1500], flush=True)


if __name__ == "__main__":
    sys.exit(main())
