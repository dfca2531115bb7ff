"""From source tables to a plan over generated people: what each stage takes, and what a row costs.

    python -m benchmarks.pipeline --n 20000 --seed 11 --json benchmarks/results/pipeline.json

Starts a throwaway Postgres (or takes the people of PROFILES_DATABASE_URL), then runs the steps in
the DAG's order, mapped ones side by side as Airflow runs them, each in a process of its own, so
that its peak memory is its own. Three nights: everything new, nothing
changed, one row in a hundred changed. `--synthesise` adds the scripted engine of the tests, which
answers at once, and publishing; neither is part of the total.

Seconds are wall time from the first start to the last end that the steps of a stage recorded,
imports and Airflow not counted. CPU seconds are those of the steps in their processes; Postgres
works beside them on the same cores and is told apart. The file keeps one entry per number of
people, so that runs of several sizes show whether a row costs the same.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import plain_script
from benchmarks.people import generated_people, in_own_process, say, write_figures

ENGINE = "tests.scripted_engine:ScriptedEngine"
_LARGEST_FOR_PLAIN_SCRIPT = 20_000
"""It holds everything in memory: 50 MB for 1,000 people."""


@dataclass(frozen=True)
class Task:
    """One call of one step. `count` names what it handled among its counts."""

    step: str
    count: str = ""
    params: bool = False
    arguments: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Measurement:
    """One stage of one night. `rows` is what it handled, in `unit`."""

    stage: str
    tasks: int
    rows: int
    unit: str
    seconds: float
    rows_per_second: float
    cpu_seconds: float
    postgres_cpu_seconds: float
    cpu_ms_per_row: float
    peak_mb: int
    counts: dict[str, float]


class Night:
    """One run of the steps in the order of the DAG."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.stages: list[Measurement] = []
        self.later: list[Measurement] = []
        say(f"── {run_id}")

    def until_plan(self) -> None:
        """Everything before the first lane."""
        (sources,) = self._stage("sources", [Task("check_sources", params=True)])
        self._stage(
            "rows", [Task("extract_sources", "read", arguments=(("source", s),)) for s in sources]
        )
        self._stage("rows", [Task("resolve_identities", "read")])
        ranges = in_own_process(_ranges)
        self._stage(
            "candidates",
            [Task("render_profiles", "candidates", arguments=tuple(r.items())) for r in ranges],
        )
        self._stage("candidates", [Task("plan_synthesis", "candidates", params=True)])
        self._stage("candidates", [Task("tag_domains", "candidates")])

    def after_plan(self) -> None:
        """One lane of the scripted engine, and publishing."""
        counted = len(self.stages)
        self._stage("documents", [Task("synthesise", "documents", arguments=(("lane", 0),))])
        done = (("planned", True), ("tagged", True))
        self._stage("profiles", [Task("publish", "published", arguments=done)])
        self.later = self.stages[counted:]
        del self.stages[counted:]

    def summary(self, people: int) -> dict[str, Any]:
        """What the file keeps of this night, printed in one line."""
        total = sum(stage.seconds for stage in self.stages)
        cpu = sum(stage.cpu_seconds + stage.postgres_cpu_seconds for stage in self.stages)
        peak = max(stage.peak_mb for stage in self.stages)
        say(
            f"{self.run_id}: {total:.1f} s to the first lane for {people} people, CPU {cpu:.0f} s, "
            f"{1000 * cpu / people:.2f} ms a person, peak {peak} MiB"
        )
        return {
            "total_seconds": round(total, 1),
            "cpu_seconds": round(cpu, 1),
            "peak_mb": peak,
            "stages": [asdict(stage) for stage in self.stages],
            "after_plan": [asdict(stage) for stage in self.later],
        }

    def _stage(self, unit: str, tasks: Sequence[Task]) -> list[Any]:
        postgres = _postgres_cpu()
        with ThreadPoolExecutor(len(tasks)) as pool:
            run = partial(in_own_process, _run_step, self.run_id)
            done = list(pool.map(run, tasks))
        postgres = _postgres_cpu() - postgres
        results = [result for result, _, _ in done]
        cpu = sum(seconds for _, seconds, _ in done)
        counts, seconds = _recorded(self.run_id, tasks[0].step)
        rows = int(counts[tasks[0].count]) if tasks[0].count else len(results[0])
        stage = Measurement(
            stage=tasks[0].step,
            tasks=len(tasks),
            rows=rows,
            unit=unit,
            seconds=round(seconds, 2),
            rows_per_second=round(rows / seconds, 1),
            cpu_seconds=round(cpu, 2),
            postgres_cpu_seconds=round(postgres, 2),
            cpu_ms_per_row=round(1000 * (cpu + postgres) / max(rows, 1), 3),
            peak_mb=round(max(peak for _, _, peak in done)),
            counts=counts,
        )
        self.stages.append(stage)
        say(
            f"{stage.stage:<18} x{stage.tasks} {rows:>8} {unit:<10} {stage.seconds:>8.2f} s "
            f"{stage.rows_per_second:>8.0f}/s  cpu {cpu:>7.1f} s + Postgres {postgres:>6.1f} s  "
            f"{stage.cpu_ms_per_row:>7.3f} ms a row  peak {stage.peak_mb:>4} MiB"
        )
        return results


