"""`profiles releases`: what the night asks under, what waits, and both side by side."""

from __future__ import annotations

import argparse
import getpass
import json
from collections.abc import Callable, Iterator
from typing import Any

from profiles.cli.output import open_migrated, print_found, print_values

_NEXT_RUN = "the next run of DAG profile_synthesis plans under it; `profiles plan` says how much"


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
        yield f"next: DAG release_approval asks {waiting[0]} about a sample, then you"


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
