"""`profiles …` from a bare shell finds the clone's database, and never overrides a named one."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles.cli.shell import adopt

WRITTEN = """# Generated
export AIRFLOW_HOME=/clone/.profiles/airflow
export PROFILES_DATABASE_URL='postgresql://postgres:@/profiles?host=/a b/postgres'
export PATH=/clone/.venv/bin:"$PATH"
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / ".profiles").mkdir()
    (tmp_path / ".profiles" / "env").write_text(WRITTEN)
    return tmp_path


def test_a_bare_shell_gets_what_make_wrote(clone: Path):
    environment = {"PATH": "/bin"}
    adopt(environment, clone=clone)
    assert environment == {
        "PATH": "/bin",
        "AIRFLOW_HOME": "/clone/.profiles/airflow",
        "PROFILES_DATABASE_URL": "postgresql://postgres:@/profiles?host=/a b/postgres",
    }


@pytest.mark.parametrize(
    "name", ["PROFILES_DATABASE_URL", "AIRFLOW_CONN_PROFILES_DB", "AIRFLOW_HOME"]
)
def test_a_shell_with_a_database_or_an_airflow_of_its_own_is_left_alone(clone: Path, name: str):
    environment = {name: "mine"}
    adopt(environment, clone=clone)
    assert environment == {name: "mine"}


def test_a_clone_without_the_file_changes_nothing(tmp_path: Path):
    environment: dict[str, str] = {}
    adopt(environment, clone=tmp_path)
    assert environment == {}


def test_an_edited_dotenv_wins_over_what_make_wrote_before(clone: Path):
    (clone / ".env").write_text(
        "PROFILES_DATABASE_URL=postgresql://team@db/people\nPROFILES_LANES=\n"
    )
    environment: dict[str, str] = {}
    adopt(environment, clone=clone)
    assert environment["PROFILES_DATABASE_URL"] == "postgresql://team@db/people"
    assert environment["AIRFLOW_HOME"] == "/clone/.profiles/airflow"
    assert "PROFILES_LANES" not in environment
