"""JSON columns as UTF-8 give what they give as text."""

from __future__ import annotations

import json

import pytest

from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import RowRejection, SourceRecord
from profiles.storage.mappings import load_mappings


def test_json_columns_are_read_from_utf_8_as_from_text() -> None:
    raw = json.dumps({"full_name": "Éva Kim", "headline": "Cook · Vienna"}, ensure_ascii=False)
    record = _read(raw)
    assert isinstance(record, SourceRecord)
    assert record.full_name == "Éva Kim"
    assert _read(raw.encode()) == record


@pytest.mark.parametrize(
    "raw",
    [
        "", " ", "{}", "[]", "[[], {}]", "[null]", "[object object]", "null", "N/A", '{"a"',
        "[1, 2]",
        f"[{'[], ' * 20}[]]", '{"full_name": "\\ud800 Eva Kim", "headline": "Cook in a kitchen"}',
        json.dumps(json.dumps({"full_name": "Eva Kim"})),
        json.dumps([{"full_name": "Eva Kim"}] * 2),
        json.dumps([{"full_name": "Eva Kim", "headline": "Cook in a kitchen of Vienna"}]),
        '{"full_name": "Eva Kim", and then a text that is no JSON any more',
    ],
)  # fmt: skip
def test_what_is_no_usual_json_is_the_same_from_utf_8(raw: str) -> None:
    assert _read(raw.encode()) == _read(raw)


def test_a_column_that_is_text_in_one_variant_is_left_as_text() -> None:
    path = {"fields": {"full_name": "cell.name"}}
    mapping = SourceMapping.model_validate(
        {
            "source": "s", "table": "t", "key": "id", "discriminator": "kind",
            "fields": {"summary": "raw.text"},
            "variants": {"a": path, "b": {"fields": {"full_name": "cell"}}},
        }
    )  # fmt: skip
    assert mapping.json_columns == {"cell", "raw"}
    assert mapping.json_alone == {"raw"}


def _read(raw: str | bytes) -> SourceRecord | RowRejection:
    row = {"id": "k", "vendor": "proxycurl", "full_name": "Eva Kim", "raw": raw}
    return read_row(load_mappings()["linkedin"], row)
