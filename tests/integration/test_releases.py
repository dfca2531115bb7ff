"""A changed prompt, schema, model or renderer waits for a person; the night goes on as approved."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest
from tests.planned_runs import (
    ENGINE,
    add_documents,
    approve_newest,
    document_text,
    one,
    plan,
    rows,
    use_scripted_engine,
    write_document,
)

from profiles.errors import EngineJobError, ReleaseError, SettingsError
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR
from profiles.steps import plan_synthesis, synthesise
from profiles.steps.reports.run_report import build_report
from profiles.storage.connection import Database
from profiles.storage.releases import approved_release, find_release


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch, model="model-a")


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the prompts that a test may change."""
    folder = tmp_path / "prompts"
    shutil.copytree(INCLUDE_DIR / "prompts", folder)
    monkeypatch.setenv("PROFILES_PROMPTS_DIR", str(folder))
    return folder


def change(prompts: Path, name: str = "system.md") -> None:
    file = prompts / "structured" / name
    file.write_text(file.read_text() + "\nBe brief.\n")


def night(database: Database, run_id: str, **params: object) -> int:
    """Plans and works one run; returns how many documents it planned."""
    for lane in plan(database, run_id, lanes=1, **params):
        synthesise.run(database, run_id=run_id, lane=lane["lane"])
    return int(one(database, "SELECT planned FROM synthesis.run WHERE run_id = %s", run_id)[0])


def states(database: Database) -> list[str]:
    return [row[0] for row in rows(database, "SELECT state FROM synthesis.release ORDER BY 1")]


def test_the_first_release_of_an_empty_deployment_is_approved_and_said(
    database: Database, caplog: pytest.LogCaptureFixture
):
    add_documents(database, 1)
    with caplog.at_level(logging.WARNING):
        night(database, "r1")
    assert states(database) == ["approved"]
    assert "is the first: approved" in caplog.text
    assert one(database, "SELECT decided_by FROM synthesis.release") == ("first release",)


def test_a_changed_prompt_is_proposed_and_the_night_goes_on_as_approved(
    database: Database, prompts: Path, caplog: pytest.LogCaptureFixture
):
    add_documents(database, 2)
    assert night(database, "r1") == 2
    change(prompts)
    add_documents(database, 1)

    with caplog.at_level(logging.WARNING):
        assert night(database, "r2") == 1

    assert states(database) == ["approved", "proposed"]
    assert "prompt changed: release " in caplog.text
    assert "proposed; this run goes on under release" in caplog.text
    assert "Run DAG release_approval" in caplog.text
    assert "prompt changed" in (build_report(database, run_id="r2")["notice"] or "")
    # What was asked is the approved text, from the row: the file says otherwise by now.
    assert rows(
        database,
        "SELECT DISTINCT l.state, l.prompt ->> 'system.md' LIKE '%%Be brief.%%' "
        "FROM synthesis.completion AS c JOIN synthesis.release AS l USING (release_id)",
    ) == [("approved", False)]


def test_an_approved_change_runs_everybody_again_and_supersedes_what_was(
    database: Database, prompts: Path
):
    add_documents(database, 2)
    night(database, "r1")
    change(prompts)
    night(database, "r2")
    approve_newest(database)
    assert states(database) == ["approved", "superseded"]
    assert night(database, "r3") == 2
    assert build_report(database, run_id="r3")["notice"] is None
    assert night(database, "r4") == 0


def test_files_put_back_drop_a_proposal_without_a_word(database: Database, prompts: Path):
    add_documents(database, 1)
    night(database, "r1")
    before = (prompts / "structured" / "system.md").read_text()
    change(prompts)
    night(database, "r2")
    (prompts / "structured" / "system.md").write_text(before)
    assert night(database, "r3") == 0
    assert build_report(database, run_id="r3")["notice"] is None


def test_a_refused_release_stays_refused_and_its_files_are_named(database: Database, prompts: Path):
    add_documents(database, 1)
    night(database, "r1")
    change(prompts)
    night(database, "r2")
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.release SET state = 'refused' WHERE state = 'proposed'"
        )
    night(database, "r3")
    assert states(database) == ["approved", "refused"]
    assert "was refused; this run goes on under release" in (
        build_report(database, run_id="r3")["notice"] or ""
    )


def test_going_back_to_a_release_needs_neither_its_files_nor_the_model_again(
    database: Database, prompts: Path
):
    add_documents(database, 1)
    night(database, "r1")
    (first,) = one(database, "SELECT release_id FROM synthesis.release")
    change(prompts)
    night(database, "r2")
    approve_newest(database)
    night(database, "r3")
    with database.connect() as connection:
        from profiles.storage.releases import approve_release

        approve_release(connection, first, by="test")
    assert night(database, "r4") == 0
    assert "was superseded" in (build_report(database, run_id="r4")["notice"] or "")


