"""Every handed case passes extraction through real tables without a crash or a lost sibling."""

from __future__ import annotations

import pytest
from msgspec import convert
from msgspec.structs import replace
from tests.source_rows import SOURCES, edge_cases, insert_handed_rows, report_rows, reports

from profiles.models import Candidate, SourceRecord
from profiles.params import RunParams
from profiles.rendering.merging import merge
from profiles.steps import check_sources, extract_sources
from profiles.storage.connection import Database
from profiles.storage.taxonomy import load_vocabulary

RUN = "manual-1"
EMPTY = {"E17", "E20"}


@pytest.fixture(scope="module")
def extracted(module_database: Database) -> Database:
    """A database in which all handed rows went through check and extract together."""
    insert_handed_rows(module_database)
    for source in check_sources.run(module_database, run_id=RUN, params=RunParams()):
        extract_sources.run(module_database, run_id=RUN, source=source)
    return module_database


def records(database: Database) -> dict[tuple[str, str], SourceRecord]:
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT source, source_key, record FROM synthesis.source_record"
        ).fetchall()
    return {(source, key): convert(record, SourceRecord) for source, key, record in rows}


def test_no_row_is_lost_and_only_the_empty_ones_are_rejected(extracted: Database) -> None:
    found = records(extracted)
    for case in edge_cases():
        key = (SOURCES[case["source"]], case["row"]["id"])
        assert (key in found) == (case["case"] not in EMPTY), case["case"]
    for table, row in report_rows():
        assert (SOURCES[table], row["id"]) in found, row["id"]
    with extracted.connect() as connection:
        rejected = connection.execute(
            "SELECT source_key, reason FROM synthesis.rejected_row ORDER BY 1"
        ).fetchall()
    assert rejected == [(key, "empty") for key in sorted(EMPTY)]


def test_all_reports_became_rows() -> None:
    keys = [row["id"] for _, row in report_rows()]
    assert len(keys) == len(set(keys))
    assert all(any(key.startswith(report["name"]) for key in keys) for report in reports())


def test_expected_jobs_are_found_with_their_dates(extracted: Database) -> None:
    found = records(extracted)
    for case in edge_cases():
        key = (SOURCES[case["source"]], case["row"]["id"])
        for job in case["expect"].get("job", []):
            spans = [
                (str(p.start or ""), str(p.end or ""), p.is_current)
                for p in found[key].positions
                if job.get("title") in (None, p.title)
                and (p.company or "").startswith(job.get("company", ""))
            ]
            assert any(
                job.get("start", start) in (start, start or None)
                and job.get("end", end) in (end, end or None)
                and job.get("current", current) == current
                for start, end, current in spans
            ), (case["case"], job, spans)


def test_stored_text_is_clean(extracted: Database) -> None:
    found = records(extracted)
    for case in edge_cases():
        record = found.get((SOURCES[case["source"]], case["row"]["id"]))
        if record is None:
            continue
        said = repr(record)
        for banned in case["expect"].get("not_contains", []):
            assert banned not in said, (case["case"], banned)


def test_contacts_of_the_reports_are_canonical(extracted: Database) -> None:
    found = records(extracted)
    for report in reports():
        name, expect = report["name"], report["expect"]
        if report["kind"] == "linkedin_id":
            ids = {r.linkedin_id for (_, key), r in found.items() if key.startswith(name)}
            assert ids == set(expect["ids"])
        if report["kind"] == "phone":
            for n, number in enumerate(expect["e164"]):
                assert found["lemlist", f"{name}-{n}"].phones == (number,)
        if report["kind"] == "email":
            mails = [found["weekday", f"{name}-{n}"].emails for n in range(5)]
            groups = [[n for n, mail in enumerate(mails) if mail == one] for one in mails]
            assert [g for n, g in enumerate(groups) if g not in groups[:n]] == expect["groups"]


def test_a_report_of_grouped_roles_gives_each_role_the_employer(extracted: Database) -> None:
    jobs = records(extracted)["linkedin", "grouped_roles_one_company"].positions
    assert [(job.company, job.title, str(job.start), job.is_current) for job in jobs] == [
        ("Quarry Security", "Auditor II", "2020-03", True),
        ("Quarry Security", "Auditor I", "2018-04", False),
    ]


def test_names_and_stored_texts_of_the_reports_are_as_stated(extracted: Database) -> None:
    found = records(extracted)
    stated = {report["name"]: report["expect"] for report in reports()}
    assert [
        {
            "given": found["weekday", f"names_credentials-{n}"].given_name,
            "family": found["weekday", f"names_credentials-{n}"].family_name,
        }
        for n in range(len(stated["names_credentials"]))
    ] == stated["names_credentials"]
    (stored,) = found["weekday", "nul_in_jsonb-0"].positions
    assert stored.description == stated["nul_in_jsonb"]["stored"]["summary"]
    for n in range(2):
        copy = found["resume", f"merge_copies_duplicates-{n}"]
        assert list(copy.emails) == stated["merge_copies_duplicates"]["emails"]
        assert list(copy.phones) == stated["merge_copies_duplicates"]["phones"]


def test_gaps_between_jobs_do_not_count_as_experience(extracted: Database) -> None:
    stated = next(report for report in reports() if report["name"] == "two_digit_years_sum")
    record = records(extracted)["resume", "two_digit_years_sum"]
    today = replace(record, observed_at=f"{stated['input']['today']}-30T00:00:00Z")
    merged = merge(Candidate(1, (today,)), vocabulary=load_vocabulary())
    assert merged.total_months == stated["expect"]["months"]


def test_a_second_run_reads_none_of_them_again(extracted: Database) -> None:
    for source in SOURCES.values():
        assert extract_sources.run(extracted, run_id=RUN, source=source)["read"] == 0
