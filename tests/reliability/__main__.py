"""Runs the failure matrix: `python -m tests.reliability [--json FILE] [--page FILE] [ROW …]`.

Starts `make up-distributed` in a folder of its own, strikes one run after another with one fault
each, and writes what every fault cost. Exits 1 when a row does not hold.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tests.paths import REPOSITORY

if TYPE_CHECKING:
    from tests.reliability.cluster import Cluster
    from tests.reliability.report import Report
    from tests.reliability.watched import Row

PEOPLE = 200
BOUND_SECONDS = 45 * 60
ROW_SECONDS = 2 * 60
_END_SECONDS = 60
SEED = 7
SOAK_SECONDS = 10 * 60


def main(arguments: list[str]) -> int:
    """Runs the rows that are named, or all; returns the exit status."""
    parser = argparse.ArgumentParser(prog="make test-reliability", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--page", type=Path, help="write the page here")
    parser.add_argument("--soak", type=float, default=0, help="seconds of random faults at the end")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random faults")
    parser.add_argument("rows", nargs="*", help="measure these again, keep the others of the file")
    options = parser.parse_args(arguments)
    home = Path(tempfile.mkdtemp(prefix="reliability-", dir="/tmp"))
    home.chmod(0o755)
    _prepare_environment(home)
    status = _run(home, options)
    if status != 1:
        shutil.rmtree(home)
    return status


def _prepare_environment(home: Path) -> None:
    """Before anything of `scripts` is imported: nothing of a deployment, all state in `home`."""
    for name in list(os.environ):
        if name.startswith(("PROFILES_", "AIRFLOW_", "CANDIDATE_PROFILES_")):
            del os.environ[name]
    os.environ["CANDIDATE_PROFILES_HOME"] = str(home)
    os.environ["AIRFLOW__CORE__DAGS_FOLDER"] = str(REPOSITORY / "tests" / "reliability" / "dags")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(REPOSITORY / "include"), str(REPOSITORY)])


def _run(home: Path, options: argparse.Namespace) -> int:
    from sample_data.writer import write_sample
    from scripts.console import say
    from tests.reliability import (
        cluster,
        faults,
        operators,
        optional_stages,
        soak,
        stages,
        surroundings,
    )
    from tests.reliability.report import SOAK, Report

    people = home / "people"
    write_sample(people, people=PEOPLE, seed=SEED)
    functions = (
        *operators.ROWS,
        *surroundings.ROWS,
        *faults.ROWS,
        *stages.ROWS,
        *optional_stages.ROWS,
    )
    known = {row.__name__: row for row in functions}
    unknown = sorted(set(options.rows) - {*known, SOAK})
    if unknown:
        say(f"no such row: {', '.join(unknown)}; there are {', '.join(known)}, {SOAK}")
        return 2
    chosen = [known[name] for name in options.rows or known if name != SOAK]
    report = Report(options.json, options.page, seed=options.seed, only=bool(options.rows))
    started = time.monotonic()
    with cluster.running(home, people) as services:
        for fault in chosen:
            spent = time.monotonic() - started
            say(f"{spent:6.0f} s  {fault.__name__}")
            _measure(services, fault, report, seconds=BOUND_SECONDS - _END_SECONDS - spent)
        if options.soak or SOAK in options.rows:
            seconds = options.soak or SOAK_SECONDS
            report.add(SOAK, _told(soak.soak(services, seconds=seconds, seed=options.seed)))
    spent = time.monotonic() - started
    say(f"{len(report.rows)} rows in {spent:.0f} s; failed: {report.failed or 'none'}")
    return 1 if report.failed else 0


def _measure(
    services: Cluster,
    fault: Callable[[Cluster], Row | list[Row]],
    report: Report,
    *,
    seconds: float,
) -> None:
    """The rows of one function, within the time that is left."""
    try:
        with _at_most(seconds):
            services.heal_if_needed()
            rows = fault(services)
    except Exception:  # noqa: BLE001 - a broken row is told and must not hide the others
        traceback.print_exc()
        report.give_up(fault.__name__)
        if seconds > ROW_SECONDS:
            services.abandon_runs()
    else:
        report.add(fault.__name__, _told(rows))


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Ends the block with a TimeoutError, so that the whole stays within its bound."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError("no time is left; name this row to measure it alone")

    if seconds <= 0:
        end(0, None)
    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _told(rows: Row | list[Row]) -> list[Row]:
    """Says what the rows are, and returns them."""
    from scripts.console import say

    rows = rows if isinstance(rows, list) else [rows]
    for row in rows:
        say(f"          {'holds' if row.holds else 'FAILS'}  {row.to_json()}")
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
