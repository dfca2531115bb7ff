"""No older text stays with a person whom rows have left: it may tell of somebody else."""

from __future__ import annotations

import pytest
from tests.planned_runs import (
    add_documents,
    attempt,
    document_text,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
    write_document,
)

from profiles.models import Outcome
from profiles.steps import publish
from profiles.storage.connection import Database

LEAVES = {
    "a split": """
        INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id)
        VALUES ('r2', 'split', %(id)s, %(id)s + 1000)""",
    "a moved row": """
        INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id)
        VALUES ('r2', 'moved', %(id)s, %(id)s + 1000)""",
    "a row that left its table": """
        INSERT INTO synthesis.former_source (source, source_key, candidate_id, removed_run)
        VALUES ('linkedin', 'x', %(id)s, 'r2')""",
    "a row of somebody merged into the person": """
        WITH other AS (
          INSERT INTO synthesis.candidate (merged_into, created_run) VALUES (%(id)s, 'r1')
          RETURNING candidate_id)
        INSERT INTO synthesis.former_source (source, source_key, candidate_id, removed_run)
        SELECT 'linkedin', 'x', candidate_id, 'r2' FROM other""",
}


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


def night(database: Database, run_id: str, **overrides: object) -> None:
    plan(database, run_id)
    found = lease_batch(database, run_id=run_id, lane=0, size=9, lease_seconds=60)
    if found is not None:
        answers = [attempt(item, **overrides) for item in found.items]
        persist_results(database, batch_id=found.batch_id, attempts=answers)
    publish.run(database, run_id=run_id, planned=True, tagged=True)


def served(database: Database) -> list[tuple[str | None, str | None]]:
    return rows(
        database, "SELECT summary, method FROM synthesis.candidate_synthesis ORDER BY candidate_id"
    )


def changed(database: Database, candidate_id: int, text: str) -> None:
    with database.connect() as connection:
        write_document(connection, candidate_id, text)


def with_a_changed_document(database: Database, *statements: str) -> int:
    (candidate_id,) = add_documents(database, 1)
    night(database, "r1", summary="Of two people.")
    with database.connect() as connection:
        for statement in statements:
            connection.execute(statement, {"id": candidate_id})
    changed(database, candidate_id, document_text(candidate_id) + "\nOne of the two.\n")
    return candidate_id


@pytest.mark.parametrize("statement", LEAVES.values(), ids=LEAVES)
def test_who_lost_rows_gets_sentences_of_the_document_instead(database: Database, statement: str):
    with_a_changed_document(database, statement)
    night(database, "r2", outcome=Outcome.EXTRACTIVE, summary="Of one.")
    assert served(database) == [("Of one.", "extractive")]


def test_who_lost_rows_has_no_summary_while_nothing_new_was_made(database: Database):
    with_a_changed_document(database, LEAVES["a split"])
    publish.run(database, run_id="r1", planned=True, tagged=True)
    assert served(database) == [(None, None)]


def test_an_answer_made_since_stays_when_the_next_one_is_refused(database: Database):
    candidate_id = with_a_changed_document(database, LEAVES["a split"])
    night(database, "r2", summary="Of one.")
    changed(database, candidate_id, document_text(candidate_id) + "\nLater.\n")
    night(database, "r3", outcome=Outcome.REJECTED, reason="too_short")
    assert served(database) == [("Of one.", "model")]


def test_without_a_loss_the_older_text_stays(database: Database):
    with_a_changed_document(database)
    night(database, "r2", outcome=Outcome.REJECTED, reason="too_short")
    assert served(database) == [("Of two people.", "model")]
    assert one(database, "SELECT count(*) FROM synthesis.completion") == (2,)
