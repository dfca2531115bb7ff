"""`profiles review`: a sheet for people, its labels, and what gate and judge make of them."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any

from profiles.cli.output import open_migrated, positive, print_values
from profiles.errors import ReviewError


def register(add: Callable[..., Any]) -> None:
    review = add(
        "review",
        _review,
        "Have people judge a sample of a run: export RUN, import FILE, agreement [RUN]. Sheets "
        "hold personal data.",
    )
    review.add_argument(
        "action", choices=("export", "import", "agreement"), help="sheet out, sheet in, or figures"
    )
    review.add_argument("target", nargs="?", metavar="RUN|FILE", help="run id, `latest`, or sheet")
    review.add_argument("--n", type=positive, default=50, help="answers of a sheet (default 50)")
    review.add_argument("--seed", type=int, default=7, help="same seed, same answers (default 7)")
    review.add_argument("--csv", type=Path, help="sheet to write (default review.csv)")
    review.add_argument("--force", action="store_true", help="overwrite a sheet")
    review.add_argument("--reviewer", help="who filled the sheet (default: the system's user)")


def _review(options: argparse.Namespace) -> int:
    from profiles.operations import review

    if options.action != "agreement" and not options.target:
        wanted = "RUN, or `latest`" if options.action == "export" else "the FILE of a sheet"
        raise ReviewError(f"`profiles review {options.action}` needs {wanted}")
    database = open_migrated(options)
    if options.action == "export":
        path = (options.csv or Path("review.csv")).absolute()
        written = review.export(
            database,
            run_id=options.target,
            size=options.n,
            seed=options.seed,
            path=path,
            force=options.force,
        )
        print_values(
            options,
            written,
            next_step="fill faithful, complete and useful with yes or no, then "
            f"`profiles review import {path}`",
        )
    elif options.action == "import":
        reviewer = options.reviewer or getpass.getuser()
        counts = review.import_sheet(database, path=Path(options.target), reviewer=reviewer)
        print_values(
            options,
            {**counts, "reviewer": reviewer},
            next_step="`profiles review agreement`; then delete the sheet",
        )
    else:
        found = review.agreement(database, run_id=options.target)
        if not options.json:
            found["shown"] = {
                f"{row['model']} {row['criterion']}": _line(row) for row in found["shown"]
            }
        print_values(options, found, next_step=None)
    return 0


def _line(row: dict[str, Any]) -> str:
    if row["mean_score"] is None:
        return f"{row['scored']} of {row['asked']} scored; {row['status']}"
    return (
        f"mean {row['mean_score']} of {row['scored']}; agreement with {row['labels']}: kappa "
        f"{row['kappa']}, AUC {row['auc']}, {row['cases']} cases"
    )
