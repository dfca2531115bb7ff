"""The report of a run where the link of task `report` leads, read by the page's own role."""

from __future__ import annotations

import pytest

from profiles.operations import apply_migrations
from profiles.steps.reports import run_report
from profiles.steps.reports.run_report import FORMAT
from tests.page.conftest import make_client
from tests.planned_runs import add_documents, plan, use_scripted_engine

RUN = "manual__2026-01-01T00:00:00+00:00"


@pytest.fixture
def reported(database, monkeypatch):
    use_scripted_engine(monkeypatch)
    add_documents(database, 2)
    plan(database, RUN)
    run_report.store(database, run_id=RUN)
    return database


def test_the_page_is_made_from_what_the_report_task_stored(client, reported):
    answer = client.get("/report", params={"run": RUN})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert f"<h1>{RUN}</h1>" in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'sha256-" in policy
    assert "frame-ancestors 'self'" in policy
    assert client.get("/report", params={"run": RUN, "format": "json"}).json()["format"] == FORMAT
    assert client.get("/report", params={"run": RUN, "format": "xml"}).status_code == 422


def test_the_role_of_the_page_may_read_all_of_it(reported):
    apply_migrations.run(reported)
    with make_client(f"{reported.url}&options=-crole%3Dprofiles_page") as client:
        answer = client.get("/report", params={"run": RUN})
    assert answer.status_code == 200, answer.text


def test_a_run_without_a_report_is_not_found_and_says_why(client, database, monkeypatch):
    use_scripted_engine(monkeypatch)
    add_documents(database, 1)
    plan(database, RUN)
    answer = client.get("/report", params={"run": RUN})
    assert answer.status_code == 404
    assert "has no report yet" in answer.json()["detail"]
    assert client.get("/report", params={"run": "nothing"}).status_code == 404


def test_a_database_that_is_away_is_an_outage(database):
    answer = make_client(database.url.replace("test_", "none_")).get("/report", params={"run": "x"})
    assert answer.status_code == 503
    assert "profiles_ro" in answer.json()["next"]
