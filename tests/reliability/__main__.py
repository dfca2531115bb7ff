"""Runs the failure matrix: `python -m tests.reliability [--json FILE] [--page FILE] [ROW …]`.

Starts `make up-distributed` in a folder of its own, strikes one run after another with one fault
each, and writes what every fault cost. Exits 1 when a row does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from tests.paths import REPOSITORY

if TYPE_CHECKING:
    from tests.reliability.watched import Row

PEOPLE = 200
BOUND_SECONDS = 30 * 60
ROW_SECONDS = 2 * 60
_END_SECONDS = 60
SEED = 7


def main(arguments: list[str]) -> int:
    """Runs the rows that are named, or all; returns the exit status."""
    parser = argparse.ArgumentParser(prog="make test-reliability", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--page", type=Path, help="write the page here")
    parser.add_argument("--soak", type=float, default=0, help="seconds of random faults at the end")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random faults")
    parser.add_argument("rows", nargs="*", help="measure these anew, keep the others of the file")
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
    from profiles.sample.writer import write_sample
    from scripts.console import say
    from tests.reliability import cluster, faults, operators, page, soak, surroundings

    people = home / "people"
    write_sample(people, people=PEOPLE, seed=SEED)
    known = {row.__name__: row for row in (*faults.ROWS, *surroundings.ROWS, *operators.ROWS)}
    unknown = sorted(set(options.rows) - known.keys())
    if unknown:
        say(f"no such row: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    chosen = [known[name] for name in options.rows] or list(known.values())
    started = time.monotonic()
    found: list[Row] = []
    unmeasured: list[str] = []
    kept: dict[str, Any] = {"rows": [], "unmeasured": []}
    if options.rows and options.json and options.json.exists():
        kept = json.loads(options.json.read_text())

    def write() -> None:
        left = set(kept["unmeasured"]) - {row.__name__ for row in chosen}
        report = {
            "rows": _merged([row.to_json() for row in found], kept["rows"]),
            "unmeasured": sorted(left | set(unmeasured)),
            "seed": options.seed,
        }
        if options.json:
            options.json.write_text(json.dumps(report, indent=2) + "\n")
        if options.page:
            options.page.write_text(page.render(report))

    with cluster.running(home, people) as services:
        for fault in chosen:
            left = BOUND_SECONDS - _END_SECONDS - (time.monotonic() - started)
            say(f"{time.monotonic() - started:6.0f} s  {fault.__name__}")
            try:
                with _at_most(left):
                    services.heal_if_needed()
                    rows = fault(services)
            except Exception:  # noqa: BLE001 - a broken row is told and must not hide the others
                traceback.print_exc()
                unmeasured.append(fault.__name__)
                if left > ROW_SECONDS:
                    services.abandon_runs()
                continue
            found += _told(rows if isinstance(rows, list) else [rows])
            write()
        if options.soak:
            found += _told([soak.soak(services, seconds=options.soak, seed=options.seed)])
    write()
    failed = [row.fault for row in found if not row.holds] + unmeasured
    say(f"{len(found)} rows in {time.monotonic() - started:.0f} s; failed: {failed or 'none'}")
    return 1 if failed else 0


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


def _merged(found: list[dict[str, Any]], kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was measured now in the place of older rows of the same faults, and the other rows."""
    now = {row["fault"]: row for row in found}
    known = {row["fault"] for row in kept}
    return [now.get(row["fault"], row) for row in kept] + [
        row for row in found if row["fault"] not in known
    ]


def _told(rows: list[Row]) -> list[Row]:
    """Says what the rows are, and returns them."""
    from scripts.console import say

    for row in rows:
        say(f"          {'holds' if row.holds else 'FAILS'}  {row.to_json()}")
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
