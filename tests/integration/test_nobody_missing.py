"""Refused people are published with what their documents say; removed sentences are kept."""

from __future__ import annotations

from typing import Any

import pytest
from tests.planned_runs import (
    add_documents,
    attempt,
    content_hash,
    document_text,
    lease_batch,
    one,
    persist_results,
    plan,
    release_batch,
    rows,
    use_scripted_engine,
)

from profiles.models import (
    Outcome,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
)
from profiles.operations import explain
from profiles.operations.candidate_actions import retry
from profiles.steps import publish
from profiles.steps.reports import run_report
from profiles.storage.connection import Database
from profiles.storage.sql_files import load


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


def answer(database: Database, run_id: str, **overrides: Any) -> None:
    lease = lease_batch(database, run_id=run_id, lane=0, size=100, lease_seconds=60)
    assert lease is not None
    answers = [attempt(item, **overrides) for item in lease.items]
    persist_results(database, batch_id=lease.batch_id, attempts=answers)


def publish_run(database: Database, run_id: str) -> None:
    publish.run(database, run_id=run_id, planned=True, tagged=True)


def served(database: Database) -> dict[int, tuple[Any, ...]]:
    found = rows(
        database,
        "SELECT candidate_id, summary, skills, domains, method FROM synthesis.candidate_synthesis",
    )
    return {row[0]: row[1:] for row in found}


def change_documents(database: Database, candidate_ids: list[int]) -> None:
    for number, candidate_id in enumerate(candidate_ids):
        text = document_text(number, version=2)
        with database.connect() as connection:
            connection.execute(
                "UPDATE synthesis.document "
                "SET markdown = %s, content_hash = %s, changed_at = now() WHERE candidate_id = %s",
                (text, content_hash(text), candidate_id),
            )


def test_sentences_of_the_document_never_replace_an_older_text_of_the_model(database: Database):
    ids = add_documents(database, 2)
    plan(database, "good")
    answer(database, "good", summary="The good summary.")
    publish_run(database, "good")
    change_documents(database, ids[:1])
    new = add_documents(database, 1)
    plan(database, "later")
    answer(
        database,
        "later",
        outcome=Outcome.EXTRACTIVE,
        reason="ungrounded",
        summary=None,
    )

    publish_run(database, "later")

    found = served(database)
    assert found[ids[0]][0] == found[ids[1]][0] == "The good summary."
    assert found[new[0]][:2] == (None, ["Python"]) and found[new[0]][3] == "extractive"
    assert run_report.store(database, run_id="later")["extractive"] == 2
    current = rows(
        database,
        "SELECT method, is_current FROM synthesis.candidate_score ORDER BY candidate_id",
    )
    assert current == [("model", False), ("model", True), ("extractive", True)]


def test_scores_and_removed_sentences_are_stored_shown_and_counted(database: Database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "one")
    removed = (RemovedSentence("It won many prizes.", RemovalReason.AWARD),)
    answer(database, "one", outcome=Outcome.REPAIRED, removed=removed, supported=17, claims=20)
    publish_run(database, "one")

    assert rows(database, "SELECT supported, claims, score FROM synthesis.candidate_score") == [
        (17, 20, 0.85)
    ]
    gate = run_report.build_report(database, run_id="one")["gate"]
    assert gate["scores"] == {"80 % or more": 1} and gate["removed"] == {"award": 1}
    answered = explain.explain(database, candidate_id)["answer"]
    assert (answered["supported"], answered["claims"]) == (17, 20)
    assert answered["removed"] == [{"reason": "award", "sentence": "It won many prizes."}]
    stored = one(database, "SELECT report::text FROM synthesis.run WHERE run_id = 'one'")
    assert "prizes" not in str(stored)


def test_old_removed_sentences_go_and_their_reasons_stay(database: Database):
    add_documents(database, 1)
    plan(database, "one")
    answer(database, "one", removed=(RemovedSentence("It won prizes.", RemovalReason.AWARD),))
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.completion SET created_at = now() - interval '9 d'")
        connection.execute(load("retention/drop_raw"), {"days": 5, "rows": 10})
    assert rows(database, "SELECT removed, raw_text FROM synthesis.completion") == [
        ([{"sentence": None, "reason": "award"}], None)
    ]


def test_the_next_lease_of_a_refused_document_carries_the_reasons(database: Database):
    add_documents(database, 1)
    plan(database, "one")
    lease = lease_batch(database, run_id="one", lane=0, size=1, lease_seconds=60)
    removed = (RemovedSentence("It won prizes.", RemovalReason.AWARD),)
    refused = attempt(
        lease.items[0],
        is_terminal=False,
        outcome=Outcome.REJECTED,
        reason="ungrounded",
        removed=removed,
    )
    persist_results(database, batch_id=lease.batch_id, attempts=[refused])
    release_batch(database, batch_id=lease.batch_id)

    again = lease_batch(database, run_id="one", lane=0, size=1, lease_seconds=60)

    assert again.items[0].attempts_made == 1
    assert again.items[0].rejection.reason is RejectionReason.UNGROUNDED
    assert again.items[0].rejection.removed == removed


def test_rejected_people_are_not_fresh_the_next_night_and_retry_opens_them(database: Database):
    add_documents(database, 3)
    plan(database, "one")
    answer(database, "one", outcome=Outcome.REJECTED, reason="deadline", summary=None)
    plan(database, "two")

    publish_run(database, "two")

    buckets = run_report.build_report(database, run_id="two")["buckets"]
    assert (buckets["fresh"], buckets["rejected_before"], buckets["rejected"]) == (0, 3, 0)
    assert retry(database) == {"deadline": 3}
    plan(database, "three")
    assert one(
        database, "SELECT rejected_before, planned FROM synthesis.run WHERE run_id = 'three'"
    ) == (0, 3)


def test_retry_opens_people_whom_the_document_stands_in_for(database: Database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "one")
    stand_in = {"outcome": Outcome.EXTRACTIVE, "reason": "too_short"}
    answer(database, "one", **stand_in, summary="Sentences of the document.")
    publish_run(database, "one")
    assert retry(database) == {"too_short": 1}
    plan(database, "two")
    publish_run(database, "two")
    assert served(database)[candidate_id][0] == "Sentences of the document."
    answer(database, "two", summary="The text of the model.")
    publish_run(database, "two")
    assert served(database)[candidate_id][0] == "The text of the model."


def test_the_judge_sees_the_answers_with_the_lowest_scores_first(database: Database):
    ids = add_documents(database, 6)
    plan(database, "one")
    lease = lease_batch(database, run_id="one", lane=0, size=6, lease_seconds=60)
    answers = [
        attempt(item, supported=10 - ids.index(item.candidate_id), claims=10)
        for item in lease.items
    ]
    persist_results(database, batch_id=lease.batch_id, attempts=answers)
    with database.connect() as connection:
        sample = connection.execute(
            load("judge/select_sample"), {"run_id": "one", "judge_key": "none", "size": 2}
        ).fetchall()
    assert [row[0] for row in sample] == ids[-2:]
