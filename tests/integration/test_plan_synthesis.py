"""Planned documents, their reasons and order, and the sums of the buckets."""

from __future__ import annotations

import shutil

import pytest
from tests.planned_runs import (
    add_documents,
    approve_newest,
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

from profiles.errors import BusyError
from profiles.models import Outcome
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR
from profiles.steps import plan_synthesis
from profiles.storage.runs import count_buckets


@pytest.fixture(autouse=True)
def scripted(monkeypatch):
    use_scripted_engine(monkeypatch, model="model-a")


def do_all(database, run_id, count=None, **overrides):
    """Answers every open item of a run, or the first `count`, without an engine."""
    done = []
    while lease := lease_batch(
        database, run_id=run_id, lane=0, size=count or 1000, lease_seconds=60
    ):
        persist_results(
            database,
            batch_id=lease.batch_id,
            attempts=[attempt(item, **overrides) for item in lease.items],
        )
        done += [item.candidate_id for item in lease.items]
        if count:
            break
    return done


def reasons(database, run_id):
    return dict(
        rows(
            database,
            "SELECT candidate_id, reason FROM synthesis.run_item WHERE run_id = %s",
            run_id,
        )
    )


def check_sums(database, run_id):
    with database.connect() as connection:
        counts = count_buckets(connection, run_id)
    counts.check(run_id)
    return counts


def test_new_documents_are_planned_and_thin_ones_are_not(database):
    ids = add_documents(database, 5, thin=[1])
    lanes = plan(database, "r1")
    assert lanes == [
        {"lane": 0, "label": "lane 0 · ScriptedEngine"},
        {"lane": 1, "label": "lane 1 · ScriptedEngine"},
    ]
    assert reasons(database, "r1") == {i: "new" for i in ids if i != ids[1]}
    found = one(
        database,
        "SELECT candidates, fresh, too_thin, planned, release_id IS NOT NULL, stop_at - planned_at "
        "= interval '8 hours' FROM synthesis.run",
    )
    assert found == (5, 0, 1, 4, True, True)
    check_sums(database, "r1")


def test_a_second_run_finds_nothing_to_do(database):
    add_documents(database, 3)
    plan(database, "r1")
    do_all(database, "r1")
    assert plan(database, "r2") == []
    assert one(
        database, "SELECT candidates, fresh, planned FROM synthesis.run WHERE run_id = 'r2'"
    ) == (3, 3, 0)
    check_sums(database, "r2")


def test_no_documents_at_all_give_no_lanes(database):
    assert plan(database, "r1") == []
    check_sums(database, "r1")


def test_a_refused_document_is_not_asked_again_every_night(database):
    add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1", outcome=Outcome.REJECTED, reason="ungrounded", summary=None)
    assert plan(database, "r2") == []


def test_the_reason_says_what_changed(database, monkeypatch, tmp_path):
    source, identity, renderer, untouched = add_documents(database, 4)
    plan(database, "r1")
    do_all(database, "r1")
    with database.connect() as connection:
        for candidate_id in (source, identity):
            write_document(connection, candidate_id, document_text(candidate_id, 2))
        write_document(connection, renderer, document_text(renderer, 2), renderer_version="0-older")
        connection.execute(
            "INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id) "
            "VALUES ('r2', 'merged', %s, %s)",
            (identity, 999),
        )
    plan(database, "r2")
    assert reasons(database, "r2") == {
        source: "source_changed",
        identity: "identity_changed",
        renderer: "renderer_changed",
    }
    do_all(database, "r2")

    monkeypatch.setenv("PROFILES_MODEL", "model-b")
    plan_approved(database, "r3")
    assert reasons(database, "r3") == dict.fromkeys(
        (source, identity, renderer, untouched), "model_changed"
    )
    do_all(database, "r3")

    folder = tmp_path / "prompts" / "structured"
    shutil.copytree(INCLUDE_DIR / "prompts" / "structured", folder)
    monkeypatch.setenv("PROFILES_PROMPTS_DIR", str(folder.parent))
    for run_id, name, old, new in (
        ("prompt", "system.md", "", "Be brief.\n"),
        ("schema", "schema.json", "{", '{"title": "Profile",'),
        ("sampling", "profile.yaml", "temperature: 0.2", "temperature: 0.3"),
    ):
        file = folder / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new, 1))
        plan_approved(database, run_id)
        assert set(reasons(database, run_id).values()) == {f"{run_id}_changed"}
        do_all(database, run_id)


