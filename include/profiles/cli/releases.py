"""`profiles releases|review`: what the night asks under, and what people say of its answers."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, show
from profiles.errors import ReviewError

_NEXT_RUN = "the next run of DAG profile_synthesis plans under it; `profiles plan` shows how much"


def register(add: Callable[..., Any]) -> None:
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


def _releases(options: argparse.Namespace) -> None:
    """Show the active release and pending ones; approve or refuse one. `show` prints profiles of
    the canary."""
    from profiles.errors import ReleaseError
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
