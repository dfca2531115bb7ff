"""Whatever a row holds, the answer is a record that can be stored or a rejection that says why."""

from __future__ import annotations

import json
import random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.source_rows import SOURCES, edge_cases, report_rows

from profiles.extraction.reader import read_row
from profiles.models import RowRejection, SourceRecord
from profiles.models.record_json import decode, encode
from profiles.storage.mappings import load_mappings

# Bounded so that the file takes seconds; derandomised so that a failure is everybody's.
FUZZ = settings(max_examples=40, deadline=None, derandomize=True, database=None)

MAPPINGS = load_mappings()
REASONS = {
    "no_key",
    "unknown_variant",
    "unreadable_json",
    "unexpected_shape",
    "reader_failed",
    "empty",
}

ODD = st.sampled_from(
    [
        None, True, False, 0, -1, 10**400, -(10**30), 1e308, float("nan"), float("inf"), "", " ",
        "\x00", "a\x00b", "\ud83d", "x\udc00y", "\u202e", "null", "NaN", "[", "{", '"[1',
        "9" * 5000, "x" * 20_000,
        "[" * 3_000, "<" * 3_000, "0000-00-00", "99/99/9999", [], {}, [[]], [None],
        {"": None}, {"year": 10**12}, {"year": "x", "month": []}, {"month": 13, "year": 2020},
    ]
)  # fmt: skip
VALUES = st.recursive(
    ODD | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "title", "start", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def handed_rows(source: str) -> list[dict[str, Any]]:
    cases = [(SOURCES[case["source"]], case["row"]) for case in edge_cases()]
    cases += [(SOURCES[table], row) for table, row in report_rows()]
    return [row for of, row in cases if of == source and len(json.dumps(row)) < 10_000]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside nested values, the place of the value itself not."""
    members: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    return [
        found
        for name, member in members
        for found in ((*path, name), *places(member, (*path, name)))
    ]


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy with `new` at the place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_value(value[path[0]], path[1:], new)
    return copy


def check(source: str, row: dict[str, Any]) -> SourceRecord | RowRejection:
    """The property itself."""
    result = read_row(MAPPINGS[source], row)
    if isinstance(result, RowRejection):
        assert result.reason in REASONS
        # Code that met a shape nobody thought of is no crash, but it is a row lost to a fault.
        assert result.reason != "reader_failed", result.detail
        assert result.detail
    else:
        stored = encode(result)
        # Six typed characters are no NUL, so escaped backslashes do not count.
        assert b"\\u0000" not in stored.replace(b"\\\\", b"")
        assert isinstance(decode(stored.decode()), SourceRecord)
    return result


@pytest.mark.parametrize("source", sorted(MAPPINGS))
@FUZZ
@given(data=st.data())
def test_any_value_at_any_place(source: str, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(handed_rows(source)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(row)))
        row = with_value(row, path, data.draw(VALUES))
    check(source, row)


@pytest.mark.parametrize("source", sorted(MAPPINGS))
def test_each_odd_cell_in_each_column(source: str) -> None:
    """Half of what can go wrong is one wrong type in one column, so none is left to chance."""
    mapping = MAPPINGS[source]
    odd = [
        None,
        True,
        -1,
        10**400,
        float("nan"),
        "\x00",
        "\ud83d",
        "[",
        [],
        [[]],
        {},
        {"": [1]},
        [7],
    ]
    rows = {row.get(mapping.discriminator or ""): row for row in handed_rows(source)}
    for row in rows.values():
        for column in mapping.columns:
            for value in odd:
                check(source, {**row, column: value})


@pytest.mark.parametrize("source", sorted(MAPPINGS))
def test_damaged_json_text_in_each_json_column(source: str) -> None:
    """Cut off, flipped and inserted bytes, and members that stand there twice."""
    chance = random.Random(11)
    mapping = MAPPINGS[source]
    rows = handed_rows(source)
    columns = mapping.json_columns | ({"work_experience", "skills"} & set(mapping.columns))
    for _ in range(400):
        row = chance.choice(rows)
        for column in columns:
            cell = row.get(column)
            text = cell if isinstance(cell, str) else orjson.dumps(cell).decode()
            check(source, {**row, column: damaged(text, chance)})


def damaged(text: str, chance: random.Random) -> str:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        way = chance.randrange(5)
        if way == 0:
            del data[at:]
        elif way == 1 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif way == 2:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 5)))
        elif way == 3:
            data[at:at] = chance.choice([b'"raw":', b"NaN", b"[[", b"}}", b"\\u0000", b"\\ud800"])
        else:
            data[at:at] = data[at : at + 30]
    return data.decode("utf-8", "replace")


def test_of_members_that_stand_there_twice_the_last_counts() -> None:
    row = {"id": "k", "vendor": "proxycurl", "raw": '{"full_name": "Ada T", "full_name": "Bo T"}'}
    result = check("linkedin", row)
    assert isinstance(result, SourceRecord)
    assert result.full_name == "Bo T"


@pytest.mark.parametrize("depth", [100, 5_000, 200_000])
def test_deep_nesting_is_no_crash(depth: int) -> None:
    for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        check("linkedin", {"id": "k", "vendor": "proxycurl", "raw": text})
        check("weekday", {"id": "k", "name": "Ada T", "work_experience": text, "skills": text})
