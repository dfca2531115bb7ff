"""Six vendors' LinkedIn shapes become the same record."""

from __future__ import annotations

from typing import Any

import pytest
from tests.source_rows import linkedin

from profiles.extraction.reader import read_row
from profiles.models import Position, SourceRecord
from profiles.storage.mappings import load_mappings

URN = "ACoAA3449456d05691a9acab2c77f5af503f5a2"


def read(vendor: str, raw: Any, **columns: Any) -> SourceRecord:
    record = read_row(load_mappings()["linkedin"], linkedin("k", vendor, raw, **columns))
    assert isinstance(record, SourceRecord), record
    return record


def spans(record: SourceRecord) -> list[tuple[str, str, bool]]:
    return [(str(job.start), str(job.end), job.is_current) for job in record.positions]


def test_proxycurl_year_only_dates_lose_the_invented_months() -> None:
    jobs = [
        {"company": "A", "starts_at": _day(1, 1, 2014), "ends_at": _day(31, 12, 2016)},
        {"company": "B", "starts_at": _day(None, None, None), "ends_at": None},
        {"company": "C", "starts_at": _day(1, 5, 2019), "ends_at": None},
    ]
    record = read("proxycurl", {"full_name": "Yara Testwell", "experiences": jobs})
    assert spans(record) == [
        ("2014", "2016", False), ("None", "None", False), ("2019-05", "None", True)
    ]  # fmt: skip


def _day(day: int | None, month: int | None, year: int | None) -> dict[str, int | None]:
    return {"day": day, "month": month, "year": year}


def test_proxycurl_people_also_viewed_are_not_the_person() -> None:
    raw = {
        "full_name": "Ada Testwell",
        "people_also_viewed": [
            {
                "link": "https://www.linkedin.com/in/someone-else-1",
                "summary": "eve@mail-example.com",
            }
        ],
        "personal_emails": ["ada@mail-example.com"],
    }
    record = read("proxycurl", raw)
    assert record.emails == ("ada@mail-example.com",)
    assert record.linkedin_id is None


def test_dev_fusion_skills_may_mix_objects_strings_and_nulls() -> None:
    raw = {
        "fullName": "Skob Object",
        "skills": [{"title": "Power BI"}, {"name": "PowerBI"}, "Excel", None, {"title": ""}],
        "topSkillsByEndorsements": "Power BI, Excel",
    }
    assert read("apify_dev_fusion", raw).skills == ("Power BI", "PowerBI", "Excel")


def test_dev_fusion_says_itself_whether_a_job_goes_on() -> None:
    jobs = [
        {"title": "T", "jobStartedOn": "11-2023", "jobEndedOn": "", "jobStillWorking": True},
        {"title": "U", "jobStartedOn": "2019", "jobEndedOn": None, "jobStillWorking": False},
    ]
    record = read("apify_dev_fusion", {"fullName": "A B", "experiences": jobs})
    assert spans(record) == [("2023-11", "None", True), ("2019", "None", False)]


def test_dev_fusion_names_the_company_by_number_and_domain_and_the_place_without_the_mode() -> None:
    job = {
        "title": "T", "companyName": "Northvale", "companyId": "139023",
        "companyWebsite": "https://www.northvale-example.com/jobs",
        "jobLocation": "Austin, Texas, United States · On-site",
    }  # fmt: skip
    (position,) = read("apify_dev_fusion", {"fullName": "A B", "experiences": [job]}).positions
    assert position.company_linkedin_id == "139023"
    assert position.company_domain == "northvale-example.com"
    assert position.location == "Austin, Texas, United States"


def test_harvestapi_urn_is_a_member_id_and_present_is_text() -> None:
    raw = {
        "id": URN, "publicIdentifier": "ada-zz1", "firstName": "Ada", "lastName": "Testwell",
        "emails": [{"email": "ada@mail-example.com", "status": "valid"}],
        "experience": [
            {
                "position": "Engineer", "companyName": "Northvale",
                "companyLinkedinUrl": "https://www.linkedin.com/search/results/all/?keywords=Northvale",
                "startDate": {"month": "Jan", "year": 2020, "text": "Jan 2020"},
                "endDate": {"text": "Present"},
            }
        ],
    }  # fmt: skip
    record = read("apify_harvestapi", raw)
    assert record.linkedin_member_ids == (URN,)
    assert record.full_name == "Ada Testwell"
    assert record.emails == ("ada@mail-example.com",)
    assert spans(record) == [("2020-01", "None", True)]
    assert record.positions[0].company_linkedin_id is None


