"""The vectors of raw documents follow the documents, and go with them."""

from __future__ import annotations

from itertools import count

import pytest
from tests.planned_runs import add_documents, document_text, one, rows, write_document

from profiles.params import RunParams
from profiles.steps import index_documents
from profiles.storage.connection import Database
from profiles.storage.runs import start_run
from profiles.storage.sql_files import load


def found(database: Database, words: str) -> list[int]:
    return [
        row[0]
        for row in rows(
            database,
            "SELECT candidate_id FROM synthesis.document_search "
            "WHERE vector @@ websearch_to_tsquery('english', %s) ORDER BY 1",
            words,
        )
    ]


def test_a_changed_document_is_found_by_its_new_words_and_others_are_left_alone(database):
    ids = add_documents(database, 3)
    assert index_documents.refresh(database) == 3
    assert found(database, "billing") == ids
    with database.connect() as connection:
        write_document(connection, ids[0], "# Ada Testwell\nBeekeeping in the Alps")
    assert index_documents.refresh(database) == 1
    assert found(database, "beekeeping") == ids[:1]
    assert found(database, "billing") == ids[1:]
    assert index_documents.refresh(database) == 0


def test_the_vector_of_a_document_that_is_gone_goes_too(database):
    ids = add_documents(database, 2)
    index_documents.refresh(database)
    with database.connect() as connection:
        connection.execute("DELETE FROM synthesis.document WHERE candidate_id = %s", (ids[0],))
    assert found(database, "billing") == ids[1:]


def test_it_stops_in_time_and_goes_on_the_next_night(database, monkeypatch):
    add_documents(database, 3)
    monkeypatch.setattr(index_documents, "_ROWS", 1)
    ticks = count(step=index_documents.MAX_SECONDS / 2)
    with monkeypatch.context() as patched:
        patched.setattr(index_documents, "monotonic", lambda: next(ticks))
        assert index_documents.refresh(database) == 1
    assert index_documents.refresh(database) == 2


def test_it_is_a_stage_of_the_run(database):
    assert index_documents.run(database, run_id="none")["documents"] == 0
    add_documents(database, 2)
    start_run(database, run_id="night", params=RunParams())
    names = index_documents.refresh_names(database)
    assert names > 4_000
    assert index_documents.run(database, run_id="night") == {"documents": 2, "names": names}
    assert one(database, "SELECT counts FROM synthesis.run_stage WHERE stage = 'index_documents'")[
        0
    ] == {"documents": 2, "names": names}


def test_a_long_document_with_long_words_is_no_obstacle(database):
    (candidate_id,) = add_documents(database, 1)
    with database.connect() as connection:
        write_document(connection, candidate_id, document_text(1) + "x" * 5_000 + " word" * 50_000)
    assert index_documents.refresh(database) == 1


@pytest.mark.parametrize(
    ("name", "table", "given"),
    [
        ("search_index/refresh_documents", "document_search", {}),
        ("embed/select_stale", "candidate_embedding", {"model": "m", "revision": "1"}),
    ],
)
def test_a_batch_reads_no_vectors_of_the_batches_before(database, name, table, given):
    with database.connect() as connection:
        plan = connection.execute(
            f"EXPLAIN (FORMAT JSON) {load(name)}", {"after": 7, "rows": 5, **given}
        ).fetchone()[0]
    assert [
        "candidate_id > " in f"{node.get('Filter')} {node.get('Index Cond')}"
        for node in nodes(plan[0]["Plan"])
        if node.get("Relation Name") == table and node["Node Type"] != "ModifyTable"
    ] == [True]


def nodes(plan):
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
