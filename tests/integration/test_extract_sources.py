"""Extraction against real tables: what is read, what is left alone, what is kept and forgotten."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec import convert
from tests.paths import REPOSITORY
from tests.source_rows import create_tables, insert, lead, linkedin, resume, weekday

from profiles.errors import BusyError, MappingError, SettingsError, SourceError
from profiles.models import SourceRecord
from profiles.models.record_json import digest
from profiles.params import RunParams
from profiles.steps import extract_sources
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from sample_data import load_sample, write_sample

RUN = "manual-1"


@pytest.fixture
def sources(database: Database) -> Database:
    """A database with empty source tables and an open run."""
    create_tables(database)
    start_run(database, run_id=RUN, params=RunParams())
    return database


def extract(database: Database, source: str = "linkedin") -> dict[str, int | float]:
    return extract_sources.run(database, run_id=RUN, source=source)


def query(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.connect() as connection:
        return connection.execute(statement).fetchall()  # type: ignore[call-overload]


def execute(database: Database, statement: str) -> None:
    with database.connect() as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def people(*names: str) -> list[dict[str, Any]]:
    return [linkedin(f"k{n}", raw={"full_name": name}) for n, name in enumerate(names)]


def leads(number: int) -> list[dict[str, Any]]:
    return [lead(f"lea_{n}", full_name=f"Ada Testwell{n}") for n in range(number)]


def test_every_row_becomes_a_record_or_a_rejection(sources: Database) -> None:
    insert(sources, "linkedin_profiles", people("Ada Testwell", "Bo Testwell"))
    insert(sources, "linkedin_profiles", [linkedin("e"), linkedin("u", "newcomer", {"a": 1})])
    counts = extract(sources)
    assert (counts["read"], counts["added"], counts["rejected"]) == (4, 2, 2)
    assert (counts["rejected.empty"], counts["rejected.unknown_variant"]) == (1, 1)
    rows = query(sources, "SELECT source_key, record FROM synthesis.source_record ORDER BY 1")
    assert [(key, convert(record, SourceRecord).full_name) for key, record in rows] == [
        ("k0", "Ada Testwell"), ("k1", "Bo Testwell")
    ]  # fmt: skip
    assert query(
        sources, "SELECT source_key, reason, run_id FROM synthesis.rejected_row ORDER BY 1"
    ) == [("e", "empty", RUN), ("u", "unknown_variant", RUN)]


def test_a_record_is_kept_as_it_was_written(sources: Database) -> None:
    insert(sources, "linkedin_profiles", people("Ada Testwell", "Zoë Testwell 🚀"))
    extract(sources)
    rows = query(sources, "SELECT record::text, record_hash FROM synthesis.source_record")
    assert len(rows) == 2
    assert all(digest(record.encode()) == written for record, written in rows)


def test_a_second_run_reads_nothing(sources: Database) -> None:
    insert(sources, "linkedin_profiles", [*people("Ada Testwell"), linkedin("e")])
    extract(sources)
    names = ("read", "added", "changed", "unchanged", "deleted", "rejected")
    assert dict(extract(sources)) == dict.fromkeys(names, 0), "a zero is told, too"


def test_a_reliable_time_tells_what_changed(sources: Database) -> None:
    insert(sources, "linkedin_profiles", people("Ada Testwell", "Bo Testwell"))
    extract(sources)
    execute(sources, "UPDATE src.linkedin_profiles SET full_name = 'X' WHERE id = 'k0'")
    assert extract(sources)["read"] == 0
    execute(
        sources,
        "UPDATE src.linkedin_profiles SET fetched_at = now(), "
        """raw = '{"full_name": "Ada Newname"}' WHERE id = 'k0'""",
    )
    counts = extract(sources)
    assert (counts["read"], counts["changed"]) == (1, 1)


def test_without_a_reliable_time_the_row_version_tells_what_changed(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(3))
    extract(sources, "lemlist")
    execute(sources, "UPDATE src.lemlist_leads SET job_title = 'CTO' WHERE id = 'lea_1'")
    counts = extract(sources, "lemlist")
    assert (counts["read"], counts["changed"]) == (1, 1)
    assert extract(sources, "lemlist")["read"] == 0


def test_a_row_without_the_reliable_time_falls_back_to_its_version(sources: Database) -> None:
    execute(sources, "ALTER TABLE src.linkedin_profiles ALTER fetched_at DROP NOT NULL")
    insert(sources, "linkedin_profiles", people("Ada Testwell"))
    execute(sources, "UPDATE src.linkedin_profiles SET fetched_at = NULL")
    extract(sources)
    assert extract(sources)["read"] == 0
    execute(sources, "UPDATE src.linkedin_profiles SET member_id = '7'")
    assert extract(sources)["changed"] == 1


def test_a_row_that_says_the_same_only_gets_its_new_token(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(2))
    extract(sources, "lemlist")
    stored = "SELECT source_key, extracted_at, record_hash FROM synthesis.source_record ORDER BY 1"
    before = query(sources, stored)
    tokens = query(sources, "SELECT change_token FROM synthesis.source_record ORDER BY source_key")
    execute(sources, "UPDATE src.lemlist_leads SET state = 'paused'")
    counts = extract(sources, "lemlist")
    assert (counts["read"], counts["unchanged"], counts["changed"]) == (2, 2, 0)
    assert query(sources, stored) == before
    after = query(sources, "SELECT change_token FROM synthesis.source_record ORDER BY source_key")
    assert after != tokens
    assert extract(sources, "lemlist")["read"] == 0


def test_other_rules_read_every_row_again(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert(sources, "lemlist_leads", leads(2))
    insert(sources, "lemlist_leads", [lead("empty")])
    extract(sources, "lemlist")
    monkeypatch.setattr("profiles.storage.mappings.rules_digest", lambda: "other rules")
    counts = extract(sources, "lemlist")
    assert (counts["read"], counts["unchanged"], counts["rejected"]) == (3, 2, 1)
    assert extract(sources, "lemlist")["read"] == 0


def test_a_row_that_cannot_be_read_any_more_keeps_its_record(sources: Database) -> None:
    insert(sources, "parsed_resumes", [resume("r", "affinda", {"name": {"raw": "Ada Testwell"}})])
    extract(sources, "resume")
    execute(sources, "UPDATE src.parsed_resumes SET raw = '[1, 2]', parsed_at = now()")
    assert extract(sources, "resume")["rejected.unexpected_shape"] == 1
    assert query(sources, "SELECT record->>'full_name' FROM synthesis.source_record") == [
        ("Ada Testwell",)
    ]
    assert query(sources, "SELECT reason FROM synthesis.rejected_row") == [("unexpected_shape",)]
    assert extract(sources, "resume")["read"] == 0
    execute(
        sources,
        "UPDATE src.parsed_resumes SET parsed_at = now(), "
        """raw = '{"name": {"raw": "Ada Newname"}}'""",
    )
    assert extract(sources, "resume")["changed"] == 1
    assert query(sources, "SELECT reason FROM synthesis.rejected_row") == []


def test_a_row_that_says_nothing_any_more_loses_its_record(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(1))
    extract(sources, "lemlist")
    execute(sources, "UPDATE src.lemlist_leads SET full_name = NULL")
    assert extract(sources, "lemlist")["rejected.empty"] == 1
    assert query(sources, "SELECT * FROM synthesis.source_record") == []


def test_a_deleted_row_is_forgotten_and_its_membership_left_to_resolution(
    sources: Database,
) -> None:
    insert(sources, "lemlist_leads", [*leads(2), lead("empty")])
    extract(sources, "lemlist")
    execute(
        sources,
        "INSERT INTO synthesis.candidate (created_run) VALUES ('r');"
        "INSERT INTO synthesis.candidate_source (source, source_key, candidate_id, rule, "
        "assigned_run) SELECT 'lemlist', 'lea_0', candidate_id, 'alone', 'r' "
        "FROM synthesis.candidate",
    )
    execute(sources, "DELETE FROM src.lemlist_leads WHERE id IN ('lea_0', 'empty')")
    assert extract(sources, "lemlist")["deleted"] == 2
    assert query(sources, "SELECT source_key FROM synthesis.source_record") == [("lea_1",)]
    assert query(sources, "SELECT * FROM synthesis.rejected_row") == []
    assert query(sources, "SELECT source_key FROM synthesis.candidate_source") == [("lea_0",)]


def test_a_table_that_lost_too_much_after_the_check_is_not_forgotten(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(60))
    extract(sources, "lemlist")
    execute(sources, "TRUNCATE src.lemlist_leads")
    with pytest.raises(SourceError):
        extract(sources, "lemlist")
    assert query(sources, "SELECT count(*) FROM synthesis.source_record") == [(60,)]


def test_one_sources_rows_are_not_anothers(sources: Database) -> None:
    insert(sources, "lemlist_leads", [lead("same", full_name="Ada Testwell")])
    insert(sources, "weekday_candidates", [weekday("same", name="Bo Testwell")])
    extract(sources, "lemlist")
    extract(sources, "weekday")
    execute(sources, "DELETE FROM src.lemlist_leads")
    extract(sources, "lemlist")
    assert query(sources, "SELECT source FROM synthesis.source_record") == [("weekday",)]


def test_escapes_that_jsonb_refuses_survive_in_text_columns(sources: Database) -> None:
    cell = '[{"company": "Quarry\\u0000 Labs", "title": "Editor \\ud83d", "end": "Present"}]'
    insert(sources, "weekday_candidates", [weekday("k", name="Ada T", work_experience=cell)])
    assert extract(sources, "weekday")["added"] == 1
    ((record,),) = query(sources, "SELECT record FROM synthesis.source_record")
    (job,) = convert(record, SourceRecord).positions
    assert (job.company, job.title) == ("Quarry Labs", "Editor")


def test_a_json_column_keeps_escapes_that_jsonb_would_refuse(sources: Database) -> None:
    execute(sources, "ALTER TABLE src.parsed_resumes ALTER raw TYPE json USING raw::json")
    raw = '{"name": {"raw": "Ada Test\\u0000well \\udc00"}}'
    execute(
        sources,
        f"INSERT INTO src.parsed_resumes (id, parser, raw, parsed_at) "
        f"VALUES ('r', 'affinda', '{raw}', now())",
    )
    extract(sources, "resume")
    assert query(sources, "SELECT record->>'full_name' FROM synthesis.source_record") == [
        ("Ada Testwell",)
    ]


def test_a_killed_extract_goes_on_where_it_stopped(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert(sources, "lemlist_leads", leads(25))
    monkeypatch.setattr(extract_sources, "BATCH_ROWS", 10)
    store = extract_sources._store
    calls: list[int] = []

    def dies_on_the_second_batch(*args: Any, **kwargs: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise psycopg.OperationalError("the server went away")
        store(*args, **kwargs)

    monkeypatch.setattr(extract_sources, "_store", dies_on_the_second_batch)
    with pytest.raises(psycopg.OperationalError):
        extract(sources, "lemlist")
    assert query(sources, "SELECT count(*) FROM synthesis.source_record") == [(10,)]
    monkeypatch.setattr(extract_sources, "_store", store)
    assert extract(sources, "lemlist")["read"] == 15


def test_two_extracts_of_one_source_do_not_run_at_once(sources: Database) -> None:
    with sources.lock("extract:lemlist"), pytest.raises(BusyError):
        extract(sources, "lemlist")


def test_a_view_is_read_by_the_digest_of_its_rows(sources: Database, tmp_path: Path) -> None:
    execute(sources, "CREATE VIEW src.people AS SELECT id, full_name FROM src.lemlist_leads")
    (tmp_path / "people.yaml").write_text(
        "source: people\ntable: src.people\nkey: id\nfields: {full_name: full_name}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
        insert(sources, "lemlist_leads", leads(2))
        assert extract(sources, "people")["added"] == 2
        execute(sources, "UPDATE src.lemlist_leads SET state = 'paused'")
        assert extract(sources, "people")["read"] == 0
        execute(
            sources, "UPDATE src.lemlist_leads SET full_name = 'Bo Testwell' WHERE id = 'lea_1'"
        )
        assert extract(sources, "people")["changed"] == 1


def test_an_unknown_source_is_told(sources: Database) -> None:
    with pytest.raises(SettingsError, match="nearest is 'linkedin'"):
        extract(sources, "linkedn")


def test_a_missing_table_is_told(database: Database) -> None:
    start_run(database, run_id=RUN, params=RunParams())
    with pytest.raises(MappingError, match=r"there is no table src\.linkedin_profiles"):
        extract(database)


def test_generated_people_are_all_accounted_for(database: Database, tmp_path: Path) -> None:
    start_run(database, run_id=RUN, params=RunParams())
    write_sample(tmp_path, people=40)
    loaded = load_sample(database, tmp_path)
    tables = {
        "linkedin": "linkedin_profiles", "weekday": "weekday_candidates",
        "resume": "parsed_resumes", "lemlist": "lemlist_leads",
    }  # fmt: skip
    for source, table in tables.items():
        counts = extract(database, source)
        assert counts["read"] == loaded[table]
        assert counts["added"] + counts["rejected"] == counts["read"]
        assert counts["rejected"] == 0


def test_memory_does_not_grow_with_the_table(sources: Database) -> None:
    execute(
        sources,
        "INSERT INTO src.parsed_resumes (id, parser, raw, parsed_at) "
        "SELECT n::text, 'affinda', jsonb_build_object('name', jsonb_build_object('raw', "
        "'Ada Testwell'), 'summary', repeat('Ran the ledger of depot ' || n || '. ', 400)), now() "
        "FROM generate_series(1, 600) AS n",
    )
    small = _peak_mb(sources)
    execute(
        sources,
        "INSERT INTO src.parsed_resumes (id, parser, raw, parsed_at) "
        "SELECT (n * 10000 + id::int)::text, parser, raw, now() "
        "FROM src.parsed_resumes, generate_series(1, 5) AS n",
    )
    execute(sources, "TRUNCATE synthesis.source_record")
    large = _peak_mb(sources)
    # 3,000 rows of 12 KB are 36 MB of text: holding them would show.
    assert large < small + 12, (small, large)


def _peak_mb(database: Database) -> float:
    """Peak memory of a process that does one extract and nothing else."""
    script = (
        "import json, resource, sys\n"
        "from profiles.steps import extract_sources\n"
        "from profiles.storage.connection import Database\n"
        "extract_sources.BATCH_ROWS = 200\n"
        f"extract_sources.run(Database(sys.argv[1]), run_id={RUN!r}, source='resume')\n"
        "print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, database.url],
        capture_output=True, text=True, check=True, cwd=REPOSITORY,
    )  # fmt: skip
    return float(json.loads(done.stdout))
