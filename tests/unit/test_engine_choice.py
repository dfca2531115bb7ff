"""Plan and lane choose the same release, also on hosts of which only one has the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.errors import EngineJobError, SettingsError
from profiles.params import RunParams
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import choose_engine, engine_options


def model_folder(path: Path) -> Path:
    path.mkdir()
    (path / "config.json").write_text("{}")
    return path


@pytest.mark.parametrize("name", ["model-a", "current"])
def test_a_pinned_revision_names_the_same_release_with_and_without_the_weights(
    name: str, tmp_path: Path
):
    folder = model_folder(tmp_path / "model-a")
    (tmp_path / "current").symlink_to(folder)
    settings = Settings(engine="sglang", model=str(tmp_path / name), model_revision="r7")
    planned = choose_engine(settings, RunParams(), with_files=False)
    worked = choose_engine(settings, RunParams())
    assert worked.key == planned.key
    assert worked.model.path == str(folder)


def test_another_engine_gets_neither_model_nor_options_nor_profile_of_the_deployments(
    tmp_path: Path,
):
    settings = Settings(
        engine="sglang",
        model=str(model_folder(tmp_path / "model-a")),
        model_revision="r7",
        engine_profile="prose",
        engine_options='{"tp_size": 2}',
    )
    choice = choose_engine(settings, RunParams(engine="openai"))
    assert (choice.model.path, choice.model.revision, choice.options) == ("", "served", {})
    assert choice.profile.name == "structured"


def test_another_model_of_the_same_engine_keeps_options_and_profile_but_not_the_revision(
    tmp_path: Path,
):
    settings = Settings(
        engine="sglang",
        model=str(model_folder(tmp_path / "model-a")),
        model_revision="r7",
        engine_profile="prose",
        engine_options='{"tp_size": 2}',
    )
    other = model_folder(tmp_path / "model-b")
    choice = choose_engine(settings, RunParams(model=str(other)))
    assert (choice.model.name, choice.profile.name) == ("model-b", "prose")
    assert choice.options == {"tp_size": 2}
    assert choice.model.revision != "r7"


def test_engine_options_may_stand_in_a_file(tmp_path: Path):
    file = tmp_path / "options.json"
    file.write_text('{"schedule_policy": "lpm"}')
    assert engine_options(Settings(engine_options=f"@{file}")) == {"schedule_policy": "lpm"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [("{", "is not JSON"), ("[1]", "must be a JSON object"), (None, "`profiles tune` writes")],
)
def test_a_bad_file_of_options_is_named(text: str | None, problem: str, tmp_path: Path):
    file = tmp_path / "options.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SettingsError, match=rf"options\.json, which PROFILES_ENGINE.*{problem}"):
        engine_options(Settings(engine_options=f"@{file}"))


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"engine": "os:system"}, EngineJobError, "unknown engine 'os:system' in the Param"),
        ({"engine": "this:x"}, EngineJobError, "unknown engine 'this:x' in the Param"),
        ({"engine_profile": "../../elsewhere"}, SettingsError, "no engine profile"),
        ({"engine_profile": "/tmp/elsewhere"}, SettingsError, "no engine profile"),
    ],
)
def test_who_starts_a_run_chooses_among_known_engines_and_prompts(params, error, message):
    with pytest.raises(error, match=message):
        choose_engine(Settings(), RunParams(**params), with_files=False)
