"""Leases: who may work on what, who is fenced, and what a lost lane costs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.planned_runs import (
    add_documents,
    attempt,
    document_text,
    lease_batch,
    one,
    persist_results,
    plan,
    release_batch,
    rows,
    use_scripted_engine,
    write_document,
)

from profiles.errors import DatabaseUnavailableError, FencedError
from profiles.models import Outcome
from profiles.storage import leases
from profiles.storage.connection import Database
from profiles.storage.leases import LaneQueue
from profiles.storage.sql_files import execute


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch)


def lease(database, *, run_id="r1", lane=0, size=10, lease_seconds=60):
    return lease_batch(database, run_id=run_id, lane=lane, size=size, lease_seconds=lease_seconds)


def ids_of(found):
    return [item.candidate_id for item in found.items]


def store(database, found, *attempts):
    persist_results(
        database,
        batch_id=found.batch_id,
        attempts=attempts or [attempt(item) for item in found.items],
    )


def let_expire(database, batch_id):
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.batch SET expires_at = now() - interval '1 s' WHERE batch_id = %s",
            (batch_id,),
        )


def state_of(database, batch_id):
    return one(database, "SELECT state FROM synthesis.batch WHERE batch_id = %s", batch_id)[0]


def test_items_come_in_order_with_their_documents(database):
    ids = add_documents(database, 3)
    plan(database, "r1")
    found = lease(database, size=2)
    assert ids_of(found) == ids[:2]
    assert [item.document for item in found.items] == [document_text(i) for i in ids[:2]]
    assert 0 < found.seconds_left <= 8 * 3600
    assert ids_of(lease(database, lane=1)) == ids[2:]
    assert lease(database, lane=1) is None


def test_many_lanes_at_once_share_the_work_without_overlap(database):
    ids = add_documents(database, 60)
    plan(database, "r1")

    def work(lane):
        mine = []
        while found := lease(database, lane=lane, size=4):
            mine += ids_of(found)
            store(database, found)
        return mine

    with ThreadPoolExecutor(6) as pool:
        shares = list(pool.map(work, range(6)))
    assert sorted(candidate_id for share in shares for candidate_id in share) == ids
    assert one(database, "SELECT count(*) FROM synthesis.completion WHERE is_terminal") == (60,)
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state <> 'done'") == (0,)


def test_results_close_items_and_the_last_one_closes_the_batch(database):
    add_documents(database, 2)
    plan(database, "r1")
    found = lease(database)
    first, second = found.items
    store(database, found, attempt(first))
    assert state_of(database, found.batch_id) == "leased"
    store(database, found, attempt(second, outcome=Outcome.REPAIRED, reason="truncated"))
    assert state_of(database, found.batch_id) == "done"
    assert rows(database, "SELECT outcome FROM synthesis.run_item ORDER BY candidate_id") == [
        ("valid",),
        ("repaired",),
    ]
    assert one(
        database, "SELECT prompt_tokens, completion_tokens, cached_tokens FROM synthesis.batch"
    ) == (200, 100, 20)
    ((metric,),) = rows(database, "SELECT value FROM synthesis.run_metric WHERE kind = 'batch'")
    assert (metric["done"], metric["state"], metric["completion_tokens"]) == (2, "done", 100)


def test_storing_twice_changes_nothing(database):
    add_documents(database, 2)
    plan(database, "r1")
    found = lease(database)
    for _ in range(2):
        store(database, found, attempt(found.items[0]))
    for _ in range(2):
        store(database, found)
    assert one(database, "SELECT count(*) FROM synthesis.completion") == (2,)
    assert one(database, "SELECT completion_tokens FROM synthesis.batch") == (100,)


def test_an_expired_lease_is_taken_over_and_its_holder_is_fenced(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    slow = lease(database)
    store(database, slow, attempt(slow.items[0]))
    let_expire(database, slow.batch_id)
    quick = lease(database, lane=1)
    assert ids_of(quick) == [ids[1]]
    assert state_of(database, slow.batch_id) == "expired"
    with pytest.raises(FencedError) as caught:
        store(database, slow, attempt(slow.items[1], summary="too late"))
    assert caught.value.batch_id == slow.batch_id
    assert LaneQueue(database, "r1", 0, 60).renew([slow.batch_id]) == {slow.batch_id}
    release_batch(database, batch_id=slow.batch_id)
    store(database, quick)
    summaries = rows(database, "SELECT summary FROM synthesis.completion WHERE is_terminal")
    assert ("too late",) not in summaries and len(summaries) == 2


def test_nothing_of_a_flush_is_stored_when_one_item_is_no_longer_ours(database):
    add_documents(database, 2)
    plan(database, "r1")
    found = lease(database)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.run_item SET batch_id = NULL WHERE candidate_id = %s",
            (found.items[1].candidate_id,),
        )
    with pytest.raises(FencedError):
        store(database, found)
    assert one(database, "SELECT count(*) FROM synthesis.completion") == (0,)


def test_a_late_holder_may_still_write_when_nobody_took_over(database):
    add_documents(database, 1)
    plan(database, "r1")
    found = lease(database)
    let_expire(database, found.batch_id)
    store(database, found)
    assert state_of(database, found.batch_id) == "done"


def test_renewing_keeps_a_lease(database):
    add_documents(database, 1)
    plan(database, "r1")
    found = lease(database)
    let_expire(database, found.batch_id)
    assert LaneQueue(database, "r1", 0, 60).renew([found.batch_id]) == frozenset()
    assert lease(database, lane=1) is None
    assert state_of(database, found.batch_id) == "leased"


def test_a_released_batch_frees_open_items_and_counts_engine_deaths(database):
    ids = add_documents(database, 3)
    plan(database, "r1")
    found = lease(database)
    store(database, found, attempt(found.items[0]))
    release_batch(database, batch_id=found.batch_id, died_in_flight=[ids[0], ids[1]], died_among=7)
    again = lease(database, lane=1)
    assert [(item.candidate_id, item.engine_deaths, item.died_among) for item in again.items] == [
        (ids[1], 1, 7),
        (ids[2], 0, 0),
    ]


def test_a_lane_takes_back_what_its_earlier_try_held(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    mine = lease(database, lane=0, size=1)
    theirs = lease(database, lane=1, size=1)
    LaneQueue(database, "r1", 0, 60).reclaim()
    assert state_of(database, mine.batch_id) == "expired"
    assert ids_of(lease(database, lane=0)) == ids[:1]
    assert state_of(database, theirs.batch_id) == "leased"


def test_refused_attempts_count_for_whoever_leases_the_item_next(database):
    add_documents(database, 1)
    plan(database, "r1")
    found = lease(database)
    refused = attempt(
        found.items[0], is_terminal=False, outcome=Outcome.REJECTED, reason="too_short"
    )
    store(database, found, refused)
    release_batch(database, batch_id=found.batch_id)
    again = lease(database, lane=1)
    assert again.items[0].attempts_made == 1
    store(database, again)
    assert rows(
        database, "SELECT attempt, is_terminal, attempt_id FROM synthesis.completion ORDER BY 1"
    ) == [
        (1, False, f"{found.batch_id}.1"),
        (2, True, f"{again.batch_id}.2"),
    ]


def test_an_engines_fault_defers_a_document_and_the_next_plan_has_it_again(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    found = lease(database)
    fault = {"is_terminal": False, "outcome": Outcome.REJECTED, "reason": "engine_error"}
    store(
        database, found, attempt(found.items[0], is_deferred=True, **fault), attempt(found.items[1])
    )
    assert state_of(database, found.batch_id) == "done"
    assert rows(database, "SELECT deferred, outcome FROM synthesis.run_item ORDER BY 1") == [
        (False, "valid"),
        (True, None),
    ]
    plan(database, "r2")
    assert ids_of(lease(database, run_id="r2")) == ids[:1]


def test_two_runs_never_work_on_one_fingerprint_and_the_second_adopts_the_outcome(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    plan(database, "r2")
    first = lease(database, run_id="r1", size=1)
    second = lease(database, run_id="r2")
    assert (ids_of(first), ids_of(second)) == (ids[:1], ids[1:])
    state = LaneQueue(database, "r2", 0, 60).state()
    assert (state.leasable, state.held) == (False, True)
    state = LaneQueue(database, "r1", 1, 60).state()
    assert (state.leasable, state.held) == (False, True)
    store(database, first)
    store(database, second)
    assert LaneQueue(database, "r2", 0, 60).state().leasable
    assert lease(database, run_id="r2") is None
    assert rows(
        database,
        "SELECT outcome, batch_id IS NULL FROM synthesis.run_item WHERE run_id = 'r2' "
        "ORDER BY candidate_id",
    ) == [("valid", True), ("valid", False)]
    assert one(database, "SELECT count(*) FROM synthesis.completion") == (2,)


def test_a_trial_run_never_takes_the_accepted_mark_of_a_nightly_one(database):
    add_documents(database, 1)
    plan(database, "night")
    store(database, lease(database, run_id="night"))
    plan(database, "trial", engine_profile="structured", force=True)
    store(database, lease(database, run_id="trial"))
    assert rows(
        database, "SELECT run_id, is_accepted FROM synthesis.completion ORDER BY run_id"
    ) == [("night", True), ("trial", False)]


def test_a_document_that_changed_after_the_plan_is_put_off(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    with database.connect() as connection:
        write_document(connection, ids[0], document_text(ids[0], 2))
    assert ids_of(lease(database, size=1)) == ids[1:]
    assert rows(database, "SELECT candidate_id FROM synthesis.run_item WHERE deferred") == [
        (ids[0],)
    ]


def test_nothing_is_leased_after_the_end_of_the_window(database):
    add_documents(database, 1)
    plan(database, "r1")
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET stop_at = now() - interval '1 s'")
    assert lease(database) is None
    assert LaneQueue(database, "r1", 0, 60).state().seconds_left < 0


def test_a_plan_made_again_fences_the_lanes_of_the_old_one(database):
    add_documents(database, 1)
    plan(database, "r1")
    old = lease(database)
    plan(database, "r1")
    with pytest.raises(FencedError):
        store(database, old)
    store(database, lease(database))


def test_nul_bytes_and_lone_surrogates_of_a_model_are_stored_without_them(database):
    add_documents(database, 1)
    plan(database, "r1")
    found = lease(database)
    store(database, found, attempt(found.items[0], raw_text="a\0b\ud800c", summary="x\0y"))
    assert one(database, "SELECT raw_text, summary FROM synthesis.completion") == ("ab?c", "xy")


def test_what_is_stored_is_what_was_answered(database):
    add_documents(database, 1)
    plan(database, "r1")
    found = lease(database)
    store(database, found, attempt(found.items[0], inferred_skills=("Go",), seconds=1.5))
    assert one(
        database,
        "SELECT skills, inferred_skills, checks, method, seconds, is_accepted, release_id = "
        "(SELECT release_id FROM synthesis.run) FROM synthesis.completion",
    ) == (
        [{"name": "Python", "provenance": "model"}],
        ["Go"],
        [{"name": "schema", "passed": True, "detail": ""}],
        "model",
        1.5,
        True,
        True,
    )


@pytest.mark.timeout(60)
def test_a_lane_that_freezes_while_it_leases_keeps_no_other_from_it(database, monkeypatch):
    add_documents(database, 1)
    plan(database, "r1")
    monkeypatch.setattr(leases, "IDLE_SECONDS", 1)
    frozen = LaneQueue(database, "r1", 0, lease_seconds=60)
    with pytest.raises(DatabaseUnavailableError), frozen._transaction() as connection:
        execute(connection, "synthesis/lock_leases")
        assert lease(database, lane=1) is not None
        execute(connection, "synthesis/lock_leases")


def test_an_absent_server_is_a_retryable_error(tmp_path):
    absent = Database(f"postgresql://nobody@/none?host={tmp_path}")
    with pytest.raises(DatabaseUnavailableError):
        lease(absent)
