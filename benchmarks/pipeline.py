"""From source tables to a plan over generated people: what each stage takes, and what a row costs.

    python -m benchmarks.pipeline --n 20000 --seed 11 --json benchmarks/results/pipeline.json

Starts a throwaway Postgres (or takes the people of PROFILES_DATABASE_URL), then runs the steps in
the DAG's order, side by side what Airflow runs side by side (mapped tasks, and plan_synthesis with
tag_domains), each in a process of its own, so that its peak memory is its own. Three nights:
everything new, nothing changed, one row in a hundred changed. After the first, in a
throwaway Postgres, every planned document gets an answer in SQL, as its lanes would have stored
one: an invented answer has no place among the people of somebody else's database.

Seconds are wall time from the first start to the last end that the steps of a stage recorded,
imports and Airflow not counted; of two stages side by side the total has the longer one. CPU
seconds are those of the steps in their processes; Postgres works beside them on the same cores and
is told apart, but of two stages side by side the first has all of it. The file keeps one entry per
number of people, so that runs of several sizes show whether a row costs the same.

A large run on a large machine generates its people on every core and measures on few, and writes
its figures after each night:

    python -m benchmarks.pipeline --n 475000 --cores 2 --folder /big/disk --json out.json
"""

from __future__ import annotations

import argparse
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

from benchmarks.cores import keep_to, postgres_cpu
from benchmarks.people import generated_people, in_own_process, say, write_figures

ENGINE = "tests.scripted_engine:ScriptedEngine"
FIRST, CHANGED = "first night", "1 % changed"

ANSWER = """
WITH answered AS (
  UPDATE synthesis.run_item SET outcome = 'valid', ended_at = now() WHERE run_id = %(run_id)s
  RETURNING candidate_id, fingerprint, run_id, content_hash
)
INSERT INTO synthesis.completion (
  candidate_id, fingerprint, attempt_id, run_id, batch_id, release_id, content_hash, attempt,
  is_terminal, is_accepted, outcome, method, raw_text, summary, finish_reason, prompt_tokens,
  completion_tokens, cached_tokens, seconds)
SELECT
  candidate_id, fingerprint, '1.1', run_id, 1, release_id, content_hash, 1,
  true, true, 'valid', 'model', '{}', 'The candidate works.', 'stop', 1, 1, 0, 1
FROM answered JOIN synthesis.run USING (run_id)
"""


@dataclass(frozen=True)
class Task:
    """One call of one step. `count` names what it handled among its counts."""

    step: str
    count: str = ""
    params: bool = False
    arguments: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Measurement:
    """One stage of one night. `rows` is what it handled, in `unit`.

    `beside` names the stage that it ran beside and that has the Postgres CPU of both.
    """

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
    beside: str | None = None


