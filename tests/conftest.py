"""Fixtures shared by all tests: a clean environment and a throwaway Postgres."""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
from collections.abc import Iterator

import hypothesis
import psycopg
import pytest

from profiles.storage import migrations
from profiles.storage.connection import Database
from scripts import embedded
from tests.paths import REPOSITORY, SHARED_DATA, scratch_folder

__all__ = ["SHARED_DATA"]

_numbers = itertools.count()

# The same examples every time, on a machine of any speed: a merge must not fail over an input that
# has nothing to do with it. HYPOTHESIS_PROFILE=default looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# Airflow reads its configuration when it is first imported, so the place of its metadata database
# is fixed here; the server itself starts when a test first asks for it.
SERVER_DIR = scratch_folder("profiles-test-")
SOCKET_DIR = SERVER_DIR / "postgres"
atexit.register(shutil.rmtree, SERVER_DIR, ignore_errors=True)
os.environ.update(
    {
        "AIRFLOW_HOME": str(SERVER_DIR / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(REPOSITORY / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(REPOSITORY / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": (
            f"postgresql+psycopg://postgres:@/airflow?host={SOCKET_DIR}&port=5432"
        ),
    }
)


@pytest.fixture(autouse=True)
def clean_environ(monkeypatch: pytest.MonkeyPatch) -> None:
    """No PROFILES_* variable of the developer, and no tombstone of another test, leaks into one."""
    for name in list(os.environ):
        if name.startswith(("PROFILES_", "AIRFLOW_CONN_")):
            monkeypatch.delenv(name)
    # A name that nothing has written yet; a folder for each test costs more than most tests.
    tombstones = SERVER_DIR / f"tombstones-{next(_numbers)}.txt"
    monkeypatch.setenv("PROFILES_TOMBSTONE_FILE", str(tombstones))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """URL of a throwaway server, database name left open as `{}`."""
    server = embedded.start(SERVER_DIR, durable=False)
    try:
        assert server.socket_dir == str(SOCKET_DIR)
        embedded.ensure_database(server, "template_migrated")
        migrations.apply(Database(server.url("template_migrated")))
        yield server.url("{}")
    finally:
        embedded.remove(SERVER_DIR)


@pytest.fixture
def database(postgres_server: str) -> Iterator[Database]:
    """A fresh, migrated database; dropped afterwards."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    admin = postgres_server.format("postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template_migrated")
    yield Database(postgres_server.format(name))
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
