"""Lanes with real engine processes against Postgres: sharing, crashes, takeovers, ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.paths import REPOSITORY
from tests.planned_runs import add_documents, one, plan, rows, use_scripted_engine

from profiles.errors import EngineError, EngineJobError
from profiles.models import Bucket
from profiles.operations.status import last_run
from profiles.settings import INCLUDE_DIR
from profiles.steps import synthesise
from profiles.steps.reports.run_report import build_report
from profiles.storage.runs import count_buckets
from profiles.storage.sql_files import load

WINDOW = 4
AHEAD = 1
IN_FLIGHT = WINDOW + AHEAD


@pytest.fixture
def scripted(monkeypatch, database):
    """Sets the scripted engine up; call it with options."""

    def use(*, settings=None, **options):
        use_scripted_engine(
            monkeypatch,
            engine_options=json.dumps({"window": WINDOW, **options}),
            database_url=database.url,
            batch_size=6,
            lease_seconds=5,
            drain_seconds=5,
            **(settings or {}),
        )

    use()
    return use


def run_lane(database, lane=0, run_id="r1", **arguments):
    return synthesise.run(database, run_id=run_id, lane=lane, **arguments)


def start_lane_process(lane=0, run_id="r1", code=None, **environment):
    """A lane in a process of its own, as Airflow runs it."""
    code = code or (
        "from profiles.steps import synthesise\n"
        "from profiles.storage.connection import open_database\n"
        f"print(synthesise.run(open_database(), run_id={run_id!r}, lane={lane}))\n"
    )
    path = f"{REPOSITORY / 'include'}:{REPOSITORY}"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )


def engines_of(parent_pid):
    """Pids of engine processes that a lane process started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if (
            b"profiles.synthesis.process.engine_process" in command
            and b"%d" % parent_pid in command
        ):
            found.append(int(folder.name))
    return found


def stored(database):
    return {row[0] for row in rows(database, "SELECT candidate_id FROM synthesis.completion")}


def wait_for(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return found


def assert_each_answered_once(database, ids, run_id="%"):
    """Nothing lost, nothing twice: one terminal completion and one outcome per document."""
    terminal = rows(
        database, "SELECT candidate_id FROM synthesis.completion WHERE is_terminal ORDER BY 1"
    )
    assert terminal == [(i,) for i in ids]
    still_open = "SELECT count(*) FROM synthesis.run_item WHERE outcome IS NULL AND run_id LIKE %s"
    assert one(database, still_open, run_id) == (0,)
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state = 'leased'") == (0,)


def test_one_lane_answers_everything_and_a_second_run_finds_nothing(database, scripted):
    ids = add_documents(database, 15)
    plan(database, "r1")
    counts = run_lane(database)
    assert (counts["documents"], counts["model_calls"], counts["stopped"]) == (15, 15, 0)
    assert_each_answered_once(database, ids)
    state, host, engine, seconds, counters, pid = one(
        database,
        "SELECT state, host, engine, load_seconds, counters, pid FROM synthesis.lane",
    )
    assert (state, engine, counters["valid"]) == (
        "succeeded",
        "tests.scripted_engine:ScriptedEngine",
        15,
    )
    assert host and seconds >= 0 and pid == os.getpid()
    assert one(database, "SELECT sum(completion_tokens) FROM synthesis.batch") == one(
        database, "SELECT sum(completion_tokens) FROM synthesis.completion"
    )
    assert plan(database, "r2") == []
    assert engines_of(os.getpid()) == []


def test_figures_of_lane_and_batches_are_in_the_report_and_the_status(database, scripted):
    scripted(delay=0.7)
    add_documents(database, 15)
    plan(database, "r1")
    run_lane(database)
    (lane,) = build_report(database, run_id="r1")["lanes"]
    assert lane["load_seconds"] > 0
    assert lane["warm_up_seconds"] is None
    working = lane["seconds"] - lane["load_seconds"]
    rate = lane["counters"]["completion_tokens"] / working
    assert lane["output_tokens_per_second"] == pytest.approx(rate, rel=0.02)
    (shown,) = last_run(database)["lanes"]
    assert shown["output_tokens_per_second"] == lane["output_tokens_per_second"]
    batches = [
        value
        for (value,) in rows(
            database, "SELECT value FROM synthesis.run_metric WHERE kind = 'batch'"
        )
    ]
    assert len(batches) == 3
    assert (
        sum(value["completion_tokens"] for value in batches)
        == (lane["counters"]["completion_tokens"])
    )
    assert sum(value["cached_tokens"] for value in batches) == lane["counters"]["cached_tokens"] > 0
    assert all("seconds" in value for value in batches)
    # The engine says how it does every two seconds.
    assert any({"running", "waiting"} <= value.keys() for value in batches)


def test_two_lanes_share_the_work_without_overlap(database, scripted):
    scripted(delay=0.05)
    ids = add_documents(database, 40)
    plan(database, "r1")
    with ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(lambda lane: run_lane(database, lane), range(2)))
    assert_each_answered_once(database, ids)
    assert sum(count["model_calls"] for count in counts) == 40
    assert all(count["documents"] for count in counts)


