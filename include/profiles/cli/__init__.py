"""`profiles …`: the operator's commands. Each takes `--json` and says what to do next.

Exit codes: 0 done, 1 the command failed (the message says why) or `search check` found somebody
worse, 2 bad usage, `erase` asks first, or `status --max-age` found the last publish too old.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from profiles import __version__
from profiles.cli import (
    clone_environment,
    erasure,
    identity,
    releases,
    reporting,
    review,
    search,
    sources,
)
from profiles.cli.output import (
    open_database_of,
    open_migrated,
    positive,
    print_error,
    print_found,
    print_values,
)
from profiles.errors import ProfilesError
from profiles.params import DEFAULT_WINDOW_HOURS, MAX_WINDOW_HOURS

if TYPE_CHECKING:
    from profiles.doctor import Finding

EXIT_STALE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    clone_environment.adopt()
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ProfilesError as error:
        print_error(options, error, str(error))
    except psycopg.Error as error:
        # The first line alone: the others may quote a row.
        reason = (str(error).splitlines() or ["no reason given"])[0]
        print_error(options, error, f"Postgres failed: {reason}; run `profiles doctor`")
    return 1


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="profiles", description="Candidate profiles: messy rows in, search-ready text out."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(
        name: str,
        function: Callable[[argparse.Namespace], int],
        text: str,
        *,
        has_json: bool = True,
    ) -> Any:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(json=False)
        if has_json:
            command.add_argument("--json", action="store_true", help="machine-readable output")
        command.add_argument("-v", "--verbose", action="store_true", help="log every step")
        command.set_defaults(command=function)
        return command

    plan = add(
        "plan", _plan, "Which documents are stale and why; tokens and hours. Writes nothing."
    )
    plan.add_argument("--limit", type=positive, help="as if Param `limit` were this")
    plan.add_argument("--force", action="store_true", help="as if everything were stale")
    plan.add_argument(
        "--candidate",
        type=positive,
        action="append",
        default=[],
        dest="candidates",
        metavar="ID",
        help="only this person; repeatable",
    )
    plan.add_argument(
        "--window-hours",
        type=_number("hours", MAX_WINDOW_HOURS),
        default=DEFAULT_WINDOW_HOURS,
        help="time limit of the lanes (default %(default)s)",
    )

    status = add(
        "status", _status, "Show the last run: buckets, model calls, published rows, seconds."
    )
    status.add_argument(
        "--max-age",
        type=_duration,
        help=f"exit {EXIT_STALE} when the last publish is older, for example 26h",
    )

    tune = add(
        "tune", _tune, "Try the engine's settings on stored documents; write the fastest to a file."
    )
    tune.add_argument(
        "--minutes",
        type=_number("minutes", MAX_WINDOW_HOURS * 60),
        default=15,
        help="approximate duration (default 15)",
    )
    tune.add_argument(
        "--sample",
        type=positive,
        default=500,
        help="documents, at least twice the running requests (default 500)",
    )
    tune.add_argument("--out", type=Path, help="file (default .profiles/engine_options.json)")

    export = add(
        "export",
        _export,
        "Write a run's raw answers (JSONL) and its figures (JSON). They hold personal data.",
    )
    export.add_argument("run", metavar="RUN", help="run id, or `latest`")
    export.add_argument("--out", type=Path, help="folder (default .profiles/exports/RUN)")
    export.add_argument("--force", action="store_true", help="overwrite files of the same name")

    sources.register(add)
    reporting.register(add)
    identity.register(add)
    releases.register(add)
    review.register(add)
    search.register(add)
    erasure.register(add)
    add("doctor", _doctor, "Check interpreters, pool, connections, files and models.")
    add("migrate", _migrate, "Create or upgrade schema synthesis.")
    return parser


def _plan(options: argparse.Namespace) -> int:
    from profiles.costs import HostedCost
    from profiles.params import RunParams
    from profiles.steps import plan_synthesis

    params = RunParams(
        limit=options.limit,
        force=options.force,
        candidate_ids=tuple(options.candidates),
        window_hours=options.window_hours,
    )
    database = open_migrated(options)
    preview = plan_synthesis.preview(database, params=params)
    if not options.json:
        bills = preview["cost"]["hosted"]
        preview["cost"]["hosted"] = {name: HostedCost(**bill).line for name, bill in bills.items()}
    print_values(options, preview, next_step="trigger DAG profile_synthesis to run it")
    return 0


def _status(options: argparse.Namespace) -> int:
    from profiles.operations.status import age_of_last_publish, last_run

    database = open_migrated(options)
    run = last_run(database)
    next_step = None
    if run is None:
        next_step = "trigger DAG profile_synthesis"
    elif run.state == "failed":
        next_step = "fix the error, then clear the failed task and its downstream tasks"
    known = run.to_mapping() if run else {"run_id": None, "state": "never"}
    print_values(options, known, next_step=next_step)
    if options.max_age is None:
        return 0
    age = age_of_last_publish(database)
    if age is not None and age <= options.max_age:
        return 0
    state = "nothing was ever published" if age is None else f"the last publish is {age} old"
    print(f"{state}; wanted at most {options.max_age}", file=sys.stderr)
    return EXIT_STALE


def _tune(options: argparse.Namespace) -> int:
    from profiles.operations import tune
    from profiles.settings import load_settings

    database = open_migrated(options)
    out = (options.out or tune.DEFAULT_OPTIONS_FILE).absolute()
    found = tune.run(
        database, load_settings(), minutes=options.minutes, sample=options.sample, out=out
    )
    if not options.json:
        for trial in found.pop("trials"):
            result = trial["error"] or f"{trial['output_tokens_per_second']:.0f} tokens/s"
            mark = "kept" if trial["kept"] else "    "
            print(f"{mark} {json.dumps(trial['changed'])}: {result}")
    print_values(options, found, next_step=f"set PROFILES_ENGINE_OPTIONS=@{out}, then run a canary")
    return 0


def _export(options: argparse.Namespace) -> int:
    from profiles.operations import export

    database = open_migrated(options)
    written = export.run(database, run_id=options.run, folder=options.out, force=options.force)
    print_values(options, asdict(written), next_step=None)
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from profiles.doctor import diagnose

    findings = diagnose()
    failed = [finding for finding in findings if finding.ok is False]
    print_found(
        options, [finding._asdict() for finding in findings], chain(*map(_finding_lines, findings))
    )
    return 1 if failed else 0


def _finding_lines(finding: Finding) -> Iterator[str]:
    mark = {True: "ok  ", False: "FAIL", None: "-   "}[finding.ok]
    yield f"{mark} {finding.name}: {finding.detail}"
    if finding.ok is False and finding.remedy:
        yield f"     → {finding.remedy}"


def _migrate(options: argparse.Namespace) -> int:
    from profiles.operations import apply_migrations

    applied = apply_migrations.run(open_database_of(options))
    print_values(options, {"applied": applied}, next_step=None)
    return 0


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
