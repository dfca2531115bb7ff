"""`profiles check` needs no run, and a failure outside a stage is kept."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from airflow.sdk.exceptions import AirflowFailException
from tests.planned_runs import one
from tests.source_rows import create_tables, insert, lead, linkedin

from profiles import alerts, task_runner
from profiles.cli import main
from profiles.extraction.mapping import SourceMapping
from profiles.operations.status import last_run
from profiles.params import RunParams
from profiles.steps import check_sources, extract_sources, publish
from profiles.steps.reports.run_report import build_report
from profiles.storage.connection import Database

RUN = "manual-1"
STAFF = "source: staff\ntable: hr.staff\nkey: nr\nfields:\n  full_name: name\n"


@pytest.fixture
def sources(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    create_tables(database)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    return database


@pytest.fixture
def staff(sources: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of the team's own and the file of its mapping, both sound."""
    with sources.connect() as connection:
        connection.execute("CREATE SCHEMA hr")
        connection.execute(
            "CREATE TABLE hr.staff (nr int PRIMARY KEY, name text, mail text, jobs jsonb, "
            "person jsonb, boss text, modified_at timestamptz)"
        )
        connection.execute(
            "INSERT INTO hr.staff SELECT n, 'Ada Testwell' || n, n || '@mail.example', "
            '\'[{"title": "Nurse", "company": "Hall"}]\', \'{"headline": "Nurse"}\', '
            "'x', now() FROM generate_series(1, 30) AS n"
        )
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    path = tmp_path / "staff.yaml"
    path.write_text(STAFF + "updated_at: modified_at\n")
    return path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["check", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_sound_mappings_pass_with_the_rows_of_each_table(staff: Path, capsys) -> None:
    code, found = call(capsys)
    assert (code, found["rows"], found["problems"]) == (0, {"staff (hr.staff)": 30}, [])
    assert found["warnings"] == []


def test_check_needs_neither_a_run_nor_our_schema(staff: Path, sources: Database, capsys) -> None:
    with sources.connect() as connection:
        connection.execute("DROP SCHEMA synthesis CASCADE")
    assert call(capsys)[0] == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  emails: mails\n", "(named in fields.emails, staff.yaml line 7); nearest is 'mail'"),
        ("tabel: x\n", "staff.yaml, line 7: unknown key 'tabel'; nearest is 'table'"),
    ],
)
def test_what_would_stop_a_run_is_told_with_file_line_and_nearest_word(
    line: str, told: str, staff: Path, capsys
) -> None:
    text = STAFF.replace("fields:", "updated_at: modified_at\nfields:")
    staff.write_text(text + line)
    code, found = call(capsys)
    assert code == 1
    assert told in "\n".join(found["problems"])


def test_an_unread_updated_at_is_warned_of_wherever_a_run_is_shown(
    staff: Path, sources: Database, capsys
) -> None:
    warnings = []
    for text in (STAFF, STAFF + "updated_at: name\n"):
        staff.write_text(text)
        warnings += call(capsys)[1]["warnings"]
    assert warnings == [
        "staff: column 'modified_at' holds times, but the mapping names no updated_at, so the "
        "newest row does not win",
        "staff: updated_at 'name' is no time in 100% of the rows; they count as oldest",
    ]
    check_sources.run(sources, run_id=RUN, params=RunParams())
    status = last_run(sources)
    assert status is not None
    assert status["warnings"] == build_report(sources, run_id=RUN)["warnings"] == warnings[1:]


def test_a_path_that_leads_to_nothing_is_a_warning(sources: Database) -> None:
    rows = [linkedin(str(n), raw={"full_name": "Ada T", "headlin": "x"}) for n in range(30)]
    insert(sources, "linkedin_profiles", rows)
    check_sources.run(sources, run_id=RUN, params=RunParams())
    (warning,) = build_report(sources, run_id=RUN)["warnings"]
    assert warning.startswith(
        "linkedin: a path of the mapping leads to nothing: proxycurl: headline"
    )


