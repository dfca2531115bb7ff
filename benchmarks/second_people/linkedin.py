"""LinkedIn rows in the JSON shapes of six vendors."""

from __future__ import annotations

import calendar
from typing import Any

from benchmarks.second_people.seen import SeenJob, SeenRow

__all__ = ["VENDORS", "month_text", "raw_profile"]

MONTHS = [*calendar.month_abbr[1:]]


def month_text(month: int | None, year_only: bool, style: str = "iso") -> str | None:
    """A month as `2021-09` or `Sep 2021`, or the year alone."""
    if month is None:
        return None
    year, index = divmod(month, 12)
    if year_only:
        return str(year)
    return f"{year}-{index + 1:02d}" if style == "iso" else f"{MONTHS[index]} {year}"


def _slug(job: SeenJob) -> str:
    return job.employer.name.lower().replace(" ", "-")


def _company_url(job: SeenJob) -> str:
    return f"https://www.linkedin.com/company/{_slug(job)}"


def _day(month: int | None, year_only: bool, end: bool) -> dict[str, int] | None:
    if month is None:
        return None
    year, index = divmod(month, 12)
    if year_only:
        return {"day": 31 if end else 1, "month": 12 if end else 1, "year": year}
    return {"day": 1, "month": index + 1, "year": year}


def _proxycurl(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "public_identifier": row.vanity,
        "first_name": row.name.first,
        "last_name": row.name.last,
        "full_name": row.name.full,
        "headline": row.jobs[0].title if row.jobs else None,
        "summary": None,
        "country": place["code"],
        "country_full_name": place["country"],
        "city": row.place,
        "state": None,
        "experiences": [
            {
                "starts_at": _day(job.start, row.year_only, False),
                "ends_at": _day(job.end, row.year_only, True),
                "company": job.employer_text,
                "company_linkedin_profile_url": None,
                "title": job.title,
                "description": None,
                "location": None,
            }
            for job in row.jobs
        ],
        "education": [{"school": row.school, "degree_name": row.person.degree, "starts_at": None}]
        if row.school
        else [],
        "skills": [],
        "personal_emails": [row.mail] if row.mail else [],
        "personal_numbers": [row.phone] if row.phone else [],
    }


def _dev_fusion(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "linkedinUrl": f"https://www.linkedin.com/in/{row.vanity}",
        "firstName": row.name.first,
        "lastName": row.name.last,
        "fullName": row.name.full,
        "headline": row.jobs[0].title if row.jobs else None,
        "email": row.mail,
        "mobileNumber": row.phone,
        "addressWithCountry": f"{row.place} {place['country']}" if row.place else None,
        "linkedinId": row.member_id,
        "publicIdentifier": row.vanity,
        "experiences": [
            {
                "companyName": job.employer_text,
                "companyLink1": _company_url(job),
                "title": job.title,
                "jobStartedOn": month_text(job.start, row.year_only),
                "jobEndedOn": month_text(job.end, row.year_only),
                "jobStillWorking": job.current,
            }
            for job in row.jobs
        ],
        "educations": [{"title": row.school, "subtitle": row.person.degree}] if row.school else [],
        "skills": [],
    }


def _harvest_date(month: int | None, year_only: bool) -> dict[str, Any] | None:
    if month is None:
        return None
    text = month_text(month, year_only, "text")
    year, index = divmod(month, 12)
    return {"year": year, "text": text} | ({} if year_only else {"month": MONTHS[index]})


def _harvest(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "publicIdentifier": row.vanity,
        "firstName": row.name.first,
        "lastName": row.name.last,
        "headline": row.jobs[0].title if row.jobs else None,
        "linkedinUrl": f"https://www.linkedin.com/in/{row.vanity}",
        "location": {"linkedinText": row.place, "countryCode": place["code"]},
        "emails": [row.mail] if row.mail else [],
        "experience": [
            {
                "companyName": job.employer_text,
                "position": job.title,
                "startDate": _harvest_date(job.start, row.year_only),
                "endDate": {"text": "Present"}
                if job.current
                else _harvest_date(job.end, row.year_only),
            }
            for job in row.jobs
        ],
        "education": [{"schoolName": row.school, "degree": row.person.degree}]
        if row.school
        else [],
        "skills": [],
    }


