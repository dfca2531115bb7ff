"""Lanes that are killed, put to sleep or told to end: another one does what is left, once."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.integration.test_lane import (
    assert_each_answered_once,
    engines_of,
    run_lane,
    scripted,
    start_lane_process,
    stored,
    wait_for,
)
from tests.planned_runs import add_documents, lease_batch, one, plan, rows

from profiles.synthesis.lane.lane import LaneControl

__all__ = ["scripted"]


def test_a_lane_killed_in_the_middle_is_taken_over_by_another(database, scripted):
    scripted(delay=0.3)
    ids = add_documents(database, 30)
    plan(database, "r1")
    victim = start_lane_process(lane=0)
    wait_for(lambda: len(stored(database)) >= 8)
    engines = engines_of(victim.pid)
    victim.kill()
    victim.communicate()
    kept = stored(database)
    scripted()
    counts = run_lane(database, lane=1)
    assert_each_answered_once(database, ids)
    assert counts["model_calls"] == 30 - len(kept)
    assert engines and not [pid for pid in engines if Path(f"/proc/{pid}").exists()]
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state = 'expired'")[0] >= 1


def test_a_retried_lane_goes_on_at_once_where_its_killed_try_was(database, scripted):
    scripted(delay=0.3, settings={})
    ids = add_documents(database, 12)
    plan(database, "r1")
    victim = start_lane_process(lane=0)
    # The first answer is stored at once and the next flush, a second later, may hold all others.
    wait_for(lambda: stored(database))
    victim.kill()
    victim.communicate()
    kept = stored(database)
    scripted(delay=0)
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.batch SET expires_at = now() + interval '1 hour'")
    assert run_lane(database, lane=0)["model_calls"] == 12 - len(kept)
    assert_each_answered_once(database, ids)


def test_a_lane_that_wakes_up_after_its_lease_was_taken_stores_nothing(database, scripted):
    scripted(delay=0.5)
    ids = add_documents(database, 20)
    plan(database, "r1")
    sleeper = start_lane_process(lane=0)
    wait_for(lambda: stored(database))
    sleeper.send_signal(signal.SIGSTOP)
    held = {
        row[0]
        for row in rows(database, "SELECT batch_id FROM synthesis.batch WHERE state = 'leased'")
    }
    before = stored(database)
    scripted()
    run_lane(database, lane=1)
    assert_each_answered_once(database, ids)
    sleeper.send_signal(signal.SIGCONT)
    output, errors = sleeper.communicate(timeout=60)
    assert sleeper.returncode == 0, errors
    assert "'fenced_batches'" in output.decode()
    assert_each_answered_once(database, ids)
    late = rows(
        database,
        "SELECT candidate_id FROM synthesis.completion WHERE batch_id = ANY(%s)",
        list(held),
    )
    assert {row[0] for row in late} <= before


def test_told_to_stop_it_stores_what_arrives_and_another_try_does_the_rest(database, scripted):
    scripted(delay=0.2)
    ids = add_documents(database, 30)
    plan(database, "r1")
    control = LaneControl()
    watcher = threading.Thread(
        target=lambda: (wait_for(lambda: stored(database)), control.stop(drain_seconds=60)),
        daemon=True,
    )
    watcher.start()
    counts = run_lane(database, control=control)
    watcher.join()
    assert counts["stopped"] == 1
    assert 0 < counts["documents"] < 30
    assert one(database, "SELECT state FROM synthesis.lane") == ("failed",)
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state = 'leased'") == (0,)
    again = run_lane(database)
    assert again["documents"] == 30 - counts["documents"]
    assert_each_answered_once(database, ids)


def test_a_lane_waits_for_what_a_dead_lane_of_another_run_still_holds(database, scripted):
    ids = add_documents(database, 4)
    plan(database, "dead")
    plan(database, "r1")
    lease_batch(database, run_id="dead", lane=0, size=10, lease_seconds=3)
    assert run_lane(database)["documents"] == 4
    assert_each_answered_once(database, ids, run_id="r1")


def test_a_lane_waits_without_an_engine_while_another_holds_all_and_takes_over_if_it_died(
    database, scripted
):
    scripted()
    ids = add_documents(database, 4)
    plan(database, "r1")
    held = lease_batch(database, run_id="r1", lane=0, size=10, lease_seconds=60)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(run_lane, database, lane=1)
        wait_for(lambda: "waiting" in (lane_reason(database, 1) or ""))
        assert one(database, "SELECT load_seconds FROM synthesis.lane WHERE lane = 1") == (None,)
        with database.connect() as connection:
            connection.execute(
                "UPDATE synthesis.batch SET expires_at = now() WHERE batch_id = %s",
                (held.batch_id,),
            )
        assert waiting.result(timeout=60)["documents"] == 4
    assert_each_answered_once(database, ids)


def lane_reason(database, lane):
    found = rows(database, "SELECT reason FROM synthesis.lane WHERE lane = %s", lane)
    return found[0][0] if found else None


OPERATOR_TASK = """
import signal
from profiles.operators import SynthesiseOperator

operator = SynthesiseOperator(task_id="synthesise", lane=0, label="lane 0")
signal.signal(signal.SIGTERM, lambda *_: operator.on_kill())
operator.execute({"run_id": "r1"})
"""


def test_a_task_that_is_told_to_end_drains_and_leaves_no_engine(database, scripted, tmp_path):
    """Reaction of the supervisor to "mark failed": SIGTERM, which Airflow turns into on_kill."""
    scripted(delay=0.3)
    ids = add_documents(database, 30)
    plan(database, "r1")
    task = start_lane_process(
        code=OPERATOR_TASK,
        AIRFLOW_HOME=str(tmp_path),
        AIRFLOW__CORE__UNIT_TEST_MODE="True",
        AIRFLOW__CORE__LOAD_EXAMPLES="False",
    )
    wait_for(lambda: stored(database), seconds=120)
    engines = engines_of(task.pid)
    task.send_signal(signal.SIGTERM)
    _, errors = task.communicate(timeout=30)
    assert b"lane 0 was stopped" in errors
    assert engines and not [pid for pid in engines if Path(f"/proc/{pid}").exists()]
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state = 'leased'") == (0,)
    kept = stored(database)
    scripted()
    assert run_lane(database)["model_calls"] == 30 - len(kept)
    assert_each_answered_once(database, ids)


def test_a_task_that_is_told_to_end_while_the_engine_loads_ends_at_once(
    database, scripted, tmp_path
):
    scripted(load_seconds=600)
    add_documents(database, 2)
    plan(database, "r1")
    task = start_lane_process(
        code=OPERATOR_TASK,
        AIRFLOW_HOME=str(tmp_path),
        AIRFLOW__CORE__UNIT_TEST_MODE="True",
        AIRFLOW__CORE__LOAD_EXAMPLES="False",
    )
    engines = wait_for(lambda: engines_of(task.pid), seconds=120)
    time.sleep(0.5)
    task.send_signal(signal.SIGTERM)
    _, errors = task.communicate(timeout=20)
    assert b"lane 0 was stopped" in errors
    assert not [pid for pid in engines if Path(f"/proc/{pid}").exists()]
