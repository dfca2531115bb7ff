"""Commands about people: identity, search, erasure, retries of their documents, old rows."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from profiles.cli.shell import open_migrated, positive, print_error, show
from profiles.errors import ErasureError
from profiles.models import RejectionReason

EXIT_ASKS = 2

_NEXT = "the next run applies it in resolve_identities, then renders and publishes"
_ERASED = (
    "delete the rows named under source_rows from the source tables, which the pipeline only reads "
    "and so cannot; files of `profiles export`, copies of the serving table and backups are yours "
    "to clean too (docs/privacy.md)"
)


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
    for kind, wanted in (("skill", "required skill"), ("domain", "one of these domains")):
        search.add_argument(
            f"--{kind}", action="append", default=[], dest=f"{kind}s", metavar="NAME",
            help=f"find: {wanted}; repeatable",
        )  # fmt: skip
    search.add_argument("--k", type=positive, default=20, help="find: people (default 20)")
    search.add_argument(
        "--release", metavar="ID", help="check: compare the answers of this release with now"
    )

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
    from profiles.storage.sql_files import records

    database = open_migrated(options)
    if options.undo is not None:
        candidate_actions.undo(database, options.undo, revoked_by=getpass.getuser())
        show(options, {"revoked": options.undo}, next_step=_NEXT)
    else:
        with database.connect() as connection:
            show(options, records(connection, "decisions/select_decisions", candidate_id=None))


def _row(text: str) -> tuple[str, str]:
    source, colon, source_key = text.partition(":")
    if not (source and colon and source_key):
        raise argparse.ArgumentTypeError(f"{text!r} is not SOURCE:KEY, for example linkedin:4711")
    return source, source_key


def _search(options: argparse.Namespace) -> int:
    """Find people (find QUERY), or check where saved queries find the people they should (check
    FILE): exit 1 when one is found worse than before, or not at all. Prints names."""
    from profiles.operations import search

    database = open_migrated(options)
    if options.action == "find":
        filters = {"skills": options.skills, "domains": options.domains, "k": options.k}
        show(options, search.find(database, options.target, **filters))
        return 0
    path = Path(options.target)
    if options.release:
        results = search.compare_release(database, path, options.release)
    else:
        results = search.check(database, path)
    show(options, [{**asdict(result), "verdict": result.verdict} for result in results])
    return int(any(result.verdict in ("worse", "missing") for result in results))


def _erase(options: argparse.Namespace) -> int:
    """Remove a person from everything the pipeline made, and keep the person out."""
    from profiles import erase
    from profiles.operations.explain import owners
    from profiles.storage.mappings import load_mappings
    from profiles.storage.tombstones import erasure_keys

    # Before anybody is looked for: what is missing is the same for all.
    erasure_keys()
    database = open_migrated(options)
    source, colon, key = options.whom.partition(":")
    if colon and source in load_mappings():
        show(options, erase.erase_row(database, source, key), next_step=_ERASED)
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
    show(options, erase.erase(database, ids[0], asked_by=getpass.getuser()), next_step=_ERASED)
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
