"""The same DAG with the real embedded model for a few people."""

from __future__ import annotations

import pytest
from tests.e2e.dag_runs import run_dag

from profiles.models import Bucket
from profiles.storage.connection import Database

# Airflow's own libraries warn; warnings are errors where our code runs alone.
# `make demo`, which tests/reader runs, asks the same model by the same DAG.
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.model,
    pytest.mark.release,
    pytest.mark.filterwarnings("default"),
]


def test_the_embedded_model_writes_or_the_document_speaks_for_itself(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PROFILES_ENGINE", "llama_cpp")
    monkeypatch.setenv("PROFILES_EXTRACTIVE_FALLBACK", "true")

    outcome = run_dag(sample_database, limit=3)

    assert outcome.state == "success"
    buckets = outcome.status
    assert buckets[Bucket.MISSING] == 0
    assert buckets[Bucket.DEFERRED] == outcome.status["planned"] - 3
    with sample_database.connect() as connection:
        rows = connection.execute(
            "SELECT c.outcome, c.method, c.raw_text, c.completion_tokens, s.summary, s.method "
            "FROM synthesis.completion AS c "
            "JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = c.candidate_id "
            "WHERE c.is_accepted"
        ).fetchall()
    published = (Bucket.VALID, Bucket.REPAIRED, Bucket.EXTRACTIVE)
    assert len(rows) == sum(buckets[bucket] for bucket in published)
    for outcome_name, method, raw_text, tokens, summary, served_method in rows:
        assert raw_text
        assert tokens > 0
        assert served_method == method
        assert (method == "model") == (outcome_name != "extractive")
        # A computed text is never passed off as the model's.
        # A repaired one lacks the sentences that the gate removed.
        if outcome_name != "repaired":
            assert (method == "extractive") == (summary not in raw_text)
