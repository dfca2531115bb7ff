"""The page's application over the throwaway Postgres, as a user whom Airflow let in."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from profiles.storage.connection import Database

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
