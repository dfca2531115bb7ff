"""The project's own lane with a real model: extract to publish, against a Postgres of its own.

    python -m benchmarks.gpu_lane --model FOLDER --people 200 --json gpu_lane.json

Generated people go through every step of the DAG; `synthesise` is the lane with its engine
process, asked with each profile of `--profiles` in turn (`structured`: JSON schema on). What the
gate said is counted by reason, and two answers of each profile are shown, whole, with the beginning
of their documents: the people are invented. Then an engine alone answers the same requests without
and with the schema, which is what the grammar costs.

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
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.dummy_model import save
from profiles.models import Completion, Profile, Request
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps import (
    apply_migrations,
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
from profiles.storage.taxonomy import load_vocabulary
from profiles.synthesis.engine_client import EngineClient, EngineJob
from profiles.synthesis.prompting import Prompter, load_engine_profile, token_counter
from profiles.synthesis.trial import run_pass
from profiles.validation.gate import judge
from sample_data import load_sample, write_sample
from scripts import embedded

OPTIONS = {
    "attention_backend": "triton",
    "sampling_backend": "pytorch",
    "disable_prefill_cuda_graph": True,
    "mem_fraction_static": 0.5,
}
"""The kernels that this installation has; half of the card is plenty for a small model."""
ANSWER_CAP = 700
GRAMMAR_REQUESTS = 128
GRAMMAR_ORDER = ("free", "schema", "schema", "free")
SHOWN = 2


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
        profiles = options.profiles.split(",")
        result["runs"] = {}
        for number, name in enumerate(profiles):
            result["runs"][name] = night(
                database,
                f"night-{name}",
                RunParams(engine_profile=name, publish_override=True),
            )
            _print(name, {**result["runs"][name], "shown": None})
            save(options.json, result)
            if number == 0 and options.grammar_n:
                result["grammar"] = _grammar(database, options, name)
                _print("grammar", result["grammar"])
                save(options.json, result)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", default="sglang")
    parser.add_argument("--model", type=Path, help="Hugging Face folder")
    parser.add_argument("--options", default=json.dumps(OPTIONS), help="engine options as JSON")
    parser.add_argument("--profiles", default="structured,prose", help="engine profiles, in turn")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--grammar-n", type=int, default=GRAMMAR_REQUESTS)
    parser.add_argument("--log", type=Path, default=Path("engine.log"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


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
        "PROFILES_ENGINE_PYTHON": sys.executable,
        "PROFILES_ENGINE_OPTIONS": options.options,
        "PROFILES_LANES": "1",
    }
    if options.model:
        os.environ["PROFILES_MODEL"] = str(options.model)


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
    """What the database knows about the run: outcomes, verdicts, tokens, times, answers."""
    with database.connect() as connection:

        def rows(statement: str) -> list[tuple[Any, ...]]:
            return connection.execute(statement, {"run_id": run_id}).fetchall()

        mine = "FROM synthesis.completion WHERE run_id = %(run_id)s"
        lanes = rows(
            "SELECT load_seconds, warm_up_seconds, first_batch_seconds, counters, "
            "extract(epoch FROM ended_at - started_at)::float8, reason FROM synthesis.lane "
            "WHERE run_id = %(run_id)s"
        )
        prompt, completion, cached, hits, answers, span = rows(
            "SELECT sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), "
            "count(*) FILTER (WHERE cached_tokens > 0), count(*), "
            "extract(epoch FROM max(created_at) - min(created_at))::float8 " + mine
        )[0]
        load, warm_up, first_batch, counters, lane_seconds, reason = (
            lanes[0] if lanes else (None, None, None, {}, None, None)
        )
        serving = lane_seconds - (load or 0) if lane_seconds else None
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
            "first_batch_seconds": first_batch,
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
            "batches": [
                {"size": size, "seconds": took, "completion_tokens": tokens}
                for size, took, tokens in rows(
                    "SELECT size, extract(epoch FROM ended_at - leased_at)::float8, "
                    "completion_tokens FROM synthesis.batch WHERE run_id = %(run_id)s "
                    "ORDER BY batch_id"
                )
            ],
            "shown": [
                {
                    "outcome": outcome,
                    "reason": why,
                    "answer": answer,
                    "skills": skills,
                    "document_begins": document[:600],
                }
                for outcome, why, answer, skills, document in rows(
                    "SELECT c.outcome, c.reason, c.raw_text, c.skills, d.markdown "
                    "FROM synthesis.completion AS c JOIN synthesis.document AS d "
                    "USING (candidate_id) WHERE c.run_id = %(run_id)s "
                    f"ORDER BY c.is_accepted DESC, c.candidate_id LIMIT {SHOWN}"
                )
            ],
        }


def _grammar(database: Database, options: argparse.Namespace, name: str) -> dict[str, Any]:
    """The same requests without and with the schema, in one engine that is asked alone."""
    settings = load_settings()
    profile = load_engine_profile(name, settings.prompts_dir)
    prompter = Prompter(profile, token_counter())
    with database.connect() as connection:
        documents = connection.execute(
            "SELECT markdown, word_count FROM synthesis.document WHERE NOT too_thin "
            "ORDER BY candidate_id LIMIT %s",
            (options.grammar_n,),
        ).fetchall()
    asked = [
        prompter.request(
            document=markdown,
            word_count=words,
            request_id=str(number),
            seed=number,
            max_new_tokens=ANSWER_CAP,
        )
        for number, (markdown, words) in enumerate(documents)
    ]
    job = EngineJob(
        options.engine,
        str(options.model or ""),
        options=json.loads(options.options),
        context_tokens=8192,
        network=settings.engine_network,
    )
    client = EngineClient(
        job,
        python=Path(sys.executable),
        log_path=options.log,
        start_timeout=300,
        silence_timeout=120,
    )
    kept = ("ok", "failed", "seconds", "output_tokens", "output_tokens_per_second", "cached_share")
    figures: dict[str, Any] = {"requests": len(asked), "answer_cap": ANSWER_CAP, "passes": []}
    with client:
        started = time.monotonic()
        client.start()
        figures["load_seconds"] = round(time.monotonic() - started, 1)
        figures |= _network(client)
        for number, (kind, count) in enumerate(
            (("free", 16), ("schema", 1), ("schema", 16), *((kind, 0) for kind in GRAMMAR_ORDER))
        ):
            requests = _kind(asked[: count or len(asked)], kind)
            measured = asdict(run_pass(client, requests, len(requests), 120))
            figures["passes"].append(
                {
                    "pass": kind,
                    "warm_up": number < 3,
                    "asked": len(requests),
                    **{key: measured[key] for key in kept},
                    "finish_reasons": measured["finish_reasons"],
                }
            )
        figures["gate"] = _gate(client, _kind(asked, "schema"), documents, profile)
    rates: dict[str, list[float]] = {"free": [], "schema": []}
    for item in figures["passes"]:
        if not item["warm_up"]:
            rates[item["pass"]].append(item["output_tokens_per_second"])
    if all(rates.values()) and sum(rates["free"]):
        figures["schema_over_free"] = round(sum(rates["schema"]) / sum(rates["free"]), 3)
    return figures


def _network(client: EngineClient) -> dict[str, Any]:
    """What the engine says of its network, and the interfaces that its leader really sees."""
    assert client.ready is not None
    lines = Path(f"/proc/{client.pid}/net/dev").read_text().splitlines()[2:]
    return {
        "network": client.ready.details["network"],
        "interfaces": [line.partition(":")[0].strip() for line in lines],
    }


def _kind(requests: Sequence[Request], kind: str) -> list[Request]:
    """Free requests lose their schema; the prompts stay."""
    return [replace(item, json_schema=None) if kind == "free" else item for item in requests]


def _gate(
    client: EngineClient, requests: Sequence[Request], documents: Any, profile: Any
) -> dict[str, int]:
    """What the gate says to answers with a schema, and how many of them are JSON."""
    vocabulary = load_vocabulary(load_settings().taxonomy_dir)
    counts: dict[str, int] = {"valid_json": 0}
    for item in requests:
        client.submit(item)
    deadline = time.monotonic() + 120
    while client.in_flight and time.monotonic() < deadline:
        for answer in client.poll(0.25):
            if not isinstance(answer, Completion):
                continue
            markdown, words = documents[int(answer.request_id)]
            verdict = judge(
                answer,
                document=markdown,
                word_count=words,
                profile=profile,
                vocabulary=vocabulary,
            )
            said = "accepted" if isinstance(verdict, Profile) else str(verdict.reason)
            counts[said] = counts.get(said, 0) + 1
            counts["valid_json"] += _is_json(answer.text)
    return counts


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _print(name: str, figures: Any) -> None:
    print(name, json.dumps(figures, default=str)[:1500], flush=True)


if __name__ == "__main__":
    sys.exit(main())
