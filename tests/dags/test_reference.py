"""The documentation names what the code has."""

from __future__ import annotations

from typing import Any

from tests.paths import REPOSITORY

from profiles.settings import Settings
from scripts.docs.render_reference import TARGET, reference


def test_the_reference_is_up_to_date(dag_bag: Any):
    assert TARGET.read_text(encoding="utf-8") == reference(), (
        "run `python -m scripts.docs.render_reference` and commit docs/reference.md"
    )


def test_the_readme_names_every_task(dag_bag: Any):
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    names = dag_bag.dags["profile_synthesis"].task_ids
    assert [name for name in names if f"`{name}`" not in readme] == []


def test_every_setting_is_in_the_reference():
    text = TARGET.read_text(encoding="utf-8")
    for name in Settings.model_fields:
        assert f"`PROFILES_{name.upper()}`" in text
