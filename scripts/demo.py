"""`make demo`: the bundled rows, the real DAG, the embedded model, and what came out.

Runs DAG `profile_synthesis` in one Airflow process (`profiles.dag_test`) and shows its progress
from the database, the way a person on call would see it. Prints only what it read back.
"""

from __future__ import annotations

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

from psycopg.rows import dict_row

from profiles.errors import ProfilesError
from profiles.steps.check_sources import UNREAD
from profiles.steps.reports.report import RunReport, build_report
from profiles.storage import migrations
from profiles.storage.connection import Database, open_database
from profiles.storage.sql_files import load
from sample_data import load_sample
from scripts import abandoned_run

POLL_SECONDS = 0.5
STOP_SECONDS = 10.0
WIDTH = 100
DEMO_ENVIRONMENT = {
    "PROFILES_ENGINE": "llama_cpp",
    "PROFILES_EXTRACTIVE_FALLBACK": "true",
    "PROFILES_LEASE_SECONDS": "20",
}
"""What the demo sets unless the caller did: an engine that needs nothing, its fallback, and leases
so short that a demo after an interrupted one need not wait for them."""


def main() -> int:
    """Runs the demo; returns 0 when the DAG run succeeded."""
    for name, value in DEMO_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        return _demo(open_database())
    except ProfilesError as error:
        say(f"{type(error).__name__}: {error}")
        return 1


def _demo(database: Database) -> int:
    say(f"database  {database.location}")
    applied = migrations.apply(database)
    say(f"schema    synthesis: {len(applied)} migrations applied now")
    loaded = load_sample(database)
    say("sample    " + ", ".join(f"{count} {table}" for table, count in loaded.items()))
    say("dag       profile_synthesis runs in one Airflow process; the first start takes a while")
    run_id, succeeded, log_path = _run_dag(database)
    if run_id is None:
        say(f"the DAG wrote no run. Its log: {log_path}")
        return 1
    report = build_report(database, run_id=run_id)
    _show_profiles(database, run_id)
    _show_totals(report, succeeded=succeeded, log_path=log_path)
    if succeeded:
        _show_next_steps()
    else:
        _show_failure(database, run_id)
    return 0 if succeeded else 1


def _run_dag(database: Database) -> tuple[str | None, bool, Path]:
    """The id of the run that the DAG opened, whether Airflow called it a success, and its log."""
    log_path = Path(os.environ.get("AIRFLOW_HOME", ".")) / "demo.log"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    _fail_interrupted_runs(database)
    before = _newest_run(database)
    logical_date = datetime.now(UTC)
    with log_path.open("w", encoding="utf-8") as log_file:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "profiles.dag_test"),
                *(abandoned_run.DAG_ID, logical_date.isoformat()),
            ],
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
            say("interrupted; what was answered is kept, and `make demo` goes on with the rest")
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
        for row in report.stages:
            key = (row["stage"], row["part"])
            if key not in self._shown:
                self._shown |= {key}
                say(f"  {row['stage']:<19} {row['part']:<12} {_counts(row['counts'])}")
        done = sum(
            report.buckets.get(name, 0) for name in ("valid", "repaired", "extractive", "rejected")
        )
        if report.planned and done != self._done and report.published is None:
            self._done = done
            say(f"  {'synthesise':<19} {done}/{report.planned} documents have an outcome")

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
        """Whether verify_run closed the run as succeeded."""
        if self.run_id is None:
            return False
        with self.database.connect() as connection:
            row = connection.execute(
                "SELECT state FROM synthesis.run WHERE run_id = %s", (self.run_id,)
            ).fetchone()
        return row is not None and row[0] == "succeeded"


def _newest_run(database: Database) -> str | None:
    with database.connect() as connection:
        row = connection.execute(load("report/select_last_run")).fetchone()
    return row[0] if row else None


