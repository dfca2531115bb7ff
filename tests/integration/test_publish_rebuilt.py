"""A serving table that is built again holds, and keeps, what writing into it would have left."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tests.integration.test_publish import (
    answer,
    change_documents,
    publish_run,
    scripted_engine,
    served,
)
from tests.planned_runs import (
    add_documents,
    document_text,
    one,
    plan,
    rows,
    write_document,
)

from profiles.steps import publish
from profiles.storage import lock_waits
from profiles.storage.connection import Database

__all__ = ["scripted_engine"]


@pytest.fixture
def rebuilding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every publish that changes enough builds the table again, however small the table is."""
    monkeypatch.setattr(publish, "REBUILD_ROWS", 1)


def publish_answered(database: Database, run_id: str, **overrides: Any) -> dict[str, int | float]:
    plan(database, run_id)
    answer(database, run_id, **overrides)
    return publish_run(database, run_id)


@pytest.mark.usefixtures("rebuilding")
def test_a_table_built_anew_holds_what_writing_into_it_would_have_left(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    ids = add_documents(database, 6, thin=[5])
    publish_answered(database, "one")
    change_documents(database, ids[:3])
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate SET retired_at = now() WHERE candidate_id = %s", (ids[4],)
        )
    plan(database, "two")
    answer(database, "two", summary="The second summary.")
    content = (
        "SELECT candidate_id, summary, skills, domains, search, fingerprint, run_id, published_at "
        "FROM synthesis.candidate_synthesis ORDER BY candidate_id"
    )
    before = {row[0]: row for row in rows(database, content)}

    counts = publish_run(database, "two")

    assert counts == {"published": 3, "withdrawn": 1, "rebuilt": 1}
    after = {row[0]: row for row in rows(database, content)}
    assert {key: row for key, row in after.items() if row[-2] == "one"} == {
        ids[3]: before[ids[3]], ids[5]: before[ids[5]]
    }  # fmt: skip
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.candidate_synthesis SET fingerprint = 'other'")
    monkeypatch.setattr(publish, "REBUILD_ROWS", 1000)
    assert publish_run(database, "two") == {"published": 5, "withdrawn": 0}
    written = {row[0]: row for row in rows(database, content)}
    assert {k: row[:6] for k, row in written.items()} == {k: row[:6] for k, row in after.items()}


@pytest.mark.usefixtures("rebuilding")
def test_grants_views_comments_and_indexes_of_the_table_survive_a_rebuild(database: Database):
    (candidate_id,) = add_documents(database, 1)
    reader = f"reader_{database.url.split('?')[0].rsplit('_', 1)[1]}"
    with database.connect() as connection:
        connection.execute(f"CREATE ROLE {reader}")
        connection.execute(f"GRANT USAGE ON SCHEMA synthesis TO {reader}")
        connection.execute(f"GRANT SELECT ON synthesis.candidate_synthesis TO {reader}")
        connection.execute(
            "CREATE VIEW shown AS SELECT candidate_id, summary FROM synthesis.candidate_synthesis"
        )
        connection.execute("COMMENT ON TABLE synthesis.candidate_synthesis IS 'ours'")
        connection.execute("CREATE INDEX by_model ON synthesis.candidate_synthesis (model)")
    indexes = (
        "SELECT count(*) FROM pg_index AS i JOIN pg_inherits AS h ON h.inhparent = i.indexrelid "
        "WHERE i.indrelid = 'synthesis.candidate_synthesis'::regclass AND i.indisvalid"
    )
    assert one(database, indexes) == (5,)
    try:
        for run_id in ("one", "two"):
            change_documents(database, [candidate_id] if run_id == "two" else [])
            assert publish_answered(database, run_id, summary=f"Of {run_id}.")["rebuilt"] == 1
            with database.connect() as connection:
                connection.execute(f"SET ROLE {reader}")
                found = connection.execute("SELECT summary FROM synthesis.candidate_synthesis")
                assert found.fetchall() == [(f"Of {run_id}.",)]
            assert rows(database, "SELECT * FROM shown") == [(candidate_id, f"Of {run_id}.")]
            assert one(database, indexes) == (5,)
        assert one(
            database, "SELECT obj_description('synthesis.candidate_synthesis'::regclass)"
        ) == ("ours",)
    finally:
        with database.connect() as connection:
            connection.execute(f"DROP OWNED BY {reader}")
            connection.execute(f"DROP ROLE {reader}")


@pytest.mark.usefixtures("rebuilding")
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE shortlist (id bigint REFERENCES synthesis.candidate_synthesis)",
        "ALTER TABLE synthesis.candidate_synthesis ADD COLUMN embedding real[]",
        "CREATE TRIGGER seen AFTER UPDATE ON synthesis.candidate_synthesis FOR EACH ROW "
        "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE TRIGGER seen AFTER UPDATE ON synthesis.candidate_synthesis_rows FOR EACH ROW "
        "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE TABLE shortlist (id bigint REFERENCES synthesis.candidate_synthesis_rows)",
        "CREATE VIEW seen AS SELECT candidate_id FROM synthesis.candidate_synthesis_rows",
    ],
)
def test_what_a_new_table_would_lose_keeps_the_old_one(database: Database, statement: str):
    add_documents(database, 2)
    with database.connect() as connection:
        connection.execute(statement)
    assert publish_answered(database, "one") == {"published": 2, "withdrawn": 0}


@pytest.mark.usefixtures("rebuilding")
def test_readers_see_a_full_table_while_it_is_built_anew(database: Database):
    ids = add_documents(database, 20)
    publish_answered(database, "one", summary="one")
    ended = threading.Event()
    seen: set[tuple[int, int]] = set()

    def read() -> None:
        with database.connect(autocommit=True) as connection:
            while not ended.is_set():
                found = connection.execute(
                    "SELECT count(*), count(DISTINCT summary) FROM synthesis.candidate_synthesis "
                    "WHERE candidate_id > %s",
                    (0,),
                ).fetchone()
                assert found is not None
                seen.add(found)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(3):
            with database.connect() as connection:
                for candidate_id in ids:
                    write_document(
                        connection, candidate_id, document_text(candidate_id, number + 2)
                    )
            assert publish_answered(database, f"n{number}", summary=f"{number}")["rebuilt"] == 1
    finally:
        ended.set()
        reader.join()
    assert seen == {(20, 1)}


@pytest.mark.usefixtures("rebuilding")
def test_rows_are_written_where_a_reader_holds_the_table_for_long(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    ids = add_documents(database, 3)
    publish_answered(database, "one", summary="one")
    change_documents(database, ids)
    plan(database, "two")
    answer(database, "two", summary="two")
    monkeypatch.setattr(lock_waits, "LOCK_SECONDS", 0.2)
    monkeypatch.setattr(lock_waits, "PAUSES", (0.1,))

    with database.connect() as reading, reading.cursor(name="open") as cursor:
        cursor.execute("SELECT summary FROM synthesis.candidate_synthesis")
        assert cursor.fetchone() == ("one",)
        with caplog.at_level("WARNING"):
            assert publish_run(database, "two") == {"published": 3, "withdrawn": 0}
        assert f"tables are held by process {reading.info.backend_pid} " in caplog.text
        assert cursor.fetchall() == [("one",)] * 2

    assert {row[0] for row in served(database).values()} == {"two"}
