"""A LinkedIn profile as of HarvestAPI, an actor of Apify."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

from sample_data.companies import company_variant
from sample_data.locales import MONTHS
from sample_data.noise import (
    View,
    alias,
    description,
    name_variant,
    place_variant,
    spoil,
    title_variant,
)
from sample_data.people import Person
from sample_data.snapshot import NOW, duration, month_year
from sample_data.vendors.linkedin.maker import Json


def harvest(person: Person, stream: Random, view: View, url: str, vanity: str) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
    chance = stream.random
    full, given, family = name_variant(person, chance)

    def date(month: int | None, precision: str, *, is_end: bool = False) -> Json | None:
        if month is None:
            return {"text": "Present"} if is_end else None
        if precision == "y":
            return {"year": month // 12, "text": str(month // 12)}
        return {"month": MONTHS[month % 12], "year": month // 12, "text": month_year(month)}

    experience: list[Json] = []
    for job, start, end, precision in view:
        entry: Json = {
            "location": place_variant(person.city, chance) + " · Hybrid"
            if chance() < 0.5
            else None,
            "companyLinkedinUrl": f"https://www.linkedin.com/company/{job.company.slug}/"
            if chance() < 0.8
            else "https://www.linkedin.com/search/results/all/?keywords=" + quote(job.company.name),
            "companyId": job.company.number,
            "companyUniversalName": job.company.slug,
            "duration": duration(start, end if end is not None else NOW)
            if start is not None
            else None,
            "companyName": company_variant(job.company, chance),
            "description": spoil(description(job.sentences, chance), chance),
            "position": title_variant(job.title, chance),
            "startDate": date(start, precision),
            "endDate": date(end, precision, is_end=True),
        }
        if chance() < 0.5:
            entry["employmentType"] = job.employment
        experience.append(entry)
    return {
        "id": person.urn,
        "publicIdentifier": vanity,
        "lastName": family,
        "firstName": given,
        "websites": [],
        "headline": person.headline,
        "about": spoil(person.about, chance),
        "linkedinUrl": "https://www.linkedin.com/in/" + quote(vanity, safe="-"),
        "photo": None,
        "registeredAt": "2015-07-29T17:39:39.165Z",
        "topSkills": " • ".join(skill[0] for skill in person.skills[:3]),
        "connectionsCount": int(chance() * 999),
        "followerCount": int(chance() * 999),
        "openToWork": chance() < 0.2,
        "hiring": False,
        "location": {
            "linkedinText": place_variant(person.city, chance),
            "countryCode": person.locale.country,
            "parsed": {
                "text": ", ".join(part for part in person.city if part),
                "countryCode": person.locale.country,
                "regionCode": None,
                "country": person.city[2],
                "countryFull": person.city[2],
                "state": person.city[1] or None,
                "city": person.city[0],
            },
        },
        "currentPosition": [{"companyName": view[0].job.company.name}]
        if view and view[0].end is None
        else [],
        "experience": experience,
        "education": [
            {
                "schoolName": study.school,
                "degree": study.degree[1],
                "fieldOfStudy": study.field,
                "startDate": {"year": study.start, "text": str(study.start)},
                "endDate": {"year": study.end, "text": str(study.end)},
                "period": f"{study.start} - {study.end}",
            }
            for study in person.studies
        ],
        "certifications": [
            {"title": certificate, "issuedAt": "Issued Mar 2021"}
            for certificate in person.certificates
        ],
        "skills": [{"name": alias(skill, chance)} for skill in person.skills],
        "languages": [
            {"name": language[0], "proficiency": language[1]} for language in person.languages
        ],
        "emails": [{"email": person.email, "status": "valid"}] if chance() < 0.2 else [],
        "projects": [],
        "publications": [],
    }, full
