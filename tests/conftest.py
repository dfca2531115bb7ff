"""Fixtures shared by all tests: a clean environment and a throwaway Postgres."""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from profiles.storage import migrations
from profiles.storage.connection import Database
from scripts import embedded
from tests.paths import REPOSITORY, SHARED_DATA, scratch_folder

__all__ = ["SHARED_DATA"]

_numbers = itertools.count()

MIGRATED = "template_migrated"
Make = Callable[[Database, pytest.MonkeyPatch], Any]

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
        embedded.ensure_database(server, MIGRATED)
        migrations.apply(Database(server.url(MIGRATED)))
        yield server.url("{}")
    finally:
        embedded.remove(SERVER_DIR)


class Databases:
    """Databases of the throwaway server, each a copy of one that was made before."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._made: dict[Make, tuple[str, Any]] = {}

    def create(self, template: str = MIGRATED) -> Database:
        """A new one; the caller drops it."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return Database(self._url.format(name))

    def fill(self, database: Database, make: Make) -> Any:
        """Gives `database` what `make` writes into a fresh one; returns what `make` returned.

        It is called once per process: for what several tests begin with.
        """
        if make not in self._made:
            with pytest.MonkeyPatch.context() as environment:
                template = self.create()
                self._made[make] = (_name_of(template), make(template, environment))
        template_name, made = self._made[make]
        self.drop(database)
        name = _name_of(database)
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template_name} STRATEGY file_copy")
        return made

    def drop(self, database: Database) -> None:
        self._execute(f"DROP DATABASE {_name_of(database)} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._url.format("postgres"), autocommit=True) as connection:
            connection.execute(statement)


def _name_of(database: Database) -> str:
    return str(conninfo_to_dict(database.url)["dbname"])


@pytest.fixture(scope="session")
def databases(postgres_server: str) -> Databases:
    return Databases(postgres_server)


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """A fresh, migrated database; dropped afterwards."""
    made = databases.create()
    yield made
    databases.drop(made)


@pytest.fixture(scope="module")
def module_database(databases: Databases) -> Iterator[Database]:
    """The same for all tests of a module, which only read what its own fixture wrote into it."""
    made = databases.create()
    yield made
    databases.drop(made)
