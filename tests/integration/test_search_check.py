"""`profiles search`: people found from a shell, and saved queries checked before and after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.integration.test_publish import answer, publish_run
from tests.planned_runs import add_documents, plan, use_scripted_engine

from profiles.cli import main
from profiles.errors import SettingsError
from profiles.operations.search import QueryResult, load_queries
from profiles.steps import index_documents
from profiles.storage.connection import Database


def test_a_check_tells_found_from_missing_and_better_from_worse(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    use_scripted_engine(monkeypatch)
    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    first, second = add_documents(database, 2)
    plan(database, "one")
    answer(database, "one", summary="An engineer who built billing services.")
    publish_run(database, "one")
    index_documents.refresh(database)
    saved = tmp_path / "check.yaml"
    saved.write_text(f"queries:\n- {{query: billing, expect: [{first}, {second}]}}\n")

    def check() -> tuple[int, str]:
        code = main(["search", "check", str(saved), "--json"])
        return code, json.loads(capsys.readouterr().out)[0]["verdict"]

    assert check() == (0, "found")
    assert check() == (0, "same")
    with database.connect() as connection:
        connection.execute(
            "DELETE FROM synthesis.candidate_synthesis WHERE candidate_id = %s", (first,)
        )
    assert check() == (1, "worse")
    publish_run(database, "one")
    assert check() == (0, "better")

    assert main(["search", "find", "billing", "--k", "1"]) == 0
    assert capsys.readouterr().out.startswith(("- {candidate_id: 1", "- {candidate_id: 2"))
    assert main(["search", "find", "billing", "--skill", "COBOL", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_verdict_counts_who_is_found_before_how_high():
    assert QueryResult("q", None, (1, None)).verdict == "missing"
    assert QueryResult("q", (1, None), (9, 10)).verdict == "better"
    assert QueryResult("q", (2, 3), (1, 3)).verdict == "better"
    assert QueryResult("q", (1,), (2,)).verdict == "worse"
    assert QueryResult("q", (None,), (None,)).verdict == "same"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("queries: [{query: x}]", "queries.0.expect"),
        ("queries: []", "queries"),
        ("queries: [{query: x, expect: [1], wanted: 2}]", "queries.0.wanted"),
        ("- x", "the file"),
        ("a: [", "is no YAML"),
    ],
)
def test_a_faulty_check_file_names_the_entry(tmp_path: Path, text: str, message: str):
    path = tmp_path / "check.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=message):
        load_queries(path)


def test_a_missing_check_file_is_named(tmp_path: Path):
    with pytest.raises(SettingsError, match="cannot be read"):
        load_queries(tmp_path / "none.yaml")
