"""A resume as Affinda writes it."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.noise import (
    BULLETS,
    Spell,
    View,
    alias,
    name_variant,
    place_variant,
    title_variant,
)
from sample_data.people import Person
from sample_data.snapshot import NOW, iso
from sample_data.vendors.resume.printed import Contact, Json, printed_range


def affinda(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    """Parser output for this person's resume."""
    chance = stream.random
    full, given, family = name_variant(person, chance)
    style = int(chance() * 7)

    def date(month: int | None) -> str | None:
        if month is None:
            return None
        return f"{iso(month)}-01" + ("T00:00:00.000Z" if style > 4 else "")

    return {
        "name": {
            "raw": full.upper() if chance() < 0.25 else full,
            "first": given,
            "last": family,
            "middle": person.middle or None,
            "title": None,
        },
        "phoneNumbers": [contact.phone] if contact.phone else [],
        "phoneNumberDetails": [],
        "websites": [contact.url] if contact.url and chance() < 0.5 else [],
        "emails": [x for x in (contact.email, contact.second_email) if x],
        "linkedin": contact.url,
        "dateOfBirth": None,
        "location": {
            "formatted": place_variant(person.city, chance),
            "rawInput": place_variant(person.city, chance),
            "city": person.city[0],
            "state": person.city[1],
            "country": person.city[2],
            "countryCode": person.locale.country,
            "postalCode": None,
        },
        "objective": None,
        "summary": person.about or None,
        "totalYearsExperience": person.years,
        "profession": person.jobs[0].title,
        "headShot": None,
        "workExperience": [
            {
                "id": 9436752 + k,
                "jobTitle": title_variant(job.title, chance),
                "organization": company_variant(job.company, chance),
                "location": {
                    "formatted": place_variant(person.city, chance),
                    "city": person.city[0],
                }
                if chance() < 0.5
                else None,
                "dates": {
                    "startDate": date(start),
                    "endDate": date(end)
                    if end is not None
                    else (date(NOW) if chance() < 0.5 else None),
                    "monthsInPosition": ((end if end is not None else NOW) - start)
                    if start is not None
                    else None,
                    "isCurrent": end is None,
                    "rawText": printed_range(Spell(job, start, end, precision), style, chance),
                },
                "jobDescription": " ".join(job.sentences)
                if chance() < 0.4
                else "\n".join(BULLETS[int(chance() * 3)] + sentence for sentence in job.sentences)
                or None,
                "occupation": {
                    "jobTitle": job.title,
                    "jobTitleNormalized": None,
                    "classification": None,
                    "managementLevel": None,
                },
            }
            for k, (job, start, end, precision) in enumerate(view)
        ],
        "education": [
            {
                "organization": study.school,
                "accreditation": {
                    "education": f"{study.degree[0]} {study.field}",
                    "inputStr": study.degree[0],
                    "educationLevel": "bachelors",
                },
                "grade": {"raw": study.grade, "value": study.grade, "metric": "GPA"}
                if study.grade
                else None,
                "location": None,
                "dates": {
                    "startDate": f"{study.start}-01-01",
                    "completionDate": f"{study.end}-01-01",
                    "isCurrent": False,
                    "rawText": f"{study.start}-{study.end}",
                },
            }
            for study in person.studies
        ],
        "skills": [
            {
                "name": alias(skill, chance),
                "type": "hard_skill",
                "lastUsed": "2026-01-01",
                "numberOfMonths": int(chance() * 90),
                "sources": [{"section": "SkillsInterestsLanguages"}],
            }
            for skill in person.skills
        ],
        "certifications": person.certificates,
        "languages": [language[0] for language in person.languages],
        "publications": [],
        "referees": [],
        "sections": [],
        "isResumeProbability": 97,
        "rawText": None,
    }
