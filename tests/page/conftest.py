"""The page over the throwaway Postgres: its application alone, and within a running Airflow."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from profiles.storage.connection import Database
from tests.conftest import Databases
from tests.page import airflow_server as server_module
from tests.page import small_run
from tests.page.airflow_server import AirflowServer

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

Get = Callable[..., Any]


def make_client(url: str, *, may_act: bool = True) -> TestClient:
    """A client of the application that reads `url`; Airflow's login is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient
        from profile_runs.access import Rights, may_read, rights
        from profile_runs.api import build_app
        from profile_runs.database import database_url

    app = build_app()
    app.dependency_overrides[may_read] = lambda: None
    app.dependency_overrides[rights] = lambda: Rights(
        user="ada", may_act=may_act, actions_dag="candidate_actions"
    )
    app.dependency_overrides[database_url] = lambda: url
    return TestClient(app, raise_server_exceptions=True)


@pytest.fixture
def client(database: Database) -> Iterator[TestClient]:
    """A client of the application over a fresh, migrated database."""
    from profile_runs.database import close_pools

    yield make_client(database.url)
    close_pools()


@pytest.fixture
def get(client: TestClient) -> Get:
    """JSON of a route that has to answer 200; the query by keyword."""

    def ask(path: str, **query: Any) -> Any:
        response = client.get(path, params={k: v for k, v in query.items() if v is not None})
        assert response.status_code == 200, response.text
        return response.json()

    return ask


@pytest.fixture(scope="session")
def page_database(databases: Databases) -> Iterator[Database]:
    """A database with one small run through the real steps, for the pages of a running Airflow."""
    made = databases.create()
    databases.fill(made, small_run.make)
    yield made
    databases.drop(made)


@pytest.fixture(scope="session")
def airflow_server(
    databases: Databases, page_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AirflowServer]:
    """A running API server whose Connection `profiles_ro` is `page_database`."""
    metadata = databases.create("template1")
    folder = tmp_path_factory.mktemp("airflow")
    url = metadata.url.replace("postgresql://", "postgresql+psycopg://")
    environment = server_module.environment_of(folder, metadata=url)
    server_module.prepare(environment, profiles=page_database.url)
    server, process = server_module.start(environment, folder)
    yield server
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
    databases.drop(metadata)