def test_a_draft_maps_what_its_names_say_and_names_the_rest(staff: Path, capsys) -> None:
    code, found = call(capsys, "--draft", "hr.staff")
    text = found["mapping"]
    assert code == 0
    assert "#   boss (text)" in text
    content = yaml.safe_load(text)
    assert content["fields"] == {
        "full_name": "name",
        "emails": "mail",
        "headline": "person.headline",
    }
    assert content["positions"][0]["path"] == "jobs"
    assert (content["key"], content["updated_at"]) == ("nr", "modified_at")
    staff.write_text(text)
    code, found = call(capsys)
    assert (code, found["problems"], found["warnings"]) == (0, [], [])


@pytest.mark.parametrize("table", ["lemlist_leads", "weekday_candidates", "linkedin_profiles"])
def test_a_draft_of_a_shipped_table_loads_and_finds_names_and_mails(
    table: str, sources: Database, capsys
) -> None:
    insert(sources, "lemlist_leads", [lead("a", full_name="Ada T", fields={"phone": "1"})])
    mapping = SourceMapping.model_validate(
        yaml.safe_load(call(capsys, "--draft", f"src.{table}")[1]["mapping"])
    )
    assert mapping.key == "id"
    assert "full_name" in mapping.fields


def test_a_draft_of_an_unknown_table_names_the_nearest(sources: Database, capsys) -> None:
    code, found = call(capsys, "--draft", "src.lemlist_lead")
    assert code == 1
    assert "nearest is 'src.lemlist_leads'" in found["message"]


def test_a_fault_of_a_mapping_file_is_what_status_and_alert_say_of_the_run(
    staff: Path, sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    staff.write_text(STAFF.replace("full_name", "ful_name"))
    with pytest.raises(AirflowFailException, match="line 5"):
        task_runner.run_step(check_sources.run, run_id=RUN, params=RunParams())
    alerts.on_failure(
        {
            "dag_run": SimpleNamespace(dag_id="profile_synthesis", run_id=RUN),
            "reason": "task_failure",
        }
    )
    status = last_run(sources)
    assert status is not None and status["error"] is not None
    assert status["state"] == "failed"
    assert (
        "staff.yaml, line 5: unknown key 'fields.ful_name'; nearest is 'full_name'"
        in status["error"]
    )


def test_a_failure_before_the_run_has_a_row_opens_one(sources: Database) -> None:
    with pytest.raises(AirflowFailException):
        task_runner.typed(RunParams.from_mapping, {"limitt": 3}, run_id=RUN)
    stage, error = one(sources, "SELECT stage, error FROM synthesis.run_stage")
    assert stage == "params"
    assert "limitt" in error


def fails(_database: Database, *, run_id: str, part: int) -> None:
    raise KeyError(f"{run_id} {part} Zyxmarker")


def test_a_failure_outside_a_stage_is_kept_without_its_text_until_the_task_succeeds(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Exception, match="KeyError"):
        task_runner.run_step(fails, run_id=RUN, part=1)
    failure = "SELECT part, error FROM synthesis.run_stage WHERE error IS NOT NULL"
    assert one(sources, failure) == ("1", "KeyError")
    with pytest.raises(AirflowFailException):
        task_runner.run_step(publish.run, run_id=RUN, planned=False, tagged=True)
    assert one(sources, "SELECT count(*) FROM synthesis.run_stage") == (1,), (
        "what follows fails too"
    )
    monkeypatch.setattr(fails, "__code__", (lambda _database, *, run_id, part: None).__code__)
    task_runner.run_step(fails, run_id=RUN, part=1)
    assert one(sources, "SELECT count(*) FROM synthesis.run_stage") == (0,)


def test_a_run_that_starts_over_forgets_its_failures(staff: Path, sources: Database) -> None:
    check_sources.run(sources, run_id=RUN, params=RunParams())
    with sources.connect() as connection:
        connection.execute("ALTER TABLE hr.staff RENAME TO gone")
    with pytest.raises(Exception, match=r"gone|staff"):
        task_runner.run_step(extract_sources.run, run_id=RUN, source="staff")
    failures = "SELECT count(*) FROM synthesis.run_stage WHERE error IS NOT NULL"
    assert one(sources, failures) == (1,)
    with sources.connect() as connection:
        connection.execute("ALTER TABLE hr.gone RENAME TO staff")
    check_sources.run(sources, run_id=RUN, params=RunParams())
    assert one(sources, failures) == (0,)
