"""Publishing follows the state, is repeatable, and refuses sums that do not hold."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg.types.json import Jsonb
from tests.planned_runs import (
    add_documents,
    attempt,
    content_hash,
    document_text,
    lease_batch,
    one,
    persist_results,
    plan,
    rows,
    use_scripted_engine,
    write_document,
)

from profiles.errors import (
    DriftError,
    ReconciliationError,
    RunFailedError,
    UnapprovedReleaseError,
)
from profiles.models import Outcome
from profiles.operations.status import last_run
from profiles.steps import publish, verify_run
from profiles.steps.reports import run_report
from profiles.storage.connection import Database


@pytest.fixture(autouse=True)
def scripted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    use_scripted_engine(monkeypatch)


def answer(database: Database, run_id: str, size: int = 100, **overrides: Any) -> list[int]:
    """Leases up to `size` documents of a planned run and answers them; returns the candidates."""
    lease = lease_batch(database, run_id=run_id, lane=0, size=size, lease_seconds=60)
    assert lease is not None
    answers = [attempt(item, **overrides) for item in lease.items]
    persist_results(database, batch_id=lease.batch_id, attempts=answers)
    return [item.candidate_id for item in lease.items]


def publish_run(database: Database, run_id: str) -> dict[str, int | float]:
    return publish.run(database, run_id=run_id, planned=True, tagged=True)


def served(database: Database) -> dict[int, tuple[Any, ...]]:
    found = rows(
        database,
        "SELECT candidate_id, summary, skills, domains, method, run_id, published_at "
        "FROM synthesis.candidate_synthesis",
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


def test_a_second_publish_writes_nothing_and_the_run_keeps_its_count(database: Database):
    add_documents(database, 3, thin=[2])
    plan(database, "one")
    answer(database, "one")

    assert publish_run(database, "one") == {"published": 3, "withdrawn": 0}
    before = served(database)
    assert publish_run(database, "one") == {"published": 0, "withdrawn": 0}

    assert served(database) == before
    status = last_run(database)
    assert status is not None
    assert status["published"] == 3


def test_an_old_run_that_publishes_again_keeps_the_newer_text(database: Database):
    ids = add_documents(database, 2)
    plan(database, "old")
    answer(database, "old", summary="The old summary.")
    publish_run(database, "old")
    change_documents(database, ids)
    plan(database, "new")
    answer(database, "new", summary="The new summary.")
    publish_run(database, "new")

    publish_run(database, "old")

    assert {row[0] for row in served(database).values()} == {"The new summary."}


def test_a_refused_answer_leaves_the_older_good_one_in_place(database: Database):
    ids = add_documents(database, 1)
    plan(database, "good")
    answer(database, "good", summary="The good summary.")
    publish_run(database, "good")
    change_documents(database, ids)
    plan(database, "bad")
    answer(
        database,
        "bad",
        outcome=Outcome.REJECTED,
        reason="ungrounded",
        summary="The refused summary.",
    )

    publish_run(database, "bad")

    assert served(database)[ids[0]][0] == "The good summary."
    assert run_report.store(database, run_id="bad")["rejected"] == 1


def test_a_thin_document_is_served_without_a_summary_but_with_its_domains(database: Database):
    (candidate_id,) = add_documents(database, 1, thin=[0])
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.domain_tag VALUES (%s, 'banking', 12, 1.0, '{x}')",
            (candidate_id,),
        )
    plan(database, "one")

    publish_run(database, "one")

    assert served(database)[candidate_id][:4] == (None, [], ["banking"], None)


def rewrite(database: Database, candidate_id: int, text: str, *, too_thin: bool = False) -> None:
    with database.connect() as connection:
        write_document(connection, candidate_id, text, too_thin=too_thin)


def test_a_document_that_became_thin_loses_the_summary_of_what_is_gone(database: Database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "one")
    answer(database, "one", summary="A summary of rows that were deleted since.")
    publish_run(database, "one")
    rewrite(database, candidate_id, "# Ada Testwell\n", too_thin=True)
    plan(database, "two")

    publish_run(database, "two")

    assert served(database)[candidate_id][:2] == (None, [])


def test_a_thin_document_that_grew_and_was_refused_keeps_its_domains_up_to_date(
    database: Database,
):
    (candidate_id,) = add_documents(database, 1, thin=[0])
    plan(database, "one")
    publish_run(database, "one")
    rewrite(database, candidate_id, document_text(candidate_id))
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO synthesis.domain_tag VALUES (%s, 'banking', 12, 1.0, '{x}')",
            (candidate_id,),
        )
    plan(database, "two")
    answer(database, "two", outcome=Outcome.REJECTED, reason="ungrounded", summary=None)

    publish_run(database, "two")

    assert served(database)[candidate_id][:3] == (None, [], ["banking"])


def test_a_document_that_went_back_is_served_with_its_own_summary_again(database: Database):
    (candidate_id,) = add_documents(database, 1)
    for run_id, version in (("first", 1), ("second", 2), ("back", 1)):
        rewrite(database, candidate_id, document_text(candidate_id, version))
        if plan(database, run_id):
            answer(database, run_id, summary=f"Written by run {run_id}.")
        publish_run(database, run_id)

    assert last_run(database)["fresh"] == 1
    assert served(database)[candidate_id][0] == "Written by run first."
    assert one(
        database,
        "SELECT s.content_hash = d.content_hash FROM synthesis.candidate_synthesis AS s "
        "JOIN synthesis.document AS d USING (candidate_id)",
    ) == (True,)


def test_going_back_to_an_older_model_serves_its_summaries_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    (candidate_id,) = add_documents(database, 1)
    for run_id, model in (("old", "model-a"), ("new", "model-b"), ("back", "model-a")):
        monkeypatch.setenv("PROFILES_MODEL", model)
        if plan(database, run_id):
            answer(database, run_id, summary=f"Written by run {run_id}.")
        publish_run(database, run_id)

    assert last_run(database)["fresh"] == 1
    assert served(database)[candidate_id][0] == "Written by run old."


def test_what_a_run_was_told_to_publish_stays_until_something_newer_is_made(database: Database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "night")
    answer(database, "night", summary="The night's.")
    publish_run(database, "night")
    with pytest.raises(UnapprovedReleaseError, match="publishes approved releases only"):
        plan(database, "unapproved", model="model-b", publish_override=True)
    with database.connect() as connection:
        # The failed plan left its proposal for a person to approve, before or after today's.
        stored = connection.execute(
            "UPDATE synthesis.release SET state = 'superseded', approved_at = now() "
            "WHERE model = 'model-b'"
        )
        assert stored.rowcount == 1
    plan(database, "trial", model="model-b", publish_override=True)
    answer(database, "trial", summary="The trial's.")
    publish_run(database, "trial")
    plan(database, "next night")

    publish_run(database, "next night")

    assert served(database)[candidate_id][0] == "The trial's."


def test_who_was_merged_away_or_retired_leaves_the_serving_table(database: Database):
    ids = add_documents(database, 3)
    plan(database, "one")
    answer(database, "one")
    publish_run(database, "one")
    with database.connect() as connection:
        connection.execute(
            "UPDATE synthesis.candidate SET merged_into = %s WHERE candidate_id = %s",
            (ids[0], ids[1]),
        )
        connection.execute(
            "UPDATE synthesis.candidate SET retired_at = now() WHERE candidate_id = %s", (ids[2],)
        )

    plan(database, "two")
    assert publish_run(database, "two")["withdrawn"] == 2

    assert set(served(database)) == {ids[0]}
    assert rows(database, "SELECT candidate_id, current_id FROM synthesis.candidate_redirect") == [
        (ids[1], ids[0])
    ]


def test_sums_that_do_not_hold_publish_nothing(database: Database):
    add_documents(database, 2)
    plan(database, "one")
    answer(database, "one")
    with database.connect() as connection:
        connection.execute("DELETE FROM synthesis.run_item WHERE candidate_id = 1")

    with pytest.raises(ReconciliationError, match="2 documents of 2 candidates were planned"):
        publish_run(database, "one")

    assert served(database) == {}


@pytest.mark.parametrize(
    ("planned", "tagged", "named"),
    [
        (False, True, "plan_synthesis"),
        (True, False, "tag_domains"),
        (False, False, "plan_synthesis and tag_domains"),
    ],
)
def test_a_failed_plan_or_tagging_is_named_and_publishes_nothing(
    database: Database, planned: bool, tagged: bool, named: str
):
    add_documents(database, 1)
    plan(database, "one")
    with pytest.raises(ReconciliationError, match=f"because {named} did not succeed"):
        publish.run(database, run_id="one", planned=planned, tagged=tagged)
    assert served(database) == {}


def test_what_is_open_when_the_window_has_ended_is_deferred_not_missing(database: Database):
    add_documents(database, 3)
    plan(database, "one")
    answer(database, "one", size=1)
    with database.connect() as connection:
        connection.execute("UPDATE synthesis.run SET stop_at = now() - interval '1 second'")

    publish_run(database, "one")
    buckets = run_report.store(database, run_id="one")

    assert (buckets["valid"], buckets["deferred"], buckets["missing"]) == (1, 2, 0)
    verify_run.run(database, run_id="one", published=True)
    assert one(database, "SELECT state FROM synthesis.run") == ("succeeded",)


def test_missing_documents_fail_the_run_and_say_how_many(database: Database):
    add_documents(database, 3)
    plan(database, "one")
    answer(database, "one", size=1)
    publish_run(database, "one")

    with pytest.raises(RunFailedError, match="2 planned documents have no outcome"):
        verify_run.run(database, run_id="one", published=True)

    assert one(database, "SELECT state FROM synthesis.run") == ("failed",)


def test_answers_that_come_after_publish_fail_the_run_until_it_publishes_again(database: Database):
    """A lane that lost its task works on until another one takes over, which may be never."""
    add_documents(database, 3)
    plan(database, "one")
    answer(database, "one", size=1)
    publish_run(database, "one")
    answer(database, "one")

    with pytest.raises(RunFailedError, match="2 answers were stored after publish; clear publish"):
        verify_run.run(database, run_id="one", published=True)
    publish_run(database, "one")
    verify_run.run(database, run_id="one", published=True)

    assert len(served(database)) == 3
    assert one(database, "SELECT state, error FROM synthesis.run") == ("succeeded", None)


def test_inferred_skills_are_not_published(database: Database):
    (candidate_id,) = add_documents(database, 1)
    plan(database, "one")
    answer(database, "one", inferred_skills=("Rust",))
    publish_run(database, "one")
    assert served(database)[candidate_id][1] == ["Python"]


def give_history(database: Database, run_id: str, counts: dict[str, int], runs: int = 6) -> None:
    """Published runs under the release of `run_id`, before it, with these counts of the gate."""
    with database.connect() as connection:
        for number in range(runs):
            connection.execute(
                "INSERT INTO synthesis.run "
                "(run_id, state, release_id, started_at, published_at, report) "
                "SELECT %s, 'succeeded', release_id, started_at - make_interval(days => %s), "
                "now(), %s FROM synthesis.run WHERE run_id = %s",
                (f"earlier-{number}", number + 1, Jsonb({"gate": {"counts": counts}}), run_id),
            )


def test_a_run_outside_its_band_warns_and_stops_only_when_told(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    add_documents(database, 120)
    plan(database, "odd")
    answer(database, "odd", size=120)
    give_history(database, "odd", {"valid": 500, "rejected: ungrounded": 500})

    monkeypatch.setenv("PROFILES_STOP_ON_DRIFT", "true")
    with pytest.raises(DriftError, match=r"valid 100\.0% .*PROFILES_STOP_ON_DRIFT=false"):
        publish_run(database, "odd")
    assert served(database) == {}

    monkeypatch.setenv("PROFILES_STOP_ON_DRIFT", "false")
    assert publish_run(database, "odd")["published"] == 120
    run_report.store(database, run_id="odd")
    assert "drifted: valid 100.0%" in caplog.text
    stored = run_report.build_report(database, run_id="odd")["gate"]
    assert stored["counts"] == {"valid": 120}
    assert {drift["figure"] for drift in stored["outside"]} == {"valid", "rejected: ungrounded"}