def test_an_engine_killed_in_the_middle_costs_only_what_was_in_flight(database, scripted, tmp_path):
    scripted(delay=0.01, faults={"crash_after": 12, "once": str(tmp_path / "crashed")})
    ids = add_documents(database, 30)
    plan(database, "r1")
    counts = run_lane(database)
    assert_each_answered_once(database, ids)
    assert counts["engine_deaths"] == 1
    assert counts["model_calls"] == 30
    assert one(database, "SELECT sum(engine_deaths) FROM synthesis.run_item")[0] <= IN_FLIGHT
    assert one(database, "SELECT count(*) FROM synthesis.completion") == (30,)


def test_a_request_that_kills_engines_is_found_and_the_others_are_answered(database, scripted):
    ids = add_documents(database, 24)
    poison = ids[7]
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.document SET markdown = markdown || 'crashes engines' "
            "WHERE candidate_id = %s",
            (poison,),
        )
    scripted(faults={"crash_on": "crashes engines"}, delay=0.02, settings={"engine_restarts": 2})
    plan(database, "r1")
    counts = run_lane(database)
    assert_each_answered_once(database, ids)
    refused = rows(
        database, "SELECT candidate_id FROM synthesis.run_item WHERE outcome = 'rejected'"
    )
    assert refused == [(poison,)]
    assert 1 <= counts["isolation_deaths"] <= 3
    assert counts["engine_deaths"] == counts["isolation_deaths"] + 2


@pytest.mark.parametrize("when", [{}, {"after": 5}], ids=["loading", "running"])
def test_an_engine_out_of_memory_is_started_with_less(database, scripted, when):
    text = "RuntimeError: Prefill out of memory. Try to lower your batch size."
    memory = {"text": text, "enough": {"chunked_prefill_size": 2048}, **when}
    scripted(faults={"memory": memory}, settings={"engine_restarts": 0})
    ids = add_documents(database, 12)
    plan(database, "r1")
    counts = run_lane(database)
    assert_each_answered_once(database, ids)
    assert (counts["memory_steps"], counts["engine_deaths"]) == (2, 2)
    reason = one(database, "SELECT reason FROM synthesis.lane")[0]
    assert "chunked_prefill_size 4096 -> 2048" in reason
    assert one(database, "SELECT sum(engine_deaths) FROM synthesis.run_item") == (0,)


def test_an_engine_that_stops_answering_is_replaced_and_nothing_is_lost(
    database, scripted, tmp_path, monkeypatch
):
    """Its heartbeats go on; a lane looks at answers."""
    monkeypatch.setattr("profiles.synthesis.process.engine_client._STALL_FACTOR", 0.2)
    scripted(
        faults={"stall_after": 6, "once": str(tmp_path / "stalled")},
        settings={"engine_silence_seconds": 5},
    )
    ids = add_documents(database, 12)
    plan(database, "r1")
    counts = run_lane(database)
    assert_each_answered_once(database, ids)
    assert (counts["engine_deaths"], counts["model_calls"]) == (1, 12)


def test_a_lane_that_starts_after_stop_at_leases_nothing_and_says_what_to_clear(
    database, scripted, caplog
):
    add_documents(database, 3)
    plan(database, "r1", window_hours=0.1)
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET stop_at = now() - interval '1 s'")
    with caplog.at_level("INFO"):
        assert run_lane(database)["documents"] == 0
    said = "the window is over; clear plan_synthesis and its downstream tasks to open a new one"
    assert said in caplog.text
    assert rows(database, "SELECT state, reason FROM synthesis.lane") == [("succeeded", said)]
    assert one(database, "SELECT count(*) FROM synthesis.batch") == (0,)
    plan(database, "r1", window_hours=0.1)
    assert run_lane(database)["documents"] == 3


def test_at_stop_at_the_rest_is_given_back_and_put_off(database, scripted):
    scripted(delay=0.4)
    add_documents(database, 40)
    plan(database, "r1")
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET stop_at = now() + interval '2 s'")
    counts = run_lane(database)
    assert 0 < counts["documents"] < 40
    assert one(database, "SELECT state FROM synthesis.lane") == ("succeeded",)
    assert run_lane(database, lane=1) == {"documents": 0, "stopped": 0}
    assert "window" in one(database, "SELECT reason FROM synthesis.lane WHERE lane = 1")[0]
    with database.connect() as connection:
        connection.execute(load("publish/defer_after_window"), {"run_id": "r1"})
        buckets = count_buckets(connection, "r1")
    buckets.check("r1")
    assert buckets.buckets[Bucket.VALID] == counts["documents"]
    assert buckets.buckets[Bucket.DEFERRED] == 40 - counts["documents"]
    assert plan(database, "r1")
    assert run_lane(database)["documents"] == 40 - counts["documents"]


