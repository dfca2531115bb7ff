"""One run of DAG `profile_synthesis` in one Airflow process, with its progress.

Progress comes from the database, the way a person on call would see it; `make demo` and
`make night` print only what they read back.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from profiles.errors import ProfilesError
from profiles.reporting import above_zero
from profiles.steps.reports.run_report import build_report
from profiles.storage.connection import Database, open_database
from profiles.storage.sql_files import execute
from scripts import abandoned_run
from scripts.airflow_env import REPOSITORY
from scripts.console import say

POLL_SECONDS = 0.5
STOP_SECONDS = 10.0
WIDTH = 100


def guarded(main: Callable[[Database], int]) -> int:
    """Runs a command on the deployment's database; a signal ends it and what it started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        return main(open_database())
    except ProfilesError as error:
        say(f"{type(error).__name__}: {error}")
        return 1


def run_dag(
    database: Database, *, name: str, limit: int | None = None
) -> tuple[str | None, bool, Path]:
    """The id of the run that the DAG opened, whether it succeeded, and the log of the DAG.

    Args:
        name: what was typed after `make`; it names the log too.
    """
    log_path = Path(os.environ.get("AIRFLOW_HOME", ".")) / f"{name}.log"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    _fail_interrupted_runs(database)
    before = _newest_run(database)
    logical_date = datetime.now(UTC)
    with log_path.open("w", encoding="utf-8") as log_file:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "scripts.dag_test"),
                *(abandoned_run.DAG_ID, logical_date.isoformat()),
                json.dumps({"limit": limit} if limit else {}),
            ],
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=log_file,
            stderr=subprocess.STDOUT,
            # Airflow takes a Ctrl-C for the failure of one task and goes on with the next.
            start_new_session=True,
        )
        progress = Progress(database, previous_run=before)
        try:
            while process.poll() is None:
                progress.show()
                time.sleep(POLL_SECONDS)
        except SystemExit:
            say(f"interrupted; what was answered is kept, and `make {name}` goes on with the rest")
            raise
        finally:
            end(process)
            progress.close()
            _fail_in_airflow(lambda: abandoned_run.fail_at(logical_date))
        progress.show()
    return progress.run_id, process.returncode == 0 and progress.succeeded(), log_path


def _fail_interrupted_runs(database: Database) -> None:
    """Fails what earlier demos left unfinished in Airflow, which would let no other run start."""
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT run_id FROM synthesis.run "
            "WHERE state = 'failed' AND starts_with(error, 'interrupted')"
        ).fetchall()
    _fail_in_airflow(lambda: abandoned_run.fail_runs([row[0] for row in rows]))


def _fail_in_airflow(fail: Callable[[], list[str]]) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    try:
        run_ids = fail()
    except SQLAlchemyError as error:
        say(f"Airflow may still count an interrupted run as running: {error}")
        return
    for run_id in run_ids:
        say(f"  Airflow's run {run_id} was not finished and is marked failed")


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a DAG that runs in a session of its own: tells it once, for a lane then hands back what
    it holds, and kills it with what it started when it goes on."""
    if process.poll() is not None:
        return
    try:
        process.terminate()
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        say("  the DAG goes on and is killed")
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@dataclass
class Progress:
    """Prints each finished stage once, and the share of planned documents that have an outcome."""

    database: Database
    previous_run: str | None
    run_id: str | None = None
    _shown: frozenset[tuple[str, str]] = frozenset()
    _done: int = -1

    def show(self) -> None:
        """Prints what is new since the last call."""
        newest = _newest_run(self.database)
        if newest is None or newest == self.previous_run:
            return
        self.run_id = newest
        report = build_report(self.database, run_id=newest)
        for row in report["stages"]:
            key = (row["stage"], row["part"])
            if key not in self._shown:
                self._shown |= {key}
                say(f"  {row['stage']:<19} {row['part']:<12} {_counts(above_zero(row['counts']))}")
        done = sum(
            report["buckets"].get(name, 0)
            for name in ("valid", "repaired", "extractive", "rejected")
        )
        if report["planned"] and done != self._done and report["published"] is None:
            self._done = done
            say(f"  {'synthesise':<19} {done}/{report['planned']} documents have an outcome")

    def close(self) -> None:
        """Closes the row of a run whose DAG is gone, if it is open."""
        if self.run_id is None:
            newest = _newest_run(self.database)
            self.run_id = newest if newest != self.previous_run else None
        if self.run_id is not None:
            with self.database.connect() as connection:
                connection.execute(
                    "UPDATE synthesis.run SET state = 'failed', ended_at = now(), "
                    "error = 'interrupted' WHERE run_id = %s AND state = 'running'",
                    (self.run_id,),
                )

    def succeeded(self) -> bool:
        """Return whether verify_run closed the run as succeeded."""
        if self.run_id is None:
            return False
        with self.database.connect() as connection:
            row = connection.execute(
                "SELECT state FROM synthesis.run WHERE run_id = %s", (self.run_id,)
            ).fetchone()
        return row is not None and row[0] == "succeeded"


def _newest_run(database: Database) -> str | None:
    with database.connect() as connection:
        row = execute(connection, "report/select_run", run_id="latest").fetchone()
    return row[0] if row else None


def hanging(text: str) -> str:
    """The text on lines of the console, the later ones below the first one's value."""
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * 9)


