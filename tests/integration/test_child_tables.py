"""A fifth source whose jobs and skills have tables of their own, with keys that are no text."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import convert
from tests.source_rows import create_tables

from profiles.errors import MappingError
from profiles.models import SourceRecord
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources
from profiles.storage.connection import Database

RUN = "manual-1"
TABLES = """
CREATE SCHEMA ats;
CREATE TABLE ats.person (
  id {key} PRIMARY KEY, name text, tools text, tags text[], speaks text,
  changed_at timestamptz DEFAULT now()
);
CREATE TABLE ats.job (person {key} NOT NULL, role text, firm text, since text);
CREATE TABLE ats.skill (person {key} NOT NULL, word text);
"""
MAPPING = """
source: ats
table: ats.person
key: id
updated_at: changed_at
children:
  jobs: {table: ats.job, key: person}
  words: {table: ats.skill, key: person}
fields:
  full_name: name
  skills: ["words[].word", "tools", "tags"]
positions:
  path: jobs
  fields: {title: role, company: firm, start: since}
sections:
  languages: {path: speaks, split: true}
"""
KEYS = {
    "uuid": ("'6f1d3c8e-0000-4000-8000-000000000001'", "'6f1d3c8e-0000-4000-8000-000000000002'"),
    "bigint": ("9007199254740993", "2"),
    "text": ("'a/b c'", "'two'"),
}


@pytest.fixture(params=sorted(KEYS))
def source(
    request: pytest.FixtureRequest,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Database:
    create_tables(database)
    first, second = KEYS[request.param]
    (tmp_path / "ats.yaml").write_text(MAPPING)
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    execute(database, TABLES.format(key=request.param))
    execute(
        database,
        f"INSERT INTO ats.person VALUES ({first}, 'Ada Testwell', 'Go; SQL, Rust', "
        "ARRAY['Perl, old', 'Lua'], 'German; English (C1), Thai'), "
        f"({second}, 'Bo Testwell', NULL, NULL, NULL);"
        f"INSERT INTO ats.job VALUES ({first}, 'Cook', 'Quay', '2019'), "
        f"({first}, 'Chef', 'Dock', '2021');"
        f"INSERT INTO ats.skill VALUES ({first}, 'Baking'), ({first}, 'Python (Django, Flask)');",
    )
    return database


def execute(database: Database, statement: str) -> None:
    with database.connect() as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def extract(database: Database) -> dict[str, float]:
    return extract_sources.run(database, run_id=RUN, source="ats")


def people(database: Database) -> dict[str | None, SourceRecord]:
    with database.connect() as connection:
        rows = connection.execute("SELECT record FROM synthesis.source_record").fetchall()
    return {
        record.full_name: record for (found,) in rows for record in (convert(found, SourceRecord),)
    }


def test_rows_of_child_tables_are_lists_of_their_person(source: Database) -> None:
    assert check_sources.run(source, run_id=RUN, params=RunParams()) == ["ats"]
    assert extract(source)["added"] == 2
    ada, bo = (people(source)[name] for name in ("Ada Testwell", "Bo Testwell"))
    assert {(job.title, job.company) for job in ada.positions} == {
        ("Cook", "Quay"), ("Chef", "Dock")
    }  # fmt: skip
    assert ada.skills == (
        "Baking", "Python (Django, Flask)", "Go", "SQL", "Rust", "Perl, old", "Lua"
    )  # fmt: skip
    assert [entry.title for entry in ada.entries] == ["German", "English (C1)", "Thai"]
    assert (bo.positions, bo.skills) == ((), ())


def test_a_change_in_a_child_table_alone_reads_that_person_again(source: Database) -> None:
    check_sources.run(source, run_id=RUN, params=RunParams())
    extract(source)
    execute(source, "UPDATE ats.job SET role = 'Head cook' WHERE role = 'Cook'")
    counts = extract(source)
    assert (counts["read"], counts["changed"]) == (1, 1)
    assert {job.title for job in people(source)["Ada Testwell"].positions} == {"Head cook", "Chef"}
    assert extract(source)["read"] == 0


@pytest.mark.parametrize("source", ["bigint"], indirect=True)
def test_whole_numbers_of_two_widths_are_joined(source: Database) -> None:
    execute(source, "DELETE FROM ats.job WHERE person > 9; INSERT INTO ats.job VALUES (2, 'Mate');")
    execute(source, "ALTER TABLE ats.job ALTER person TYPE integer")
    check_sources.run(source, run_id=RUN, params=RunParams())
    extract(source)
    assert [job.title for job in people(source)["Bo Testwell"].positions] == ["Mate"]


@pytest.mark.parametrize("table", ["person", "job"])
@pytest.mark.parametrize("written", ["person::text", "upper(person::text)"])
@pytest.mark.parametrize("source", ["uuid"], indirect=True)
def test_a_text_is_joined_to_the_uuid_that_it_writes(
    source: Database, table: str, written: str
) -> None:
    column = "id" if table == "person" else "person"
    written = written.replace("person", column)
    execute(source, f"ALTER TABLE ats.{table} ALTER {column} TYPE varchar USING {written}")
    execute(source, f"INSERT INTO ats.{table} ({column}) VALUES ('no uuid')")
    check_sources.run(source, run_id=RUN, params=RunParams())
    extract(source)
    assert {job.title for job in people(source)["Ada Testwell"].positions} == {"Cook", "Chef"}


@pytest.mark.parametrize("source", ["bigint"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ats.job,", "ats.jobs,", r"jobs: there is no table ats\.jobs; nearest is 'ats\.job'"),
        ("ats.job, key: person", "ats.job, key: persn", "no column 'persn'; nearest is 'person'"),
        ("ats.job, key: person", "ats.job, key: role", "'role' of ats.job is text, but 'id'"),
    ],
)  # fmt: skip
def test_a_child_table_that_cannot_be_joined_stops_the_run(
    source: Database, tmp_path: Path, old: str, new: str, message: str
) -> None:
    (tmp_path / "ats.yaml").write_text(MAPPING.replace(old, new))
    with pytest.raises(MappingError, match=message):
        check_sources.run(source, run_id=RUN, params=RunParams())


@pytest.mark.parametrize("source", ["bigint"], indirect=True)
def test_two_tables_of_one_vendor_are_two_sources(source: Database, tmp_path: Path) -> None:
    other = MAPPING.replace("source: ats", "source: ats_two").replace(
        "table: ats.person", "table: ats.more"
    )
    (tmp_path / "more.yaml").write_text(other)
    execute(
        source,
        "CREATE TABLE ats.more AS SELECT id + 5 AS id, name, tools, tags, speaks, changed_at "
        "FROM ats.person",
    )
    assert check_sources.run(source, run_id=RUN, params=RunParams()) == ["ats", "ats_two"]
    assert extract_sources.run(source, run_id=RUN, source="ats_two")["added"] == 2
