"""Every stage over generated people: rows per second and peak memory of each.

    python -m benchmarks.pipeline --n 20000 --seed 11 --json out.json

Starts a throwaway Postgres, writes and loads the sample, then runs each step of the DAG in a
process of its own, so that its peak memory is its own. Then runs everything again with nothing
changed, which is what a quiet night costs.

The engine is the scripted one of the tests: it answers at once, so `synthesise` measures the lane,
the gate and the storage, not a model. Seconds are what the step itself recorded in
`synthesis.run_stage`, imports not counted. CPU seconds are those of the step's process and its
children, imports included; Postgres works beside them on the same cores.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
ENGINE = "tests.scripted_engine:ScriptedEngine"


@dataclass(frozen=True)
class Measurement:
    """One step of one run. `rows` is what it handled, in `unit`."""

    run: str
    stage: str
    rows: int
    unit: str
    seconds: float
    rows_per_second: float
    cpu_seconds: float
    peak_mb: float
    counts: dict[str, Any]


def main() -> int:
    """Runs the benchmark and prints one line per stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()

    from profiles import embedded

    folder = Path(tempfile.mkdtemp(prefix="profiles-benchmark-"))
    folder.chmod(0o755)
    server = embedded.start(folder, durable=False)
    try:
        embedded.ensure_database(server, "profiles")
        os.environ["PROFILES_DATABASE_URL"] = server.url("profiles")
        os.environ["PROFILES_ENGINE"] = ENGINE
        os.environ["PYTHONPATH"] = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "include")))
        result = _measure(folder, people=options.n, seed=options.seed)
    finally:
        embedded.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1, default=str) + "\n")
    return 0


def _measure(folder: Path, *, people: int, seed: int) -> dict[str, Any]:
    started = time.monotonic()
    loaded = _in_own_process(_load_people, folder / "sample", people, seed)
    _print(f"{people} people, seed {seed}, in {time.monotonic() - started:.0f} s: {loaded}")
    runs = {
        run_id: Benchmark(run_id).run_all_steps() for run_id in ("first night", "nothing changed")
    }
    return {
        "people": people,
        "seed": seed,
        "source_rows": sum(loaded.values()),
        "engine": ENGINE,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}",
        "runs": {run_id: _summary(run_id, people, steps) for run_id, steps in runs.items()},
    }


def _summary(run_id: str, people: int, steps: list[Measurement]) -> dict[str, Any]:
    total = sum(step.seconds for step in steps)
    peak = max(step.peak_mb for step in steps)
    _print(f"{run_id}: {total:.1f} s for {people} people, {people / total:.0f}/s, peak {peak} MiB")
    return {
        "total_seconds": round(total, 1),
        "peak_mb": peak,
        "stages": [asdict(step) for step in steps],
    }


class Benchmark:
    """One run of all steps, each in its own process, in the order of the DAG."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.steps: list[Measurement] = []
        _print(f"── {run_id}")

    def run_all_steps(self) -> list[Measurement]:
        """Runs the steps and returns what each took."""
        for source in self._step("check_sources", "sources", params=True):
            self._step("extract_sources", "rows", source=source, count="read")
        self._step("resolve_identities", "rows", count="read")
        for bounds in _ranges():
            self._step("render_profiles", "candidates", count="candidates", **bounds)
        lanes = self._step("plan_synthesis", "candidates", params=True, count="candidates")
        self._step("tag_domains", "candidates", count="candidates")
        for lane in lanes[:1]:
            self._step("synthesise", "documents", lane=lane["lane"], count="documents")
        self._step("publish", "profiles", count="published", planned=True, tagged=True)
        return self.steps

    def _step(
        self, name: str, unit: str, *, count: str = "", params: bool = False, **arguments: Any
    ) -> Any:
        result, cpu_seconds, peak_mb = _in_own_process(
            _run_step, name, self.run_id, params, arguments
        )
        counts, seconds = _recorded(self.run_id)
        rows = int(counts[count]) if count else len(result)
        step = Measurement(
            run=self.run_id,
            stage=" ".join([name, *(str(value) for value in arguments.values())][:3]),
            rows=rows,
            unit=unit,
            seconds=round(seconds, 2),
            rows_per_second=round(rows / seconds, 1),
            cpu_seconds=round(cpu_seconds, 2),
            peak_mb=round(peak_mb),
            counts=counts,
        )
        self.steps.append(step)
        _print(
            f"{step.stage:<30} {step.rows:>8} {unit:<11} {step.seconds:>8.2f} s "
            f"{step.rows_per_second:>9.0f}/s  cpu {step.cpu_seconds:>6.1f} s  "
            f"peak {step.peak_mb:>5} MiB"
        )
        return result


def _in_own_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """A process inherits its parent's peak memory, so this one must stay small: nothing but
    children loads rows.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def _load_people(folder: Path, people: int, seed: int) -> dict[str, int]:
    from profiles.sample import load_sample, write_sample
    from profiles.steps import apply_migrations
    from profiles.storage.connection import open_database

    database = open_database()
    apply_migrations.run(database)
    write_sample(folder, people=people, seed=seed)
    try:
        return load_sample(database, folder=folder)
    finally:
        shutil.rmtree(folder)


def _run_step(
    name: str, run_id: str, params: bool, arguments: dict[str, Any]
) -> tuple[Any, float, float]:
    from profiles.params import RunParams
    from profiles.storage.connection import open_database

    given = {**arguments, "params": RunParams()} if params else arguments
    result = import_module(f"profiles.steps.{name}").run(open_database(), run_id=run_id, **given)
    mine = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime
    return result, cpu, max(mine.ru_maxrss, children.ru_maxrss) / 1024


def _recorded(run_id: str) -> tuple[dict[str, Any], float]:
    from profiles.storage.connection import open_database

    with open_database().connect() as connection:
        row = connection.execute(
            "SELECT counts, seconds FROM synthesis.run_stage WHERE run_id = %s "
            "ORDER BY ended_at DESC LIMIT 1",
            (run_id,),
        ).fetchone()
    if row is None:
        raise SystemExit(f"no step of {run_id} recorded anything")
    return row[0], row[1]


def _ranges() -> list[dict[str, int]]:
    from profiles.steps import resolve_identities
    from profiles.storage.connection import open_database

    return resolve_identities.ranges(open_database())


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
