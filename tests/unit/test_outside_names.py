"""Names that scripts outside the repository import, where they were when those were written."""

from __future__ import annotations

from importlib import import_module

import pytest

from profiles import embedded, steps
from profiles.cli import main
from profiles.extraction.reader import read_row
from profiles.models import SourceRecord
from profiles.sample import load_sample
from profiles.storage.mappings import load_mappings
from profiles.synthesis.engine_environment import child_environment


def test_the_tools_of_a_clone_have_a_name_in_the_package():
    functions = (embedded.start, embedded.remove, embedded.ensure_database, load_sample)
    assert all(map(callable, (*functions, child_environment)))


@pytest.mark.parametrize("name", ["apply_migrations", "erase", "export", "run_report", "status"])
def test_a_step_that_moved_is_found_among_the_steps(name: str):
    assert getattr(steps, name).__name__.endswith(f".{name}")


def test_the_commands_run_as_a_module():
    assert import_module("profiles.cli.__main__").main is main


def test_what_is_no_step_is_none():
    with pytest.raises(AttributeError):
        _ = steps.no_such_step
    with pytest.raises(ImportError):
        import_module("profiles.steps.no_such_step")


def test_reading_a_row_takes_a_list_for_what_was_cut():
    cuts: list[str] = []
    row = dict.fromkeys(load_mappings()["weekday"].columns) | {
        "id": "k",
        "name": "Ada " + "x " * 400,
    }
    assert isinstance(read_row(load_mappings()["weekday"], row, cuts), SourceRecord)
    assert cuts == ["long_line"]


def test_an_export_names_its_files():
    assert steps.export.Exported._fields[:4] == ("run_id", "answers", "raw", "metadata")
