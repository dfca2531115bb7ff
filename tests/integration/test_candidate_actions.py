"""Actions on candidates do what the commands do, name rows by number and log no text of a row."""

from __future__ import annotations

import logging

import pytest
from tests.integration.test_erase import ADA, owner, served
from tests.planned_runs import (
    add_documents,
    attempt,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
)

from profiles.errors import BusyError, DecisionError, ErasureError
from profiles.models import Outcome
from profiles.operations import candidate_actions
from profiles.params import Action, ActionParams
from profiles.steps import resolve_identities
from profiles.storage.connection import Database

__all__ = ["served"]

BY = "olga.operator"


def act(database: Database, action: Action, *candidate_ids: int, **values: object) -> list[dict]:
    params = ActionParams(action=action, candidate_ids=candidate_ids, **values)
    return candidate_actions.run(database, params=params, by=BY)


def row_id(database: Database, source_key: str) -> int:
    return one(
        database, "SELECT row_id FROM synthesis.identity_row WHERE source_key = %s", source_key
    )[0]


@pytest.fixture
def refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Three people whose answers were refused in run `night`."""
    use_scripted_engine(monkeypatch)
    ids = add_documents(database, 3)
    plan(database, "night")
    while lease := lease_batch(database, run_id="night", lane=0, size=10, lease_seconds=60):
        answers = [
            attempt(item, outcome=Outcome.REJECTED, reason="ungrounded") for item in lease.items
        ]
        persist_results(database, batch_id=lease.batch_id, attempts=answers)
    return ids


def open_again(database: Database) -> set[int]:
    found = rows(
        database, "SELECT candidate_id FROM synthesis.completion WHERE retried_at IS NOT NULL"
    )
    return {candidate_id for (candidate_id,) in found}


def test_retry_opens_the_refused_documents_of_the_people_named(database, refused):
    assert act(database, Action.RETRY, *refused[:2]) == []
    assert open_again(database) == set(refused[:2])


def test_retry_by_run_and_reason_opens_the_whole_group(database, refused):
    act(database, Action.RETRY, run="night", reason="too_long")
    assert open_again(database) == set()
    act(database, Action.RETRY, run="night", reason="ungrounded")
    assert open_again(database) == set(refused)


def test_resynthesise_names_the_run_to_start(database, refused):
    assert act(database, Action.RESYNTHESISE, *refused[:2]) == [
        {"candidate_ids": refused[:2], "force": True}
    ]
    with pytest.raises(DecisionError, match="4711"):
        act(database, Action.RESYNTHESISE, 4711)


def test_split_parts_the_rows_that_are_named_by_number(served, caplog):
    caplog.set_level(logging.INFO, logger="profiles")
    ada = owner(served, "zyx-1")
    act(served, Action.SPLIT, ada, row_ids=(row_id(served, "zyx-3"),))
    assert one(
        served, "SELECT kind, candidate_id, decided_by FROM synthesis.identity_decision"
    ) == (
        "split",
        ada,
        BY,
    )
    resolve_identities.run(served, run_id="one")
    assert owner(served, "zyx-3") != ada
    assert owner(served, "zyx-2") == owner(served, "zyx-1") == ada
    assert "zyx" not in caplog.text.lower()
    assert ADA not in caplog.text


def test_split_refuses_a_row_of_another_person_and_says_no_key(served):
    ada, otto = owner(served, "zyx-1"), row_id(served, "other-1")
    with pytest.raises(DecisionError) as refused:
        act(served, Action.SPLIT, ada, row_ids=(otto,))
    assert f"candidate {ada} does not have row {otto}" in str(refused.value)
    assert "other-1" not in str(refused.value)
    assert rows(served, "SELECT * FROM synthesis.identity_decision") == []


def test_merge_records_who_decided(served):
    both = sorted((owner(served, "zyx-1"), owner(served, "other-1")))
    act(served, Action.MERGE, *both)
    assert one(served, "SELECT kind, decided_by FROM synthesis.identity_decision") == ("merge", BY)
    resolve_identities.run(served, run_id="one")
    assert owner(served, "other-1") == owner(served, "zyx-1") == both[0]


def test_erase_removes_the_person_and_a_second_try_says_when(served):
    ada = owner(served, "zyx-1")
    act(served, Action.ERASE, ada, confirm=ada)
    assert one(
        served, "SELECT candidate_ids, erased_by LIKE %s FROM synthesis.erasure_log", f"%{BY}%"
    ) == (
        [ada],
        True,
    )
    assert rows(served, "SELECT * FROM synthesis.candidate WHERE candidate_id = %s", ada) == []
    with pytest.raises(ErasureError, match="was erased on"):
        act(served, Action.ERASE, ada, confirm=ada)


def test_erase_waits_for_a_stage_that_writes_about_people(served):
    ada = owner(served, "zyx-1")
    with served.lock("publish"), pytest.raises(BusyError, match="nothing was erased"):
        act(served, Action.ERASE, ada, confirm=ada)
