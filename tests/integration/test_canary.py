"""A canary asks a release about a fixed sample and keeps counts and verdicts, no texts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Databases
from tests.planned_runs import add_documents, one, plan, rows, use_scripted_engine

from profiles.cli import main
from profiles.errors import EngineJobError, ReleaseError, SettingsError
from profiles.operations import release_approval, search
from profiles.params import CanaryParams
from profiles.settings import INCLUDE_DIR
from profiles.steps import index_documents, publish, synthesise
from profiles.storage.connection import Database


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The scripted engine, and prompts that a test may change."""
    use_scripted_engine(monkeypatch, model="model-a", prompts_dir=tmp_path / "prompts")
    shutil.copytree(INCLUDE_DIR / "prompts", tmp_path / "prompts")


def work(database: Database, run_id: str, lanes: list[dict[str, Any]]) -> None:
    for lane in lanes:
        synthesise.run(database, run_id=run_id, lane=lane["lane"])


def answer_eight(database: Database, environment: pytest.MonkeyPatch) -> None:
    use_scripted_engine(environment, model="model-a")
    add_documents(database, 8)
    work(database, "night", plan(database, "night", lanes=1))


@pytest.fixture
def changed(database: Database, databases: Databases, tmp_path: Path) -> Database:
    """Eight people answered under the approved release, and a prompt that changed since."""
    databases.fill(database, answer_eight)
    file = tmp_path / "prompts" / "structured" / "system.md"
    file.write_text(file.read_text() + "\nBe brief.\n")
    return database


def ask(database: Database, run_id: str = "canary", **params: Any) -> dict[str, Any]:
    work(
        database,
        run_id,
        release_approval.plan(database, run_id=run_id, params=CanaryParams(**params)),
    )
    return release_approval.compare(database, run_id=run_id)


def test_both_sides_are_counted_and_the_run_neither_publishes_nor_stays_open(changed: Database):
    found = ask(changed, documents=3)

    assert (found["documents"], found["better"], found["worse"]) == (3, 0, 0)
    assert found["old"]["answers"] == found["new"]["answers"] == 3
    assert found["new"]["valid"] == 3
    assert found["new"]["mean_words"] > 0
    assert rows(
        changed,
        "SELECT state, publishes, candidates FROM synthesis.run WHERE run_id = 'canary'",
    ) == [("succeeded", False, 3)]
    assert rows(changed, "SELECT state FROM synthesis.release ORDER BY 1") == [
        ("approved",),
        ("canary",),
    ]


def test_the_sample_is_the_same_every_time_and_nothing_is_asked_twice(changed: Database):
    ask(changed, documents=3)
    asked = "SELECT params -> 'candidate_ids' FROM synthesis.run WHERE run_id = %s"
    assert release_approval.plan(changed, run_id="again", params=CanaryParams(documents=3)) == []
    assert one(changed, asked, "canary") == one(changed, asked, "again")
    assert release_approval.compare(changed, run_id="again")["new"]["answers"] == 3


def test_what_is_kept_and_told_holds_no_text(changed: Database):
    found = ask(changed, documents=3)
    (kept,) = one(changed, "SELECT canary FROM synthesis.release WHERE canary IS NOT NULL")
    for (summary,) in rows(changed, "SELECT summary FROM synthesis.completion"):
        assert summary[:40] not in json.dumps(kept)
        assert summary[:40] not in json.dumps(found)


def test_an_answer_that_only_one_side_has_right_is_better_or_worse(
    changed: Database, monkeypatch: pytest.MonkeyPatch
):
    faults = {"faults": {"empty": 1, "sticky": 1}}
    monkeypatch.setenv("PROFILES_ENGINE_OPTIONS", json.dumps(faults))
    found = ask(changed, documents=4)
    assert (found["better"], found["worse"]) == (0, 4)
    assert found["new"]["refused"] == {"empty": 4}
    (kept,) = one(changed, "SELECT canary FROM synthesis.release WHERE canary IS NOT NULL")
    assert [pair["new"]["reason"] for pair in kept["candidates"]] == ["empty"] * 4


