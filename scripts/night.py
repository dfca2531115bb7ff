"""`make night [LIMIT=20]`: one run of the DAG on the database and with the settings of .env."""

from __future__ import annotations

import os
import sys

from profiles.operations.check_mappings import check
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps.lanes.engine_choice import choose_engine
from profiles.storage.connection import Database
from profiles.storage.sql_files import load
from scripts.console import say
from scripts.dag_run import guarded, run_and_show

CPU_SECONDS = 3.0
"""Seconds a document of the embedded model on two cores, before a run has measured it."""


def main() -> int:
    """Runs the night; returns 0 when it succeeded, 2 when LIMIT is not a number."""
    text = os.environ.get("LIMIT", "").strip()
    if text and (not text.isdecimal() or int(text) < 1):
        say(f"LIMIT={text} is not a number of documents; for example `make night LIMIT=20`")
        return 2
    return guarded(lambda database: _night(database, int(text) if text else None))


def _night(database: Database, limit: int | None) -> int:
    say(f"database  {database.location}")
    rows = sum(check(database).rows.values())
    say(f"sources   {rows:,} rows")
    settings = load_settings()
    if settings.engine == "llama_cpp":
        say(f"model     {_cpu_words(database, min(rows, limit or rows))}")
    else:
        say(f"model     {settings.model or 'the default'} on {settings.engine}; the plan has hours")
    return run_and_show(database, name="night", limit=limit)


def _cpu_words(database: Database, documents: int) -> str:
    """Estimate of the embedded model's time if all these rows were people with a new document."""
    key = choose_engine(load_settings(), RunParams(), with_files=False).key
    with database.connect() as connection:
        found = connection.execute(
            load("page/runs_past_rate"), {"engine": key.engine, "model": key.model}
        ).fetchone()
    rate, lanes = found or (None, 0)
    each = 1 / rate if rate else CPU_SECONDS
    basis = f"median of {lanes} lanes" if rate else "not measured here yet"
    return (
        f"{key.model} on the CPU, about {each:.1f} s a document ({basis}): {documents:,} documents "
        f"at most, {_duration(documents * each)}; LIMIT=20 takes {_duration(20 * each)}"
    )


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