def _brightdata(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "id": row.vanity,
        "linkedin_id": row.vanity,
        "linkedin_num_id": row.member_id,
        "name": row.name.full,
        "first_name": row.name.first,
        "last_name": row.name.last,
        "city": f"{row.place}, {place['country']}" if row.place else None,
        "country_code": place["code"],
        "position": row.jobs[0].title if row.jobs else None,
        "url": f"https://{place['code'].lower()}.linkedin.com/in/{row.vanity}",
        "experience": [
            {
                "company": job.employer_text,
                "title": job.title,
                "start_date": month_text(job.start, row.year_only, "text"),
                "end_date": "Present"
                if job.current
                else month_text(job.end, row.year_only, "text"),
            }
            for job in row.jobs
        ],
        "education": [{"title": row.school, "degree": row.person.degree}] if row.school else None,
    }


def _pdl(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return {
        "full_name": row.name.full.lower(),
        "first_name": row.name.first.lower(),
        "last_name": row.name.last.lower(),
        "linkedin_url": f"linkedin.com/in/{row.vanity}",
        "linkedin_username": row.vanity,
        "linkedin_id": row.member_id,
        "personal_emails": [row.mail] if row.mail else [],
        "mobile_phone": row.phone,
        "job_title": row.jobs[0].title.lower() if row.jobs else None,
        "job_company_name": row.jobs[0].employer_text.lower() if row.jobs else None,
        "location_locality": row.place.lower() if row.place else None,
        "location_country": place["country"].lower(),
        "experience": [
            {
                "company": {"name": job.employer_text.lower()},
                "title": {"name": job.title.lower(), "raw": [job.title]},
                "start_date": month_text(job.start, row.year_only),
                "end_date": month_text(job.end, row.year_only),
                "is_primary": job.current,
            }
            for job in row.jobs
        ],
        "education": [{"school": {"name": row.school.lower()}, "degrees": []}]
        if row.school
        else [],
        "skills": [],
    }


def _range(job: SeenJob, year_only: bool) -> str:
    start = month_text(job.start, year_only, "text")
    end = "Present" if job.current else month_text(job.end, year_only, "text")
    return f"{start} - {end}" if start else ""


def _phantombuster(row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "profileUrl": f"https://www.linkedin.com/in/{row.vanity}/",
        "linkedinProfileSlug": row.vanity,
        "linkedinProfileId": row.member_id,
        "firstName": row.name.first,
        "lastName": row.name.last,
        "fullName": row.name.full,
        "location": f"{row.place}, {place['country']}" if row.place else None,
        "professionalEmail": row.mail,
        "linkedinSchoolName": row.school,
    }
    if row.jobs:
        job = row.jobs[0]
        raw |= {"companyName": job.employer_text, "linkedinJobTitle": job.title}
        raw["linkedinJobDateRange"] = _range(job, row.year_only)
    if len(row.jobs) > 1:
        job = row.jobs[1]
        raw |= {"previousCompanyName": job.employer_text, "linkedinPreviousJobTitle": job.title}
        raw["linkedinPreviousJobDateRange"] = _range(job, row.year_only)
    return raw


VENDORS = {
    "proxycurl": _proxycurl,
    "apify_dev_fusion": _dev_fusion,
    "apify_harvestapi": _harvest,
    "brightdata": _brightdata,
    "people_data_labs": _pdl,
    "phantombuster": _phantombuster,
}


def raw_profile(vendor: str, row: SeenRow, place: dict[str, str]) -> dict[str, Any]:
    return VENDORS[vendor](row, place)
