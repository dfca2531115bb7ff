"""`profiles …`: the operator's commands. Each takes `--json` and says what to do next.

Exit codes: 0 done, 1 the command failed (the message says why) or `search check` found somebody
worse, 2 bad usage, `erase` asks first, or `status --max-age` found the last publish too old.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psycopg

from profiles import __version__
from profiles.cli import people, runs
from profiles.cli.shell import adopt, open_database_of, positive, print_error, show
from profiles.errors import ProfilesError

Command = Callable[[argparse.Namespace], int | None]
"""Does what its docstring says and returns the exit code, None for 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    adopt()
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    command: Command = options.command
    try:
        return command(options) or 0
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

    def add(name: str, function: Command, *, has_json: bool = True) -> Any:
        text = " ".join(str(function.__doc__).split())
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(json=False)
        if has_json:
            command.add_argument("--json", action="store_true", help="machine-readable output")
        command.add_argument("-v", "--verbose", action="store_true", help="log every step")
        command.set_defaults(command=function)
        return command

    runs.register(add)
    sample = add("sample", _sample)
    sample.add_argument("--out", type=Path, help="folder to write to")
    sample.add_argument("--people", type=positive, help="with --out: how many (default 24)")
    sample.add_argument("--seed", type=int, default=7, help="same seed, same rows (default 7)")
    load = "load that folder, else the bundled 24 people, into schema src of the database"
    sample.add_argument("--load", action="store_true", help=load)
    emptied = "with --load: empty the source tables first"
    sample.add_argument("--replace", action="store_true", help=emptied)
    check = add("check", _check)
    drafted = "print a first mapping of this table instead"
    check.add_argument("--draft", metavar="TABLE", help=drafted)
    people.register(add)
    add("doctor", _doctor)
    add("migrate", _migrate)
    return parser


def _doctor(options: argparse.Namespace) -> int:
    """Check interpreters, pool, connections, files and models."""
    from profiles.doctor import diagnose

    findings = diagnose()
    if options.json:
        show(options, [finding._asdict() for finding in findings])
    for finding in () if options.json else findings:
        mark = {True: "ok  ", False: "FAIL", None: "-   "}[finding.ok]
        print(f"{mark} {finding.name}: {finding.detail}")
        if finding.ok is False and finding.remedy:
            print(f"     → {finding.remedy}")
    return int(any(finding.ok is False for finding in findings))


def _migrate(options: argparse.Namespace) -> None:
    """Create or upgrade schema synthesis."""
    from profiles.operations import apply_migrations

    applied = apply_migrations.run(open_database_of(options))
    show(options, {"applied": applied})


def _check(options: argparse.Namespace) -> int:
    """Read mappings and source tables as the next run would; exit 1 when a run would stop."""
    from profiles.operations import check_mappings

    database = open_database_of(options)
    if options.draft:
        text = check_mappings.draft(database, options.draft)
        print(json.dumps({"mapping": text}) if options.json else text)
        return 0
    found = check_mappings.check(database)
    next_step = "trigger DAG profile_synthesis, or make night"
    if found.problems:
        next_step = "correct these, then `profiles check` again; nothing was changed"
    show(options, asdict(found), next_step=next_step)
    return 1 if found.problems else 0


def _sample(options: argparse.Namespace) -> int:
    """Write invented source rows, or load them into the database."""
    from sample_data import BUNDLED_SAMPLE, load_sample, write_sample

    if not options.out and (options.people or not options.load):
        reason = "--people needs --out FOLDER" if options.people else "give --out FOLDER or --load"
        print(f"profiles sample: {reason}", file=sys.stderr)
        return 2
    counts: dict[str, Any] = {}
    if options.out:
        counts["written"] = write_sample(
            options.out, people=options.people or 24, seed=options.seed
        )
    if options.load:
        database, folder = open_database_of(options), options.out or BUNDLED_SAMPLE
        counts["loaded"] = load_sample(database, folder, replace=options.replace)
    show(options, counts, next_step="`profiles plan` after the next run, or trigger the DAG")
    return 0
