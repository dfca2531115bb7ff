"""Identity against the truth: accuracy, seconds, CPU and memory of resolution, beside Splink's.

    python -m benchmarks.identity --n 20000 --seed 411 --scramble \\
        --splink /tmp/splink/bin/python --json benchmarks/results/identity.json

Generates people (the rows of `profiles sample`), reads them with the project's adapters, and runs
the step `resolve_identities` of the DAG in a process of its own on a throwaway Postgres. Precision
and recall are pairwise: of all pairs of source rows put into one person, the share that is one
person, and the reverse.

`--rows FOLDER` reads `linkedin_profiles.copy`, `weekday_candidates.copy`, `parsed_resumes.copy`,
`lemlist_leads.copy` (as `profiles sample --out` writes them) and `truth.csv` (table, id, person)
instead; `--partition` writes who is who for others to score. `mixed` counts candidates with rows of
two people.

`--scramble` runs it again after replacing every digit or hex suffix inside a mailbox or a LinkedIn
name, one key by one replacement: a rule that used the inside of a key as evidence would show.
`--splink` names an interpreter with
Splink 5 (`benchmarks.splink_identity` says how to install it) and runs it on the same facts.

Seconds are the step's own, imports not counted. CPU seconds are those of the step's process, of the
one beside it and of Postgres together. `peak_mb` is the step's process, `companion_peak_mb` the one
beside it, `postgres_peak_mb` the largest server process, shared buffers included.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.people import say

REPOSITORY = Path(__file__).resolve().parents[1]
EXTRACTED, RESOLVED = "extracted", "resolved"
SAMPLE_SECONDS = 0.25
SETTLE_SECONDS = 1.0


def main() -> int:
    """Runs what the options ask for and prints one line per measurement."""
    options = _options()
    folder = Path(tempfile.mkdtemp(prefix="profiles-identity-"))
    folder.chmod(0o755)
    os.environ["PYTHONPATH"] = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "include")))
    from scripts import embedded

    try:
        server = Server(folder)
        started = time.monotonic()
        server.create(EXTRACTED)
        if options.rows:
            rows = _in_own_process(_read, server.url(EXTRACTED), options.rows)
            options.n, options.seed = rows, None
        else:
            rows = _in_own_process(_prepare, server.url(EXTRACTED), options.n, options.seed)
        say(f"{rows} rows, read in {time.monotonic() - started:.0f} s")
        result = {
            "n": options.n,
            "seed": options.seed,
            "rows": rows,
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, "
            f"Python {platform.python_version()}",
            **_measure(server, folder, options),
        }
    finally:
        embedded.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=411)
    parser.add_argument("--rows", type=Path, help="a folder of tables and truth instead")
    parser.add_argument("--partition", type=Path, help="write table,id,candidate to this CSV")
    parser.add_argument("--scramble", action="store_true", help="repeat with scrambled suffixes")
    parser.add_argument("--splink", type=Path, help="an interpreter that has Splink 5")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


def _measure(server: Server, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    server.create(RESOLVED, template=EXTRACTED)
    result: dict[str, Any] = {"ours": _resolved(server)}
    say(f"ours {_line(result['ours'])}")
    if options.partition:
        _in_own_process(_write_partition, server.url(RESOLVED), options.partition)
    if options.splink:
        facts = folder / "facts.jsonl"
        _in_own_process(_export, server.url(RESOLVED), facts)
        result["splink"] = _splink(options.splink, facts)
        say(f"splink {result['splink']['version']:<9} {_line(result['splink'])}")
    if options.scramble:
        server.create(RESOLVED, template=EXTRACTED)
        changed = _in_own_process(_scramble, server.url(RESOLVED), options.seed)
        figures = _resolved(server)
        result["scramble"] = {
            "changed_rows": changed,
            "precision": figures["precision"],
            "recall": figures["recall"],
        }
        say(f"scrambled: {result['scramble']}")
    return result


class Server:
    """The throwaway Postgres, and what its processes cost."""

    def __init__(self, folder: Path) -> None:
        from scripts import embedded

        self._server = embedded.start(folder, durable=False)
        self._postmaster = int((Path(self._server.data) / "postmaster.pid").read_text().split()[0])

    def url(self, name: str) -> str:
        """The address of one of its databases."""
        return self._server.url(name)

    def create(self, name: str, *, template: str = "template0") -> None:
        """A database again, as a copy of another."""
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")

    def cpu_seconds(self) -> float:
        """CPU time of all server processes that have ended, and of the postmaster."""
        fields = Path(f"/proc/{self._postmaster}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def largest_mb(self) -> float:
        """Peak memory of the largest server process alive."""
        path = Path(f"/proc/{self._postmaster}/task/{self._postmaster}/children")
        peaks = [_peak_mb(pid) for pid in path.read_text().split()]
        return max(peaks, default=0.0)


def _peak_mb(pid: str) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it ended while we looked
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) / 1024 if found else 0.0


def _resolved(server: Server) -> dict[str, Any]:
    """Figures of one resolution of the database RESOLVED."""
    before = server.cpu_seconds()
    peak = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(SAMPLE_SECONDS):
            peak[0] = max(peak[0], server.largest_mb())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        figures = _in_own_process(_resolve, server.url(RESOLVED))
    finally:
        done.set()
        watcher.join()
    time.sleep(SETTLE_SECONDS)  # a backend is counted once its postmaster has reaped it
    figures["postgres_cpu_seconds"] = round(server.cpu_seconds() - before, 2)
    figures["cpu_seconds"] = round(figures["cpu_seconds"] + figures["postgres_cpu_seconds"], 2)
    figures["cpu_ms_per_row"] = round(1000 * figures["cpu_seconds"] / figures["rows"], 3)
    figures["postgres_peak_mb"] = round(peak[0])
    return {**_in_own_process(_accuracy, server.url(RESOLVED)), **figures}


def _resolve(url: str) -> dict[str, Any]:
    from profiles.params import RunParams
    from profiles.steps import resolve_identities
    from profiles.storage.connection import Database
    from profiles.storage.runs import start_run

    database = Database(url)
    start_run(database, run_id="benchmark", params=RunParams())
    before, started = _own_cpu(), time.monotonic()
    counts = resolve_identities.run(database, run_id="benchmark")
    seconds = time.monotonic() - started
    cpu = _own_cpu() - before
    return {
        "rows": counts["read"],
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "peak_mb": _peak_own_mb(resource.RUSAGE_SELF),
        "companion_peak_mb": _peak_own_mb(resource.RUSAGE_CHILDREN),
        "counts": counts,
    }


def _peak_own_mb(who: int) -> int:
    return round(resource.getrusage(who).ru_maxrss / 1024)


def _own_cpu() -> float:
    """CPU seconds of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _splink(interpreter: Path, facts: Path) -> dict[str, Any]:
    script = REPOSITORY / "benchmarks" / "splink_identity.py"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [interpreter, script, facts], capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise SystemExit(f"Splink failed under {interpreter}:\n{done.stderr[-2000:]}")
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _prepare(url: str, people: int, seed: int) -> int:
    from benchmarks.identity_people import prepare
    from profiles.storage.connection import Database

    return prepare(Database(url), people=people, seed=seed)