def test_the_command_shows_both_sides_with_their_texts_and_decides(
    changed: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    found = ask(changed, documents=2)
    monkeypatch.setenv("PROFILES_DATABASE_URL", changed.url)

    assert main(["releases", "show", found["release"]]) == 0
    said = capsys.readouterr().out
    for (summary,) in rows(
        changed, "SELECT summary FROM synthesis.completion WHERE run_id = 'canary'"
    ):
        assert summary in said
    for figure in ("documents: 2", "better: 0", "worse: 0"):
        assert figure in said

    assert main(["releases"]) == 0
    assert f"DAG release_approval runs {found['release']}" in capsys.readouterr().out
    assert main(["releases", "refuse", found["release"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "refused"
    assert main(["releases", "approve", found["release"]]) == 0
    assert "approved" in capsys.readouterr().out
    assert rows(changed, "SELECT state FROM synthesis.release ORDER BY 1") == [
        ("approved",),
        ("superseded",),
    ]
    assert main(["releases", "refuse", found["release"]]) == 1
    assert "approve another to replace it" in capsys.readouterr().err
    assert main(["releases", "show"]) == 1
    assert "needs the ID" in capsys.readouterr().err


def test_texts_of_an_erased_person_are_gone_from_what_is_shown(changed: Database):
    found = ask(changed, documents=2)
    with changed.connect() as connection:
        connection.execute("DELETE FROM synthesis.completion")
    shown = release_approval.show(changed, release=found["release"])
    assert [pair["new"]["summary"] for pair in shown["canary"]["candidates"]] == [None, None]


def test_the_approved_release_needs_no_canary(database: Database):
    add_documents(database, 1)
    plan(database, "night")
    with pytest.raises(ReleaseError, match="is approved already"):
        release_approval.plan(database, run_id="canary", params=CanaryParams())


def test_a_canary_never_takes_the_run_of_a_night_over(changed: Database):
    with pytest.raises(SettingsError, match="belongs to DAG profile_synthesis"):
        release_approval.plan(changed, run_id="night", params=CanaryParams())


def test_without_documents_there_is_nothing_to_ask(database: Database):
    with pytest.raises(ReleaseError, match="no document is stored"):
        release_approval.plan(database, run_id="canary", params=CanaryParams())


def test_a_canary_without_answers_is_no_ground_for_a_decision(changed: Database):
    release_approval.plan(changed, run_id="canary", params=CanaryParams(documents=2))
    with pytest.raises(ReleaseError, match="has no answer"):
        release_approval.compare(changed, run_id="canary")


def test_an_engine_that_fails_the_nights_plan_can_still_be_asked_and_approved(
    changed: Database, monkeypatch: pytest.MonkeyPatch
):
    """The way out that the failed plan names."""
    monkeypatch.setenv("PROFILES_ENGINE", "tests.other_scripted_engine:OtherScriptedEngine")
    with pytest.raises(EngineJobError, match="is for engine"):
        plan(changed, "night 2")
    found = ask(changed, documents=2)
    release_approval.approve(changed, release=found["release"], by="test")
    assert len(plan(changed, "night 2")) == 2


def test_saved_queries_are_tried_with_the_answers_of_the_release_and_nothing_stays(
    changed: Database, tmp_path: Path
):
    publish.run(changed, run_id="night", planned=True, tagged=True)
    index_documents.refresh(changed)
    served = "SELECT * FROM synthesis.candidate_synthesis ORDER BY candidate_id"
    before = rows(changed, served)
    saved = tmp_path / "search_check.yaml"
    saved.write_text("queries:\n- {query: beekeeper, expect: [1]}\n- {query: xyz, expect: [2]}\n")
    work(changed, "canary", release_approval.plan(changed, run_id="canary", params=CanaryParams()))
    with changed.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET summary = 'A beekeeper.' "
            "WHERE run_id = 'canary' AND candidate_id = 1"
        )
    found = release_approval.compare(changed, run_id="canary")
    results = search.compare_release(changed, saved, found["release"])
    assert [result.verdict for result in results] == ["better", "same"]
    assert rows(changed, served) == before
