"""Vectors of published profiles: made once, renewed with the text, gone with the person."""

from __future__ import annotations

import pytest
from psycopg import sql
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
)
from tests.quality_model import EMBEDDING_FOLDER, EMBEDDING_READY

from profiles.embedding import EmbeddingModel
from profiles.errors import EngineJobError
from profiles.models import Provenance, Skill
from profiles.operations import apply_migrations
from profiles.settings import load_settings
from profiles.steps import embed, publish, verify_run
from profiles.steps.reports import run_report
from profiles.steps.stage import open_stage
from profiles.storage.connection import Database
from profiles.storage.sql_files import compose

pytestmark = [pytest.mark.model, EMBEDDING_READY]

EMBEDDING_MODEL = "all-MiniLM-L6-v2"
INDEX = embed.index_name(EMBEDDING_MODEL)

SUMMARIES = (
    "A nurse manager who led hospital wards and trained nurses in patient care.",
    "A data engineer who built Kafka and Spark pipelines for banks.",
    "A chief financial officer who closed the books under IFRS.",
)


@pytest.fixture
def published(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Three people with a summary each, published by run r1."""
    use_scripted_engine(monkeypatch, embeddings="on")
    add_documents(database, len(SUMMARIES))
    _publish(database, "r1", SUMMARIES)
    return database


def _publish(database: Database, run_id: str, summaries: tuple[str, ...], **params: object) -> None:
    plan(database, run_id, **params)
    lease = lease_batch(database, run_id=run_id, lane=0, size=10, lease_seconds=60)
    persist_results(
        database,
        batch_id=lease.batch_id,
        attempts=[
            attempt(item, summary=summary, skills=(Skill("Teamwork", Provenance.MODEL),))
            for item, summary in zip(lease.items, summaries, strict=True)
        ],
    )
    publish.run(database, run_id=run_id, planned=True, tagged=True)


def vectors(database: Database) -> dict[int, tuple]:
    return {
        row[0]: row[1:]
        for row in rows(
            database,
            "SELECT candidate_id, fingerprint, embedding, embedded_at "
            "FROM synthesis.candidate_embedding",
        )
    }


def test_only_what_changed_is_embedded_again(published, monkeypatch):
    monkeypatch.setattr(embed, "_ROWS", 2)
    counts = embed.run(published, run_id="r1")
    assert (counts["embedded"], counts["left"], counts["forgotten"]) == (3, 0, 0)
    before = vectors(published)
    assert embed.run(published, run_id="r1")["embedded"] == 0
    assert vectors(published) == before

    changed = max(before)
    new = ("A pastry chef who runs a bakery.",)
    _publish(published, "r2", new, force=True, candidate_ids=[changed])
    assert embed.run(published, run_id="r2")["embedded"] == 1
    after = vectors(published)
    assert {key for key in before if before[key] != after[key]} == {changed}


def test_the_index_is_built_in_memory_and_without_workers(published):
    with published.connect() as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
        connection.execute(
            compose(
                "embed/create_index",
                index=sql.Identifier(INDEX),
                schema=sql.Identifier("public"),
                dimension=sql.Literal(384),
                model=sql.Literal(EMBEDDING_MODEL),
            )
        )
        settings = ("maintenance_work_mem", "max_parallel_maintenance_workers")
        held = [
            connection.execute("SELECT current_setting(%s)", (name,)).fetchone()[0]
            for name in settings
        ]
    assert held == ["1GB", "0"]


def test_another_model_or_rule_makes_every_vector_anew(published, monkeypatch):
    embed.run(published, run_id="r1")
    monkeypatch.setattr(embed, "TEXT_RULE", "other")
    assert embed.run(published, run_id="r1")["embedded"] == 3


def test_a_query_finds_by_meaning_with_and_without_pgvector(published):
    assert embed.run(published, run_id="r1")["indexed"] == 1
    (asked,) = EmbeddingModel(EMBEDDING_FOLDER).embed(["clinical staff in a hospital"])
    exact = rows(
        published,
        "SELECT candidate_id, synthesis.similarity(embedding, %s::real[]) AS score "
        "FROM synthesis.candidate_embedding WHERE model = %s ORDER BY score DESC",
        list(asked),
        EMBEDDING_MODEL,
    )
    with published.connect() as connection:
        connection.execute("SET LOCAL enable_seqscan = off")
        statement = (
            "SELECT candidate_id, 1 - (embedding::vector(384) <=> %(q)s::real[]::vector(384)) "
            "FROM synthesis.candidate_embedding WHERE model = 'all-MiniLM-L6-v2' "
            "ORDER BY embedding::vector(384) <=> %(q)s::real[]::vector(384) LIMIT 10"
        )
        near = connection.execute(statement, {"q": list(asked)}).fetchall()
        steps = connection.execute("EXPLAIN " + statement, {"q": list(asked)}).fetchall()
    assert INDEX in str(steps)
    assert [row[0] for row in near] == [row[0] for row in exact]
    assert [row[1] for row in near] == pytest.approx([row[1] for row in exact], abs=1e-5)
    best = one(
        published,
        "SELECT summary FROM synthesis.candidate_synthesis WHERE candidate_id = %s",
        exact[0][0],
    )
    assert best == (SUMMARIES[0],)


def test_a_person_who_is_no_longer_published_has_no_vector_even_when_switched_off(
    published, monkeypatch
):
    embed.run(published, run_id="r1")
    gone = min(vectors(published))
    with published.connect() as connection:
        connection.execute(
            "DELETE FROM synthesis.candidate_synthesis WHERE candidate_id = %s", (gone,)
        )
    monkeypatch.setenv("PROFILES_EMBEDDINGS", "off")
    assert embed.run(published, run_id="r1") == {"forgotten": 1}
    assert gone not in vectors(published)


def test_somebody_erased_while_the_model_works_gets_no_vector(published, monkeypatch):
    original = EmbeddingModel.embed

    def erased_meanwhile(self, texts):
        with published.connect() as connection:
            for table in ("candidate_synthesis", "completion", "run_item", "document", "candidate"):
                connection.execute(f"DELETE FROM synthesis.{table} WHERE candidate_id = 1")
        return original(self, texts)

    monkeypatch.setattr(EmbeddingModel, "embed", erased_meanwhile)
    assert embed.run(published, run_id="r1")["embedded"] == 2
    assert set(vectors(published)) == {2, 3}


def test_what_is_left_when_time_is_over_goes_the_next_night(published, monkeypatch):
    times = iter((0.0, 1.0, 1_801.0))
    with monkeypatch.context() as patched:
        patched.setattr(embed, "_ROWS", 2)
        patched.setattr(embed, "monotonic", lambda: next(times))
        assert embed.refresh(published, load_settings()) == (2, 1)
    assert embed.refresh(published, load_settings()) == (1, 0)


def test_a_model_that_is_not_set_up_fails_its_task_and_not_the_run(
    published, monkeypatch, tmp_path
):
    monkeypatch.setenv("PROFILES_EMBEDDINGS_DIR", str(tmp_path))
    with pytest.raises(EngineJobError, match="make embeddings"):
        embed.run(published, run_id="r1")
    (error,) = one(
        published, "SELECT error FROM synthesis.run_stage WHERE run_id = 'r1' AND stage = 'embed'"
    )
    assert "make embeddings" in error
    run_report.store(published, run_id="r1")
    verify_run.run(published, run_id="r1", published=True)


def test_a_run_whose_embedding_is_lost_ends_and_says_what_to_do(published, monkeypatch, caplog):
    """The host of its worker loses power: nobody writes anything."""

    def fail(*_):
        raise SystemExit("the host is gone")

    with monkeypatch.context() as patched:
        patched.setattr(embed, "index_vectors", fail)
        with pytest.raises(SystemExit):
            embed.run(published, run_id="r1")
    run_report.store(published, run_id="r1")
    verify_run.run(published, run_id="r1", published=True)
    assert one(published, "SELECT state FROM synthesis.run") == ("succeeded",)
    assert "embedding has not ended" in caplog.text
    assert "clear `embed_profiles`" in caplog.text
    assert embed.run(published, run_id="r1")["embedded"] == 0
    assert one(published, "SELECT error FROM synthesis.run_stage WHERE stage = 'embed'") == (None,)


def test_what_only_began_is_taken_back_once_embeddings_are_off(published, monkeypatch):
    open_stage(published, run_id="r1", name="embed", until_ended="embedding has not ended")
    monkeypatch.setenv("PROFILES_EMBEDDINGS", "off")
    embed.run(published, run_id="r1")
    assert rows(published, "SELECT error FROM synthesis.run_stage WHERE stage = 'embed'") == []


def test_a_reader_may_read_vectors_and_the_page_may_not(database):
    apply_migrations.run(database)
    allowed = rows(
        database,
        "SELECT role FROM unnest(ARRAY['profiles_reader', 'profiles_page']) AS role "
        "WHERE has_table_privilege(role, 'synthesis.candidate_embedding', 'SELECT')",
    )
    assert allowed == [("profiles_reader",)]
