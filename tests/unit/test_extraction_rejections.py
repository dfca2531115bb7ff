"""A row that cannot be read is an answer with a reason, never an exception and never a leak."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from tests.source_rows import (
    SOURCES,
    edge_cases,
    lead,
    linkedin,
    report_rows,
    resume,
    weekday,
)

from profiles.extraction import facts
from profiles.extraction.facts import place
from profiles.extraction.reader import read_row
from profiles.models import PartialDate, RowRejection, SourceRecord
from profiles.models.record_json import decode, digest, encode
from profiles.storage.mappings import load_mappings

WEIRD: list[Any] = [
    None, True, False, 0, -1, 10**30, 1.5, "", " ", "\x00", "\ud83d",
    "null", "[", "{}", '"[1', "9" * 400, "x" * 5000, [], [[]], [None], [{}], {}, {"": None},
    {"name": {"name": []}}, [1, "a", None, {"title": 3}], {"year": "x", "month": []},
    {"year": 10**12}, {"month": 13, "year": 2020}, [[[["deep"]]]],
]  # fmt: skip


def reason(source: str, row: dict[str, Any]) -> str:
    result = read_row(load_mappings()[source], row)
    assert isinstance(result, RowRejection), result
    return result.reason


def test_an_empty_row_is_rejected_as_empty() -> None:
    assert reason("linkedin", linkedin("k")) == "empty"


def test_placeholder_words_are_empty_too() -> None:
    row = weekday("k", name="null", email="null", phone="0000000000", skills="N/A, -, None")
    assert reason("weekday", row) == "empty"


def test_an_unknown_variant_names_the_known_ones_and_not_the_row() -> None:
    row = linkedin("k", "secret vendor", {"full_name": "Ada Testwell"})
    result = read_row(load_mappings()["linkedin"], row)
    assert isinstance(result, RowRejection)
    assert result.reason == "unknown_variant"
    assert "proxycurl" in result.detail
    assert "secret" not in result.detail and "Ada" not in result.detail


@pytest.mark.parametrize(
    ("raw", "code"),
    [("Ada, no JSON", "unreadable_json"), ('{"full_name": "Ad', "unreadable_json"),
     ([1, 2], "unexpected_shape"), (7, "unexpected_shape")],
)  # fmt: skip
def test_a_document_that_is_none_is_rejected(raw: Any, code: str) -> None:
    result = read_row(load_mappings()["linkedin"], linkedin("k", raw=raw, full_name="Ada T"))
    assert isinstance(result, RowRejection)
    assert result.reason == code
    assert "Ada" not in result.detail


def test_a_document_in_a_list_of_one_is_read() -> None:
    row = linkedin("k", raw=[{"full_name": "Ada Testwell"}])
    assert isinstance(read_row(load_mappings()["linkedin"], row), SourceRecord)


def test_a_row_without_key_is_rejected() -> None:
    assert reason("lemlist", {**lead("k", full_name="Ada T"), "id": None}) == "no_key"


def test_whatever_the_cells_hold_the_answer_is_a_record_or_a_rejection() -> None:
    chance = random.Random(5)
    rows = [(SOURCES[case["source"]], case["row"]) for case in edge_cases()]
    rows += [(SOURCES[table], row) for table, row in report_rows()]
    mappings = load_mappings()
    for source, row in rows:
        if len(json.dumps(row)) > 20_000:
            continue
        for _ in range(25):
            damaged = _damaged(copy.deepcopy(row), chance)
            result = read_row(mappings[source], damaged)
            if isinstance(result, RowRejection):
                assert result.reason != "reader_failed", (result.detail, damaged)
            else:
                encoded = encode(result)
                assert decode(encoded) is not None
                assert b"\\u0000" not in encoded
                encoded.decode("utf-8")


def test_a_surprise_in_an_adapter_costs_one_row_and_tells_where_it_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("Ada Testwell")

    monkeypatch.setattr("profiles.extraction.items.positions", fail)
    result = read_row(load_mappings()["linkedin"], linkedin("k", raw={"full_name": "Ada T"}))
    assert isinstance(result, RowRejection)
    assert result.reason == "reader_failed"
    assert result.detail.startswith("KeyError in ")
    assert "Ada" not in result.detail


def test_an_encoded_record_comes_back_and_has_one_digest() -> None:
    row = linkedin("k", raw={"full_name": "Ada T", "experiences": [{"title": "T", "company": "C"}]})
    record = read_row(load_mappings()["linkedin"], row)
    assert isinstance(record, SourceRecord)
    assert decode(encode(record)) == record
    assert digest(encode(record)) == digest(encode(decode(encode(record))))


def test_text_that_postgres_refuses_is_scrubbed_on_encoding() -> None:
    record = SourceRecord("s", "k", full_name="A\x00d\ud83da", skills=("x\x00",))
    assert decode(encode(record)) == SourceRecord("s", "k", full_name="Ada", skills=("x",))


def _damaged(row: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The row with one value somewhere replaced by something no vendor would send."""
    spots: list[tuple[Any, Any]] = [(row, name) for name in row if name != "id"]
    for name in ("raw", "fields"):
        if isinstance(row.get(name), dict):
            spots += _spots(row[name])
    holder, name = chance.choice(spots)
    if name not in ("vendor", "parser"):
        holder[name] = chance.choice(WEIRD)
    return row


