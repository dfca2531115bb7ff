"""`profiles plan|status|tune|export|report`: a run before, after and beside it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, show
from profiles.params import DEFAULT_WINDOW_HOURS, MAX_WINDOW_HOURS

EXIT_STALE = 2
_STANDARD_OUTPUT = "-"


def register(add: Callable[..., Any]) -> None:
    plan = add("plan", _plan)
    plan.add_argument("--limit", type=positive, help="as if Param `limit` were this")
    plan.add_argument("--force", action="store_true", help="as if everything were stale")
    plan.add_argument(
        "--candidate", type=positive, action="append", default=[], dest="candidates", metavar="ID",
        help="only this person; repeatable",
    )  # fmt: skip
    hours, window = (
        _number("hours", MAX_WINDOW_HOURS),
        "time limit of the lanes (default %(default)s)",
    )
    plan.add_argument("--window-hours", type=hours, default=DEFAULT_WINDOW_HOURS, help=window)

    status = add("status", _status)
    stale = f"exit {EXIT_STALE} when the last publish is older, for example 26h"
    status.add_argument("--max-age", type=_duration, help=stale)

    tune = add("tune", _tune)
    minutes = _number("minutes", MAX_WINDOW_HOURS * 60)
    tune.add_argument(
        "--minutes", type=minutes, default=15, help="approximate duration (default 15)"
    )
    size = "documents, at least twice the running requests (default 500)"
    tune.add_argument("--sample", type=positive, default=500, help=size)
    tune.add_argument("--out", type=Path, help="file (default .profiles/engine_options.json)")

    export = add("export", _export)
    export.add_argument("run", metavar="RUN", help="run id, or `latest`")
    export.add_argument("--out", type=Path, help="folder (default .profiles/exports/RUN)")
    export.add_argument("--force", action="store_true", help="overwrite files of the same name")

    report = add("report", _report, has_json=False)
    report.add_argument("run", metavar="RUN", help="run id, or `latest`")
    report.add_argument("--html", type=Path, metavar="FILE", help="write the page to FILE")
    report.add_argument(
        "--json", nargs="?", const=_STANDARD_OUTPUT, metavar="FILE", dest="json_file",
        help="write the JSON to FILE; without FILE print it. Neither option: both files, named "
        "after the run, in the folder of PROFILES_REPORTS",
    )  # fmt: skip


def _plan(options: argparse.Namespace) -> None:
    """Which documents are stale and why; tokens and hours. Writes nothing."""
    from profiles.params import RunParams
    from profiles.steps import plan_synthesis

    params = RunParams(
        limit=options.limit,
        force=options.force,
        candidate_ids=tuple(options.candidates),
        window_hours=options.window_hours,
    )
    preview = plan_synthesis.preview(open_migrated(options), params=params)
    show(options, preview, next_step="trigger DAG profile_synthesis to run it")


def _status(options: argparse.Namespace) -> int:
    """Show the last run: buckets, model calls, published rows, seconds."""
    from profiles.operations.status import age_of_last_publish, last_run

    database = open_migrated(options)
    run = last_run(database)
    known = run or {"run_id": None, "state": "never"}
    next_steps = {
        "never": "trigger DAG profile_synthesis",
        "failed": "fix the error, then clear the failed task and its downstream tasks",
    }
    show(options, known, next_step=next_steps.get(known["state"]))
    if options.max_age is None:
        return 0
    age = age_of_last_publish(database)
    if age is not None and age <= options.max_age:
        return 0
    state = "nothing was ever published" if age is None else f"the last publish is {age} old"
    print(f"{state}; wanted at most {options.max_age}", file=sys.stderr)
    return EXIT_STALE


def _tune(options: argparse.Namespace) -> None:
    """Try the engine's settings on stored documents; write the fastest to a file."""
    from profiles.operations import tune
    from profiles.settings import load_settings

    out = (options.out or tune.DEFAULT_OPTIONS_FILE).absolute()
    limits = {"minutes": options.minutes, "sample": options.sample}
    found = tune.run(open_migrated(options), load_settings(), **limits, out=out)
    show(options, found, next_step=f"set PROFILES_ENGINE_OPTIONS=@{out}, then run a canary")


def _export(options: argparse.Namespace) -> None:
    """Write a run's raw answers (JSONL) and its figures (JSON). They hold personal data."""
    from profiles.operations import export

    database = open_migrated(options)
    written = export.run(database, run_id=options.run, folder=options.out, force=options.force)
    show(options, written._asdict())


def _report(options: argparse.Namespace) -> None:
    """Write a run's figures as an HTML page with plots and as JSON. No personal data in them."""
    from profiles.steps.reports import run_report

    options.json = options.json_file == _STANDARD_OUTPUT
    report = run_report.collect(open_migrated(options), run_id=options.run)
    run_id, html = report["run"]["run_id"], options.html
    json_file = Path(options.json_file) if options.json_file and not options.json else None
    if html is None and options.json_file is None:
        html, json_file = run_report.report_files(run_id)
    run_report.write(report, html=html, json_file=json_file)
    written = {"run_id": run_id, "html": html, "json": json_file}
    show(options, report if options.json else written)


def _number(unit: str, most: float) -> Callable[[str], float]:
    def number(text: str) -> float:
        value = float(text)
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between 0 and {most:g} {unit}")
        return value

    return number


def _duration(text: str) -> timedelta:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([mhd])", text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a duration such as 90m, 26h or 2d")
    unit = {"m": "minutes", "h": "hours", "d": "days"}[match[2]]
    return timedelta(**{unit: float(match[1])})
