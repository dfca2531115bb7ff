"""Vectors and a judge after publish, in the real DAG; no run fails with them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.e2e.dag_runs import run_dag
from tests.planned_runs import one, use_scripted_engine
from tests.quality_model import EMBEDDING_READY

from profiles.settings import INCLUDE_DIR
from profiles.storage.connection import Database

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.release,
    pytest.mark.model,
    pytest.mark.filterwarnings("default"),
    EMBEDDING_READY,
]
ENGINE = "tests.scoring_engine:ScoringEngine"


def test_a_run_embeds_what_it_published_and_scores_a_sample(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch
):
    use_scripted_engine(monkeypatch, engine=ENGINE, embeddings="on", judge_sample="3")

    outcome = run_dag(sample_database, limit=5)

    assert outcome.state == "success"
    assert set(outcome.tasks.values()) == {"success"}
    published = one(
        sample_database,
        "SELECT count(*) FROM synthesis.candidate_synthesis WHERE summary IS NOT NULL",
    )
    assert published > (0,)
    assert one(sample_database, "SELECT count(*) FROM synthesis.candidate_embedding") == published
    assert one(sample_database, "SELECT count(*) FROM synthesis.judge_score") == (3,)
    shown = one(sample_database, "SELECT count(*), count(mean_score) FROM synthesis.judge_summary")
    assert shown == (3, 0)


def test_a_run_succeeds_although_what_is_optional_fails(
    sample_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    prompts = tmp_path / "prompts"
    shutil.copytree(INCLUDE_DIR / "prompts", prompts)
    (prompts / "judge" / "schema.json").unlink()
    use_scripted_engine(monkeypatch, engine=ENGINE, judge_sample="3", prompts_dir=prompts)

    outcome = run_dag(sample_database, limit=5)

    assert outcome.states("judge_profiles") == ["failed"]
    assert outcome.states("verify_run") == ["success"]
    assert outcome.state == "success"
    assert outcome.status["state"] == "succeeded"
