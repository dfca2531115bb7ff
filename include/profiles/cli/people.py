"""`profiles explain|merge|split|decisions|search`: who is who, and whom a search finds."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from profiles.cli.shell import open_migrated, positive, print_found, print_values

if TYPE_CHECKING:
    from profiles.operations.search import QueryResult

_NEXT = "the next run applies it in resolve_identities, then renders and publishes"
_MAX_ROWS_SHOWN = 3


def register(add: Callable[..., Any]) -> None:
    explain = add(
        "explain", _explain, "Show why rows are one person, and which source won each field."
    )
    explain.add_argument("candidate", help="candidate id, e-mail address or LinkedIn URL")

    merge = add("merge", _merge, "Decide that two candidates are one person.")
    merge.add_argument("left", type=positive, metavar="CANDIDATE", help="candidate id")
    merge.add_argument("right", type=positive, metavar="OTHER", help="candidate id")
    merge.add_argument("--note", default="", help="reason, kept with the decision")

    split = add("split", _split, "Decide that rows of a candidate are another person's.")
    split.add_argument("candidate", type=positive, metavar="CANDIDATE", help="candidate id")
    split.add_argument(
        "rows",
        type=_row,
        nargs="+",
        metavar="SOURCE:KEY",
        help="rows that leave and stay together; the others stay",
    )
    split.add_argument("--note", default="", help="reason, kept with the decision")

    decisions = add("decisions", _decisions, "List decisions about identity, or revoke one.")
    decisions.add_argument(
        "--undo", type=positive, metavar="DECISION", help="number of the decision to revoke"
    )

    search = add(
        "search",
        _search,
        "Find people (find QUERY), or check where saved queries find the people they should "
        "(check FILE): exit 1 when one is found worse than before, or not at all. Prints names.",
    )
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


def _explain(options: argparse.Namespace) -> int:
    from profiles.operations.explain import explain, find

    database = open_migrated(options)
    found = explain(database, find(database, options.candidate))
    print_found(options, found, _explanation(found))
    return 0


def _merge(options: argparse.Namespace) -> int:
    from profiles.operations import candidate_actions

    return _decided(options, candidate_actions.merge, options.left, options.right)


def _split(options: argparse.Namespace) -> int:
    from profiles.operations import candidate_actions

    return _decided(options, candidate_actions.split, options.candidate, options.rows)


def _decided(options: argparse.Namespace, decide: Callable[..., int], *whom: object) -> int:
    database = open_migrated(options)
    decision_id = decide(database, *whom, decided_by=getpass.getuser(), note=options.note)
    next_step = f"{_NEXT}; `profiles decisions --undo {decision_id}` takes it back"
    print_values(options, {"decision_id": decision_id}, next_step=next_step)
    return 0


def _decisions(options: argparse.Namespace) -> int:
    from profiles.operations import candidate_actions

    database = open_migrated(options)
    if options.undo is not None:
        candidate_actions.undo(database, options.undo, revoked_by=getpass.getuser())
        print_values(options, {"revoked": options.undo}, next_step=_NEXT)
        return 0
    found = candidate_actions.listing(database)
    print_found(options, found, list(map(_decision, found)) or ["nobody has decided anything"])
    return 0


def _explanation(found: dict[str, Any]) -> Iterator[str]:
    if found["asked_id"] != found["candidate_id"]:
        yield f"candidate {found['asked_id']} was merged into {found['candidate_id']}"
    yield f"candidate {found['candidate_id']}, since {found['created_at']:%Y-%m-%d}"
    if found["retired_at"]:
        yield f"  retired {found['retired_at']:%Y-%m-%d}: no source row is left"
    if found["absorbed"]:
        yield f"  also answers for {', '.join(map(str, found['absorbed']))}"
    more = found["near_left_out"]
    near = [*map(_pair, found["near"]), *([f"  and {more} more"] if more else ())]
    pairs = f"accepted pairs ({len(found['pairs'])}), from {found['accept_score']:g}"
    for title, lines in {
        f"rows ({len(found['rows'])})": chain.from_iterable(map(_row_lines, found["rows"])),
        pairs: map(_pair, found["pairs"]),
        "other people who share a key": near,
        "decisions": (f"  {_decision(one)}" for one in found["decisions"]),
        "history": map(_event, found["history"]),
        "fields": chain.from_iterable(map(_field_lines, found["fields"])),
        "text to a reader, left out": map(_reader_text, found["reader_text"]),
    }.items():
        if body := list(lines):
            yield title
            yield from body
    if found["answer"]:
        yield from _answer_lines(found["answer"])


def _row_lines(row: dict[str, Any]) -> Iterator[str]:
    seen = f", seen {row['observed_at']:%Y-%m-%d}" if row["observed_at"] else ""
    own = f", was candidate {row['own_id']}" if row["own_id"] else ""
    yield f"  {row['source']}:{row['source_key']} by {row['rule']}{seen}{own}"
    for key in row["keys"]:
        why = f"  (quarantined: too many {key['quarantined']})" if key["quarantined"] else ""
        yield f"    {key['kind']} {key['value']}{why}"


def _event(event: dict[str, Any]) -> str:
    other = f" {event['other_id']}" if event["other_id"] else ""
    what = f"{event['kind']} {event['candidate_id']}{other}{_moved(event['detail'])}"
    return f"  {event['happened_at']:%Y-%m-%d} {what}"


def _field_lines(choice: dict[str, Any]) -> Iterator[str]:
    yield f"  {choice['field']}: {_claim(choice)}, {choice['reason']}"
    yield from (f"    not {_claim(loser)}" for loser in choice["losers"])
    if choice["more"]:
        yield f"    and {choice['more']} more"


def _reader_text(found: dict[str, Any]) -> str:
    return f"  {found['source']}:{found['source_key']} {found['field']}, {found['cuts']} cut"


def _answer_lines(answer: dict[str, Any]) -> Iterator[str]:
    reason = f" ({answer['reason']})" if answer["reason"] else ""
    older = "" if answer["is_current"] else ", about an older document"
    supported, claims = answer["supported"], answer["claims"]
    score = f", {supported} of {claims} claims supported" if claims else ""
    day, outcome = f"{answer['created_at']:%Y-%m-%d}", answer["outcome"]
    yield f"newest answer {day}: {outcome}{reason}{score}{older}"
    for removed in answer["removed"]:
        yield f"  removed, {removed['reason']}: {removed['sentence'] or '(no longer kept)'}"


def _pair(pair: dict[str, Any]) -> str:
    whose = pair["candidate_id"]
    other = "" if whose is None else f" (candidate {whose}, {pair['verdict']})"
    signals = ", ".join(f"{name} {weight:+g}" for name, weight in pair["signals"])
    rows = f"{':'.join(pair['left'])} ~ {':'.join(pair['right'])}"
    return f"  {rows}{other} {pair['score']:g}: {signals}"


def _moved(detail: dict[str, Any]) -> str:
    rows = detail.get("rows")
    if not isinstance(rows, list) or not rows:
        return ""
    shown = ", ".join(":".join(ref) for ref in rows[:_MAX_ROWS_SHOWN])
    more = f" and {len(rows) - _MAX_ROWS_SHOWN} more" if len(rows) > _MAX_ROWS_SHOWN else ""
    return f": {shown}{more}"


def _claim(claim: dict[str, Any]) -> str:
    return f"{claim['value']} ({claim['source']}:{claim['source_key']})"


def _decision(decision: dict[str, Any]) -> str:
    other = f" {decision['other_id']}" if decision["other_id"] else ""
    revoked = decision["revoked_at"] is not None
    state = f"revoked by {decision['revoked_by']}" if revoked else "in force"
    waits = "" if decision["applied_at"] else ", waits for the next run"
    note = f": {decision['note']}" if decision["note"] else ""
    return (
        f"{decision['decision_id']} {decision['kind']} {decision['candidate_id']}{other} by "
        f"{decision['decided_by']} on {decision['decided_at']:%Y-%m-%d} ({state}{waits}){note}"
    )


def _row(text: str) -> tuple[str, str]:
    source, colon, source_key = text.partition(":")
    if not (source and colon and source_key):
        raise argparse.ArgumentTypeError(f"{text!r} is not SOURCE:KEY, for example linkedin:4711")
    return source, source_key


def _search(options: argparse.Namespace) -> int:
    from profiles.operations import search
    from profiles.storage.releases import find_release

    database = open_migrated(options)
    if options.action == "find":
        people = search.find(
            database, options.target, skills=options.skills, domains=options.domains, k=options.k
        )
        print_found(options, people, _people_lines(people))
        return 0
    path = Path(options.target)
    if options.release:
        queries = search.load_queries(path)
        with database.connect() as connection:
            release = find_release(connection, options.release)
            results = search.compare_release(connection, queries, release.release_id)
    else:
        results = search.check(database, path)
    rows = [
        {"query": each.query, "verdict": each.verdict, "before": each.before, "after": each.after}
        for each in results
    ]
    print_found(options, rows, map(_result_line, results))
    return int(any(result.verdict in ("worse", "missing") for result in results))


def _people_lines(people: Sequence[dict[str, Any]]) -> Iterator[str]:
    for person in people:
        facts = (person["full_name"], person["title"], person["employer"], person["place"])
        yield f"{person['candidate_id']:>8}  {' · '.join(filter(None, facts))}"
    if not people:
        yield "nobody; `profiles search find` searches what the last publish wrote"


def _result_line(result: QueryResult) -> str:
    before = "" if result.before is None else f"{_shown(result.before)} → "
    return f"{result.verdict:<8}  {before}{_shown(result.after)}  {result.query}"


def _shown(places: Sequence[int | None]) -> str:
    return ", ".join("-" if place is None else str(place) for place in places)
