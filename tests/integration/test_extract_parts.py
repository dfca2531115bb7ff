"""A large source is read by several tasks, each a share of its keys: none twice, none left out."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg import sql
from tests.source_rows import create_tables, insert, lead, linkedin

from profiles.errors import BusyError
from profiles.params import RunParams
from profiles.steps import extract_sources
from profiles.storage.connection import Database
from profiles.storage.mappings import load_mappings
from profiles.storage.runs import start_run
from profiles.storage.source_tables import select_changed, table_shape

RUN = "manual-1"


@pytest.fixture
def sources(database: Database) -> Database:
    """A database with empty source tables and an open run."""
    create_tables(database)
    start_run(database, run_id=RUN, params=RunParams())
    return database


def extract(database: Database, *, part: int = 0, of: int = 1) -> dict[str, int | float]:
    return extract_sources.run(database, run_id=RUN, source="lemlist", part=part, of=of)


def query(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.connect() as connection:
        return connection.execute(statement).fetchall()  # type: ignore[call-overload]


def execute(database: Database, statement: str) -> None:
    with database.connect() as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def leads(number: int) -> list[dict[str, Any]]:
    return [lead(f"lea_{n}", full_name=f"Ada Testwell{n}") for n in range(number)]


@pytest.mark.parametrize("taken", ["extract:lemlist", "extract:lemlist 1/3"])
def test_a_part_is_not_read_beside_itself_or_the_whole(sources: Database, taken: str) -> None:
    with sources.lock(taken), pytest.raises(BusyError):
        extract(sources, part=1, of=3)


def test_parts_may_be_read_side_by_side_and_keep_out_the_whole(sources: Database) -> None:
    with sources.lock("extract:lemlist", shared=True), sources.lock("extract:lemlist 0/3"):
        extract(sources, part=1, of=3)
        with pytest.raises(BusyError):
            extract(sources)


def test_a_large_source_is_shared_out_until_its_rows_are_known(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert(sources, "lemlist_leads", leads(41))
    insert(sources, "linkedin_profiles", [linkedin("k", raw={"full_name": "Ada Testwell"})])
    monkeypatch.setattr(extract_sources, "ROWS_A_PART", 20)
    parts = extract_sources.parts(sources, sources=["linkedin", "lemlist", "resume"])
    assert parts == [
        {"source": "linkedin", "part": 0, "of": 1},
        *({"source": "lemlist", "part": part, "of": 3} for part in range(3)),
        {"source": "resume", "part": 0, "of": 1},
    ]
    read = [extract_sources.run(sources, run_id=RUN, **part)["read"] for part in parts]
    assert read[0] == 1
    assert sum(read[1:4]) == 41
    assert min(read[1:4]) > 0
    assert query(sources, "SELECT count(*) FROM synthesis.source_record") == [(42,)]
    assert extract_sources.parts(sources, sources=["lemlist"])[0]["of"] == 1


def test_rows_known_by_other_rules_count_as_rows_to_read(
    sources: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert(sources, "lemlist_leads", leads(30))
    extract(sources)
    execute(sources, "UPDATE synthesis.source_record SET extractor_version = 'old'")
    monkeypatch.setattr(extract_sources, "ROWS_A_PART", 20)
    assert len(extract_sources.parts(sources, sources=["lemlist"])) == 2


def test_no_row_of_a_part_goes_through_what_other_tasks_store_meanwhile(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(300))
    with sources.connect(autocommit=True) as connection:
        for table in ("src.lemlist_leads", "synthesis.source_record", "synthesis.rejected_row"):
            connection.execute(f"VACUUM ANALYZE {table}")  # type: ignore[call-overload]
    mapping = load_mappings()["lemlist"]
    with sources.connect() as connection:
        extract_sources.prepare_reading(connection)
        shape = table_shape(connection, mapping)
        assert shape is not None
        statement = sql.SQL("EXPLAIN ") + select_changed(mapping, shape)
        rules = mapping.extractor_version
        values = {"source": "lemlist", "extractor_version": rules, "part": 0, "of": 3}
        plan = [line for (line,) in connection.execute(statement, values)]
    assert any("Hash Left Join" in line for line in plan)
    assert not any("Nested Loop" in line for line in plan)


def test_the_first_part_forgets_vanished_rows_for_all(sources: Database) -> None:
    insert(sources, "lemlist_leads", leads(30))
    extract(sources)
    execute(sources, "DELETE FROM src.lemlist_leads WHERE id IN ('lea_1', 'lea_2', 'lea_3')")
    deleted = [extract(sources, part=part, of=3)["deleted"] for part in (2, 1, 0)]
    assert deleted == [0, 0, 3]