def test_a_lane_without_work_starts_no_engine(database, scripted):
    add_documents(database, 1, thin=[0])
    assert plan(database, "r1") == []
    assert run_lane(database) == {"documents": 0, "stopped": 0}
    assert one(database, "SELECT state, load_seconds FROM synthesis.lane") == ("succeeded", None)


def test_bad_answers_never_cost_their_siblings(database, scripted):
    scripted(faults={"bad_json": 0.15, "short": 0.15, "empty": 0.1, "truncated": 0.1})
    ids = add_documents(database, 40)
    plan(database, "r1")
    counts = run_lane(database)
    assert_each_answered_once(database, ids)
    assert counts["refused_attempts"] > 0
    assert counts["documents"] == 40
    with database.connect() as connection:
        count_buckets(connection, "r1").check("r1")


def test_the_document_stands_in_for_refused_answers_unless_switched_off(
    database, scripted, monkeypatch
):
    sticky = {"empty": 1.0, "sticky": True}
    scripted(faults=sticky, settings={"extractive_fallback": "false"})
    add_documents(database, 2)
    plan(database, "r1")
    run_lane(database)
    assert rows(database, "SELECT DISTINCT outcome FROM synthesis.run_item") == [("rejected",)]
    plan(database, "r1b")
    assert rows(
        database, "SELECT fresh, rejected_before, planned FROM synthesis.run WHERE run_id = 'r1b'"
    ) == [(0, 2, 0)]
    scripted(faults=sticky)
    monkeypatch.delenv("PROFILES_EXTRACTIVE_FALLBACK")
    plan(database, "r2", force=True)
    run_lane(database, run_id="r2")
    assert rows(
        database,
        "SELECT DISTINCT outcome, method, is_accepted FROM synthesis.completion "
        "WHERE run_id = 'r2' AND is_terminal",
    ) == [("extractive", "extractive", True)]


def test_an_engine_that_refuses_the_job_fails_the_lane_and_frees_its_work(
    database, scripted, monkeypatch
):
    monkeypatch.setenv("PROFILES_ENGINE", "tests.scripted_engine:NoSuchEngine")
    add_documents(database, 3)
    plan(database, "r1")
    with pytest.raises(EngineJobError):
        run_lane(database)
    state, error = one(database, "SELECT state, error FROM synthesis.lane")
    assert state == "failed" and error.startswith("EngineJobError: ")
    assert one(database, "SELECT count(*) FROM synthesis.run_item WHERE batch_id IS NULL") == (3,)


def test_an_engine_that_keeps_dying_fails_the_lane_with_everything_stored(database, scripted):
    scripted(
        delay=0.01,
        faults={"crash_after": 4},
        settings={"engine_restarts": 1},
    )
    add_documents(database, 30)
    plan(database, "r1")
    with pytest.raises(EngineError):
        run_lane(database)
    done = one(database, "SELECT count(*) FROM synthesis.run_item WHERE outcome IS NOT NULL")[0]
    assert 0 < done < 30
    assert one(database, "SELECT count(*) FROM synthesis.batch WHERE state = 'leased'") == (0,)
    state, counters = one(database, "SELECT state, counters FROM synthesis.lane")
    assert (state, counters["valid"]) == ("failed", done)


def test_a_host_without_the_model_of_the_plan_refuses_the_lane(
    database, scripted, monkeypatch, tmp_path
):
    model = tmp_path / "model-a"
    model.write_text("weights")
    monkeypatch.setenv("PROFILES_MODEL", str(model))
    add_documents(database, 1)
    plan(database, "r1")
    model.write_text("other weights")
    with pytest.raises(EngineJobError, match=r"needs model model-a, revision .* neither"):
        run_lane(database)


def test_a_lane_asks_as_planned_whatever_the_prompts_of_its_host_say(
    database, scripted, monkeypatch, tmp_path
):
    folder = tmp_path / "prompts" / "structured"
    shutil.copytree(INCLUDE_DIR / "prompts" / "structured", folder)
    add_documents(database, 1)
    plan(database, "r1")
    # The scripted engine finds no record in such a prompt, and its answer would be refused.
    (folder / "user.md").write_text("{{document}} is all there is")
    monkeypatch.setenv("PROFILES_PROMPTS_DIR", str(folder.parent))
    run_lane(database)
    assert one(database, "SELECT outcome FROM synthesis.run_item") == ("valid",)


def test_a_run_that_overrides_the_profile_uses_it(database, scripted):
    add_documents(database, 2)
    plan(database, "r1", engine_profile="prose")
    run_lane(database)
    assert rows(
        database,
        "SELECT DISTINCT l.engine_profile, l.state FROM synthesis.completion AS c "
        "JOIN synthesis.release AS l USING (release_id)",
    ) == [("prose", "proposed")]
