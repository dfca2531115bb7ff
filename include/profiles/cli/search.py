"""`profiles search`: ask the search, and check it with a team's own queries."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from profiles.cli.output import open_migrated, positive, print_found

if TYPE_CHECKING:
    from profiles.operations.search import QueryResult


def register(add: Callable[..., Any]) -> None:
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
        yield "nobody; `profiles search find` knows what the last publish wrote"


def _result_line(result: QueryResult) -> str:
    before = "" if result.before is None else f"{_shown(result.before)} → "
    return f"{result.verdict:<8}  {before}{_shown(result.after)}  {result.query}"


def _shown(places: Sequence[int | None]) -> str:
    return ", ".join("-" if place is None else str(place) for place in places)
