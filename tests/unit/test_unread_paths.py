"""Paths of the data that no mapping reads are named with their share, never with a value."""

from __future__ import annotations

import json
from typing import Any

from tests.source_rows import linkedin

from profiles.extraction.coverage import most_frequent, unread_paths
from profiles.extraction.mapping import SourceMapping
from profiles.storage.mappings import load_mappings

MAPPING = SourceMapping.model_validate(
    {
        "source": "staff",
        "table": "hr.people",
        "key": "id",
        "ignored": ["raw.gossip"],
        "fields": {"full_name": "raw.name", "skills": "raw.skills[].name"},
        "positions": {"path": "raw.jobs", "fields": {"title": "title", "start": "from"}},
        "sections": {"projects": {"path": "raw.projects"}},
    }
)


def told(*rows: dict[str, Any]) -> list[str]:
    found = unread_paths(MAPPING, [{"id": str(n), **row} for n, row in enumerate(rows)])
    return [str(path) for path in most_frequent(found)]


def test_a_lost_section_is_one_path_with_one_example_and_its_share() -> None:
    prizes = [{"title": "Golden Quill", "by": {"name": "Port Society"}}, {"title": "Silver Quill"}]
    raw = {"name": "Ada", "prizes": prizes, "jobs": [{"title": "Cook", "duty": "Cooks for forty"}]}
    assert told({"raw": raw}, {"raw": {"name": "Bo", "jobs": [{"title": "Cook"}]}}) == [
        "raw.jobs[].duty (50% of rows)",
        "raw.prizes (50% of rows, such as raw.prizes[].title)",
    ]


def test_a_column_and_a_json_column_that_no_path_names_are_told() -> None:
    row = {"raw": {"name": "Ada"}, "about": "Cooks for forty", "more": '{"hobby": "long walks"}'}
    assert told(row) == ["about (100% of rows)", "more (100% of rows, such as more.hobby)"]


def test_what_is_read_ignored_or_no_text_is_not_told() -> None:
    raw = {
        "name": "Ada", "skills": [{"name": "Go", "id": 7}], "projects": [{"anything": "at all"}],
        "gossip": "said at lunch", "photo": "https://img.example/a.png", "count": 12, "open": True,
        "seen": "2024-02-03", "urn": "urn:li:123", "none": "N/A", "jobs": [{"from": {"year": 1}}],
    }  # fmt: skip
    assert told({"raw": raw}) == []


def test_the_shipped_mappings_name_a_section_that_they_do_not_know() -> None:
    row = linkedin(
        "k", raw={"full_name": "Ada", "summary": "Cook.", "poems": [{"line": "O sea of soup"}]}
    )
    (path,) = unread_paths(load_mappings()["linkedin"], [row])
    assert (path.variant, path.path, path.example) == ("proxycurl", "raw.poems", "raw.poems[].line")
    assert "soup" not in str(path)


def test_a_list_in_a_column_with_a_reader_is_read() -> None:
    jobs = [{"title": "Cook", "company": "Port Canteen", "poem": "O sea of soup"}]
    for value in (jobs, jobs[0], json.dumps(jobs)):
        row = {"id": "k", "name": "Ada", "work_experience": value}
        (path,) = unread_paths(load_mappings()["weekday"], [row])
        assert path.path.endswith(".poem")
