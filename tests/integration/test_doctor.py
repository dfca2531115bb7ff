"""`profiles doctor` against a real database and a stand-in for Airflow's metadata."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.source_rows import create_tables

from profiles.doctor import Finding, diagnose
from profiles.settings import Settings
from profiles.storage.connection import Database
from profiles.storage.tombstones import add_tombstones


@pytest.fixture
def deployment(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Database:
    """The migrated database, which also plays the part of Airflow's metadata."""
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    monkeypatch.setenv(
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN",
        database.url.replace("postgresql://", "postgresql+psycopg://"),
    )
    with database.connect() as connection:
        connection.execute("CREATE TABLE alembic_version AS SELECT 'abc' AS version_num")
        connection.execute("CREATE TABLE slot_pool (pool text, slots int)")
        connection.execute("CREATE TABLE connection (conn_id text, conn_type text)")
    return database


def _found() -> dict[str, Finding]:
    settings = Settings(engine="openai", model="m", lanes=2)
    return {finding.name: finding for finding in diagnose(settings)}


def test_a_migrated_database_is_well(deployment: Database) -> None:
    found = _found()
    assert found["database"].ok is True
    assert found["database"].detail.startswith("PostgreSQL 18")
    assert found["schema"].ok is True
    assert found["Airflow metadata"].detail.endswith("schema abc")


def test_pending_migrations_are_named(deployment: Database) -> None:
    with deployment.connect() as connection:
        connection.execute("DELETE FROM synthesis.schema_migration WHERE version = 1")
    found = _found()
    assert found["schema"].ok is False
    assert "0001_schema" in found["schema"].detail
    assert "run `profiles migrate`" in found["schema"].detail


def test_a_pool_that_is_missing_or_differs_from_the_lanes_is_told(deployment: Database) -> None:
    assert _found()["pool gpu"].ok is False
    with deployment.connect() as connection:
        connection.execute("INSERT INTO slot_pool VALUES ('gpu', 7)")
    assert "7 slots" in _found()["pool gpu"].detail
    with deployment.connect() as connection:
        connection.execute("UPDATE slot_pool SET slots = 2")
    assert _found()["pool gpu"].ok is True


def test_connections_count_from_the_metadata_and_from_the_environment(
    deployment: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with deployment.connect() as connection:
        connection.execute("INSERT INTO connection VALUES ('profiles_db', 'postgres')")
    found = _found()
    assert found["connection profiles_db"].ok is True
    assert found["connection profiles_ro"].ok is False
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_RO", "postgresql://reader@db.internal/profiles")
    assert _found()["connection profiles_ro"].ok is True


def test_unmigrated_metadata_is_a_finding(deployment: Database) -> None:
    with deployment.connect() as connection:
        connection.execute("DROP TABLE alembic_version")
    found = _found()
    assert found["Airflow metadata"].ok is False
    assert "airflow db migrate" in found["Airflow metadata"].remedy


def test_the_secret_of_tombstones_is_looked_at_before_somebody_is_to_be_erased(
    deployment: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_ERASURE", "generic://nothing")
    monkeypatch.delenv("PROFILES_ERASURE_KEY", raising=False)
    lacks = _found()["erasure secret"]
    assert (lacks.ok, "nobody can be erased" in lacks.detail) == (None, True)
    monkeypatch.setenv("PROFILES_ERASURE_KEY", "a secret of the tests")
    assert _found()["erasure secret"].ok is True
    with deployment.connect() as connection:
        add_tombstones(connection, rows=[("linkedin", "1")], keys=[])
    assert _found()["erasure secret"].ok is True
    for other in ("", "quite another secret"):
        monkeypatch.setenv("PROFILES_ERASURE_KEY", other)
        assert _found()["erasure secret"].ok is False


def test_source_tables_are_looked_at(deployment: Database) -> None:
    found = _found()["source tables"]
    assert found.ok is False
    assert "there is no table src.linkedin_profiles" in found.detail
    create_tables(deployment)
    found = _found()["source tables"]
    assert found.ok is True
    assert "lemlist (src.lemlist_leads) 0 rows" in found.detail
