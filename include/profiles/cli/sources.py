"""`profiles sample|check`: rows to try the pipeline with; the team's mappings and tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from profiles.cli.output import open_database_of, positive, print_found, print_values


def register(add: Callable[..., Any]) -> None:
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


def _check(options: argparse.Namespace) -> int:
    from profiles.operations import check_mappings

    database = open_database_of(options)
    if options.draft:
        text = check_mappings.draft(database, options.draft)
        print_found(options, {"mapping": text}, [text])
        return 0
    found = check_mappings.check(database)
    next_step = "trigger DAG profile_synthesis, or make night"
    if found.problems:
        next_step = "correct these, then `profiles check` again; nothing was changed"
    print_values(options, asdict(found), next_step=next_step)
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
    print_values(
        options, counts, next_step="`profiles plan` after the next run, or trigger the DAG"
    )
    return 0
