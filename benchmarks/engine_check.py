"""The engine process on a real GPU, driven by the client that lanes use: speed, faults and ends.

    python -m benchmarks.engine_check --model FOLDER --synthetic 200 --end kill --json out.json
    python -m benchmarks.engine_check --model FOLDER --requests requests.jsonl --end drain

Needs nothing but the standard library and the engine's own interpreter. A client process starts
the engine and asks; this process watches the card and, with `--end kill`, kills the client with
`kill -9` while requests run, which must leave no process and no memory behind. `--end drain` asks
the engine to finish what runs instead.

`--requests` takes lines of the engine protocol and asks them without and with their JSON schema;
`--synthetic` makes prompts of random token ids: 350 shared by all, 900-1,700 of their own, answers
of 500-900 tokens. Every pass has a time limit; one that does not end is the last.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks import gpu
from benchmarks.dummy_model import synthetic_requests
from profiles.models import Completion, Request, Sampling
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, decode, encode
from profiles.synthesis.process.trial import run_pass

REPOSITORY = Path(__file__).resolve().parents[1]
IDLE_MIB = 200
"""More than the card showed before counts as memory that was not released."""


def main() -> int:
    """Runs the check; 0 when everything that must hold held."""
    options = _options()
    if options.role == "client":
        return _client(options)
    before = gpu.used_mib()
    report: dict[str, Any] = {"card": gpu.card(), "used_mib_before": before}
    client = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.engine_check", *sys.argv[1:], "--role", "client"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert client.stdout is not None
    for line in client.stdout:
        name, _, body = line.partition(" ")
        report[name] = json.loads(body)
        print(line[:600].rstrip(), flush=True)
        if name == "asking":
            report["kill"] = _kill(client, before)
    client.wait()
    report["client_exit_code"] = client.returncode
    report["used_mib_after"] = gpu.used_mib()
    report["processes_after"] = len(gpu.process_ids())
    report["seconds_until_free"] = gpu.seconds_until_free(before + IDLE_MIB, 60)
    _print("end", {name: report[name] for name in list(report)[-5:]})
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if report["seconds_until_free"] is not None else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--options", default="{}", help="engine options as a JSON object")
    parser.add_argument("--synthetic", type=int, default=0, help="how many made-up prompts")
    parser.add_argument("--requests", type=Path, help="lines of the engine protocol")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--window", type=int, default=256, help="requests in flight")
    parser.add_argument("--pass-seconds", type=float, default=120)
    parser.add_argument("--end", choices=("kill", "drain"), default="drain")
    parser.add_argument("--answers", type=Path, help="write the answers of the last pass here")
    parser.add_argument("--log", type=Path, default=Path("engine.log"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--role", choices=("watch", "client"), default="watch")
    return parser.parse_args()


def _kill(client: subprocess.Popen[str], before: int) -> dict[str, Any]:
    """Kills the client while the engine works; what the card shows afterwards."""
    held = gpu.used_mib()
    os.kill(client.pid, signal.SIGKILL)
    seconds = gpu.seconds_until_free(before + IDLE_MIB, 60)
    return {
        "used_mib_when_killed": held,
        "seconds_until_free": seconds,
        "processes_left": len(gpu.process_ids()),
    }


def _client(options: argparse.Namespace) -> int:
    job = EngineJob(
        "sglang",
        str(options.model),
        options=json.loads(options.options),
        max_in_flight=options.window,
    )
    client = EngineClient(
        job,
        python=Path(sys.executable),
        log_path=options.log,
        start_timeout=400,
        silence_timeout=200,
    )
    started = time.monotonic()
    ready = client.start()
    _print(
        "load",
        {
            "seconds": round(time.monotonic() - started, 1),
            "version": ready.version,
            "context_tokens": ready.context_tokens,
            "used_mib": gpu.used_mib(),
            "details": ready.details,
        },
    )
    requests, passes = _passes(options)
    for name, asked in passes:
        answers: list[Completion] = []
        figures = run_pass(client, asked, options.window, options.pass_seconds, answers=answers)
        _print(name, asdict(figures))
        if options.answers:
            options.answers.write_bytes(b"".join(encode(answer) for answer in answers))
        if not figures.ended:
            break
    else:
        _print("too_long", _too_long(client, requests, ready.context_tokens))
    _print(options.end, _end(client, requests, options))
    return 0


def _passes(options: argparse.Namespace) -> tuple[list[Request], list[tuple[str, list[Request]]]]:
    """All requests, and the named passes over them."""
    if options.requests is None:
        made = synthetic_requests(options.synthetic, options.seed)
        penalised = [
            replace(item, sampling=replace(item.sampling, repetition_penalty=1.05)) for item in made
        ]
        return made, [("cold", made), ("warm", made), ("repetition_penalty_1.05", penalised)]
    lines = options.requests.read_bytes().splitlines()
    given = [item for item in map(decode, lines) if isinstance(item, Request)]
    free = [replace(item, json_schema=None) for item in given]
    return given, [
        ("first_schema", given[:1]),
        ("cold_16_free", free[:16]),
        ("warm_16_free", free[:16]),
        ("warm_16_schema", given[:16]),
        ("all_free", free),
        ("all_schema", given),
    ]


def _too_long(client: EngineClient, requests: list[Request], context: int) -> dict[str, Any]:
    """One impossible prompt among possible ones."""
    short = Sampling(temperature=0.2, repetition_penalty=1.0, max_new_tokens=16)
    good = [
        replace(item, request_id=f"good-{number}", sampling=short, json_schema=None)
        for number, item in enumerate(requests[:4])
    ]
    bad = Request("bad", (), short, input_ids=tuple([1001] * (context + 1)))
    answers: list[Completion] = []
    run_pass(client, [good[0], good[1], bad, *good[2:]], 16, 60, answers=answers)
    return {answer.request_id: answer.error or answer.finish_reason for answer in answers}


def _end(client: EngineClient, requests: list[Request], options: argparse.Namespace) -> Any:
    """Leaves the engine in the way that was asked for, with requests running."""
    for item in requests:
        if item.request_id not in client.in_flight:
            client.submit(replace(item, json_schema=None))
    until = time.monotonic() + 4
    early = 0
    while time.monotonic() < until:
        early += sum(isinstance(item, Completion) for item in client.poll(0.5))
    running = len(client.in_flight)
    if options.end == "kill":
        _print("asking", {"in_flight": running})
        time.sleep(120)
    began = time.monotonic()
    answers = client.drain(90)
    drained = time.monotonic() - began
    left, code = len(client.in_flight), client.exit_code
    began = time.monotonic()
    client.close()
    return {
        "answered_before": early,
        "in_flight": running,
        "answered_while_draining": len(answers),
        "failed_while_draining": sum(answer.error is not None for answer in answers),
        "never_started": left,
        "drain_seconds": round(drained, 1),
        "exit_code_after_drain": code,
        "close_seconds": round(time.monotonic() - began, 1),
        "exit_code": client.exit_code,
    }


def _print(name: str, figures: Any) -> None:
    print(name, json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
