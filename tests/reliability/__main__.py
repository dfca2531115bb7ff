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

from tests.paths import REPOSITORY

PEOPLE = 110
SEED = 7
BOUND_SECONDS = 30 * 60


def main(arguments: list[str]) -> int:
    """Runs the rows that are named, or all; returns the exit status."""
    parser = argparse.ArgumentParser(prog="make test-reliability", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--page", type=Path, help="write the page here")
    parser.add_argument("--soak", type=float, default=0, help="seconds of random faults at the end")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random faults")
    parser.add_argument("rows", nargs="*", help="names of rows (default: all)")
    options = parser.parse_args(arguments)
    home = Path(tempfile.mkdtemp(prefix="reliability-", dir="/tmp"))
    home.chmod(0o755)
    _prepare_environment(home)
    status = _run(home, options)
    if status == 0:
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
    from tests.reliability import cluster, faults, operators, page, soak

    people = home / "people"
    write_sample(people, people=PEOPLE, seed=SEED)
    known = {row.__name__: row for row in (*faults.ROWS, *operators.ROWS)}
    unknown = sorted(set(options.rows) - known.keys())
    if unknown:
        say(f"no such row: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    chosen = [known[name] for name in options.rows] or list(known.values())
    started = time.monotonic()
    found, broken = [], []
    with cluster.running(home, people) as services:
        for fault in chosen:
            say(f"{time.monotonic() - started:6.0f} s  {fault.__name__}")
            try:
                services.heal_if_needed()
                row = fault(services)
            except Exception:  # noqa: BLE001 - a broken row is told and must not hide the others
                traceback.print_exc()
                broken.append(fault.__name__)
                services.abandon_runs()
                continue
            found.append(row)
            say(f"          {'holds ' if row.holds else 'FAILS '} {row.to_json()}")
            if not row.holds:
                broken.append(fault.__name__)
        if options.soak:
            row = soak.soak(services, seconds=options.soak, seed=options.seed)
            found.append(row)
            say(f"          {'holds ' if row.holds else 'FAILS '} {row.to_json()}")
            if not row.holds:
                broken.append("soak")
    report = {"rows": [row.to_json() for row in found], "failed": broken, "seed": options.seed}
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    if options.page:
        options.page.write_text(page.render(report))
    say(f"{len(found)} rows in {time.monotonic() - started:.0f} s; failed: {broken or 'none'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