def run_and_show(
    database: Database,
    *,
    name: str,
    limit: int | None = None,
    show: Callable[[str], None] | None = None,
) -> int:
    """Runs the DAG, then shows what `show` has to say of the run and what it came to.

    Returns 0 when the run succeeded.
    """
    say("dag       profile_synthesis runs in one Airflow process; the first start takes a while")
    run_id, succeeded, log_path = run_dag(database, name=name, limit=limit)
    if run_id is None:
        say(f"the DAG wrote no run. Its log: {log_path}")
        for line in log_path.read_text(encoding="utf-8", errors="replace").splitlines():
            if "Error: " in line:
                say(hanging(f"why      {line.strip()}"))
        return 1
    if show is not None:
        show(run_id)
    _show_totals(build_report(database, run_id=run_id), succeeded=succeeded, log_path=log_path)
    if not succeeded:
        _show_failure(database, run_id, name=name)
    return 0 if succeeded else 1


def _show_totals(report: dict[str, Any], *, succeeded: bool, log_path: Path) -> None:
    say("")
    say(f"run {report['run_id']}: {'succeeded' if succeeded else 'FAILED, see ' + str(log_path)}")
    say(f"  {report['candidates']} candidates = {_counts(report['buckets'])}")
    for warning in report["warnings"]:
        say(hanging(f"  WARNING {warning}"))
    if report["unread_paths"]:
        unread = len(report["unread_paths"])
        say(f"  {unread} unmapped paths of the rows: `profiles doctor`")
    for title, counts in (
        ("unreadable rows, kept with their reason", report["unreadable_rows"]),
        ("answers the gate rejected", report["refused"]),
    ):
        if counts:
            say(f"  {title}: {_counts(counts)}")
    calls = report["tokens"]["model_calls"]
    if calls:
        say(
            f"  {calls} model calls, {report['tokens']['prompt_tokens']} prompt and "
            f"{report['tokens']['completion_tokens']} output tokens"
        )
    elif report["planned"] == 0:
        say("  no model call: nothing changed since the last run, so every profile is fresh")
    say(f"  {report['published']} rows published, {report['withdrawn']} withdrawn")
    say(f"  {report['seconds']:.0f} s from check_sources to verify_run")


def _show_failure(database: Database, run_id: str, *, name: str) -> None:
    with database.connect() as connection:
        row = connection.execute(
            "SELECT error FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
    say("")
    for line in ((row and row[0]) or "see the log above").splitlines():
        say(f"why      {line}")
    say(f"next     fix that, look at `profiles doctor`, and type `make {name}` again: it goes on")


def _counts(counts: dict[str, Any]) -> str:
    return ", ".join(f"{value} {name}" for name, value in counts.items() if value) or "nothing"
