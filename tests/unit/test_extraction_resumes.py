"""Five resume parsers' shapes become the same record."""

from __future__ import annotations

from typing import Any

import pytest
from tests.source_rows import resume

from profiles.extraction.reader import read_row
from profiles.extraction.resumes import affinda_items
from profiles.models import SourceRecord
from profiles.storage.mappings import load_mappings


def read(parser: str, raw: Any, **columns: Any) -> SourceRecord:
    record = read_row(load_mappings()["resume"], resume("k", parser, raw, **columns))
    assert isinstance(record, SourceRecord), record
    return record


def jobs(record: SourceRecord) -> list[tuple[str | None, str | None, str, str, bool]]:
    return [
        (job.title, job.company, str(job.start), str(job.end), job.is_current)
        for job in record.positions
    ]


def test_jsonresume_reads_old_and_new_names_and_a_missing_end_as_current() -> None:
    raw = {
        "basics": {"name": "Ada Testwell"},
        "work": [
            {
                "name": "A", "position": "T", "startDate": "2020-02-01",
                "summary": "S.", "highlights": ["H."],
            },
            {"company": "B", "position": "U", "startDate": "2018", "endDate": "2019"},
            {"company": "C", "position": "V", "startDate": "", "endDate": ""},
        ],
    }  # fmt: skip
    record = read("jsonresume", raw)
    assert jobs(record) == [
        ("T", "A", "2020-02", "None", True),
        ("U", "B", "2018", "2019", False),
        ("V", "C", "None", "None", False),
    ]
    assert record.positions[0].description == "- S.\n- H."


def test_jsonresume_keywords_are_the_skills_of_a_group() -> None:
    raw = {
        "basics": {"name": "Ada Testwell"},
        "skills": [
            {"name": "Skills", "keywords": ["Go", "Rust"]},
            {"name": "Kafka", "keywords": []},
            "SQL",
        ],
    }
    assert read("jsonresume", raw).skills == ("Skills:", "Go", "Rust", "Kafka", "SQL")


def test_a_user_name_on_another_network_is_no_linkedin_id() -> None:
    profiles = [
        {"network": "GitHub", "username": "ada-code", "url": "https://github.com/ada-code"},
        {"network": "LinkedIn", "username": "ada-zz1", "url": None},
    ]
    raw = {"basics": {"name": "Ada Testwell", "profiles": profiles}}
    assert read("jsonresume", raw).linkedin_id == "ada-zz1"
    raw = {"basics": {"name": "Ada Testwell", "profiles": profiles[:1]}}
    assert read("jsonresume", raw).linkedin_id is None


def test_openresume_reads_free_ranges_and_labelled_skill_lines() -> None:
    raw = {
        "profile": {"name": "Daria Formats", "email": "", "linkedinLink": ""},
        "workExperiences": [
            {
                "company": "A", "jobTitle": "T", "date": "Jan '21 - till date",
                "descriptions": ["x", "y"],
            }
        ],
        "educations": [{"school": "S", "degree": "B.Sc. in Physics", "date": "2010 - 2013"}],
        "skills": {
            "featuredSkills": [{"skill": "Go", "rating": 4}, {"skill": "", "rating": 4}],
            "descriptions": ["Skills: go, Rust, CI/CD"],
        },
    }  # fmt: skip
    record = read("openresume", raw)
    assert jobs(record) == [("T", "A", "2021-01", "None", True)]
    assert record.positions[0].description == "- x\n- y"
    assert record.skills == ("Go", "Skills:", "Rust", "CI/CD")
    assert (record.education[0].degree, record.education[0].field) == ("B.Sc.", "Physics")


def test_affinda_end_of_a_running_job_is_the_day_of_parsing() -> None:
    dates = {"startDate": "2020-04-01", "endDate": "2026-03-01", "isCurrent": True}
    raw = {"name": {"raw": "ADA TESTWELL"}, "workExperience": [{"jobTitle": "T", "dates": dates}]}
    assert jobs(read("affinda", raw)) == [("T", None, "2020-04", "None", True)]


def test_affinda_january_of_a_year_alone_is_not_invented() -> None:
    dates = {
        "startDate": "2016-01-01", "endDate": "2018-01-01", "isCurrent": False,
        "rawText": "2016 - 2018",
    }  # fmt: skip
    raw = {"name": {"raw": "Ada T"}, "workExperience": [{"jobTitle": "T", "dates": dates}]}
    assert jobs(read("affinda", raw)) == [("T", None, "2016", "2018", False)]
    raw["workExperience"] = [
        {"jobTitle": "T", "dates": {**dates, "rawText": "Jan 2016 - Jan 2018"}}
    ]
    assert jobs(read("affinda", raw)) == [("T", None, "2016-01", "2018-01", False)]


def test_another_sites_address_is_no_linkedin_id() -> None:
    raw = {"name": {"raw": "Ada T"}, "websites": ["ada.dev", "linkedin.com/in/ada-zz1"]}
    assert read("affinda", raw).linkedin_id == "ada-zz1"


