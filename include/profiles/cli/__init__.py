"""`profiles …`: the operator's commands. Each takes `--json` and says what to do next.

Exit codes: 0 done, 1 the command failed (the message says why) or `search check` found somebody
worse, 2 bad usage, `erase` asks first, or `status --max-age` found the last publish too old.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from profiles import __version__
from profiles.cli import erasure, people, releases, runs
from profiles.cli.shell import adopt, open_database_of, positive, print_error, show
from profiles.errors import ProfilesError

if TYPE_CHECKING:
    from profiles.doctor import Finding


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    adopt()
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    command: Callable[[argparse.Namespace], int | None] = options.command
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

    def add(
        name: str,
        function: Callable[[argparse.Namespace], int | None],
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

    runs.register(add)
    sample = add("sample", _sample, "Write invented source rows, or load them into the database.")
    sample.add_argument("--people", type=positive, help="how many (default: the bundled 24)")
    sample.add_argument("--seed", type=int, default=7, help="same seed, same rows (default 7)")
    sample.add_argument("--start", type=int, default=0, help="index of the first person")
    sample.add_argument("--format", choices=("copy", "jsonl"), default="copy", help="of the files")
    sample.add_argument("--truth", type=int, default=0, help="write this many true profiles too")
    sample.add_argument("--out", type=Path, help="folder to write to")
    sample.add_argument("--load", action="store_true", help="load into schema src of the database")
    sample.add_argument(
        "--replace", action="store_true", help="with --load: empty the source tables first"
    )
    check = add(
        "check",
        _check,
        "Read mappings and source tables as the next run would; exit 1 when a run would stop.",
    )
    check.add_argument(
        "--draft", metavar="TABLE", help="print a first mapping of this table instead"
    )
    people.register(add)
    releases.register(add)
    erasure.register(add)
    add("doctor", _doctor, "Check interpreters, pool, connections, files and models.")
    add("migrate", _migrate, "Create or upgrade schema synthesis.")
    return parser


def _doctor(options: argparse.Namespace) -> int:
    from profiles.doctor import diagnose

    findings = diagnose()
    failed = [finding for finding in findings if finding.ok is False]
    if options.json:
        show(options, [finding._asdict() for finding in findings])
    else:
        print("\n".join(chain.from_iterable(map(_finding_lines, findings))))
    return 1 if failed else 0


def _finding_lines(finding: Finding) -> Iterator[str]:
    mark = {True: "ok  ", False: "FAIL", None: "-   "}[finding.ok]
    yield f"{mark} {finding.name}: {finding.detail}"
    if finding.ok is False and finding.remedy:
        yield f"     → {finding.remedy}"


def _migrate(options: argparse.Namespace) -> None:
    from profiles.operations import apply_migrations

    applied = apply_migrations.run(open_database_of(options))
    show(options, {"applied": applied})


def _check(options: argparse.Namespace) -> int:
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
    from sample_data import BUNDLED_SAMPLE, load_sample, write_sample

    if not options.out and not options.load:
        print("profiles sample: give --out FOLDER, --load, or both", file=sys.stderr)
        return 2
    folder = options.out or BUNDLED_SAMPLE
    counts: dict[str, Any] = {}
    if options.people or options.out:
        if not options.out:
            print("profiles sample: --people needs --out FOLDER to write to", file=sys.stderr)
            return 2
        counts["written"] = write_sample(
            options.out,
            people=options.people or 24,
            seed=options.seed,
            start=options.start,
            format=options.format,
            truth=options.truth,
        )
    if options.load:
        counts["loaded"] = load_sample(
            open_database_of(options), folder=folder, replace=options.replace
        )
    show(options, counts, next_step="`profiles plan` after the next run, or trigger the DAG")
    return 0