class Night:
    """One run of the steps in the order of the DAG."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.stages: list[Measurement] = []
        say(f"── {run_id}")

    def until_plan(self) -> None:
        """Everything before the first lane."""
        (sources,) = self._stage("sources", [Task("check_sources", params=True)])
        parts = in_own_process(_parts, sources)
        self._stage(
            "rows", [Task("extract_sources", "read", arguments=tuple(p.items())) for p in parts]
        )
        self._stage("rows", [Task("resolve_identities", "read")])
        ranges = in_own_process(_ranges)
        self._stage(
            "candidates",
            [Task("render_profiles", "candidates", arguments=tuple(r.items())) for r in ranges],
        )
        self._side_by_side(
            "candidates",
            [Task("plan_synthesis", "candidates", params=True), Task("tag_domains", "candidates")],
        )

    def summary(self, people: int) -> dict[str, Any]:
        """Figures of this night for the file, printed in one line."""
        total = self._seconds()
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
        }

    def _seconds(self) -> float:
        alone = {stage.stage: stage.seconds for stage in self.stages if stage.beside is None}
        for stage in self.stages:
            if stage.beside is not None:
                alone[stage.beside] = max(alone[stage.beside], stage.seconds)
        return sum(alone.values())

    def _stage(self, unit: str, tasks: Sequence[Task]) -> list[Any]:
        """The mapped tasks of one stage; their results."""
        done, postgres = self._run(tasks)
        self._note(unit, tasks[0], done, postgres)
        return [result for result, _, _ in done]

    def _side_by_side(self, unit: str, tasks: Sequence[Task]) -> None:
        """Stages of one task each."""
        done, postgres = self._run(tasks)
        self._note(unit, tasks[0], done[:1], postgres)
        for task, each in zip(tasks[1:], done[1:], strict=True):
            self._note(unit, task, [each], 0.0, beside=tasks[0].step)

    def _run(self, tasks: Sequence[Task]) -> tuple[list[tuple[Any, float, float]], float]:
        postgres = postgres_cpu()
        with ThreadPoolExecutor(len(tasks)) as pool:
            done = list(pool.map(partial(in_own_process, _run_step, self.run_id), tasks))
        return done, postgres_cpu() - postgres

    def _note(
        self,
        unit: str,
        task: Task,
        done: Sequence[tuple[Any, float, float]],
        postgres: float,
        *,
        beside: str | None = None,
    ) -> None:
        cpu = sum(seconds for _, seconds, _ in done)
        counts, seconds = _recorded(self.run_id, task.step)
        rows = int(counts[task.count]) if task.count else len(done[0][0])
        stage = Measurement(
            stage=task.step,
            tasks=len(done),
            rows=rows,
            unit=unit,
            seconds=round(seconds, 2),
            rows_per_second=round(rows / seconds, 1),
            cpu_seconds=round(cpu, 2),
            postgres_cpu_seconds=round(postgres, 2),
            cpu_ms_per_row=round(1000 * (cpu + postgres) / max(rows, 1), 3),
            peak_mb=round(max(peak for _, _, peak in done)),
            counts=counts,
            beside=beside,
        )
        self.stages.append(stage)
        say(
            f"{stage.stage:<18} x{stage.tasks} {rows:>8} {unit:<10} {stage.seconds:>8.2f} s "
            f"{stage.rows_per_second:>8.0f}/s  cpu {cpu:>7.1f} s + Postgres {postgres:>6.1f} s  "
            f"{stage.cpu_ms_per_row:>7.3f} ms a row  peak {stage.peak_mb:>4} MiB"
        )


def main() -> int:
    """Runs the benchmark and prints one line per stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", type=Path, help="put the figures into this file, under --n")
    parser.add_argument(
        "--processes", type=int, help="generate with so many at once (default: one a core)"
    )
    parser.add_argument(
        "--cores", type=int, help="measure on so many cores, Postgres included (default: all)"
    )
    parser.add_argument("--folder", type=Path, help="put the throwaway database below this folder")
    options = parser.parse_args()
    os.environ["PROFILES_ENGINE"] = ENGINE
    is_throwaway = not os.environ.get("PROFILES_DATABASE_URL")
    with generated_people(
        options.n, options.seed, processes=options.processes, parent=options.folder
    ):
        if options.cores:
            keep_to(options.cores)
        _measure(options, is_throwaway=is_throwaway)
    return 0


def _measure(options: argparse.Namespace, *, is_throwaway: bool) -> None:
    """Runs the nights; the figures are written after each, so that a killed run leaves some."""
    nights: dict[str, dict[str, Any]] = {}
    for run_id in (FIRST, "nothing changed", CHANGED):
        if run_id == CHANGED:
            say(f"rows changed: {in_own_process(_change_rows)}")
        night = Night(run_id)
        night.until_plan()
        nights[run_id] = night.summary(options.n)
        if options.json:
            write_figures(options.json, options.n, _figures(nights, options))
        if run_id == FIRST and is_throwaway:
            say(f"answered: {in_own_process(_answer)}")


def _figures(nights: dict[str, dict[str, Any]], options: argparse.Namespace) -> dict[str, Any]:
    return {
        "seed": options.seed,
        "source_rows": nights[FIRST]["stages"][1]["rows"],
        "machine": f"{len(os.sched_getaffinity(0))} of {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}",
        "nights": nights,
    }


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


def _parts(sources: list[str]) -> list[dict[str, Any]]:
    from profiles.steps import extract_sources
    from profiles.storage.connection import open_database

    return extract_sources.parts(open_database(), sources=sources)


def _ranges() -> list[dict[str, int]]:
    from profiles.steps import resolve_identities
    from profiles.storage.connection import open_database

    return resolve_identities.ranges(open_database())


def _answer() -> int:
    """Stores an accepted answer for each document that the first night planned."""
    from profiles.storage.connection import open_database

    with open_database().connect(autocommit=True) as connection:
        answered = connection.execute(ANSWER.encode(), {"run_id": FIRST}).rowcount
        connection.execute("ANALYZE synthesis.completion, synthesis.run_item")
    return answered


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


if __name__ == "__main__":
    sys.exit(main())
