"""A restored backup, a row of nobody yet, a freelancer's own name as an employer."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.source_rows import create_tables, insert, linkedin

from profiles import erase
from profiles.erase import apply, erase_row
from profiles.errors import ErasureError
from profiles.params import RunParams
from profiles.settings import load_settings
from profiles.steps import check_sources, extract_sources, resolve_identities
from profiles.storage.connection import Database
from profiles.storage.tombstones import export_tombstones, read_copy

_JOB = {"company": "Zyxada Zyxname Freelance", "title": "Engineer", "starts_at": "2019-01"}
_RAW = {
    "full_name": "Zyxada Zyxname",
    "experiences": [_JOB],
    "personal_emails": ["z@mail-example.com"],
}


def _resolved(database: Database, run_id: str) -> list[int]:
    for part in extract_sources.parts(
        database, sources=check_sources.run(database, run_id=run_id, params=RunParams())
    ):
        extract_sources.run(database, run_id=run_id, **part)
    resolve_identities.run(database, run_id=run_id)
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT candidate_id FROM synthesis.candidate WHERE retired_at IS NULL ORDER BY 1"
        )
        return [row[0] for row in rows]


@pytest.fixture
def people(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setenv("PROFILES_ERASURE_KEY", "a secret of the tests 123")
    create_tables(database)
    insert(database, "linkedin_profiles", [linkedin("zz1", raw=_RAW)])
    return database


def _forget_tombstones(database: Database) -> None:
    """Rows of a backup from before the erasure."""
    with database.connect() as connection:
        connection.execute("TRUNCATE synthesis.tombstone")


def test_the_next_run_on_a_restored_backup_erases_again(people: Database):
    (candidate,) = _resolved(people, "r1")
    erase.erase(people, candidate, asked_by="t")
    assert oct(load_settings().tombstone_file.stat().st_mode & 0o777) == "0o600"
    _forget_tombstones(people)
    load_settings().tombstone_file.rename(load_settings().tombstone_file.with_suffix(".kept"))
    assert len(_resolved(people, "r2")) == 1
    load_settings().tombstone_file.with_suffix(".kept").rename(load_settings().tombstone_file)
    assert _resolved(people, "r3") == []


def test_an_exported_file_is_applied_to_another_database(people: Database, tmp_path: Path):
    (candidate,) = _resolved(people, "r1")
    erase.erase(people, candidate, asked_by="t")
    assert export_tombstones(people, tmp_path / "copy") == len(read_copy(tmp_path / "copy"))
    _forget_tombstones(people)
    load_settings().tombstone_file.unlink()
    assert len(_resolved(people, "r2")) == 1
    done = apply(people, tmp_path / "copy", asked_by="t")
    assert (done["people"], done["rows"]) == (1, 1)
    assert _resolved(people, "r3") == []


def test_a_file_of_something_else_is_refused(people: Database, tmp_path: Path):
    (tmp_path / "copy").write_text("not a tombstone\n")
    with pytest.raises(ErasureError, match="no file of tombstones"):
        apply(people, tmp_path / "copy", asked_by="t")


def test_a_row_is_erased_before_a_first_night(people: Database):
    assert erase_row(people, "linkedin", "zz1")["tombstones"] == 1
    assert _resolved(people, "r1") == []


def test_a_row_of_a_candidate_is_erased_with_the_person(people: Database):
    (candidate,) = _resolved(people, "r1")
    with pytest.raises(ErasureError, match=f"profiles erase {candidate}"):
        erase_row(people, "linkedin", "zz1")
