"""`profiles erase|retention|retry`: what a person asks of stored people, texts and refusals."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, print_error, show
from profiles.models import RejectionReason

EXIT_ASKS = 2

_NEXT = (
    "delete the rows named under source_rows from the source tables, which the pipeline only reads "
    "and so cannot; files of `profiles export`, copies of the serving table and backups are yours "
    "to clean too (docs/privacy.md)"
)


def register(add: Callable[..., Any]) -> None:
    erase = add("erase", _erase)
    who = "or a LinkedIn URL, or SOURCE:KEY of an unassigned row"
    erase.add_argument("whom", metavar="CANDIDATE|E-MAIL", help=who)
    erase.add_argument("--yes", action="store_true", help="erase without confirmation")
    tombstones = add("tombstones", _tombstones)
    act = "write FILE, or erase the people in it again"
    tombstones.add_argument("action", choices=["export", "apply"], help=act)
    tombstones.add_argument("file", type=Path, help="the copy of the tombstones")
    add("retention", _retention)
    retry = add("retry", _retry)
    codes = list(map(str, RejectionReason))
    reasons = "only documents rejected for this reason; the run report lists reasons"
    retry.add_argument("--reason", choices=codes, metavar="REASON", help=reasons)
    retry.add_argument("--candidate", type=positive, help="only this person")
    retry.add_argument("--run", help="only documents rejected in this run")


def _erase(options: argparse.Namespace) -> int:
    """Remove a person from everything the pipeline made, and keep the person out."""
    from profiles import erase
    from profiles.erase import erase_row
    from profiles.errors import ErasureError
    from profiles.operations.explain import owners
    from profiles.storage.mappings import load_mappings
    from profiles.storage.tombstones import erasure_keys

    # Before anybody is looked for: what is missing is the same for all.
    erasure_keys()
    database = open_migrated(options)
    source, colon, key = options.whom.partition(":")
    if colon and source in load_mappings():
        show(options, erase_row(database, source, key), next_step=_NEXT)
        return 0
    ids = owners(database, options.whom)
    if len(ids) > 1:
        shown = ", ".join(map(str, ids))
        error = ErasureError(
            f"{len(ids)} people have this key: candidates {shown}. Nothing was erased; check each "
            "with `profiles explain ID`, then run `profiles erase ID`"
        )
        print_error(options, error, str(error))
        return EXIT_ASKS
    if not options.yes and not _agreed(options, erase.preview(database, ids[0])):
        return EXIT_ASKS
    show(options, erase.erase(database, ids[0], asked_by=getpass.getuser()), next_step=_NEXT)
    return 0


def _tombstones(options: argparse.Namespace) -> None:
    """Copy what keeps erased people out to a file, or apply one to a restored database."""
    from profiles.erase import apply
    from profiles.storage.tombstones import export_tombstones

    database = open_migrated(options)
    if options.action == "export":
        done = {"tombstones": export_tombstones(database, options.file)}
    else:
        done = apply(database, options.file, asked_by=getpass.getuser())
    show(options, done)


def _retention(options: argparse.Namespace) -> None:
    """Drop raw answers and what old runs left, as every night does after publishing."""
    from profiles.settings import load_settings
    from profiles.steps.retention import drop_old

    show(options, drop_old(open_migrated(options), load_settings()))


def _retry(options: argparse.Namespace) -> None:
    """Let the next run retry rejected documents."""
    from profiles.operations.candidate_actions import retry

    ids = [options.candidate] if options.candidate else ()
    database = open_migrated(options)
    opened = retry(database, reason=options.reason, candidate_ids=ids, run_id=options.run)
    next_step = "no rejected document matches; `profiles status` lists the reasons of the last run"
    if opened:
        next_step = "the next run retries them; `profiles plan` lists them"
    show(options, {"opened": sum(opened.values()), "reasons": opened}, next_step=next_step)


def _agreed(options: argparse.Namespace, found: dict[str, Any]) -> bool:
    """Ask the person at the terminal for confirmation; without a terminal there is none."""
    values = {**found, "erased": False}
    values["rows_to_remove"] = values.pop("rows_removed")
    show(options, values, next_step="nothing is erased yet; repeat with --yes to erase")
    if options.json or not sys.stdin.isatty():
        return False
    question = f"Erase candidate {found['candidate_ids'][0]}? This cannot be undone. [yes/no] "
    return input(question) == "yes"
