"""Runs the failure matrix: `python -m tests.reliability [--json FILE] [--page FILE] [ROW …]`.

Starts `make up-distributed` in a folder of its own, strikes one run after another with one fault
each, and writes what every fault cost. Exits 1 when a row does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.paths import REPOSITORY

if TYPE_CHECKING:
    from tests.reliability.watched import Row

PEOPLE = 200
BOUND_SECONDS = 30 * 60
ROW_SECONDS = 4 * 60
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
    found, broken = [], []
    kept = []
    if options.json and options.json.exists():
        kept = json.loads(options.json.read_text())["rows"]

    def write() -> None:
        rows = _merged([row.to_json() for row in found], kept if options.rows else [])
        report = {"rows": rows, "failed": broken, "seed": options.seed}
        if options.json:
            options.json.write_text(json.dumps(report, indent=2) + "\n")
        if options.page:
            options.page.write_text(page.render(report))

    with cluster.running(home, people) as services:
        for fault in chosen:
            if time.monotonic() - started > BOUND_SECONDS - ROW_SECONDS:
                say(f"        no time is left for {fault.__name__}; name it to measure it alone")
                broken.append(fault.__name__)
                continue
            say(f"{time.monotonic() - started:6.0f} s  {fault.__name__}")
            try:
                services.heal_if_needed()
                rows = fault(services)
            except Exception:  # noqa: BLE001 - a broken row is told and must not hide the others
                traceback.print_exc()
                broken.append(fault.__name__)
                services.abandon_runs()
                continue
            rows = rows if isinstance(rows, list) else [rows]
            found += rows
            broken += _told(rows)
            write()
        if options.soak:
            found.append(soak.soak(services, seconds=options.soak, seed=options.seed))
            broken += _told(found[-1:])
    write()
    say(f"{len(found)} rows in {time.monotonic() - started:.0f} s; failed: {broken or 'none'}")
    return 1 if broken else 0


def _merged(found: list[dict[str, Any]], kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was measured now in the place of older rows of the same faults, and the other rows."""
    now = {row["fault"]: row for row in found}
    known = {row["fault"] for row in kept}
    return [now.get(row["fault"], row) for row in kept] + [
        row for row in found if row["fault"] not in known
    ]


def _told(rows: list[Row]) -> list[str]:
    """Says what the rows are; returns the faults of those that do not hold."""
    from scripts.console import say

    for row in rows:
        say(f"          {'holds' if row.holds else 'FAILS'}  {row.to_json()}")
    return [row.fault for row in rows if not row.holds]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