def test_another_engine_for_the_same_answers_needs_no_approval(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    add_documents(database, 1)
    night(database, "r1")
    monkeypatch.setenv("PROFILES_MODEL_REVISION", "unversioned")
    monkeypatch.setenv("PROFILES_ENGINE", "openai")
    assert plan(database, "r2") == []
    assert states(database) == ["approved", "superseded"]
    assert "makes no document stale" in (build_report(database, run_id="r2")["notice"] or "")


def test_a_changed_model_is_proposed_while_the_old_one_is_still_there(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    add_documents(database, 1)
    night(database, "r1")
    monkeypatch.setenv("PROFILES_MODEL", "model-b")
    add_documents(database, 1)
    assert night(database, "r2") == 1
    assert rows(
        database,
        "SELECT DISTINCT l.model FROM synthesis.completion JOIN synthesis.release AS l "
        "USING (release_id)",
    ) == [("model-a",)]


def test_a_model_whose_files_are_gone_fails_the_plan_and_names_the_way_out(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    old, new = tmp_path / "old.gguf", tmp_path / "new.gguf"
    old.write_text("old weights")
    new.write_text("new weights")
    monkeypatch.setenv("PROFILES_ENGINE", "llama_cpp")
    monkeypatch.setenv("PROFILES_MODEL", str(old))
    add_documents(database, 1)
    plan(database, "r1")
    monkeypatch.setenv("PROFILES_MODEL", str(new))
    plan(database, "r2")
    old.unlink()
    with pytest.raises(EngineJobError, match=r"needs model old\.gguf.*DAG release_approval"):
        plan(database, "r3")


def test_a_pinned_revision_is_not_taken_at_its_word_where_another_has_taken_its_place(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("PROFILES_ENGINE", "sglang")
    monkeypatch.setenv("PROFILES_MODEL", str(tmp_path / "model"))
    monkeypatch.setenv("PROFILES_MODEL_REVISION", "r7")
    add_documents(database, 1)
    plan(database, "r1")
    monkeypatch.setenv("PROFILES_MODEL_REVISION", "r8")
    with pytest.raises(EngineJobError, match="revision r7"):
        plan(database, "r2")


def test_a_changed_engine_with_another_model_fails_the_plan_and_names_the_way_out(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    add_documents(database, 1)
    plan(database, "r1")
    monkeypatch.setenv("PROFILES_ENGINE", "openai")
    with pytest.raises(EngineJobError, match=r"is for engine .*Run DAG release_approval"):
        plan(database, "r2")


def test_documents_that_only_the_renderer_changed_wait_with_their_release(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    untouched, row_changed = add_documents(database, 2)
    night(database, "r1")
    taxonomy = tmp_path / "taxonomy"
    shutil.copytree(INCLUDE_DIR / "taxonomy", taxonomy)
    skills = taxonomy / "skills.yaml"
    assert "Kubernetes: [" in skills.read_text()
    skills.write_text(skills.read_text().replace("Kubernetes: [", "Kubernetes: [kubes, "))
    monkeypatch.setenv("PROFILES_TAXONOMY_DIR", str(taxonomy))
    with database.connect() as connection:
        for candidate_id in (untouched, row_changed):
            write_document(
                connection, candidate_id, document_text(candidate_id, 2), renderer_version="new"
            )
        connection.execute(
            "UPDATE synthesis.document SET source_changed_at = now() WHERE candidate_id = %s",
            (row_changed,),
        )
    (new,) = add_documents(database, 1)

    assert night(database, "r2", limit=2) == 3

    assert dict(
        rows(database, "SELECT candidate_id, deferred FROM synthesis.run_item WHERE run_id = 'r2'")
    ) == {untouched: True, row_changed: False, new: False}
    assert "renderer changed: release" in (build_report(database, run_id="r2")["notice"] or "")
    approve_newest(database)
    assert night(database, "r3") == 1
    assert night(database, "r4") == 0


def test_a_row_that_asks_another_way_than_it_stands_for_is_refused(
    database: Database, prompts: Path
):
    add_documents(database, 1)
    night(database, "r1")
    with database.connect() as connection:
        connection.execute(
            'UPDATE synthesis.release SET profile = profile || \'{"system_prompt": "Hi"}\''
        )
    change(prompts)
    with pytest.raises(ReleaseError, match="prompts differently"):
        plan(database, "r2")


def test_a_trial_of_a_release_stores_answers_and_publishes_none(database: Database, prompts: Path):
    add_documents(database, 2)
    night(database, "r1")
    change(prompts)
    night(database, "r2")
    (proposed,) = one(database, "SELECT release_id FROM synthesis.release WHERE state = 'proposed'")

    assert night(database, "trial", release=proposed[:8]) == 2

    assert one(
        database, "SELECT publishes, release_id FROM synthesis.run WHERE run_id = 'trial'"
    ) == (False, proposed)
    assert (
        one(database, "SELECT count(*) FROM synthesis.completion WHERE release_id = %s", proposed)[
            0
        ]
        >= 2
    )
    assert states(database) == ["approved", "proposed"]
    # The night does not call them fresh once the release is approved.
    approve_newest(database)
    assert night(database, "r3") == 2


@pytest.mark.parametrize(("release", "problem"), [("fff0", "no release"), ("", "")])
def test_an_unknown_release_is_refused(database: Database, release: str, problem: str):
    add_documents(database, 1)
    plan(database, "r1")
    if not release:
        with database.connect() as connection, pytest.raises(ReleaseError, match="no release"):
            find_release(connection, release)
        return
    with pytest.raises(ReleaseError, match=problem):
        plan(database, "r2", release=release)


def test_a_release_and_an_engine_cannot_both_be_asked_for():
    with pytest.raises(SettingsError, match="leave `engine` and"):
        RunParams.from_mapping({"release": "ab", "engine": ENGINE})


def test_a_preview_names_the_release_and_what_waits(database: Database, prompts: Path):
    add_documents(database, 1)
    plan(database, "r1")
    change(prompts)
    preview = plan_synthesis.preview(database, params=RunParams())
    with database.connect() as connection:
        approved = approved_release(connection)
    assert approved is not None
    assert preview["release"] == approved.release_id
    assert "prompt changed" in preview["notice"]
    assert states(database) == ["approved"]
