"""A row's statement that a job is current: yes, no, or neither, and then its dates decide."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.source_rows import weekday

from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import Position, RowRejection
from profiles.standardization.date_ranges import goes_on
from profiles.storage.mappings import load_mappings

MAPPING = load_mappings()["weekday"]
OPEN = SourceMapping.model_validate(
    {
        "source": "export",
        "table": "src.export",
        "key": "id",
        "rules": "1",
        "fields": {"full_name": "name"},
        "positions": {
            "path": "jobs",
            "open_end_is_current": True,
            "fields": {
                "title": "title", "start": "start", "end": "end", "is_current": ["now", "current"],
            },
        },
    }
)  # fmt: skip


def read(**job: Any) -> Position:
    """The job that a list of an export has."""
    row = weekday("w", name="Ada Testwell", work_experience=json.dumps([{"title": "Cook", **job}]))
    return _only(MAPPING, row)


def read_open(**job: Any) -> Position:
    """The same of a vendor whose missing end means that the job goes on."""
    return _only(OPEN, {"id": "k", "name": "Ada", "jobs": [{"title": "Cook", **job}]})


def _only(mapping: SourceMapping, row: dict[str, Any]) -> Position:
    record = read_row(mapping, row)
    assert not isinstance(record, RowRejection)
    (job,) = record.positions
    return job


@pytest.mark.parametrize(
    "value",
    [
        True, 1, 1.0, "true", "T", "Yes", "Y", "1", "present", "Present ", "CURRENT", "ongoing",
        "heute", "bis heute", "bis jetzt", "actual", "aujourd'hui", "jusqu'à présent", "sí", "oui",
        "ja", "да", "至今", "はい", "currently working", "Still working here",
    ],
)  # fmt: skip
def test_words_that_mean_that_a_job_goes_on_are_yes(value: Any) -> None:
    assert goes_on(value) is True
    job = read(start="2019-03", end="2021-04", is_current=value)
    assert (job.is_current, job.end) == (True, None)


@pytest.mark.parametrize(
    "value",
    [
        False, 0, 0.0, "false", "F", "No", "n", "0", "ended", "former", "Past", "not current",
        "no longer", "nein", "non", "não", "нет", "否", "いいえ",
    ],
)  # fmt: skip
def test_words_that_mean_no_are_no(value: Any) -> None:
    assert goes_on(value) is False
    job = read_open(start="2019-03", now=value)
    assert job.is_current is False


@pytest.mark.parametrize(
    "value",
    ["maybe", "see CV", "2019", "date", "presentation", 3, 7, 0.5, "3", "no idea " * 20],
)
def test_any_other_value_is_neither(value: Any) -> None:
    assert goes_on(value) is None
    assert read(start="2019-03", is_current=value).is_current is False


@pytest.mark.parametrize("value", ["Nu", "nu", "Tak", "Año", "Ano", "ya", "Momento", "o momento"])
def test_a_word_of_two_languages_is_neither_and_keeps_the_end(value: str) -> None:
    """`Nu` is Romanian for no and Swedish for now; `Año` without its tilde is Czech for yes."""
    assert goes_on(value) is None
    job = read(start="2015-01", end="2018-05", is_current=value)
    assert (job.is_current, str(job.end)) == (False, "2018-05")


@pytest.mark.parametrize(
    "value",
    ["-1", "1/0", "#1", "+1", "1.", "!true", "yes?", "yes/no", "-yes", "①", "~present"],
)
def test_signs_are_not_dropped_from_a_flag(value: str) -> None:
    assert goes_on(value) is None
    assert read(start="2019-03", is_current=value).is_current is False


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Yes.", True), (" 1 ", True), ("1.0", True), ("on-going", True), ("Aujourd’hui", True),
        ("si\u0301", True), ("н.в.", True), ("non-current", False), ("NO_LONGER", False),
        ("0.0", False), (" 0", False), ("no.", False),
    ],
)  # fmt: skip
def test_signs_that_belong_to_a_word_are_allowed(value: str, said: bool) -> None:
    assert goes_on(value) is said


@pytest.mark.parametrize("end", ["nu", "momento"])
def test_a_word_for_now_still_ends_a_span(end: str) -> None:
    assert read(start="2019-03", end=end).is_current is True


@pytest.mark.parametrize("value", ["n/a", "unknown", "", " ", "-", "none", None, []])
def test_a_value_that_says_nothing_is_neither(value: Any) -> None:
    assert goes_on(value) is None
    job = read_open(start="2019-03", now=value)
    assert job.is_current is True


@pytest.mark.parametrize("value", ["maybe", "unknown", "n/a"])
def test_dates_decide_where_it_is_unknown(value: str) -> None:
    ended = read_open(start="2019-03", end="2021-04", now=value)
    assert (ended.is_current, str(ended.end)) == (False, "2021-04")
    assert (read_open(start="2019-03", now=value).is_current) is True
    assert (read_open(now=value).is_current) is False
    assert (read(start="2019-03", is_current=value).is_current) is False
    assert (read(start="2019-03", end="Present", is_current=value).is_current) is True
    assert (read(dates="2019 - heute", is_current=value).is_current) is True


def test_another_path_is_asked_where_the_first_says_neither() -> None:
    job = read(start="2019-03", is_current="unknown", current="yes")
    assert job.is_current is True
