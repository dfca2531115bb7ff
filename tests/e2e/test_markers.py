"""Nothing that a person's row says leaves the tables that are meant to hold it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import psycopg
import pytest
from tests.conftest import SERVER_DIR
from tests.e2e.dag_runs import run_dag
from tests.factories import KEPT_TABLES
from tests.planned_runs import use_scripted_engine
from tests.source_rows import insert, lead, linkedin, weekday

from profiles.cli import main
from profiles.storage.connection import Database

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("default")]

MARK = re.compile(r"zyxq|\+?12025550147", re.IGNORECASE)
WORDS = " ".join(f"Zyxqword{n} moved billing services to Kubernetes." for n in range(12))


def plant(database: Database) -> None:
    """Rows that can be read, rows that cannot, and a company nobody knows."""
    raw = {
        "full_name": "Zyxqname Testwell",
        "summary": WORDS,
        "personal_emails": ["zyxqmail@mail-example.com"],
        "personal_numbers": ["+12025550147"],
        "experiences": [
            {"company": "Zyxqfirm", "title": "Zyxqtitle", "starts_at": "2019", "description": WORDS}
        ],
    }
    insert(
        database,
        "linkedin_profiles",
        [
            linkedin("planted-1", raw=raw),
            linkedin("planted-2", "zyxqvendor", raw={"Zyxqgarbage": [WORDS]}),
            linkedin("planted-3", raw="Zyxqtext in the place of an object"),
        ],
    )
    insert(
        database,
        "weekday_candidates",
        [
            weekday("planted-4", name="Zyxqname Testwell", work_experience="[{'Zyxqbroken': "),
            weekday("planted-5", email="zyxqmail@mail-example.com", phone="+1 202 555 0147"),
        ],
    )
    insert(database, "lemlist_leads", [lead("planted-6", full_name="Zyxqname", summary=WORDS)])


def tables_with_marks(url: str, schemas: str) -> set[str]:
    """Tables with a row that holds a mark, as text or as bytes."""
    found = set()
    with psycopg.connect(url, autocommit=True) as connection:
        names = connection.execute(
            "SELECT c.oid::regclass::text FROM pg_class AS c JOIN pg_namespace AS n "
            "ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = ANY (%s)",
            (schemas.split(),),
        ).fetchall()
        for (name,) in names:
            for (text,) in connection.execute(f"SELECT t::text FROM {name} AS t"):
                if MARK.search(text):
                    found.add(name)
                    break
    return found


def test_markers_stay_in_the_tables_that_are_meant_to_hold_them(
    sample_database: Database,
    postgres_server: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    faults = {"leaked": 0.2, "bad_json": 0.2, "error": 0.2}
    use_scripted_engine(monkeypatch, engine_options=json.dumps({"faults": faults}))
    monkeypatch.setenv("PROFILES_DATABASE_URL", sample_database.url)
    plant(sample_database)

    first = run_dag(sample_database)
    assert first.state == "success"
    with sample_database.connect() as connection:
        connection.execute(
            "ALTER TABLE synthesis.document ADD CONSTRAINT never CHECK (false) NOT VALID"
        )
        connection.execute("UPDATE src.linkedin_profiles SET fetched_at = now(), raw = raw || %s "
                           "WHERE id = 'planted-1'",
                           (json.dumps({"summary": WORDS + " Zyxqnew."}),))  # fmt: skip
    failed = run_dag(sample_database)
    assert failed.state == "failed"
    assert "failed" in {*failed.states("render_profiles")}
    for command in (["status"], ["plan"], ["retention"], ["status", "--json"]):
        main(command)

    printed = capfd.readouterr()
    assert len(printed.out) + len(printed.err) > 10_000
    for text in (printed.out, printed.err):
        assert not MARK.search(text), MARK.search(text).group()
    logs = [path for path in (SERVER_DIR / "airflow").rglob("*") if path.is_file()]
    assert any("engine-logs" in path.parts for path in logs)
    assert [path for path in logs if MARK.search(_text(path))] == []
    assert tables_with_marks(postgres_server.format("airflow"), "public") == set()
    # Companies' words, and how many people use a word that at least three of them use.
    shared_words = {"synthesis.unknown_industry", "synthesis.search_term"}
    kept = {f"synthesis.{table}" for table in KEPT_TABLES} - shared_words
    held = tables_with_marks(sample_database.url, "synthesis")
    assert held & kept == set()
    assert {"synthesis.document", "synthesis.source_record"} <= held
    assert "synthesis.rejected_row" not in held


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")
