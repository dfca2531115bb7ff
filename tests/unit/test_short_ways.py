"""The short ways for values in their usual form give what the long ways give."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from profiles.extraction import json_path
from profiles.extraction.json_path import Each, Step, values
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.reader import read_row
from profiles.models import RowRejection, SourceRecord
from profiles.standardization import emails, linkedin, names
from profiles.standardization.names import standardize_name
from profiles.storage.mappings import load_mappings

_NAME_WORDS = st.sampled_from(
    ("Anna", "Müller", "Éva", "Kim", "Dr", "Er", "Don", "Phd", "Jr", "Van", "Der", "Ma", "Resume",
     "Nameth", "Opening", "Test", "User", "Address", "anna", "KIM", "J.", "O'Neil", "Ltd")
)  # fmt: skip
_NAMES = st.lists(_NAME_WORDS, min_size=1, max_size=5).map(" ".join)
_SLUGS = st.text(st.sampled_from("abz019-"), min_size=1, max_size=8) | st.sampled_from(
    ("null", "me", "member", "12345", "--", "Anna-B", "%C3%A9-b", "ACoAAA1b2c3d4e5f6g", "in")
)
_PAGES = st.sampled_from(
    ("{}", "https://www.linkedin.com/in/{}", "http://de.linkedin.com/in/{}/", "linkedin.com/in/{}",
     "https://linkedin.com/in/{}?trk=x", "in/{}", "https://www.linkedin.com/company/{}/",
     "https://in.linkedin.com/company/{}", " {} ", "https://example.com/in/{}")
)  # fmt: skip
_ADDRESSES = st.builds(
    "{}@{}".format,
    st.text(st.sampled_from("abz09.-_+ÉA"), min_size=1, max_size=8),
    st.sampled_from(
        ("gmail.com", "googlemail.com", "veltrix-example.com", "a.b.example", "example", "x.1",
         "-a.com", "Example.com", "example.com.", "example.com, b@c.org")
    ),
)  # fmt: skip


@given(st.none() | _NAMES, st.none() | _NAMES, st.none() | _NAMES)
@example("Anna Dr", None, None)
@example("Er Anna Kim", "Resume", "Phd")
def test_a_name_in_its_usual_form(full: str | None, given: str | None, family: str | None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        names._standardize.cache_clear()
        short = standardize_name(full, given, family)
        patch.setattr(names, "_PLAIN", names.re.compile(r"(?!)"))
        names._standardize.cache_clear()
        assert standardize_name(full, given, family) == short
    names._standardize.cache_clear()


@given(_PAGES, _SLUGS)
@example("{}", "12345")
@example("https://www.linkedin.com/in/{}", "--")
def test_an_identifier_in_its_usual_form(page: str, slug: str) -> None:
    value = page.format(slug)
    readers = (linkedin._public_identifier, linkedin._company_reference)
    short = [read.__wrapped__(value) for read in readers]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_PLAIN_PROFILE", "_PLAIN_COMPANY"):
            patch.setattr(linkedin, name, linkedin.re.compile(r"(?!)"))
        assert [read.__wrapped__(value) for read in readers] == short


@given(_ADDRESSES)
def test_an_address_in_its_usual_form(value: str) -> None:
    short = emails._canonical.__wrapped__(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emails, "_PLAIN_ADDRESS", emails.re.compile(r"(?!)"))
        assert emails._canonical.__wrapped__(value) == short


@pytest.mark.parametrize("steps", [(Each(),), (Each(), "a"), (Each(), 0), (Each(), Each()), (1,)])
def test_values_of_a_list(steps: tuple[Step, ...]) -> None:
    node = [{"a": 1}, {"a": None}, {"b": 2}, None, '{"a": 3}', "a", [4], {"a": {"b": 5}}, []]
    root: Mapping[str, object] = {"list": node}
    assert values(("list", *steps), root) == json_path._values_below(steps, node)


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


def test_an_endless_value_is_no_company_and_is_not_remembered() -> None:
    before = linkedin._company_reference.cache_info().misses
    assert linkedin.company_reference("x" * 2001) is None
    assert linkedin._company_reference.cache_info().misses == before


def _read(raw: str | bytes) -> SourceRecord | RowRejection:
    row = {"id": "k", "vendor": "proxycurl", "full_name": "Eva Kim", "raw": raw}
    return read_row(load_mappings()["linkedin"], row)
