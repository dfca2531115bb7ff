"""`profiles explain|merge|split|decisions|search`: who is who, and whom a search finds."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, show

_NEXT = "the next run applies it in resolve_identities, then renders and publishes"


def register(add: Callable[..., Any]) -> None:
    explain = add("explain", _explain)
    explain.add_argument("candidate", help="candidate id, e-mail address or LinkedIn URL")

    merge = add("merge", _merge)
    merge.add_argument("left", type=positive, metavar="CANDIDATE", help="candidate id")
    merge.add_argument("right", type=positive, metavar="OTHER", help="candidate id")
    merge.add_argument("--note", default="", help="reason, kept with the decision")

    split = add("split", _split)
    split.add_argument("candidate", type=positive, metavar="CANDIDATE", help="candidate id")
    leave = "rows that leave and stay together; the others stay"
    split.add_argument("rows", type=_row, nargs="+", metavar="SOURCE:KEY", help=leave)
    split.add_argument("--note", default="", help="reason, kept with the decision")

    decisions = add("decisions", _decisions)
    decisions.add_argument(
        "--undo", type=positive, metavar="DECISION", help="number of the decision to revoke"
    )

    search = add("search", _search)
    search.add_argument("action", choices=("find", "check"), help="what to do")
    search.add_argument("target", metavar="QUERY|FILE", help="a query, or a check file")
    search.add_argument(
        "--skill", action="append", default=[], dest="skills", metavar="NAME",
        help="find: required skill; repeatable",
    )  # fmt: skip
    search.add_argument(
        "--domain", action="append", default=[], dest="domains", metavar="NAME",
        help="find: one of these domains; repeatable",
    )  # fmt: skip
    search.add_argument("--k", type=positive, default=20, help="find: people (default 20)")
    search.add_argument(
        "--release", metavar="ID", help="check: compare the answers of this release with now"
    )


def _explain(options: argparse.Namespace) -> None:
    """Show why rows are one person, and which source won each field."""
    from profiles.operations.explain import explain, find

    database = open_migrated(options)
    show(options, explain(database, find(database, options.candidate)))


def _merge(options: argparse.Namespace) -> None:
    """Decide that two candidates are one person."""
    from profiles.operations import candidate_actions

    _decided(options, candidate_actions.merge, options.left, options.right)


def _split(options: argparse.Namespace) -> None:
    """Decide that rows of a candidate are another person's."""
    from profiles.operations import candidate_actions

    _decided(options, candidate_actions.split, options.candidate, options.rows)


def _decided(options: argparse.Namespace, decide: Callable[..., int], *whom: object) -> None:
    database = open_migrated(options)
    decision_id = decide(database, *whom, decided_by=getpass.getuser(), note=options.note)
    next_step = f"{_NEXT}; `profiles decisions --undo {decision_id}` takes it back"
    show(options, {"decision_id": decision_id}, next_step=next_step)


def _decisions(options: argparse.Namespace) -> None:
    """List decisions about identity, or revoke one."""
    from profiles.operations import candidate_actions
    from profiles.storage.identities import decisions

    database = open_migrated(options)
    if options.undo is not None:
        candidate_actions.undo(database, options.undo, revoked_by=getpass.getuser())
        show(options, {"revoked": options.undo}, next_step=_NEXT)
    else:
        with database.connect() as connection:
            show(options, decisions(connection))


def _row(text: str) -> tuple[str, str]:
    source, colon, source_key = text.partition(":")
    if not (source and colon and source_key):
        raise argparse.ArgumentTypeError(f"{text!r} is not SOURCE:KEY, for example linkedin:4711")
    return source, source_key


def _search(options: argparse.Namespace) -> int:
    """Find people (find QUERY), or check where saved queries find the people they should (check
    FILE): exit 1 when one is found worse than before, or not at all. Prints names."""
    from profiles.operations import search
    from profiles.storage.releases import find_release

    database = open_migrated(options)
    if options.action == "find":
        filters = {"skills": options.skills, "domains": options.domains, "k": options.k}
        show(options, search.find(database, options.target, **filters))
        return 0
    path = Path(options.target)
    if options.release:
        queries = search.load_queries(path)
        with database.connect() as connection:
            release = find_release(connection, options.release)
            results = search.compare_release(connection, queries, release.release_id)
    else:
        results = search.check(database, path)
    show(options, [{**asdict(result), "verdict": result.verdict} for result in results])
    return int(any(result.verdict in ("worse", "missing") for result in results))