def _read(url: str, folder: Path) -> int:
    from benchmarks.identity_rows import read_folder
    from profiles.storage.connection import Database

    return read_folder(Database(url), folder)


def _write_partition(url: str, path: Path) -> int:
    from benchmarks.identity_rows import write_partition
    from profiles.storage.connection import Database

    return write_partition(Database(url), path)


def _scramble(url: str, seed: int) -> int:
    from benchmarks.identity_people import scramble
    from profiles.storage.connection import Database

    return scramble(Database(url), seed=seed)


def _export(url: str, path: Path) -> int:
    from benchmarks.identity_people import export_facts
    from profiles.storage.connection import Database

    return export_facts(Database(url), path)


def _accuracy(url: str) -> dict[str, Any]:
    from benchmarks.identity_people import accuracy
    from profiles.storage.connection import Database

    found = accuracy(Database(url))
    return {
        "precision": round(found.precision, 5),
        "recall": round(found.recall, 5),
        "mixed": found.mixed,
    }


def _in_own_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Each measurement has its own peak memory; this process never loads rows."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def _line(figures: dict[str, Any]) -> str:
    return (
        f"precision {figures['precision']:.4f}  recall {figures['recall']:.4f}  "
        f"{figures['seconds']:>7.1f} s  cpu {figures['cpu_seconds']:>7.1f} s  "
        f"peak {figures['peak_mb']} MiB"
    )


if __name__ == "__main__":
    sys.exit(main())
