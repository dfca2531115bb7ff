"""Airflow protects no plugin: every route of ours does, asked of a running API server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowSecretsBackendAccessDenied

from tests.page import small_run
from tests.page.airflow_server import AirflowServer

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = pytest.mark.filterwarnings("default")

PARAMETERS = {"view": "runs", "name": "page.js", "candidate_id": "1"}
TRIGGER = "/api/v2/dags/candidate_actions/dagRuns"
RETRY = {"logical_date": None, "conf": {"action": "retry", "run": small_run.RUN}}


def routes() -> list[tuple[str, str]]:
    """Method and path of everything that the application serves."""
    from fastapi.routing import APIRoute
    from profile_runs.api import build_app

    found = []
    for route in build_app().routes:
        # A mounted application would not run the dependencies of ours.
        assert isinstance(route, APIRoute), route
        path = re.sub(r"{(\w+)(:\w+)?}", lambda match: PARAMETERS[match[1]], route.path)
        found += [(method, f"/profiles{path}") for method in sorted(route.methods)]
    return found


def test_the_page_only_reads():
    assert {method for method, _ in routes()} == {"GET"}


def test_nobody_gets_anything_without_signing_in(airflow_server: AirflowServer):
    asked = routes()
    assert len(asked) > 10
    answers = {(m, path): airflow_server.request(m, path) for m, path in asked}
    assert {key: answer.status for key, answer in answers.items() if answer.status != 401} == {}
    assert all(small_run.RUN.encode() not in answer.body for answer in answers.values())


@pytest.mark.parametrize("token", ["not-a-token", "a.b.c"])
def test_a_wrong_token_opens_nothing(airflow_server: AirflowServer, token):
    for method, path in routes():
        assert airflow_server.request(method, path, token=token).status in (401, 403), path


def test_neither_the_schema_nor_its_pages_are_served(airflow_server: AirflowServer):
    token = airflow_server.token("admin")
    for path in ("/profiles/docs", "/profiles/redoc", "/profiles/openapi.json"):
        assert airflow_server.request("GET", path, token=token).status == 404


def test_a_viewer_reads_but_may_not_act(airflow_server: AirflowServer):
    token = airflow_server.token("viewer")

    runs = airflow_server.request("GET", "/profiles/api/runs", token=token)
    assert [run["run_id"] for run in runs.json()["runs"]] == [small_run.RUN]
    assert airflow_server.request("GET", "/profiles/runs", token=token).status == 200
    me = airflow_server.request("GET", "/profiles/api/me", token=token).json()
    assert me == {
        "user": "viewer",
        "may_act": False,
        "actions_dag": "candidate_actions",
        "cannot_erase": None,
    }
    assert airflow_server.request("POST", TRIGGER, token=token, body=RETRY).status == 403


def test_who_may_trigger_the_dag_is_told_so(airflow_server: AirflowServer):
    me = airflow_server.request("GET", "/profiles/api/me", token=airflow_server.token("admin"))
    assert me.json()["may_act"] is True
    assert me.json()["cannot_erase"] is None


@pytest.fixture
def rights(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Any]]:
    """Response to somebody who may act, without an API server."""
    from profile_runs import access

    manager = SimpleNamespace(is_authorized_dag=lambda **_: True)
    monkeypatch.setattr(access, "get_auth_manager", lambda: manager)
    access._missing_secret_at.cache_clear()
    yield lambda: access.rights(SimpleNamespace(get_name=lambda: "ada"))
    access._missing_secret_at.cache_clear()


@pytest.mark.parametrize(
    ("secret", "said"), [("", "PROFILES_ERASURE_KEY is not set"), ("short", "shorter than 16")]
)
def test_who_may_act_is_told_what_erasing_lacks(
    secret: str, said: str, rights: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AIRFLOW_CONN_PROFILES_ERASURE", "generic://nothing")
    monkeypatch.setenv("PROFILES_ERASURE_KEY", secret)
    assert said in rights().cannot_erase


def test_a_secret_is_enough(rights: Callable[[], Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PROFILES_ERASURE_KEY", "a secret of the tests")
    assert rights().cannot_erase is None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AirflowSecretsBackendAccessDenied("no"), "denies the Connection 'profiles_erasure'"),
        (TimeoutError("away"), "could not read the Connection"),
    ],
)
def test_a_backend_that_gives_no_answer_takes_no_button_away_and_is_asked_once_a_minute(
    error: Exception, said: str, rights: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
):
    asked = []

    def refuse(_: str) -> None:
        asked.append(1)
        raise error

    clock = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr("profile_runs.access.time", clock)
    monkeypatch.setattr("airflow.sdk.BaseHook.get_connection", refuse)
    monkeypatch.delenv("PROFILES_ERASURE_KEY", raising=False)
    monkeypatch.delenv("AIRFLOW_CONN_PROFILES_ERASURE", raising=False)
    for _ in range(3):
        told = rights()
        assert told.may_act
        assert said in told.cannot_erase
    assert len(asked) == 1
    clock.monotonic = lambda: 61.0
    rights()
    assert len(asked) == 2


def test_airflow_shows_the_page_and_found_nothing_wrong_with_it(airflow_server: AirflowServer):
    token = airflow_server.token("admin")
    plugins = airflow_server.request("GET", "/api/v2/plugins", token=token).json()["plugins"]
    (ours,) = [plugin for plugin in plugins if plugin["name"] == "profile_runs"]
    assert [view["destination"] for view in ours["external_views"]] == ["nav", "dag_run"]
    # An address with a slash at its beginning leaves the path under which Airflow may be served.
    assert [view["href"][:9] for view in ours["external_views"]] == ["profiles/"] * 2
    errors = airflow_server.request("GET", "/api/v2/plugins/importErrors", token=token).json()
    assert errors["import_errors"] == []