def plan_approved(database, run_id):
    """Plans under what the files say, after a person has approved it."""
    plan(database, f"before {run_id}")
    assert reasons(database, f"before {run_id}") == {}
    approve_newest(database)
    plan(database, run_id)


def test_what_a_renderer_brings_is_told_from_what_the_rows_say(database):
    untouched, row_too = add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1")
    with database.connect() as connection:
        for candidate_id in (untouched, row_too):
            write_document(
                connection, candidate_id, document_text(candidate_id, 2), renderer_version="newer"
            )
        connection.execute(
            "UPDATE synthesis.document SET source_changed_at = now() WHERE candidate_id = %s",
            (row_too,),
        )
    plan(database, "r2")
    assert reasons(database, "r2") == {untouched: "renderer_changed", row_too: "source_changed"}


def test_a_rejected_document_that_is_tried_again_says_so(database):
    retried, other = add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1", outcome=Outcome.REJECTED, reason="ungrounded", summary=None)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET is_terminal = false, retried_at = now() "
            "WHERE candidate_id = %s",
            (retried,),
        )
    plan(database, "r2")
    assert reasons(database, "r2") == {retried: "retried"}
    do_all(database, "r2")
    assert plan(database, "r3") == []
    assert other != retried


def test_a_document_that_changed_back_is_fresh_again(database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "r1")
    do_all(database, "r1")
    with database.connect() as connection:
        write_document(connection, candidate_id, document_text(candidate_id, 2))
    plan(database, "r2")
    do_all(database, "r2")
    with database.connect() as connection:
        write_document(connection, candidate_id, document_text(candidate_id, 1))
    assert plan(database, "r3") == []


def test_new_people_go_first_then_the_stalest(database):
    old, older = add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1")
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.completion SET created_at = created_at - interval '9 days' "
            "WHERE candidate_id = %s",
            (older,),
        )
        for candidate_id in (old, older):
            write_document(connection, candidate_id, document_text(candidate_id, 2))
    (new,) = add_documents(database, 1)
    plan(database, "r2")
    order = rows(
        database,
        "SELECT candidate_id FROM synthesis.run_item WHERE run_id = 'r2' ORDER BY priority",
    )
    assert order == [(new,), (older,), (old,)]


def test_the_limit_puts_the_rest_off_and_the_sums_hold(database):
    ids = add_documents(database, 6)
    assert len(plan(database, "r1", limit=2, lanes=4)) == 2
    assert do_all(database, "r1") == ids[:2]
    counts = check_sums(database, "r1")
    assert (counts.planned, counts.buckets["deferred"], counts.buckets["missing"]) == (6, 4, 0)


def test_candidate_ids_restrict_the_whole_plan(database):
    ids = add_documents(database, 4)
    assert len(plan(database, "r1", candidate_ids=[ids[2]])) == 1
    assert reasons(database, "r1") == {ids[2]: "new"}
    assert check_sums(database, "r1").candidates == 1