def _spots(node: Any) -> list[tuple[Any, Any]]:
    members: list[Any] = []
    if isinstance(node, dict):
        members = list(node.items())
    elif isinstance(node, list):
        members = list(enumerate(node))
    found = [(node, name) for name, _ in members]
    for _, child in members:
        found += _spots(child)
    return found


UNCALENDARED = ["NaN", "Infinity", "-Infinity", "1e999", "9" * 400, f'"{"9" * 5000}"']
"""JSON texts of numbers that Python's decoder reads and no integer or calendar holds."""


@pytest.mark.parametrize("number", UNCALENDARED, ids=lambda text: text[:9])
@pytest.mark.parametrize("member", ["day", "month", "year"])
def test_an_impossible_number_costs_its_date_and_not_the_row(number: str, member: str) -> None:
    date = {"day": 1, "month": 1, "year": 2020, member: "NUMBER"}
    job = {"title": "Engineer", "company": "Northvale", "starts_at": date}
    raw = json.dumps({"full_name": "Ada Testwell", "experiences": [job]})
    row = linkedin("k", raw=raw.replace('"NUMBER"', number))

    result = read_row(load_mappings()["linkedin"], row)

    assert isinstance(result, SourceRecord), result
    assert [position.title for position in result.positions] == ["Engineer"]


@pytest.mark.parametrize("number", [*UNCALENDARED, "-1" + "0" * 400], ids=lambda text: text[:9])
def test_impossible_years_of_experience_are_unknown(number: str) -> None:
    raw = f'{{"name": "Ada Testwell", "total_experience": {number}}}'
    result = read_row(load_mappings()["resume"], resume("k", "pyresparser", raw))
    assert isinstance(result, SourceRecord), result
    assert result.years_experience is None
    assert facts.years_of_months(json.loads(number)) is None


_DEEP_LIST = json.loads("[" * 900 + '"Go"' + "]" * 900)
_LISTS_IN_TEXT = "Go"
for _ in range(12):
    _LISTS_IN_TEXT = "[" * 900 + json.dumps(_LISTS_IN_TEXT) + "]" * 900


@pytest.mark.parametrize("skills", [_DEEP_LIST, _LISTS_IN_TEXT], ids=["list", "text"])
def test_lists_nested_without_end_cost_their_names_and_not_the_row(skills: Any) -> None:
    row = linkedin("k", raw={"full_name": "Ada Testwell", "skills": skills})
    result = read_row(load_mappings()["linkedin"], row)
    assert isinstance(result, SourceRecord), result
    assert result.skills == ()


def test_lists_are_looked_into_as_far_as_any_vendor_nests_them() -> None:
    skills = json.loads("[" * 15 + '"Go"' + "]" * 15)
    row = linkedin("k", raw={"full_name": "Ada Testwell", "skills": skills})
    result = read_row(load_mappings()["linkedin"], row)
    assert isinstance(result, SourceRecord), result
    assert result.skills == ("Go",)


@pytest.mark.parametrize("member", ["year", "Date", "text"])
def test_dates_nested_without_end_cost_the_date_and_not_the_row(member: str) -> None:
    date: dict[str, Any] = {}
    for _ in range(950):
        date = {member: date, "FoundYear": True} if member == "Date" else {member: date}
    job = {"title": "Engineer", "company": "Northvale", "starts_at": date, "ends_at": date}
    row = linkedin("k", raw={"full_name": "Ada Testwell", "experiences": [job]})
    result = read_row(load_mappings()["linkedin"], row)
    assert isinstance(result, SourceRecord), result
    assert [(job.title, job.start, job.end) for job in result.positions] == [
        ("Engineer", None, None)
    ]


def test_what_else_is_in_a_date_does_not_cost_it() -> None:
    date = {"FoundYear": True, "Date": {"year": 2019, "meta": {"of": {}}}}
    job = {"title": "Engineer", "company": "Northvale", "starts_at": date}
    row = linkedin("k", raw={"full_name": "Ada Testwell", "experiences": [job]})
    result = read_row(load_mappings()["linkedin"], row)
    assert isinstance(result, SourceRecord), result
    assert [job.start for job in result.positions] == [PartialDate(2019)]


def test_a_time_beyond_the_calendar_is_no_time() -> None:
    row = weekday("k", name="Ada Testwell") | {"updated_at": "0001-01-01T00:00:00+14:00"}
    result = read_row(load_mappings()["weekday"], row)
    assert isinstance(result, SourceRecord), result
    assert result.observed_at is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Villa 214, Fann, Dakar, Senegal", "Fann, Dakar, Senegal"),
        ("Flat 4B, Green Park, Delhi", "Green Park, Delhi"),
        ("Villa 214, Dakar", "Villa 214, Dakar"),
        ("Praha 4, Praha, Česko", "Praha 4, Praha, Česko"),
        ("75011 Paris, Île-de-France, France", "75011 Paris, Île-de-France, France"),
    ],
)
def test_a_house_with_its_number_is_no_part_of_a_place(value: str, expected: str) -> None:
    assert place(value) == expected
