"""The first task stops a run before any work when tables are not what the mappings say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.source_rows import create_tables, insert, lead, linkedin

from profiles.doctor.parts import source_tables
from profiles.errors import MappingError, SettingsError, SourceError
from profiles.operations.status import last_run
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources
from profiles.steps.reports.run_report import build_report
from profiles.storage.connection import Database

RUN = "manual-1"


@pytest.fixture
def sources(database: Database) -> Database:
    create_tables(database)
    return database


def check(database: Database, *names: str) -> list[str]:
    return check_sources.run(database, run_id=RUN, params=RunParams(sources=names))


def execute(database: Database, statement: str) -> None:
    with database.connect() as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def stored_counts(database: Database) -> dict[str, Any]:
    with database.connect() as connection:
        row = connection.execute(
            "SELECT counts FROM synthesis.run_stage WHERE stage = 'check_sources'"
        ).fetchone()
    assert row is not None
    return dict(row[0])


def known_leads(database: Database, number: int) -> None:
    insert(
        database,
        "lemlist_leads",
        [lead(f"lea_{n}", full_name=f"Ada Testwell{n}") for n in range(number)],
    )
    check(database, "lemlist")
    extract_sources.run(database, run_id=RUN, source="lemlist")


def test_sound_tables_give_the_sources_to_read_and_their_counts(sources: Database) -> None:
    insert(sources, "lemlist_leads", [lead("a", full_name="Ada T"), lead("b", full_name="Bo T")])
    assert sorted(check(sources)) == ["lemlist", "linkedin", "resume", "weekday"]
    counts = stored_counts(sources)
    assert (counts["lemlist.rows"], counts["lemlist.known"], counts["lemlist.gone"]) == (2, 0, 0)


def test_the_run_is_open_even_when_the_check_fails(database: Database) -> None:
    with pytest.raises(MappingError):
        check(database)
    with database.connect() as connection:
        row = connection.execute("SELECT run_id, state FROM synthesis.run").fetchone()
    assert row == (RUN, "running")


def test_sources_of_the_run_limit_what_is_checked_and_read(sources: Database) -> None:
    execute(sources, "DROP TABLE src.parsed_resumes")
    assert check(sources, "weekday", "lemlist") == ["lemlist", "weekday"]


def test_a_source_without_mapping_is_told(sources: Database) -> None:
    with pytest.raises(SettingsError, match="'resumes', which has no mapping; nearest is 'resume'"):
        check(sources, "resumes")


def test_every_fault_of_every_table_is_listed_with_its_nearest_match(sources: Database) -> None:
    execute(sources, "ALTER TABLE src.linkedin_profiles RENAME full_name TO fullname")
    execute(sources, "ALTER TABLE src.lemlist_leads DROP tagline")
    execute(sources, "ALTER TABLE src.weekday_candidates RENAME TO weekday_candidate")
    with pytest.raises(MappingError) as caught:
        check(sources)
    told = "\n".join(caught.value.problems)
    assert len(caught.value.problems) == 3
    assert "table src.linkedin_profiles has no column 'full_name'" in told
    assert "nearest is 'fullname'" in told
    assert "table src.lemlist_leads has no column 'tagline' (named in fields.headline" in told
    assert "there is no table src.weekday_candidates; nearest is 'src.weekday_candidate'" in told


def test_rows_that_would_be_lost_for_lack_of_a_key_are_told(sources: Database) -> None:
    execute(sources, "ALTER TABLE src.lemlist_leads DROP CONSTRAINT lemlist_leads_pkey")
    execute(sources, "ALTER TABLE src.lemlist_leads ALTER id DROP NOT NULL")
    insert(sources, "lemlist_leads", [lead("a"), lead("a"), {**lead("x"), "id": None}])
    with pytest.raises(MappingError, match=r"2 of 3 rows of src\.lemlist_leads share a value of"):
        check(sources, "lemlist")


def test_too_many_vanished_rows_stop_the_run(sources: Database) -> None:
    known_leads(sources, 60)
    execute(sources, "DELETE FROM src.lemlist_leads WHERE id IN ('lea_1', 'lea_2')")
    with pytest.raises(SourceError) as caught:
        check(sources)
    told = str(caught.value)
    assert "2 of 60 known rows are gone from src.lemlist_leads (3.3%; at most 2.0%" in told
    assert "PROFILES_MAX_DELETE_SHARE" in told


def test_few_vanished_rows_pass(sources: Database) -> None:
    known_leads(sources, 60)
    execute(sources, "DELETE FROM src.lemlist_leads WHERE id = 'lea_1'")
    check(sources)
    counts = stored_counts(sources)
    assert (counts["lemlist.known"], counts["lemlist.gone"]) == (60, 1)


def test_the_share_is_a_setting(sources: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    known_leads(sources, 60)
    execute(sources, "DELETE FROM src.lemlist_leads WHERE id < 'lea_3'")
    monkeypatch.setenv("PROFILES_MAX_DELETE_SHARE", "0.9")
    check(sources)


def test_a_small_source_may_lose_any_share(sources: Database) -> None:
    known_leads(sources, 20)
    execute(sources, "TRUNCATE src.lemlist_leads")
    check(sources)


def test_rows_rejected_before_count_as_known(sources: Database) -> None:
    insert(sources, "lemlist_leads", [lead(f"e{n}") for n in range(60)])
    check(sources, "lemlist")
    extract_sources.run(sources, run_id=RUN, source="lemlist")
    execute(sources, "TRUNCATE src.lemlist_leads")
    with pytest.raises(SourceError, match="60 of 60"):
        check(sources, "lemlist")


def test_a_table_is_found_on_the_search_path_without_schema(
    sources: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(sources, "CREATE TABLE staff (nr integer PRIMARY KEY, full_name text)")
    (tmp_path / "staff.yaml").write_text(
        "source: staff\ntable: staff\nkey: nr\nfields: {full_name: full_name}\n"
    )
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    assert check(sources) == ["staff"]


def test_the_industry_table_is_checked_before_any_work(sources: Database) -> None:
    execute(sources, "ALTER TABLE src.company_industry RENAME COLUMN industry_code TO industry_cod")
    with pytest.raises(MappingError, match="has no column 'industry_code'; nearest is") as caught:
        check(sources)
    assert "src.company_industry" in str(caught.value)


def test_a_missing_industry_table_names_the_nearest(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROFILES_INDUSTRY_TABLE", "src.company_industries")
    with pytest.raises(MappingError, match=r"nearest is 'src\.company_industry'"):
        check(sources)


def test_the_industry_table_may_have_other_names(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(sources, "ALTER TABLE src.company_industry RENAME COLUMN industry TO sector")
    execute(sources, "ALTER TABLE src.company_industry DROP COLUMN is_primary")
    names = {"industry": "sector", "is_primary": ""}
    monkeypatch.setenv("PROFILES_INDUSTRY_COLUMNS", json.dumps(names))
    assert check(sources)
    monkeypatch.setenv("PROFILES_INDUSTRY_COLUMNS", json.dumps({"industy": "sector"}))
    with pytest.raises(MappingError, match="names 'industy', which is not read; nearest is"):
        check(sources)


def test_paths_that_nobody_reads_are_in_counts_report_status_and_doctor(
    sources: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    raw = {"full_name": "Ada Testwell", "poems": [{"line": "O sea of soup"}]}
    insert(sources, "linkedin_profiles", [linkedin("a", raw=raw), linkedin("b", raw={"x": 1})])
    insert(sources, "linkedin_profiles", [linkedin("c", raw={"full_name": "Bo Testwell"})])
    check(sources)
    told = "proxycurl: raw.poems (33% of rows, such as raw.poems[].line)"
    assert stored_counts(sources)[f"unread: linkedin: {told}"] == 0.3333
    assert build_report(sources, run_id=RUN)["unread_paths"] == {f"linkedin: {told}": 0.3333}
    status = last_run(sources)
    assert status is not None
    assert status["unread_paths"] == 1
    assert "unmapped paths of your data" in caplog.text
    monkeypatch.setenv("PROFILES_DATABASE_URL", sources.url)
    finding = source_tables()
    assert told in finding.detail
    assert "soup" not in caplog.text + finding.detail + str(stored_counts(sources))
