"""A path of a mapping that leads to nothing is told with its nearest match, before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.paths import REPOSITORY
from tests.source_rows import create_tables, insert, linkedin

from profiles.errors import MappingError
from profiles.params import RunParams
from profiles.steps import check_sources
from profiles.storage.connection import Database

PROFILE = {
    "full_name": "Ada Testwell", "headline": "Engineer", "first_name": "Ada", "last_name": "T",
    "experiences": [{"title": "Engineer", "company": "Northvale", "starts_at": {"year": 2020}}],
}  # fmt: skip


def check(
    database: Database, monkeypatch: pytest.MonkeyPatch, folder: Path, old: str, new: str
) -> list[str]:
    """Paths that check_sources records as never found when the mapping says `new` for `old`."""
    mapping = (REPOSITORY / "include/sources/linkedin.yaml").read_text()
    assert old in mapping
    (folder / "linkedin.yaml").write_text(mapping.replace(old, new))
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(folder))
    create_tables(database)
    insert(database, "linkedin_profiles", [linkedin(f"k{n}", raw=PROFILE) for n in range(30)])
    check_sources.run(database, run_id="one", params=RunParams())
    with database.connect() as connection:
        (counts,) = connection.execute(
            "SELECT counts FROM synthesis.run_stage WHERE stage = 'check_sources'"
        ).fetchone()
    return [name for name in counts if name.startswith("warning: ")]


def test_a_typo_in_a_path_is_told_with_the_nearest_member(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    told = check(database, monkeypatch, tmp_path, "[raw.headline, raw.occupation]", "raw.headlin")
    assert told == [
        "warning: linkedin: a path of the mapping leads to nothing: proxycurl: headline "
        "(raw.headlin) in none of 30 rows, nearest is headline"
    ]


def test_a_typo_inside_the_jobs_is_told_too(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    told = check(database, monkeypatch, tmp_path, "start: starts_at", "start: start_at")
    assert told == [
        "warning: linkedin: a path of the mapping leads to nothing: proxycurl: positions[0].start "
        "(start_at) in none of 30 rows, nearest is starts_at"
    ]


def test_a_sound_mapping_suggests_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert check(database, monkeypatch, tmp_path, "raw.headline", "raw.headline") == []


def test_names_that_nobody_has_stop_the_run(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    mapping = (REPOSITORY / "include/sources/linkedin.yaml").read_text()
    broken = mapping.replace("  full_name: full_name\n", "", 1)
    broken = broken.replace("raw.full_name", "raw.fullname", 1).replace(
        "raw.first_name", "raw.n", 1
    )
    (tmp_path / "linkedin.yaml").write_text(broken)
    monkeypatch.setenv("PROFILES_SOURCES_DIR", str(tmp_path))
    create_tables(database)
    insert(database, "linkedin_profiles", [linkedin(f"k{n}", raw=PROFILE) for n in range(30)])
    with pytest.raises(MappingError, match=r"nobody would have a name.*nearest is full_name"):
        check_sources.run(database, run_id="one", params=RunParams())
