"""Runs the tests in stages, each in a process of its own.

Three tracks run at once, because much of them waits: two cores are busy until the longest ends. A
stage that fails ends its track: what comes after it is slower and would fail for the same reason.
Own processes, because Airflow configures logging, warnings and its database once per process.
Stages without Airflow run on two workers, each with a Postgres server of its own. Tests marked
`release` run with `--all` only: before a release, and when their subject changed.
The last line is pytest's summary over all stages. Further arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from scripts.airflow_env import REPOSITORY
from scripts.console import say

_TRACKS = (("unit", "integration"), ("dags", "page"), ("e2e",))
STAGES = sum(_TRACKS, ())
_FOLDERS = {"dags": ("dags", "docs"), "e2e": ("e2e", "reader")}
"""The folders of a stage that has more than the one of its name."""

_PARALLEL = ("unit", "integration")
_ALL = "--all"

WIDTH = 80

# pytest's status when it found nothing to run: right for a stage that -k or -m leaves empty.
_NOTHING_COLLECTED = 5


def main(arguments: list[str]) -> int:
    """Runs the stages; returns the status of the first that failed, else 0."""
    started = time.monotonic()
    selection = [] if _ALL in arguments else ["-m", "not release"]
    given = [argument for argument in arguments if argument != _ALL]
    run = partial(_run_track, [*selection, *given], may_be_empty=bool(given))
    failed: dict[str, int] = {}
    totals: Counter[str] = Counter()
    with ThreadPoolExecutor(len(_TRACKS)) as pool:
        for track_failed, counts in pool.map(run, _TRACKS):
            failed |= track_failed
            totals += counts
    parts = [
        f"{totals[kind]} {kind}"
        for kind in ("failed", "passed", "skipped", "error")
        if totals[kind]
    ]
    text = f" {', '.join(parts) or 'no tests ran'} in {time.monotonic() - started:.2f}s "
    names = ", ".join(failed)
    say(f"stopped in stage {names}" if failed else f"all stages: {', '.join(STAGES)}")
    say(text.center(WIDTH, "="))
    return next(iter(failed.values()), 0)


def _run_track(
    arguments: list[str], stages: tuple[str, ...], *, may_be_empty: bool
) -> tuple[dict[str, int], Counter[str]]:
    """Runs stages one after the other; returns the status of one that failed, and the counts."""
    totals: Counter[str] = Counter()
    for stage in stages:
        status, counts = _run_stage(stage, arguments)
        totals += counts
        if status and not (status == _NOTHING_COLLECTED and may_be_empty):
            return {stage: status}, totals
    return {}, totals


def folders_of(stage: str) -> tuple[str, ...]:
    """The folders under tests/ that a stage runs in one process."""
    return _FOLDERS.get(stage, (stage,))


def _run_stage(stage: str, arguments: list[str]) -> tuple[int, Counter[str]]:
    """Runs one stage; its output is shown when it ends, so that tracks do not mix theirs."""
    folders = [f"tests/{name}" for name in folders_of(stage)]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *folders, f"--junit-xml={report}"]
        if stage in _PARALLEL:
            command += ["-n", "2", "--dist", "loadfile"]
        done = subprocess.run(
            [*command, *arguments],
            cwd=REPOSITORY,
            check=False,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        say(f"stage {stage}, {time.monotonic() - started:.0f} s\n{done.stdout}")
        return done.returncode, _counts(report)


def _environment() -> dict[str, str]:
    """The caller's environment without a deployment's settings: tests bring their own."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AIRFLOW_", "AIRFLOW__"))
    }


def _counts(report: Path) -> Counter[str]:
    if not report.exists():
        return Counter()
    counts: Counter[str] = Counter()
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        seen = {
            kind: int(suite.get(kind) or 0) for kind in ("tests", "failures", "errors", "skipped")
        }
        counts["failed"] += seen["failures"]
        counts["error"] += seen["errors"]
        counts["skipped"] += seen["skipped"]
        counts["passed"] += seen["tests"] - seen["failures"] - seen["errors"] - seen["skipped"]
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
