"""Paths find values in whatever shape they were sent."""

from __future__ import annotations

import json

import pytest

from profiles.extraction.json_path import compile_path, decode_json, values


def at(path: str, root: dict[str, object]) -> list[object]:
    return values(compile_path(path), root)


def test_members_elements_and_indexes_are_followed() -> None:
    root: dict[str, object] = {"raw": {"a": [{"b": 1}, {"b": None}, {"c": 3}, {"b": 2}]}}
    assert at("raw.a[].b", root) == [1, 2]
    assert at("raw.a[0].b", root) == [1]
    assert at("raw.a[9].b", root) == []
    assert at("raw.x.y.z", root) == []


def test_a_backslash_takes_the_meaning_from_a_dot() -> None:
    assert at(r"raw.a\.b", {"raw": {"a.b": 1}}) == [1]


def test_a_column_name_may_hold_spaces() -> None:
    assert at("Candidate Name", {"Candidate Name": "x"}) == ["x"]


def test_text_in_the_way_is_decoded_however_often_it_was_encoded() -> None:
    once = json.dumps({"b": [1, 2]})
    assert at("raw.b[]", {"raw": once}) == [1, 2]
    assert at("raw.b[]", {"raw": json.dumps(json.dumps(once))}) == [1, 2]
    assert at("raw.a.b[]", {"raw": {"a": once}}) == [1, 2]


def test_a_list_of_one_may_be_sent_as_the_object_itself() -> None:
    assert at("raw.a[].b", {"raw": {"a": {"b": 1}}}) == [1]


def test_escapes_that_strict_decoders_refuse_are_read() -> None:
    assert decode_json('{"a": "x\\ud83d"}') == {"a": "x\ud83d"}
    assert decode_json('{"a": "x\\u0000"}') == {"a": "x\x00"}
    assert decode_json('{"a": "x\ny"}') == {"a": "x\ny"}


@pytest.mark.parametrize("text", ["", "x", "[1", '{"a":', "null", "12", "[" * 100_000])
def test_what_is_no_json_container_is_text(text: str) -> None:
    assert decode_json(text) is text


@pytest.mark.parametrize("path", ["", ".", "a.", ".a", "a..b", "a]b", "a[x]", "a[0"])
def test_a_malformed_path_is_an_error(path: str) -> None:
    with pytest.raises(ValueError, match=r"path|empty"):
        compile_path(path)
