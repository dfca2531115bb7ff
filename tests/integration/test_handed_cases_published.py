"""Every handed case goes through all stages, up to the serving table, and no sibling is lost."""

from __future__ import annotations

import pytest
from tests.planned_runs import use_scripted_engine
from tests.source_rows import SOURCES, edge_cases, insert_handed_rows, report_rows

from profiles.models import Bucket
from profiles.params import RunParams
from profiles.steps import (
    check_sources,
    extract_sources,
    plan_synthesis,
    publish,
    render_profiles,
    report,
    resolve_identities,
    synthesise,
    tag_domains,
    verify_run,
)
from profiles.storage.connection import Database

RUN = "handed-cases"


@pytest.fixture
def published(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database in which all handed rows went through every step together."""
    use_scripted_engine(monkeypatch, extractive_fallback=True)
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
    return database


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
    buckets = report.run(published, run_id=RUN)
    assert buckets[Bucket.MISSING] == buckets[Bucket.DEFERRED] == 0
    assert sum(buckets.values()) == report.build_report(published, run_id=RUN).candidates


def test_the_same_people_are_joined_and_others_kept_apart(published: Database):
    candidates = _candidates(published)
    keys = {case["case"]: (SOURCES[case["source"]], case["row"]["id"]) for case in edge_cases()}
    for case in edge_cases():
        mine = candidates.get(keys[case["case"]])
        for other in case["expect"].get("same_person_as", []):
            assert mine == candidates[keys[other]], (case["case"], other)
        for other in case["expect"].get("not_same_person_as", []):
            assert mine is None or mine != candidates.get(keys[other]), (case["case"], other)


def test_what_a_case_forbids_is_in_no_document_and_in_no_published_text(published: Database):
    candidates = _candidates(published)
    with published.connect() as connection:
        texts = {
            row[0]: "\n".join(str(part) for part in row[1:])
            for row in connection.execute(
                "SELECT d.candidate_id, d.markdown, s.summary, s.skills "
                "FROM synthesis.document AS d "
                "LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)"
            )
        }
    for case in edge_cases():
        text = texts.get(candidates.get((SOURCES[case["source"]], case["row"]["id"]), 0), "")
        for banned in case["expect"].get("not_contains", []):
            assert banned not in text, (case["case"], banned)
        for wanted in case["expect"].get("contains", []):
            assert wanted in text, (case["case"], wanted)


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
