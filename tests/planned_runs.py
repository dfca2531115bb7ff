"""Documents and planned runs in a test database, without the stages before them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence

import pytest

from profiles.models import (
    Attempt,
    Check,
    Completion,
    Lease,
    Outcome,
    Profile,
    Provenance,
    Skill,
    WorkItem,
)
from profiles.params import RunParams
from profiles.planning import ReleaseKey
from profiles.rendering.markdown import renderer_version
from profiles.steps import plan_synthesis
from profiles.storage.connection import Database
from profiles.storage.leases import LaneQueue
from profiles.storage.releases import approve_release
from profiles.storage.runs import start_run
from profiles.storage.taxonomy import load_vocabulary

RENDERER = renderer_version(load_vocabulary())
ENGINE = "tests.scripted_engine:ScriptedEngine"
LANE_KEY = ReleaseKey("e", "model-a", "r1", "p", "prompt", "schema", "sampling", RENDERER)
"""Of a lane that a test opens itself."""


def use_scripted_engine(monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
    """Makes the scripted engine the deployment's; `settings` are further PROFILES_* variables."""
    for name, value in {"engine": ENGINE, **settings}.items():
        monkeypatch.setenv(f"PROFILES_{name.upper()}", str(value))


def content_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_DUTIES = (
    "Built billing services in Python for three regional teams",
    "Moved order data from a legacy warehouse to PostgreSQL without downtime",
    "Introduced Kafka streams that replaced nightly file transfers",
    "Mentored junior engineers through design reviews and pair work",
    "Ran container platforms on Kubernetes across two data centres",
    "Cut cloud spending by resizing idle clusters every quarter",
    "Wrote integration suites that caught regressions before each release",
    "Led incident reviews and owned the resulting reliability roadmap",
    "Packaged internal tools with Docker for analysts and support staff",
    "Coordinated hiring loops together with recruiting partners",
)


def document_text(number: int, version: int = 1) -> str:
    """A document of about 130 words, another one for each number and version."""
    first = (number + version) % len(_DUTIES)
    duties = "\n".join(f"- {duty}." for duty in _DUTIES[first:] + _DUTIES[:first])
    return (
        f"# Ada Testwell {number}\nStaff Engineer at Northvale Systems\n\n## Experience\n"
        f"### Staff Engineer — Northvale Systems\nJan 2019 – Present\n{duties}\n\n"
        "## Skills\nPython, PostgreSQL, Kafka, Kubernetes, Docker\n"
    )


def add_documents(
    database: Database, count: int, *, thin: Iterable[int] = (), version: int = 1
) -> list[int]:
    """`count` new people with a document each; those at the positions in `thin` are too thin."""
    thin = set(thin)
    with database.connect() as connection:
        ids = [
            connection.execute(
                "INSERT INTO synthesis.candidate (created_run) VALUES ('test') "
                "RETURNING candidate_id"
            ).fetchone()[0]
            for _ in range(count)
        ]
        for position, candidate_id in enumerate(ids):
            write_document(
                connection,
                candidate_id,
                document_text(candidate_id, version),
                too_thin=position in thin,
            )
    return ids


def write_document(connection, candidate_id, text, *, too_thin=False, renderer_version=RENDERER):
    connection.execute(
        "INSERT INTO synthesis.document (candidate_id, markdown, content_hash, input_hash, "
        "word_count, token_estimate, renderer_version, too_thin) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (candidate_id) DO UPDATE SET "
        "markdown = excluded.markdown, content_hash = excluded.content_hash, "
        "word_count = excluded.word_count, renderer_version = excluded.renderer_version, "
        "too_thin = excluded.too_thin",
        (
            candidate_id,
            text,
            content_hash(text),
            content_hash(text),
            len(text.split()),
            len(text) // 4,
            renderer_version,
            too_thin,
        ),
    )


def plan(database: Database, run_id: str, **params: object) -> list[dict]:
    """Starts a run and plans it."""
    run_params = RunParams.from_mapping(params)
    start_run(database, run_id=run_id, params=run_params)
    return plan_synthesis.run(database, run_id=run_id, params=run_params)


def approve_newest(database: Database) -> str:
    """Approves the release that was registered last, as a person would; returns its id."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT release_id FROM synthesis.release ORDER BY created_at DESC LIMIT 1"
        ).fetchone()
        assert row is not None
        approve_release(connection, row[0], by="test")
    return row[0]


def attempt(item: WorkItem, **overrides: object) -> Attempt:
    """An accepted answer to `item`."""
    made = {
        "number": item.attempts_made + 1,
        "is_terminal": True,
        "is_deferred": False,
    }
    verdict = {
        "outcome": Outcome.VALID,
        "reason": None,
        "summary": "An engineer who built billing services.",
        "skills": (Skill("Python", Provenance.MODEL),),
        "inferred_skills": (),
        "checks": (Check("schema", passed=True),),
    }
    answer = {
        "raw_text": "{}",
        "finish_reason": "stop",
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "cached_tokens": 10,
        "seconds": 0.5,
    }
    for values in (made, answer):
        values |= {name: overrides.pop(name) for name in values if name in overrides}
    completion = Completion("", answer.pop("raw_text"), **answer)
    return Attempt(item, **made, verdict=Profile(**(verdict | overrides)), completion=completion)


def rows(database: Database, statement: str, *values: object) -> list[tuple]:
    with database.connect() as connection:
        return connection.execute(statement, values or None).fetchall()


def one(database: Database, statement: str, *values: object) -> tuple:
    return rows(database, statement, *values)[0]


def lease_batch(
    database: Database, *, run_id: str, lane: int, size: int, lease_seconds: int
) -> Lease | None:
    return LaneQueue(database, run_id, lane, lease_seconds).lease(size)


def persist_results(database: Database, *, batch_id: int, attempts: Sequence[Attempt]) -> None:
    """Stores attempts of a batch, whose own row says of which run and lane it is."""
    LaneQueue(database, "", 0, 60).store(batch_id, attempts)


def release_batch(
    database: Database, *, batch_id: int, died_in_flight: Collection[int] = (), died_among: int = 0
) -> None:
    LaneQueue(database, "", 0, 60).release(
        batch_id, died_in_flight=died_in_flight, died_among=died_among
    )
