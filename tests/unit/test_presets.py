"""Setting PROFILES_ENGINE_PRESET: sizes planned for the cards, or left to the engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from profiles.params import RunParams
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import choose_engine
from profiles.steps.lanes.lane_assembly import engine_job


@pytest.mark.parametrize(("given", "planned"), [({}, True), ({"engine_preset": "defaults"}, False)])
def test_the_preset_says_whether_sizes_are_planned(tmp_path: Path, given, planned):
    (tmp_path / "config.json").write_text("{}")
    settings = Settings(
        engine="sglang",
        model=str(tmp_path),
        model_revision="r1",
        engine_options='{"tp_size": 1}',
        **given,
    )
    choice = choose_engine(settings, RunParams())
    job = engine_job(settings, choice, context_tokens=4096)
    assert (job.options, job.planned) == ({"tp_size": 1}, planned)


def test_another_engine_than_the_deployments_is_planned_and_has_no_options():
    settings = Settings(engine="openai", engine_preset="defaults", engine_options='{"a": 1}')
    choice = choose_engine(settings, RunParams(engine="llama_cpp"))
    job = engine_job(settings, choice, context_tokens=4096)
    assert (job.options, job.planned) == ({}, True)


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(ValidationError, match="'planned' or 'defaults'"):
        Settings(engine_preset="sed")