def test_brightdata_group_header_is_not_a_job() -> None:
    group = {
        "title": "Quarry Analytics", "company": "Quarry Analytics", "duration": "4 years",
        "location": "Leeds",
        "positions": [
            {
                "subtitle": "Quarry Analytics", "title": "Lead", "start_date": "2022",
                "end_date": "Present", "description": "A.B", "description_html": "A.<br>B <!---->",
            },
            {"title": "Analyst", "start_date": "Mar 2020", "end_date": "Dec 2021"},
        ],
    }  # fmt: skip
    record = read("brightdata", {"name": "Grupa B", "city": "Contact Info", "experience": [group]})
    assert record.location is None
    assert [(job.title, job.company, job.location) for job in record.positions] == [
        ("Lead", "Quarry Analytics", "Leeds"),
        ("Analyst", "Quarry Analytics", "Leeds"),
    ]
    assert spans(record) == [("2022", "None", True), ("2020-03", "2021-12", False)]
    assert (record.positions[0].description or "").splitlines() == ["A.", "B"]


def test_brightdata_vanity_is_no_member_id() -> None:
    raw = {"name": "Ada T", "id": "ada-zz1", "linkedin_id": "ada-zz1", "linkedin_num_id": "1093"}
    record = read("brightdata", raw)
    assert (record.linkedin_id, record.linkedin_member_ids) == ("ada-zz1", ("1093",))


def test_people_data_labs_lower_case_is_undone_where_it_matters() -> None:
    raw = {
        "full_name": "ada o'testwell", "linkedin_id": "1093", "location_name": "pune, india",
        "mobile_phone": "+919845012345",
        "experience": [
            {
                "title": {"name": "senior engineer", "raw": ["Senior Engineer (SRE)"]},
                "company": {
                    "name": "northvale systems", "linkedin_id": "77", "website": "nv-example.com"
                },
                "start_date": "2019-03", "end_date": None,
            }
        ],
    }  # fmt: skip
    record = read("people_data_labs", raw)
    assert record.full_name == "Ada O'Testwell"
    assert record.location == "Pune, India"
    assert record.phones == ("+919845012345",)
    assert record.positions == (
        Position(
            title="Senior Engineer (SRE)", company="Northvale Systems", company_linkedin_id="77",
            company_domain="nv-example.com", start=record.positions[0].start, is_current=True,
        ),
    )  # fmt: skip


def test_phantombuster_flat_columns_are_two_jobs_and_a_study() -> None:
    raw = {
        "fullName": "Ada Testwell", "linkedinSkillsLabel": "Go, C++", "professionalEmail": "",
        "companyName": "Northvale", "linkedinCompanyUrl": "https://www.linkedin.com/company/114274/",
        "linkedinJobTitle": "CTO", "linkedinJobDateRange": "Feb 2026 - Present",
        "previousCompanyName": "Halden", "linkedinPreviousJobTitle": "Engineer",
        "linkedinPreviousJobDateRange": "2021 - 2023",
        "linkedinSchoolName": "Umbra College", "linkedinSchoolDegree": "B.Tech, Physics",
        "linkedinSchoolDateRange": "2010 - 2014",
    }  # fmt: skip
    record = read("phantombuster", raw)
    assert spans(record) == [("2026-02", "None", True), ("2021", "2023", False)]
    assert record.positions[0].company_linkedin_id == "114274"
    assert record.skills == ("Go", "C++")
    (study,) = record.education
    assert (study.school, study.degree, study.field) == ("Umbra College", "B.Tech", "Physics")
    assert (str(study.start), str(study.end)) == ("2010", "2014")


@pytest.mark.parametrize(
    "url",
    [
        "https://it.linkedin.com/in/mara-zz1/",
        "linkedin.com/in/Mara-zz1,",
        "http://www.linkedin.com/in/mara-zz1/details/experience/?trk=x#about",
    ],
)
def test_a_profile_address_gives_the_public_identifier(url: str) -> None:
    assert read("proxycurl", {"full_name": "Mara T"}, linkedin_url=url).linkedin_id == "mara-zz1"


def test_an_end_in_the_future_of_the_scrape_means_the_job_goes_on() -> None:
    job = {"title": "P", "starts_at": _day(1, 1, 2025), "ends_at": _day(30, 12, 2031)}
    assert spans(read("proxycurl", {"full_name": "F A", "experiences": [job]})) == [
        ("2025-01", "None", True)
    ]


def test_a_double_encoded_document_is_decoded() -> None:
    record = read("proxycurl", '{"full_name": "Dobla Enkodet"}')
    assert record.full_name == "Dobla Enkodet"


def test_the_time_of_the_scrape_is_told_in_utc() -> None:
    raw = {"full_name": "A B"}
    assert read("proxycurl", raw, fetched_at="2026-10-01 02:00:00+02").observed_at == (
        "2026-10-01T00:00:00Z"
    )


def test_a_location_is_put_together_or_read_as_a_whole() -> None:
    whole = {"addressWithCountry": "Tallinn, Harjumaa Estonia"}
    parts = {"addressWithoutCountry": "Tallinn, Harjumaa", "addressCountryOnly": "Estonia"}
    found = [
        read("apify_dev_fusion", {"fullName": "A B", **given}).location
        for given in (parts, whole, parts | whole)
    ]
    expected = "Tallinn, Harjumaa, Estonia"
    assert found == [expected, "Tallinn, Harjumaa Estonia", expected]
