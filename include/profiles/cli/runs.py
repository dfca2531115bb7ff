"""Commands about runs: plan, status, figures and settings, releases, reviews of answers."""

from __future__ import annotations

import argparse
import getpass
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, show
from profiles.errors import ReleaseError, ReviewError
from profiles.params import DEFAULT_WINDOW_HOURS, MAX_WINDOW_HOURS, RunParams

EXIT_STALE = 2
_STANDARD_OUTPUT = "-"
_NEXT_RUN = "the next run of DAG profile_synthesis plans under it; `profiles plan` shows how much"


def register(add: Callable[..., Any]) -> None:
    plan = add("plan", _plan)
    plan.add_argument("--limit", type=positive, help="as if Param `limit` were this")
    plan.add_argument("--force", action="store_true", help="as if everything were stale")
    plan.add_argument(
        "--candidate", type=positive, action="append", default=[], dest="candidates", metavar="ID",
        help="only this person; repeatable",
    )  # fmt: skip
    hours = _number("hours", MAX_WINDOW_HOURS)
    window = "time limit of the lanes (default %(default)s)"
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

    releases = add("releases", _releases)
    releases.add_argument(
        "action", nargs="?", choices=("list", "show", "approve", "refuse"), default="list",
        help="what to do (default list)",
    )  # fmt: skip
    releases.add_argument("release", nargs="?", metavar="ID", help="or its first digits")
    review = add("review", _review)
    review.add_argument(
        "action", choices=("export", "import", "agreement"), help="sheet out, sheet in, or figures"
    )
    review.add_argument("target", nargs="?", metavar="RUN|FILE", help="run id, `latest`, or sheet")
    review.add_argument("--n", type=positive, default=50, help="answers of a sheet (default 50)")
    review.add_argument("--seed", type=int, default=7, help="same seed, same answers (default 7)")
    sheet = "sheet to write (default review.csv)"
    review.add_argument("--csv", type=Path, default=Path("review.csv"), help=sheet)
    review.add_argument("--force", action="store_true", help="overwrite a sheet")
    review.add_argument("--reviewer", help="who filled the sheet (default: the system's user)")


def _plan(options: argparse.Namespace) -> None:
    """Which documents are stale and why; tokens and hours. Writes nothing."""
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


def _releases(options: argparse.Namespace) -> None:
    """Show the active release and pending ones; approve or refuse one. `show` prints profiles of
    the canary."""
    from profiles.operations import release_approval

    database = open_migrated(options)
    if options.action == "list":
        releases = release_approval.overview(database)
        waiting = [r["release"] for r in releases if r["state"] in ("proposed", "canary")]
        ask = "DAG release_approval runs {} on a sample, then waits for you"
        show(options, releases, next_step=ask.format(waiting[0]) if waiting else None)
        return
    if not options.release:
        raise ReleaseError(f"`profiles releases {options.action}` needs the ID of a release")
    if options.action == "show":
        show(options, release_approval.show(database, release=options.release))
        return
    act = release_approval.approve if options.action == "approve" else release_approval.refuse
    release_id = act(database, release=options.release, by=getpass.getuser())
    show(
        options,
        {"release_id": release_id, "state": f"{options.action}d"},
        next_step=_NEXT_RUN if options.action == "approve" else "put the old files back",
    )


def _review(options: argparse.Namespace) -> None:
    """Have people judge a sample of a run: export RUN, import FILE, agreement [RUN]. Sheets hold
    personal data."""
    from profiles.operations import review

    if options.action != "agreement" and not options.target:
        wanted = "RUN, or `latest`" if options.action == "export" else "the FILE of a sheet"
        raise ReviewError(f"`profiles review {options.action}` needs {wanted}")
    database = open_migrated(options)
    if options.action == "export":
        path = options.csv.absolute()
        sheet = {"size": options.n, "seed": options.seed, "path": path, "force": options.force}
        written = review.export(database, run_id=options.target, **sheet)
        fill = "fill faithful, complete and useful with yes or no, then `profiles review import {}`"
        show(options, written, next_step=fill.format(path))
    elif options.action == "import":
        reviewer = options.reviewer or getpass.getuser()
        counts = review.import_sheet(database, path=Path(options.target), reviewer=reviewer)
        then = "`profiles review agreement`; then delete the sheet"
        show(options, {**counts, "reviewer": reviewer}, next_step=then)
    else:
        show(options, review.agreement(database, run_id=options.target))
