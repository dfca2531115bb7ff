"""Steps that are killed on the way, and two nights at once: the next call ends as one night alone.

A lane that is killed is a row of the failure matrix (`tests/reliability`).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import psycopg
import pytest
from tests.conftest import Databases
from tests.planned_runs import use_scripted_engine

from profiles.errors import BusyError
from profiles.params import RunParams
from profiles.steps import (
    check_sources,
    extract_sources,
    plan_synthesis,
    publish,
    render_profiles,
    resolve_identities,
    tag_domains,
)
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from sample_data import load_sample

pytestmark = pytest.mark.release

RUN = "r1"
KILL_AT = (4, 20)
"""Statements of a step after which it is killed, the transaction before them open."""

# What a night leaves, less its times and the numbers that Postgres hands out.
STATE = """
SELECT 'record', source, source_key, record_hash FROM synthesis.source_record
UNION ALL SELECT 'person', source, source_key, full_name
  FROM synthesis.candidate_source JOIN synthesis.document USING (candidate_id)
UNION ALL SELECT 'document', content_hash, full_name, word_count::text FROM synthesis.document
UNION ALL SELECT 'item', content_hash, reason, outcome FROM synthesis.run_item WHERE run_id = 'r1'
UNION ALL SELECT 'domain', domain, full_name, round(weight::numeric, 6)::text
  FROM synthesis.domain_tag JOIN synthesis.document USING (candidate_id)
UNION ALL SELECT 'served', full_name, domains::text, method FROM synthesis.candidate_synthesis
ORDER BY 1, 2, 3, 4
"""


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


def steps(database: Database, run_id: str = RUN) -> Iterator[tuple[str, Callable[[], object]]]:
    """The tasks of a night but its lanes, in the DAG's order."""

    def extract() -> None:
        for part in extract_sources.parts(database, sources=sources):
            extract_sources.run(database, run_id=run_id, **part)

    def render() -> None:
        for part in resolve_identities.ranges(database):
            render_profiles.run(database, run_id=run_id, **part)

    sources = ["lemlist", "linkedin", "resume", "weekday"]
    params = RunParams()
    yield "check", partial(check_sources.run, database, run_id=run_id, params=params)
    yield "extract", extract
    yield "resolve", partial(resolve_identities.run, database, run_id=run_id)
    yield "render", render
    yield "plan", partial(plan_synthesis.run, database, run_id=run_id, params=params)
    yield "tag", partial(tag_domains.run, database, run_id=run_id)
    yield "publish", partial(publish.run, database, run_id=run_id, planned=True, tagged=True)
    yield "report", partial(run_report.run, database, run_id=run_id)


def state(database: Database) -> list[tuple[str, ...]]:
    with database.connect() as connection:
        return connection.execute(STATE).fetchall()


@pytest.fixture
def undisturbed(database: Database, databases: Databases) -> Iterator[list[tuple[str, ...]]]:
    """Result of one undisturbed night over the sample, which `database` has too."""
    other = databases.create()
    load_sample(other)
    for _, work in steps(other):
        work()
    load_sample(database)
    yield state(other)
    databases.drop(other)


def test_a_night_whose_every_step_was_killed_ends_as_one_that_was_not(
    database: Database, undisturbed: list[tuple[str, ...]]
):
    killed = []
    for name, work in steps(database):
        for statements in KILL_AT:
            killed += [name] if _dies(database.url, name, statements) else []
        _until_free(work)
    assert {"check", "extract", "resolve", "render", "plan", "tag", "publish", "report"} == {
        *killed
    }
    assert state(database) == undisturbed


def test_two_nights_at_once_end_as_one(database: Database, undisturbed: list[tuple[str, ...]]):
    def night(run_id: str) -> None:
        for _, work in steps(Database(database.url), run_id):
            _until_free(work)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(night, (RUN, "r2")))
    assert [row for row in state(database) if row[0] != "item"] == [
        row for row in undisturbed if row[0] != "item"
    ]


def _dies(url: str, name: str, statements: int) -> bool:
    """Return whether the step, in its own process, reached the statement that kills it."""
    child = get_context("fork").Process(target=_work_until, args=(url, name, statements))
    child.start()
    child.join(120)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def _work_until(url: str, name: str, left: int) -> None:
    def counting(execute: Callable[..., object]) -> Callable[..., object]:
        def counted(*given: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return execute(*given, **named)

        return counted

    for kind in (psycopg.Connection, psycopg.Cursor):
        kind.execute = counting(kind.execute)  # type: ignore[method-assign]
    dict(steps(Database(url)))[name]()


def _until_free(work: Callable[[], object]) -> None:
    """As Airflow retries a task: the session of one that was killed ends within moments."""
    for _ in range(120):
        try:
            work()
        except BusyError:
            time.sleep(0.25)
        else:
            return
    work()
