"""`profiles releases|review`: what the night asks under, and what people say of its answers."""

from __future__ import annotations

import argparse
import getpass
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, print_found, print_values
from profiles.errors import ReviewError

_NEXT_RUN = "the next run of DAG profile_synthesis plans under it; `profiles plan` shows how much"


def register(add: Callable[..., Any]) -> None:
    releases = add(
        "releases",
        _releases,
        "Show the active release and pending ones; approve or refuse one. `show` prints "
        "profiles of the canary.",
    )
    releases.add_argument(
        "action",
        nargs="?",
        choices=("list", "show", "approve", "refuse"),
        default="list",
        help="what to do (default list)",
    )
    releases.add_argument("release", nargs="?", metavar="ID", help="or its first digits")
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


def _releases(options: argparse.Namespace) -> int:
    from profiles.errors import ReleaseError
    from profiles.operations import release_approval

    database = open_migrated(options)
    if options.action == "list":
        releases = release_approval.overview(database)
        print_found(options, releases, _list_lines(releases))
        return 0
    if not options.release:
        raise ReleaseError(f"`profiles releases {options.action}` needs the ID of a release")
    if options.action == "show":
        shown = release_approval.show(database, release=options.release)
        print_found(options, shown, _lines_of(shown))
        return 0
    act = release_approval.approve if options.action == "approve" else release_approval.refuse
    release_id = act(database, release=options.release, by=getpass.getuser())
    print_values(
        options,
        {"release_id": release_id, "state": f"{options.action}d"},
        next_step=_NEXT_RUN if options.action == "approve" else "put the old files back",
    )
    return 0


def _list_lines(releases: list[dict[str, Any]]) -> Iterator[str]:
    for release in releases:
        decided = f"; {str(release['decided_at'])[:16]} by {release['decided_by']}"
        yield (
            f"{release['release']}  {release['state']:<10}  {release['model']}, "
            f"{release['engine_profile']}{decided if release['decided_at'] else ''}"
            + (f"; other {', '.join(release['differs_in'])}" if release["differs_in"] else "")
        )
    waiting = [r["release"] for r in releases if r["state"] in ("proposed", "canary")]
    if not releases:
        yield "none yet; the first run of DAG profile_synthesis approves its own"
    elif waiting:
        yield f"next: DAG release_approval runs {waiting[0]} on a sample, then waits for you"


def _lines_of(shown: dict[str, Any]) -> Iterator[str]:
    canary = shown.pop("canary")
    for name, value in shown.items():
        yield f"{name:<14}  {', '.join(value) if isinstance(value, list) else value or '-'}"
    if canary is None:
        yield "no canary yet; trigger DAG release_approval"
        return
    yield (
        f"canary of {canary['documents']} documents: {canary['better']} better, "
        f"{canary['worse']} worse"
    )
    for side in ("old", "new"):
        yield f"  {side}  {json.dumps(canary[side])}"
    for candidate in canary["candidates"]:
        yield f"candidate {candidate['candidate_id']}"
        for side in ("old", "new"):
            yield from _side_lines(side, candidate[side])


def _side_lines(side: str, answer: dict[str, Any] | None) -> Iterator[str]:
    if answer is None:
        yield f"  {side}  no answer"
        return
    failed = ", ".join(answer["failed_checks"])
    yield (
        f"  {side}  {answer['outcome']}"
        + (f", {answer['reason']}" if answer["reason"] else "")
        + f", {answer['words']} words, {answer['skills']} skills"
        + (f"; failed: {failed}" if failed else "")
    )
    yield f"       {answer['summary'] or '-'}"
    yield f"       {', '.join(answer['skill_names'] or []) or '-'}"


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
                f"{row['model']} {row['criterion']}": _score_line(row) for row in found["shown"]
            }
        print_values(options, found, next_step=None)
    return 0


def _score_line(row: dict[str, Any]) -> str:
    if row["mean_score"] is None:
        return f"{row['scored']} of {row['asked']} scored; {row['status']}"
    return (
        f"mean {row['mean_score']} of {row['scored']}; agreement with {row['labels']}: kappa "
        f"{row['kappa']}, AUC {row['auc']}, {row['cases']} cases"
    )
