"""A real Airflow metadata database, in the throwaway server, for `dag.test()`."""

from __future__ import annotations

import subprocess
import sys

import psycopg
import pytest


@pytest.fixture(scope="session")
def airflow_metadata(postgres_server: str) -> None:
    """Airflow's tables and pool `gpu`, made once for the session."""
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE airflow")
    for arguments in (
        ["db", "migrate"],
        ["pools", "set", "gpu", "2", "one slot per lane"],
    ):
        subprocess.run(
            [sys.executable, "-m", "airflow", *arguments],
            check=True,
            capture_output=True,
            timeout=300,
        )
