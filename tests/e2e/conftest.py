"""A real Airflow metadata database, in the throwaway server, for `dag.test()`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest

from profiles.storage.connection import Database
from sample_data import load_sample

_PREPARE = """
from airflow.cli.cli_parser import get_parser
for command in ("db migrate", "pools set gpu 2 lanes"):
    arguments = get_parser().parse_args(command.split())
    arguments.func(arguments)
"""


@pytest.fixture(scope="session")
def airflow_metadata(postgres_server: str) -> Iterator[None]:
    """Airflow's tables and pool `gpu`, made once for the session."""
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE airflow")
    subprocess.run([sys.executable, "-c", _PREPARE], check=True, capture_output=True, timeout=300)
    yield
    from airflow import settings

    # Airflow's pooled connections would complain at exit about a server that is gone.
    settings.dispose_orm()


@pytest.fixture
def sample_database(
    database: Database, airflow_metadata: None, monkeypatch: pytest.MonkeyPatch
) -> Database:
    """The bundled rows in a fresh database that the Connection `profiles_db` points at."""
    load_sample(database)
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_DB", database.url)
    return database
