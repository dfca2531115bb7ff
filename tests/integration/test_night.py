"""`make night`: what it says before it starts."""

from __future__ import annotations

import pytest
from tests.source_rows import create_tables, insert, weekday

from profiles.storage.connection import Database
from scripts import night


@pytest.mark.parametrize("limit", ["some", "0", "-3", "1.5"])
def test_a_limit_that_is_no_number_of_documents_starts_nothing(monkeypatch, capsys, limit: str):
    monkeypatch.setenv("LIMIT", limit)
    monkeypatch.setattr(night, "guarded", lambda _: pytest.fail("it was started"))
    assert night.main() == 2
    assert "make night LIMIT=20" in capsys.readouterr().out


def test_the_rows_the_limit_and_the_time_of_the_cpu_model_are_named(
    database: Database, monkeypatch, capsys
):
    create_tables(database)
    insert(database, "weekday_candidates", [weekday(str(n)) for n in range(5)])
    started = {}
    monkeypatch.setenv("PROFILES_ENGINE", "llama_cpp")
    monkeypatch.setattr(night, "run_and_show", lambda _, **how: started.update(how) or 0)
    assert night._night(database, 3) == 0
    shown = capsys.readouterr().out
    assert "5 rows" in shown
    assert "about 3.0 s a document (not measured here yet): 3 documents at most, 9 s" in shown
    assert started == {"name": "night", "limit": 3}
