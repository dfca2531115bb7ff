"""Several GPU benchmarks over several cards of one host, each in its own process group.

    python -m benchmarks.suite JOBS.json --gpus 4 --seconds 560 --out FOLDER

JOBS.json is a list of objects: `name`, `command` (shell text in which {out}, {log} and {name} are
filled in), and optionally `gpus` (1), `timeout` in seconds, `after` (the name of a job that has to
end before) and `least` (do not start with fewer seconds left). Jobs start in their order as soon as
enough cards are free, and see only these. What a job writes to {out} is collected into
FOLDER/figures.json while the others go on, so that nothing is lost when time runs out.

gpu_jobs.json holds the runs of docs/performance.md, for a folder `model` with gpt-oss-20b's config.
Those named `_fill` fill the kernel caches that the run after them finds.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

POLL_SECONDS = 0.5
FREE_AGAIN_SECONDS = 1.5
"""A killed engine needs a moment to let go of its card."""
LEAST_SECONDS = 60.0


@dataclass(slots=True)
class Running:
    """One started job."""

    job: dict[str, Any]
    cards: list[int]
    process: subprocess.Popen[bytes]
    started: float


def main() -> int:
    """Runs the jobs; 0 when each of them ended well."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    waiting: list[dict[str, Any]] = json.loads(options.jobs.read_text())
    running: list[Running] = []
    free = set(range(options.gpus))
    codes: dict[str, int | None] = {job["name"]: None for job in waiting}
    end = time.monotonic() + options.seconds
    try:
        while (waiting or running) and time.monotonic() < end:
            for item in _ended(running):
                running.remove(item)
                codes[item.job["name"]] = item.process.returncode
                _say(f"end {item.job['name']}, exit code {item.process.returncode}")
                time.sleep(FREE_AGAIN_SECONDS)
                free.update(item.cards)
            for job in list(waiting):
                if _may_start(job, codes, free, end - time.monotonic()):
                    waiting.remove(job)
                    cards = sorted(free)[: job.get("gpus", 1)]
                    free -= set(cards)
                    running.append(_start(job, cards, options.out))
            _collect(options.out)
            time.sleep(POLL_SECONDS)
    finally:
        for item in running:
            _kill(item)
            _say(f"no time left for {item.job['name']}")
        _collect(options.out)
    for name, code in codes.items():
        if code is None:
            _say(f"{name} did not end")
    return 0 if all(code == 0 for code in codes.values()) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs", type=Path)
    parser.add_argument("--gpus", type=int, default=1, help="cards of this host to use")
    parser.add_argument("--seconds", type=float, default=3600, help="end everything after these")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def _may_start(
    job: dict[str, Any], codes: dict[str, int | None], free: set[int], seconds_left: float
) -> bool:
    if job.get("after") and codes.get(job["after"]) is None:
        return False
    return len(free) >= job.get("gpus", 1) and seconds_left >= job.get("least", LEAST_SECONDS)


def _start(job: dict[str, Any], cards: list[int], out: Path) -> Running:
    name = job["name"]
    command = job["command"].format(
        out=out / f"{name}.json", log=out / f"{name}-engine.log", name=name
    )
    _say(f"start {name} on {cards}")
    with (out / f"{name}.txt").open("wb") as output:
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
                "CUDA_VISIBLE_DEVICES": ",".join(map(str, cards)),
            },
            start_new_session=True,
        )
    return Running(job, cards, process, time.monotonic())


def _ended(running: list[Running]) -> list[Running]:
    for item in running:
        too_long = time.monotonic() - item.started > item.job.get("timeout", float("inf"))
        if item.process.poll() is None and too_long:
            _say(f"{item.job['name']} took longer than {item.job['timeout']} s")
            _kill(item)
    return [item for item in running if item.process.poll() is not None]


def _kill(item: Running) -> None:
    if item.process.poll() is None:
        os.killpg(item.process.pid, signal.SIGKILL)
        item.process.wait()


def _collect(out: Path) -> None:
    """All figures so far in one file; one that is being written just now comes the next time."""
    figures = {}
    for path in sorted(out.glob("*.json")):
        if path.name == "figures.json":
            continue
        try:
            figures[path.stem] = json.loads(path.read_text())
        except ValueError:
            _say(f"{path.name} is not whole yet")
    part = out / "figures.json.part"
    part.write_text(json.dumps(figures, indent=1) + "\n")
    part.replace(out / "figures.json")


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
