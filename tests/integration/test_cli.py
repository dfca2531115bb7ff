"""The commands against databases that are ready, empty, forbidden or away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from tests.planned_runs import add_documents, plan, use_scripted_engine

from profiles.cli import main
from profiles.errors import MigrationError
from profiles.params import RunParams
from profiles.steps import check_sources
from profiles.storage.connection import Database

COMMANDS = ("status", "plan", "decisions")


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


@pytest.fixture
def empty_database(database: Database) -> Iterator[Database]:
    with database.connect() as connection:
        connection.execute("DROP SCHEMA synthesis CASCADE")
    yield database


def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, *arguments: str
) -> tuple[int, Any]:
    """Exit code and parsed output of a command with --json."""
    monkeypatch.setenv("PROFILES_DATABASE_URL", url)
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_without_our_schema_is_told_how_to_get_it(
    command, empty_database, monkeypatch, capsys
):
    code, said = call(monkeypatch, capsys, empty_database.url, command)
    assert code == 1
    assert said["error"] == "MigrationError"
    assert "profiles migrate" in said["message"]
    assert call(monkeypatch, capsys, empty_database.url, "migrate")[0] == 0
    assert call(monkeypatch, capsys, empty_database.url, command)[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_an_absent_server_is_said_to_be_that(command, monkeypatch, capsys):
    code, said = call(monkeypatch, capsys, "postgresql://nobody@127.0.0.1:1/x", command)
    assert code == 1
    assert said["error"] == "DatabaseUnavailableError"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_role_without_rights_is_an_error_and_no_trace(command, database, monkeypatch, capsys):
    name = database.url.split("?")[0].rpartition("/")[2]
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name}_nobody LOGIN")
    try:
        url = database.url.replace("postgres:@", f"{name}_nobody:@")
        code, said = call(monkeypatch, capsys, url, command)
    finally:
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(f"DROP ROLE {name}_nobody")
    assert code == 1
    assert "permission denied" in said["message"]


def test_a_run_on_a_database_without_our_schema_is_not_tried_again(empty_database):
    with pytest.raises(MigrationError, match="initialize_database"):
        check_sources.run(empty_database, run_id="r1", params=RunParams())


def test_status_before_the_first_run_says_never(database, monkeypatch, capsys):
    code, said = call(monkeypatch, capsys, database.url, "status")
    assert (code, said) == (0, {"run_id": None, "state": "never"})


def test_status_shows_the_buckets_of_the_last_run(database, monkeypatch, capsys):
    add_documents(database, 3, thin=[0])
    plan(database, "r1")
    code, said = call(monkeypatch, capsys, database.url, "status")
    assert (code, said["run_id"], said["state"]) == (0, "r1", "running")
    assert (said["candidates"], said["too_thin"], said["planned"], said["missing"]) == (3, 1, 2, 2)


@pytest.mark.parametrize(
    ("age", "code", "said"),
    [
        (None, 2, "nothing was ever published"),
        ("25 hours", 0, ""),
        ("27 hours", 2, "the last publish is 1 day, 3:0"),
    ],
)
def test_status_fails_for_an_outside_cron_when_the_last_publish_is_too_old(
    age, code, said, database, monkeypatch, capsys
):
    plan(database, "r1")
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET published_at = now() - %s::interval", (age,))
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    assert main(["status", "--json", "--max-age", "26h"]) == code
    assert said in capsys.readouterr().err


def test_plan_counts_what_a_run_would_do(database, monkeypatch, capsys):
    add_documents(database, 3)
    code, said = call(monkeypatch, capsys, database.url, "plan", "--limit", "2")
    assert (code, said["planned"], said["open"], said["deferred"]) == (0, 3, 2, 1)


@pytest.mark.parametrize("hours", ["0", "-1", "nan", "21", "x"])
def test_plan_refuses_a_window_that_no_run_may_have(hours, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["plan", "--window-hours", hours])
    assert caught.value.code == 2
    assert "--window-hours" in capsys.readouterr().err
