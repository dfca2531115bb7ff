"""A mapping is data that a team edits: what it may say, and how its faults are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.paths import REPOSITORY
from tests.source_rows import linkedin

from profiles.errors import MappingError
from profiles.extraction.mapping import SourceMapping, check_mapping
from profiles.extraction.reader import read_row
from profiles.models import SourceRecord
from profiles.storage.mappings import load_mappings

SMALL = """
source: staff
table: hr.people
key: id
fields:
  full_name: [nick, Full Name]
  emails: contact.mails[]
"""


def mapping(**overrides: object) -> SourceMapping:
    values: dict[str, object] = {
        "source": "staff",
        "table": "hr.people",
        "key": "id",
        "fields": {"full_name": ["nick", "Full Name"], "emails": "contact.mails[]"},
    }
    return SourceMapping.model_validate(values | overrides)


def test_the_shipped_mappings_load_and_name_their_sources() -> None:
    assert set(load_mappings(REPOSITORY / "include" / "sources")) == {
        "linkedin", "weekday", "resume", "lemlist"
    }  # fmt: skip


def test_every_variant_of_the_vendors_is_mapped() -> None:
    loaded = load_mappings()
    assert set(loaded["linkedin"].variants) == {
        "proxycurl", "apify_dev_fusion", "apify_harvestapi", "brightdata", "people_data_labs",
        "phantombuster",
    }  # fmt: skip
    assert set(loaded["resume"].variants) == {
        "jsonresume", "openresume", "affinda", "textkernel", "pyresparser"
    }  # fmt: skip


def test_a_team_maps_its_own_table_without_code() -> None:
    row = {"id": 7, "Full Name": "Ada Testwell", "contact": '{"mails": ["Ada@Mail-Example.com"]}'}
    record = read_row(mapping(), row)
    assert isinstance(record, SourceRecord)
    assert (record.source, record.source_key) == ("staff", "7")
    assert (record.full_name, record.emails) == ("Ada Testwell", ("ada@mail-example.com",))


def test_the_first_usable_path_wins() -> None:
    both = read_row(mapping(), {"id": 1, "nick": "Bo Testwell", "Full Name": "Ada Testwell"})
    none = read_row(mapping(), {"id": 1, "nick": "N/A", "Full Name": "Ada Testwell"})
    assert isinstance(both, SourceRecord) and both.full_name == "Bo Testwell"
    assert isinstance(none, SourceRecord) and none.full_name == "Ada Testwell"


def test_columns_are_those_that_the_paths_start_at() -> None:
    assert mapping(updated_at="changed").columns == (
        "id",
        "changed",
        "nick",
        "Full Name",
        "contact",
    )


def test_a_missing_column_is_told_with_table_places_and_nearest_match() -> None:
    columns = {"id": "bigint", "nick": "text", "full name": "text", "contact": "jsonb"}
    (problem,) = check_mapping(mapping(), columns)
    assert problem == (
        "staff: table hr.people has no column 'Full Name' (named in fields.full_name); "
        "nearest is 'full name'"
    )


def test_every_missing_column_is_listed() -> None:
    problems = check_mapping(mapping(), {"idx": "bigint"})
    assert len(problems) == 4
    assert all("hr.people" in problem for problem in problems)


def test_a_column_that_cannot_hold_json_is_told() -> None:
    columns = {"id": "bigint", "nick": "text", "Full Name": "text", "contact": "bigint"}
    (problem,) = check_mapping(mapping(), columns)
    assert "'contact' of hr.people is bigint" in problem


def test_the_version_follows_the_mapping_and_the_rules() -> None:
    assert mapping().extractor_version == mapping().extractor_version
    assert mapping().extractor_version != mapping(key="nr").extractor_version
    assert mapping().extractor_version != mapping(rules="other").extractor_version


def test_a_row_version_is_needed_for_a_reliable_time() -> None:
    with pytest.raises(ValueError, match="updated_at_reliable needs updated_at"):
        mapping(updated_at_reliable=True)


def test_faults_of_all_files_are_listed_together(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SMALL.replace("key: id", "kee: id"))
    (tmp_path / "b.yaml").write_text(SMALL.replace("full_name:", "fullname:"))
    (tmp_path / "c.yaml").write_text("source: [\nkey: }\n")
    (tmp_path / "d.yaml").write_text(
        SMALL + "positions: {path: jobs, reader: lemlist_group, fields: {}}\n"
    )
    (tmp_path / "e.yaml").write_text(SMALL.replace("mails[]", "mails["))
    with pytest.raises(MappingError) as caught:
        load_mappings(tmp_path)
    told = "\n".join(caught.value.problems)
    for part in (
        "a.yaml, line 4: unknown key 'kee'; nearest is 'key'",
        "b.yaml, line 6: unknown key 'fields.fullname'; nearest is 'full_name'",
        "c.yaml, line 2: is no YAML",
        "d.yaml, line 8: positions: unknown reader 'lemlist_group'; nearest is 'lemlist_groups'",
        "e.yaml, line 7: fields.emails: 'contact.mails[' is not a path",
    ):
        assert part in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a list\n", "a.yaml: holds no lines of `key: value`"),
        (SMALL + "key: nr\n", "line 8: 'key' was given in line 4 already"),
        (SMALL.replace("staff", "Staff"), "line 2: 'source' should be lower-case letters, digits"),
        (SMALL.replace("hr.people", "a.b.c"), "line 3: 'table' should be TABLE or SCHEMA.TABLE"),
        (SMALL.replace("key: id", "key: 7"), "line 4: 'key' should be a text"),
        (SMALL + "updated_at_reliable: maybe\n", "'updated_at_reliable' should be true or false"),
        (SMALL + "positions: [{path: jobs, fields: {titel: t}}]\n", "nearest is 'title'"),
        (SMALL + "  emails: {pahts: a}\n", "unknown key 'fields.emails.pahts'; nearest is 'paths'"),
        (SMALL.replace("nick", "nick: x: y"), "a.yaml, line 6: is no YAML"),
        ("source: caf\udce9\n", "a.yaml: is no text in UTF-8"),
    ],
)
def test_a_fault_is_told_in_plain_words_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(MappingError) as caught:
        load_mappings(tmp_path)
    assert told in str(caught.value)


def test_aliases_of_aliases_are_walked_once(tmp_path: Path) -> None:
    levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    (tmp_path / "a.yaml").write_text(f"source: s\nnoise:\n  l0: &l0 [x]\n{levels}")
    with pytest.raises(MappingError, match="unknown key 'noise'"):
        load_mappings(tmp_path)


def test_a_missing_column_is_told_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SMALL)
    columns = {"id": "bigint", "nick": "text", "Full Name": "text", "contacts": "jsonb"}
    (problem,) = check_mapping(load_mappings(tmp_path)["staff"], columns)
    assert "(named in fields.emails, a.yaml line 7); nearest is 'contacts'" in problem


def test_a_file_that_no_run_would_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(SMALL)
    with pytest.raises(MappingError, match=r"a\.yml: is not read; name it \.yaml"):
        load_mappings(tmp_path)


def test_two_files_of_one_source_are_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SMALL)
    (tmp_path / "b.yaml").write_text(SMALL)
    with pytest.raises(MappingError, match="'staff' has a file already"):
        load_mappings(tmp_path)


def test_a_folder_without_mappings_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"holds no \*\.yaml"):
        load_mappings(tmp_path)


def test_a_variants_paths_go_before_the_common_ones() -> None:
    row = linkedin("1", raw={"full_name": "From Raw"}, full_name="From Column")
    record = read_row(load_mappings()["linkedin"], row)
    assert isinstance(record, SourceRecord) and record.full_name == "From Raw"
    record = read_row(load_mappings()["linkedin"], linkedin("1", full_name="From Column"))
    assert isinstance(record, SourceRecord) and record.full_name == "From Column"
