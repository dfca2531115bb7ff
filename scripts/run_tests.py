"""Runs the tests in stages, cheapest first, each in a process of its own.

A stage that fails ends the run: what comes after it is slower and would fail for the same reason.
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
from pathlib import Path
from xml.etree import ElementTree

from scripts.airflow_env import REPOSITORY
from scripts.console import say

STAGES = ("unit", "integration", "dags", "page", "e2e")
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
    arguments = [argument for argument in arguments if argument != _ALL]
    totals: Counter[str] = Counter()
    status = 0
    for stage in STAGES:
        status, counts = _run_stage(stage, [*selection, *arguments])
        totals += counts
        if status == _NOTHING_COLLECTED and arguments:
            status = 0
        if status != 0:
            break
    parts = [
        f"{totals[kind]} {kind}"
        for kind in ("failed", "passed", "skipped", "error")
        if totals[kind]
    ]
    text = f" {', '.join(parts) or 'no tests ran'} in {time.monotonic() - started:.2f}s "
    say(f"all stages: {', '.join(STAGES)}" if status == 0 else f"stopped in stage {stage}")
    say(text.center(WIDTH, "="))
    return status


def folders_of(stage: str) -> tuple[str, ...]:
    """The folders under tests/ that a stage runs in one process."""
    return _FOLDERS.get(stage, (stage,))


def _run_stage(stage: str, arguments: list[str]) -> tuple[int, Counter[str]]:
    say(f"stage {stage}")
    folders = [f"tests/{name}" for name in folders_of(stage)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *folders, f"--junit-xml={report}"]
        if stage in _PARALLEL:
            command += ["-n", "2", "--dist", "loadfile"]
        status = subprocess.run(
            [*command, *arguments], cwd=REPOSITORY, check=False, env=_environment()
        ).returncode
        return status, _counts(report)


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
