"""Résumé rows in the JSON shapes of five parsers."""

from __future__ import annotations

from typing import Any

from benchmarks.second_people.linkedin import month_text
from benchmarks.second_people.seen import SeenJob, SeenRow

__all__ = ["PARSERS", "raw_resume"]


def _url(row: SeenRow) -> str | None:
    return f"https://www.linkedin.com/in/{row.vanity}" if row.vanity else None


def _range(job: SeenJob, year_only: bool) -> str:
    if job.start is None:
        return ""
    end = "Present" if job.current else month_text(job.end, year_only, "text")
    return f"{month_text(job.start, year_only, 'text')} - {end}"


def _jsonresume(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    profile = {"network": "LinkedIn", "username": row.vanity, "url": _url(row)}
    return {
        "basics": {
            "name": row.name.full,
            "label": row.jobs[0].title if row.jobs else "",
            "email": row.mail or "",
            "phone": row.phone or "",
            "location": {"city": row.place or "", "countryCode": place["code"]},
            "profiles": [profile] if row.vanity else [],
        },
        "work": [
            {
                "name": job.employer_text,
                "position": job.title,
                "startDate": month_text(job.start, row.year_only),
                "endDate": month_text(job.end, row.year_only),
            }
            for job in row.jobs
        ],
        "education": [{"institution": row.school, "studyType": row.person.degree}]
        if row.school
        else [],
        "skills": [],
    }


def _openresume(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "profile": {
            "name": row.name.full,
            "email": row.mail or "",
            "phone": row.phone or "",
            "summary": "",
            "location": f"{row.place}, {place['country']}" if row.place else "",
            "linkedinLink": _url(row) or "",
        },
        "workExperiences": [
            {
                "company": job.employer_text,
                "jobTitle": job.title,
                "date": _range(job, row.year_only),
                "descriptions": [],
            }
            for job in row.jobs
        ],
        "educations": [{"school": row.school, "degree": row.person.degree, "date": ""}]
        if row.school
        else [],
        "skills": {"featuredSkills": [], "descriptions": []},
    }


def _affinda(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    def date(month: int | None) -> str | None:
        text = month_text(month, row.year_only)
        return None if text is None else f"{text}-01" if len(text) == 7 else f"{text}-01-01"

    return {
        "name": {"raw": row.name.full, "first": row.name.first, "last": row.name.last},
        "phoneNumbers": [row.phone] if row.phone else [],
        "emails": [row.mail] if row.mail else [],
        "linkedin": _url(row),
        "location": {"formatted": f"{row.place}, {place['country']}", "city": row.place}
        if row.place
        else None,
        "workExperience": [
            {
                "jobTitle": job.title,
                "organization": job.employer_text,
                "dates": {
                    "startDate": date(job.start),
                    "endDate": date(job.end),
                    "isCurrent": job.current,
                    "rawText": _range(job, row.year_only),
                },
            }
            for job in row.jobs
        ],
        "education": [
            {"organization": row.school, "accreditation": {"education": row.person.degree}}
        ]
        if row.school
        else [],
        "skills": [],
    }


def _textkernel(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    def date(month: int | None, current: bool = False) -> dict[str, Any] | None:
        if month is None:
            return {"Date": "2026-11-01", "IsCurrentDate": True} if current else None
        year, index = divmod(month, 12)
        shown = 1 if row.year_only else index + 1
        return {
            "Date": f"{year}-{shown:02d}-01",
            "IsCurrentDate": False,
            "FoundYear": True,
            "FoundMonth": not row.year_only,
            "FoundDay": False,
        }

    contact = {
        "CandidateName": {
            "FormattedName": row.name.full,
            "GivenName": row.name.first,
            "FamilyName": row.name.last,
        },
        "Telephones": [{"Raw": row.phone}] if row.phone else [],
        "EmailAddresses": [row.mail] if row.mail else [],
        "Location": {"CountryCode": place["code"], "Municipality": row.place},
        "WebAddresses": [{"Address": _url(row), "Type": "LinkedIn"}] if row.vanity else [],
    }
    positions = [
        {
            "Id": f"POS-{number}",
            "Employer": {"Name": {"Raw": job.employer_text, "Normalized": job.employer_text}},
            "IsCurrent": job.current,
            "JobTitle": {"Raw": job.title, "Normalized": job.title},
            "StartDate": date(job.start),
            "EndDate": date(job.end, job.current),
        }
        for number, job in enumerate(row.jobs, 1)
    ]
    schools = [{"Id": "DEG-1", "SchoolName": {"Raw": row.school}}] if row.school else []
    return {
        "ResumeData": {
            "ContactInformation": contact,
            "EmploymentHistory": {"Positions": positions},
            "Education": {"EducationDetails": schools},
        }
    }


def _pyresparser(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    lines = []
    for job in row.jobs:
        lines += [job.employer_text, _range(job, row.year_only), job.title]
    return {
        "name": row.name.full,
        "email": row.mail,
        "mobile_number": row.phone,
        "skills": [],
        "college_name": [row.school] if row.school else None,
        "degree": None,
        "designation": [job.title for job in row.jobs] or None,
        "experience": [line for line in lines if line],
        "company_names": [job.employer_text for job in row.jobs] or None,
    }


PARSERS = {
    "jsonresume": _jsonresume,
    "openresume": _openresume,
    "affinda": _affinda,
    "textkernel": _textkernel,
    "pyresparser": _pyresparser,
}


def raw_resume(parser: str, row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return PARSERS[parser](row, place)