def test_textkernel_flags_win_over_digits() -> None:
    position = {
        "Employer": {"Name": {"Raw": "Palash Retail"}}, "JobTitle": {"Raw": "Buyer"},
        "StartDate": {"Date": "2018-01-01", "FoundYear": True, "FoundMonth": False},
        "EndDate": {"Date": "2026-11-01", "FoundYear": False, "IsCurrentDate": True},
    }  # fmt: skip
    raw = {
        "ResumeData": {
            "ContactInformation": {"CandidateName": {"FormattedName": "Ria Agencyheld"}},
            "EmploymentHistory": {
                "ExperienceSummary": {"MonthsOfWorkExperience": 90},
                "Positions": [position],
            },
        }
    }
    record = read("textkernel", raw)
    assert jobs(record) == [("Buyer", "Palash Retail", "2018", "None", True)]
    assert record.years_experience == 7.5


def test_textkernels_levels_of_languages_are_read_where_they_were_found() -> None:
    listed = [
        {"Language": "English", "FoundInContext": "English (C1), Welsh"},
        {"Language": "Welsh", "FoundInContext": "English (C1), Welsh"},
        {"Language": "Anglais", "FoundInContext": "Anglais : B2 (test 945)"},
        {"Language": "Irish", "FoundInContext": None},
        {"Language": "Dutch", "Level": "fluent", "FoundInContext": "Dutch A1"},
    ]
    name = {"CandidateName": {"FormattedName": "Ada Testwell"}}
    raw = {"ResumeData": {"ContactInformation": name, "LanguageCompetencies": listed}}
    record = read("textkernel", raw)
    assert [(entry.title, entry.text) for entry in record.entries] == [
        ("English", "C1"),
        ("Welsh", None),
        ("Anglais", "B2 (test 945)"),
        ("Irish", None),
        ("Dutch", "fluent"),
    ]


def test_affindas_achievements_are_awards() -> None:
    raw = {"name": {"raw": "Ada T"}, "achievements": ["Crane Driver of the Year"]}
    (award,) = read("affinda", raw).entries
    assert (award.section, award.title) == ("awards", "Crane Driver of the Year")


def test_pyresparser_lines_become_jobs() -> None:
    lines = [
        "Northvale Systems", "Jan 2020 - Present", "Senior Engineer", "Pune",
        "• Built it.", "• Ran it.",
        "Halden Bank", "03/2016 – 11/2019", "Engineer", "Mumbai",
        "Umbra Media", "", "Intern", "Delhi", "• Learned.",
    ]  # fmt: skip
    record = read("pyresparser", {"name": "Ada Testwell", "experience": lines})
    assert jobs(record) == [
        ("Senior Engineer", "Northvale Systems", "2020-01", "None", True),
        ("Engineer", "Halden Bank", "2016-03", "2019-11", False),
        ("Intern", "Umbra Media", "None", "None", False),
    ]
    assert record.positions[0].description == "- Built it.\n- Ran it."
    assert record.positions[1].location == "Mumbai"


def test_pyresparser_lines_without_dates_are_kept_as_text() -> None:
    record = read("pyresparser", {"name": "Ada T", "experience": ["Worked on ships", "and planes"]})
    assert [job.description for job in record.positions] == ["Worked on ships\nand planes"]


def test_pyresparser_generic_words_none_and_zero_say_nothing() -> None:
    raw = {
        "name": "Skye Listens", "skills": ["C", "C++", "Technical", "sql"], "college_name": "None",
        "degree": "None", "total_experience": 0, "experience": None,
    }  # fmt: skip
    record = read("pyresparser", raw)
    assert record.skills == ("C", "C++", "sql")
    assert (record.education, record.years_experience, record.positions) == ((), None, ())


@pytest.mark.parametrize(
    ("number", "phones"),
    [("9845012345", ("+919845012345",)), ("9198450123", ()), ("0984501234", ())],
)
def test_a_number_that_the_parser_may_have_cut_is_no_key(number: str, phones: tuple[str]) -> None:
    lines = ["Northvale", "Jan 2020 - Present", "Engineer", "Pune"]
    raw = {"name": "Ada T", "mobile_number": number, "experience": lines}
    assert read("pyresparser", raw).phones == phones


def test_the_mail_column_and_the_mails_of_the_document_are_both_read() -> None:
    raw = {"name": {"raw": "Ada T"}, "emails": ["A.da+cv@googlemail.com"]}
    record = read("affinda", raw, candidate_email="ada@work-example.com")
    assert record.emails == ("ada@gmail.com", "ada@work-example.com")


@pytest.mark.parametrize(
    ("parsed", "stated", "degree"),
    [("Diploma", "Matura", "Matura"), ("PhD Physics", "PhD", "PhD Physics"), ("BSc", None, "BSc")],
)
def test_affindas_degree_is_the_stated_one_unless_the_parsed_one_says_more(parsed, stated, degree):
    study = {"accreditation": {"education": parsed, "inputStr": stated}}
    (read,) = affinda_items([study])
    assert read["accreditation"]["education"] == degree
