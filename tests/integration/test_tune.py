"""`profiles tune` on stored documents, with a stand-in for SGLang that one setting makes faster."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.paths import REPOSITORY
from tests.planned_runs import add_documents, use_scripted_engine

from profiles.cli import main
from profiles.operations.tune import sample_documents
from profiles.settings import load_settings
from profiles.steps.lanes.engine_choice import engine_options
from profiles.storage.connection import Database


@pytest.fixture
def sglang(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host with one GPU and a model that answers ten times as fast under policy lpm."""
    model = tmp_path / "model"
    model.mkdir()
    config = {"model_type": "llama", "max_position_embeddings": 40_000, "delays": {"lpm": 0.03}}
    (model / "config.json").write_text(json.dumps(config))
    use_scripted_engine(
        monkeypatch,
        engine="sglang",
        model=model,
        engine_python=sys.executable,
        database_url=database.url,
        device_lock_dir=tmp_path / "locks",
    )
    fakes = REPOSITORY / "tests" / "fake_sglang"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(REPOSITORY / "include"), str(fakes)]))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setattr(
        "profiles.operations.tune.factors_of",
        lambda terms, baseline: [
            ({"kv_cache_dtype": "no_memory"},),
            ({"schedule_policy": "lpm"}, {"schedule_policy": "fcfs"}),
        ],
    )


def tune(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["tune", "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_the_faster_setting_is_found_and_written_where_the_settings_can_name_it(
    sglang, database, tmp_path, monkeypatch, capsys
):
    add_documents(database, 24)
    out = tmp_path / "best.json"
    code, said = tune(capsys, "--minutes", "10", "--sample", "24", "--out", str(out))
    assert code == 0
    assert said["options"] == {"schedule_policy": "lpm"}
    assert said["after_tokens_per_second"] > said["before_tokens_per_second"] * 2
    assert (said["tried"], said["failed"], said["not_tried_for_want_of_time"]) == (4, 1, 0)
    assert "no_memory" in said["trials"][1]["error"]
    monkeypatch.setenv("PROFILES_ENGINE_OPTIONS", f"@{out}")
    assert engine_options(load_settings()) == {"schedule_policy": "lpm"}


def test_little_time_is_enough_for_the_settings_as_they_are(sglang, database, tmp_path, capsys):
    add_documents(database, 8)
    out = tmp_path / "best.json"
    code, said = tune(capsys, "--minutes", "0.01", "--out", str(out))
    assert code == 0
    assert (said["tried"], said["not_tried_for_want_of_time"]) == (1, 3)
    assert json.loads(out.read_text()) == {}


def test_without_documents_it_says_what_is_missing(sglang, capsys):
    code, said = tune(capsys)
    assert code == 1
    assert "0 documents are stored" in said["message"]


def test_another_engine_has_nothing_to_sweep(sglang, monkeypatch, capsys):
    monkeypatch.setenv("PROFILES_ENGINE", "openai")
    code, said = tune(capsys)
    assert code == 1
    assert "PROFILES_ENGINE is openai" in said["message"]


def test_the_sample_is_the_same_every_time_and_has_no_thin_document(database):
    add_documents(database, 10, thin=(0, 1))
    from tests.planned_runs import RENDERER

    first = sample_documents(database, size=5, renderer_version=RENDERER)
    assert len(first) == 5
    assert first == sample_documents(database, size=5, renderer_version=RENDERER)
    assert len(sample_documents(database, size=50, renderer_version=RENDERER)) == 8
    assert sample_documents(database, size=50, renderer_version="older") == []