def main() -> int:
    """Runs the benchmark and prints one line per stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="put the figures into this file, under --n")
    parser.add_argument(
        "--synthesise", action="store_true", help="also run the scripted engine and publish"
    )
    options = parser.parse_args()
    os.environ["PROFILES_ENGINE"] = ENGINE
    with generated_people(options.n, options.seed) as folder:
        figures = _measure(folder, options)
    if options.json:
        write_figures(options.json, options.n, figures)
        _print_growth(json.loads(options.json.read_text()))
    return 0


def _measure(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    plain: dict[str, float] | None = None
    if options.n <= _LARGEST_FOR_PLAIN_SCRIPT:
        plain = in_own_process(plain_script.run, folder)
        say(f"plain script: {plain}")
    nights = {}
    for run_id in ("first night", "nothing changed", "1 % changed"):
        if run_id == "1 % changed":
            say(f"rows changed: {in_own_process(_change_rows)}")
        night = Night(run_id)
        night.until_plan()
        if options.synthesise:
            night.after_plan()
        nights[run_id] = night.summary(options.n)
    first = nights["first night"]
    ratio = round(plain["seconds"] / first["total_seconds"], 2) if plain else None
    if plain:
        say(f"plain script: {plain['seconds']} s, {ratio} times the first night's")
    return {
        "total_seconds": first["total_seconds"],
        "peak_mb": first["peak_mb"],
        "stages": first["stages"],
        "seed": options.seed,
        "source_rows": first["stages"][1]["rows"],
        "seconds_to_first_lane_of_1_percent": nights["1 % changed"]["total_seconds"],
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}",
        "nights": nights,
        "plain_script": plain,
        "plain_script_seconds_to_ours": ratio,
    }


def _print_growth(held: dict[str, Any]) -> None:
    """What a row costs at every size in the file: flat, or growing with the table."""
    say("CPU ms a row, Postgres included")
    for people, figures in held.items():
        costs = {stage["stage"]: stage["cpu_ms_per_row"] for stage in figures.get("stages", ())}
        say(f"{people:>8} people: {costs}")


def _run_step(run_id: str, task: Task) -> tuple[Any, float, float]:
    from profiles.params import RunParams
    from profiles.storage.connection import open_database

    given = dict(task.arguments)
    if task.params:
        given["params"] = RunParams()
    step = import_module(f"profiles.steps.{task.step}")
    before = _own_cpu()
    result = step.run(open_database(), run_id=run_id, **given)
    peak = max(resource.getrusage(who).ru_maxrss for who in _OWN_AND_CHILDREN)
    return result, _own_cpu() - before, peak / 1024


_OWN_AND_CHILDREN = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def _own_cpu() -> float:
    used = [resource.getrusage(who) for who in _OWN_AND_CHILDREN]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _recorded(run_id: str, stage: str) -> tuple[dict[str, float], float]:
    """Counts of a stage's tasks added up, and seconds from the first start to the last end."""
    from profiles.storage.connection import open_database

    with open_database().connect() as connection:
        rows = connection.execute(
            "SELECT counts, extract(epoch FROM ended_at)::float8, seconds "
            "FROM synthesis.run_stage WHERE run_id = %s AND stage = %s",
            (run_id, stage),
        ).fetchall()
    if not rows:
        raise SystemExit(f"{stage} of {run_id} recorded nothing")
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row[0])
    return dict(counts), max(end for _, end, _ in rows) - min(end - took for _, end, took in rows)


def _ranges() -> list[dict[str, int]]:
    from profiles.steps import resolve_identities
    from profiles.storage.connection import open_database

    return resolve_identities.ranges(open_database())


def _change_rows() -> dict[str, int]:
    """Changes one row in a hundred of each source, as a re-scrape a day later does."""
    from profiles.storage.connection import open_database
    from profiles.storage.mappings import load_mappings

    changed = {}
    with open_database().connect() as connection:
        for source, mapping in load_mappings().items():
            statement = (
                f"UPDATE {mapping.table} SET {mapping.updated_at} = {mapping.updated_at} + "
                f"interval '40 days' WHERE hashtext({mapping.key}::text) % 100 = 0"
            )
            changed[source] = connection.execute(statement.encode()).rowcount
    return changed


def _postgres_cpu() -> float:
    """CPU seconds of a local server and of all its processes, those that ended included."""
    from profiles.storage.connection import open_database

    with open_database().connect() as connection:
        server = _stat(connection.info.backend_pid)
        if server is None:
            return 0.0
        postmaster = server[0]
    processes = (
        _stat(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit()
    )
    living = sum(found[1] for found in processes if found and found[0] == postmaster)
    own = _stat(postmaster)
    return living + (own[1] + own[2] if own else 0.0)


def _stat(pid: int) -> tuple[int, float, float] | None:
    """A process's parent, its CPU seconds and those of its ended children; None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    user, system, ended_user, ended_system = (int(value) / ticks for value in fields[11:15])
    return int(fields[1]), user + system, ended_user + ended_system


if __name__ == "__main__":
    sys.exit(main())
