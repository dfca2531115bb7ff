"""Presets: what they change, and that the founding article's is what it ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.errors import SettingsError
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR, Settings
from profiles.steps.lanes.engine_choice import choose_engine
from profiles.synthesis.lane.engine_profiles import load_preset

FOLDER = INCLUDE_DIR / "engine_presets"


@pytest.fixture
def settings(tmp_path: Path):
    (tmp_path / "config.json").write_text("{}")

    def make(**more: object) -> Settings:
        return Settings(engine="sglang", model=str(tmp_path), model_revision="r1", **more)

    return make


def test_seed_is_what_the_founding_article_ran(settings):
    choice = choose_engine(settings(engine_preset="seed"), RunParams())
    assert choice.options == {"dtype": "bfloat16", "tp_size": 2, "mem_fraction_static": 0.88}
    assert not choice.preset.planned
    assert choice.preset.requests_per_call == 1000
    assert choice.profile.sampling.max_new_tokens == choice.profile.retry_max_new_tokens == 900


def test_the_default_changes_nothing(settings):
    choice = choose_engine(settings(engine_options='{"tp_size": 1}'), RunParams())
    assert choice.options == {"tp_size": 1}
    assert choice.preset == load_preset("planned", FOLDER)
    assert choice.preset.requests_per_call is None


def test_the_operators_options_stand_above_a_preset(settings):
    choice = choose_engine(
        settings(engine_preset="seed", engine_options='{"tp_size": 1}'), RunParams()
    )
    assert choice.options["tp_size"] == 1


def test_a_preset_with_options_is_for_its_own_engine():
    with pytest.raises(SettingsError, match="preset 'seed' is for sglang"):
        choose_engine(Settings(engine="openai", engine_preset="seed"), RunParams())


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(SettingsError, match="'sed'; there are defaults, planned, seed"):
        load_preset("sed", FOLDER)


def test_a_wrong_file_is_named(tmp_path):
    (tmp_path / "mine.yaml").write_text("planned: true\nwindow: 5\n")
    with pytest.raises(SettingsError, match=r"mine\.yaml.*window"):
        load_preset("mine", tmp_path)
