"""Every handed case goes through all stages, up to the serving table, and no sibling is lost."""

from __future__ import annotations

import pytest
from tests.integration.test_handed_cases import records
from tests.planned_runs import use_scripted_engine
from tests.source_rows import SOURCES, edge_cases, insert_handed_rows, report_rows, reports
from tests.stated_values import faults, people

from profiles.models import Bucket
from profiles.params import RunParams
from profiles.steps import (
    check_sources,
    extract_sources,
    plan_synthesis,
    publish,
    render_profiles,
    resolve_identities,
    synthesise,
    tag_domains,
    verify_run,
)
from profiles.steps.reports import run_report
from profiles.storage.connection import Database

RUN = "handed-cases"


@pytest.fixture(scope="module")
def published(module_database: Database) -> Database:
    """A database in which all handed rows went through every step together."""
    with pytest.MonkeyPatch.context() as environment:
        use_scripted_engine(environment, extractive_fallback=True)
        _publish(module_database)
    return module_database


def _publish(database: Database) -> None:
    insert_handed_rows(database)
    for source in check_sources.run(database, run_id=RUN, params=RunParams()):
        extract_sources.run(database, run_id=RUN, source=source)
    resolve_identities.run(database, run_id=RUN)
    for bounds in resolve_identities.ranges(database, shards=2):
        render_profiles.run(database, run_id=RUN, **bounds)
    for lane in plan_synthesis.run(database, run_id=RUN, params=RunParams()):
        synthesise.run(database, run_id=RUN, lane=lane["lane"])
    tag_domains.run(database, run_id=RUN)
    publish.run(database, run_id=RUN, planned=True, tagged=True)


def _candidates(database: Database) -> dict[tuple[str, str], int]:
    with database.connect() as connection:
        return {
            (source, key): candidate_id
            for source, key, candidate_id in connection.execute(
                "SELECT source, source_key, candidate_id FROM synthesis.candidate_source"
            )
        }


def test_every_readable_row_belongs_to_a_person_and_every_person_ends_in_one_bucket(
    published: Database,
):
    candidates = _candidates(published)
    expected = {
        (SOURCES[case["source"]], case["row"]["id"])
        for case in edge_cases()
        if case["case"] not in {"E17", "E20"}
    } | {(SOURCES[table], row["id"]) for table, row in report_rows()}
    assert set(candidates) == expected

    verify_run.run(published, run_id=RUN, published=True)
    buckets = run_report.store(published, run_id=RUN)
    assert buckets[Bucket.MISSING] == buckets[Bucket.DEFERRED] == 0
    assert sum(buckets.values()) == run_report.build_report(published, run_id=RUN)["candidates"]


def test_the_same_people_are_joined_and_others_kept_apart(published: Database):
    candidates = _candidates(published)
    keys = {case["case"]: (SOURCES[case["source"]], case["row"]["id"]) for case in edge_cases()}
    for case in edge_cases():
        mine = candidates.get(keys[case["case"]])
        for other in case["expect"].get("same_person_as", []):
            assert mine == candidates[keys[other]], (case["case"], other)
        for other in case["expect"].get("not_same_person_as", []):
            assert mine is None or mine != candidates.get(keys[other]), (case["case"], other)


def test_every_case_gives_every_value_that_it_states(published: Database):
    found, persons = records(published), people(published)
    wrong = [
        f"{case['case']}: {fault}"
        for case in edge_cases()
        for key in [(SOURCES[case["source"]], case["row"]["id"])]
        for fault in faults(case["expect"], found.get(key), persons.get(key))
    ]
    assert wrong == []


def test_reports_give_their_dates_texts_and_months(published: Database):
    persons = people(published)
    jobs = {name: persons["resume", name].jobs for name in ("range_to_date", "month_year_no_day")}
    assert [job[2:] for job in jobs["range_to_date"]] == [("2021-02", None, True)] * 3
    assert {job[0]: job[2] for job in jobs["month_year_no_day"]} == {
        "Kestrel 0": "2017-04",
        "Kestrel 1": "2013-02",
        "Kestrel 2": "2021-03",
        "Kestrel 3": "2015",
    }
    assert [job[2:] for job in persons["weekday", "future_end_is_current"].jobs] == [
        ("2025-02", None, True)
    ]
    text = persons["weekday", "text_between_date_and_bullets-0"].markdown
    stated = next(r for r in reports() if r["name"] == "text_between_date_and_bullets")
    assert [wanted for wanted in stated["expect"]["contains"] if wanted not in text] == []
    assert (
        persons["resume", "merge_copies_duplicates-0"]
        == persons["resume", "merge_copies_duplicates-1"]
    )


def test_no_document_holds_a_contact_or_a_control_character(published: Database):
    with published.connect() as connection:
        documents = [
            row[0] for row in connection.execute("SELECT markdown FROM synthesis.document")
        ]
    for markdown in documents:
        assert "@" not in markdown.replace(" @ ", "")
        assert "http" not in markdown
        assert not any(ord(character) < 32 and character != "\n" for character in markdown)
        markdown.encode("utf-8")