def _show_profiles(database: Database, run_id: str) -> None:
    with database.connect() as connection, connection.cursor(row_factory=dict_row) as cursor:
        profiles = cursor.execute(load("report/select_profiles"), {"run_id": run_id}).fetchall()
    for profile in profiles:
        _show_profile(profile)


def _show_profile(profile: dict[str, Any]) -> None:
    say("")
    say(f"── candidate {profile['candidate_id']} · {profile['full_name'] or 'no name'} " + "─" * 20)
    say(f"merged   {profile['row_count']} rows: {', '.join(profile['source_rows'])}")
    author = {"model": "the model", "extractive": "the document's own sentences, not the model"}
    if profile["outcome"] == "rejected":
        say("summary  refused; nothing new was published for this person")
    else:
        say(f"summary  by {author[profile['method']]}:")
        say(_beginning(profile["summary"]))
    say(_hanging(f"skills   {', '.join(profile['skills']) or '-'}"))
    say(f"domains  {', '.join(profile['domains'] or []) or '-'}")
    verdicts = [
        f"{check['name']} {'passed' if check['passed'] else 'REFUSED'}"
        for check in profile["checks"]
    ]
    say(_hanging(f"gate     {_judgement(profile)}: {', '.join(verdicts)}"))


def _judgement(profile: dict[str, Any]) -> str:
    """Whose text the verdicts are about: of a fallback they judge the extract, not the model."""
    if profile["method"] == "extractive":
        return f"the model's answer was refused ({profile['reason']}); the extract"
    return (
        f"{profile['outcome']} ({profile['reason']})" if profile["reason"] else profile["outcome"]
    )


def _hanging(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * 9)


def _beginning(text: str) -> str:
    shortened = textwrap.shorten(text, 360, placeholder=" …")
    return textwrap.fill(shortened, WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9)


def _show_totals(report: RunReport, *, succeeded: bool, log_path: Path) -> None:
    say("")
    say(f"run {report.run_id}: {'succeeded' if succeeded else 'FAILED, see ' + str(log_path)}")
    say(f"  {report.candidates} candidates = {_counts(report.buckets)}")
    for title, counts in (
        ("unreadable rows, kept with their reason", report.unreadable_rows),
        ("answers the gate refused", report.refused),
    ):
        if counts:
            say(f"  {title}: {_counts(counts)}")
    calls = report.tokens["model_calls"]
    if calls:
        say(
            f"  {calls} model calls, {report.tokens['prompt_tokens']} prompt and "
            f"{report.tokens['completion_tokens']} output tokens"
        )
    elif report.planned == 0:
        say("  no model call: nothing changed since the last run, so every profile is fresh")
    say(f"  {report.published} rows published, {report.withdrawn} withdrawn")
    say(f"  {report.seconds:.0f} s from check_sources to verify_run")


def _show_failure(database: Database, run_id: str) -> None:
    with database.connect() as connection:
        row = connection.execute(
            "SELECT error FROM synthesis.run WHERE run_id = %s", (run_id,)
        ).fetchone()
    say("")
    say(_hanging(f"why      {(row and row[0]) or 'the log above says it'}"))
    say("next     mend that, look at `profiles doctor`, and type `make demo` again: it goes on")


def _show_next_steps() -> None:
    say("")
    say("next")
    say("  make demo    again: unchanged profiles cost no model call")
    say("  make up      the whole Airflow with its UI; trigger profile_synthesis with the form")
    say("  README.md    your own tables: include/sources/*.yaml; your GPU: PROFILES_ENGINE=sglang")


def _counts(counts: dict[str, Any]) -> str:
    """The counts that are not zero, and how many paths nobody reads (see `profiles doctor`)."""
    shown = {name: value for name, value in counts.items() if value and UNREAD not in name}
    if unread := sum(UNREAD in name for name in counts):
        shown["unread paths"] = unread
    return ", ".join(f"{value} {name}" for name, value in shown.items()) or "nothing"


def say(line: str) -> None:
    """One line to the person who typed `make demo`."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
