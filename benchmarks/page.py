"""Latency of each route of the operator's page, over generated people.

    python -m benchmarks.page --n 475000 --seed 11 --json benchmarks/results/page.json

Starts a throwaway Postgres with its default settings, fills it (see `benchmarks.page_people`), asks
every route `--times` times in turn through the application as a client would, and prints the median
and the 95th percentile in milliseconds. Airflow's login is left out; it costs the same everywhere.
Exits 1 when a median is above the 300 ms that the page promises.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import page_people
from benchmarks.page_people import ENDED_RUN, RUNNING_RUN
from profiles.operations import apply_migrations
from profiles.steps import index_documents
from profiles.steps.reports.run_report import count_people
from profiles.storage.connection import Database
from scripts import embedded

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

PROMISED_MS = 300

Route = tuple[str, str, dict[str, Any]]

SOMEBODY = 100
"""A candidate who has an answer that was accepted."""

ROUTES: tuple[Route, ...] = (
    ("document", "/runs", {}),
    ("runs", "/api/runs", {}),
    ("runs, a page back", "/api/runs", {"before": "scheduled__200"}),
    ("run in progress", "/api/runs/view", {"run": RUNNING_RUN}),
    ("run that ended, not reported", "/api/runs/view", {"run": ENDED_RUN}),
    ("details of the run in progress", "/api/runs/details", {"run": RUNNING_RUN}),
    ("details of the ended run", "/api/runs/details", {"run": ENDED_RUN}),
    ("series of the run in progress", "/api/runs/series", {"run": RUNNING_RUN}),
    ("people of the ended run", "/api/runs/people", {"run": ENDED_RUN}),
    ("coverage", "/api/coverage", {}),
    ("candidates by name", "/api/candidates", {"q": "Ada", "by": "name"}),
    ("candidates by skill", "/api/candidates", {"q": "{skill}", "by": "skill"}),
    ("candidate", f"/api/candidates/{SOMEBODY}", {}),
    ("search, a common word", "/api/search", {"q": "{common}"}),
    ("search, two words", "/api/search", {"q": "{common} {rare}"}),
    ("search filters", "/api/search/filters", {}),
)
"""Every route with what is asked of it; a word in braces is one of the generated texts."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; 1 when a route is too slow."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=20_000, help="people (default 20,000)")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--words", type=int, default=100, help="of a summary (default 100)")
    parser.add_argument("--times", type=int, default=20, help="requests of each route")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    with embedded.throwaway(durable=True) as (_, url):
        database = Database(url)
        result = measure(
            database,
            people=options.n,
            seed=options.seed,
            words=options.words,
            times=options.times,
        )
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    slow = [row["route"] for row in result["routes"] if row["p50_ms"] > PROMISED_MS]
    if slow:
        say(f"slower than {PROMISED_MS} ms: {', '.join(slow)}")
    return 1 if slow else 0


def measure(
    database: Database, *, people: int, seed: int, words: int, times: int
) -> dict[str, Any]:
    """Fills the database and asks every route; the figures by route."""
    apply_migrations.run(database)
    started = time.monotonic()
    page_people.fill(database, people=people, seed=seed, words=words)
    say(f"filled in {time.monotonic() - started:.0f} s")
    started = time.monotonic()
    count_people(database, run_id=ENDED_RUN, gate={"valid": people}, tokens={})
    counted = time.monotonic() - started
    say(f"coverage counted in {counted:.1f} s, once a run")
    page_people.copy_history(database)
    started = time.monotonic()
    while index_documents.refresh(database):
        pass
    say(f"documents indexed in {time.monotonic() - started:.0f} s, once a night for what changed")
    client = application(database.url)
    words_of = _words(database)
    rows = []
    for name, path, query in ROUTES:
        asked = {key: value.format(**words_of) for key, value in query.items()}
        rows.append(timed(client, (name, path, asked), times=times))
    for row in rows:
        say(f"{row['route']:34} p50 {row['p50_ms']:7.1f} ms  p95 {row['p95_ms']:7.1f} ms")
    return {
        "people": people,
        "seed": seed,
        "words": words,
        "requests_each": times,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "python": platform.python_version(),
        "coverage_seconds": round(counted, 1),
        "routes": rows,
    }


def _words(database: Database) -> dict[str, str]:
    """Words of the generated texts: the names are in the order of their frequency."""
    with database.connect() as connection:
        found = connection.execute(
            "SELECT (SELECT text FROM bench.skill WHERE n = 5), common.text, rare.text "
            "FROM bench.name AS common, bench.name AS rare WHERE common.n = 30 AND rare.n = 3000"
        ).fetchone()
    assert found is not None
    return dict(zip(("skill", "common", "rare"), found, strict=True))


def application(url: str) -> TestClient:
    """A client of the page over `url`, as a user whom Airflow let in."""
    plugins = Path(__file__).resolve().parents[1] / "plugins"
    sys.path.insert(0, str(plugins))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient
        from profile_runs.access import Rights, may_read, rights
        from profile_runs.api import build_app
        from profile_runs.database import database_url

    app = build_app()
    app.dependency_overrides[may_read] = lambda: None
    app.dependency_overrides[rights] = lambda: Rights(user="b", may_act=True, actions_dag="b")
    app.dependency_overrides[database_url] = lambda: url
    return TestClient(app)


def timed(client: TestClient, route: Route, *, times: int) -> dict[str, Any]:
    """Milliseconds of `times` requests after one that fills caches.

    Raises:
        RuntimeError: the route did not answer 200.
    """
    name, path, query = route
    took = []
    for n in range(times + 1):
        started = time.perf_counter()
        response = client.get(path, params=query)
        if n:
            took.append((time.perf_counter() - started) * 1000)
        if response.status_code != 200:
            raise RuntimeError(f"{path} answered {response.status_code}: {response.text[:300]}")
    return {
        "route": name,
        "path": path,
        "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(sorted(took)[max(0, round(0.95 * len(took)) - 1)], 1),
    }


def say(line: str) -> None:
    """Prints at once, also into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