def test_force_plans_fresh_documents_again_once(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1")
    plan(database, "r2", force=True, candidate_ids=[ids[0]])
    assert reasons(database, "r2") == {ids[0]: "forced"}
    assert do_all(database, "r2", summary="Another summary.") == [ids[0]]
    assert plan(database, "r2", force=True, candidate_ids=[ids[0]]) == []
    check_sums(database, "r2")
    accepted = rows(
        database,
        "SELECT run_id FROM synthesis.completion WHERE candidate_id = %s AND is_accepted",
        ids[0],
    )
    assert accepted == [("r2",)]


def test_a_forced_refusal_leaves_the_accepted_answer(database):
    add_documents(database, 1)
    plan(database, "r1")
    do_all(database, "r1")
    plan(database, "r2", force=True)
    do_all(database, "r2", outcome=Outcome.REJECTED, reason="too_short", summary=None)
    assert rows(database, "SELECT run_id FROM synthesis.completion WHERE is_accepted") == [("r1",)]


def test_a_forced_answer_of_the_documents_own_sentences_leaves_the_models(database):
    add_documents(database, 1)
    plan(database, "r1")
    do_all(database, "r1")
    plan(database, "r2", force=True)
    do_all(database, "r2", outcome=Outcome.EXTRACTIVE, reason="too_short")
    plan(database, "r3", force=True)
    assert rows(database, "SELECT run_id FROM synthesis.completion WHERE is_accepted") == [("r1",)]
    do_all(database, "r3")
    assert rows(database, "SELECT run_id FROM synthesis.completion WHERE is_accepted") == [("r3",)]


def test_planning_again_keeps_what_is_done_and_opens_a_new_window(database):
    ids = add_documents(database, 5)
    plan(database, "r1", limit=4)
    done = do_all(database, "r1", count=2)
    before = one(database, "SELECT stop_at FROM synthesis.run")[0]
    plan(database, "r1", limit=4)
    outcomes = dict(rows(database, "SELECT candidate_id, outcome FROM synthesis.run_item"))
    assert [i for i in ids if outcomes[i]] == done
    assert do_all(database, "r1") == ids[2:4]
    assert one(database, "SELECT stop_at FROM synthesis.run")[0] > before
    assert check_sums(database, "r1").buckets["deferred"] == 1


def test_planning_again_replaces_an_outcome_whose_document_changed(database):
    ids = add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1")
    with database.connect() as connection:
        write_document(connection, ids[0], document_text(ids[0], 2))
    plan(database, "r1")
    assert reasons(database, "r1")[ids[0]] == "source_changed"
    assert do_all(database, "r1") == [ids[0]]
    check_sums(database, "r1")


def test_a_trial_run_does_not_change_what_the_nightly_run_calls_fresh(database):
    add_documents(database, 2)
    plan(database, "trial", engine="openai", model="model-a", engine_profile="structured")
    do_all(database, "trial")
    assert one(database, "SELECT state, approved_at FROM synthesis.release") == ("proposed", None)
    assert set(reasons_after(database, "night").values()) == {"new"}
    do_all(database, "night")
    assert plan(database, "trial2", model="model-a") == []


def reasons_after(database, run_id):
    plan(database, run_id)
    return reasons(database, run_id)


def test_merged_and_retired_people_are_not_planned(database):
    kept, merged, retired = add_documents(database, 3)
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate SET merged_into = %s WHERE candidate_id = %s",
            (kept, merged),
        )
        connection.execute(
            "UPDATE synthesis.candidate SET retired_at = now() WHERE candidate_id = %s", (retired,)
        )
    plan(database, "r1")
    assert reasons(database, "r1") == {kept: "new"}


def test_two_plans_at_once_are_refused(database):
    with database.lock("plan"), pytest.raises(BusyError):
        plan(database, "r1")


def test_a_preview_says_the_same_as_the_plan_and_writes_nothing(database):
    add_documents(database, 4, thin=[0])
    preview = plan_synthesis.preview(database, params=RunParams(limit=2))
    assert {name: preview[name] for name in ("candidates", "too_thin", "planned", "open")} == {
        "candidates": 4,
        "too_thin": 1,
        "planned": 3,
        "open": 2,
    }
    assert preview["reasons"] == {"new": 3}
    assert preview["estimate"]["hours"] > 0
    for table in ("run", "run_item", "release"):
        assert one(database, f"SELECT count(*) FROM synthesis.{table}") == (0,)


def test_lanes_of_an_earlier_plan_are_forgotten(database):
    add_documents(database, 3)
    plan(database, "r1", lanes=3)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.lane (run_id, lane, state, host, pid) "
            "SELECT 'r1', n, 'failed', 'h', 1 FROM generate_series(0, 2) AS n"
        )
    plan(database, "r1", lanes=1)
    assert rows(database, "SELECT lane FROM synthesis.lane") == [(0,)]


def test_the_night_is_estimated_from_the_measured_rate(database):
    add_documents(database, 2)
    plan(database, "r1")
    do_all(database, "r1", completion_tokens=600)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.lane (run_id, lane, state, host, pid, counters, started_at, "
            "ended_at, load_seconds) VALUES ('r1', 0, 'succeeded', 'h', 1, "
            """'{"completion_tokens": 1800, "valid": 1, "rejected": 1, "refused_attempts": 1}', """
            "now() - interval '12 s', now(), 2)"
        )
    preview = plan_synthesis.preview(database, params=RunParams(force=True))
    assert preview["estimate"]["tokens_per_second"] == pytest.approx(180)
    # A document that is asked twice costs both answers.
    assert preview["estimate"]["output_tokens"] == 1800
