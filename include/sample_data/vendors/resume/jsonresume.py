"""A resume as JSON Resume writes it."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.noise import View, alias, name_variant, place_variant, title_variant
from sample_data.people import Person
from sample_data.snapshot import iso
from sample_data.vendors.resume.printed import Contact, Json


def jsonresume(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    """Parser output for this person's resume."""
    chance = stream.random
    full, _, _ = name_variant(person, chance)

    def date(month: int | None, precision: str) -> str | None:
        if month is None:
            return None
        if precision == "y":
            return str(month // 12)
        return iso(month) if chance() < 0.5 else f"{iso(month)}-01"

    work: list[Json] = []
    for job, start, end, precision in view:
        entry: Json = {
            "name" if chance() < 0.7 else "company": company_variant(job.company, chance),
            "position": title_variant(job.title, chance),
            "location": place_variant(person.city, chance),
            "url": "",
            "startDate": date(start, precision) or "",
            "summary": job.sentences[0] if job.sentences else "",
            "highlights": job.sentences[1:],
        }
        if end is not None:
            entry["endDate"] = date(end, precision)
        elif chance() < 0.6:
            entry["endDate"] = stream.choice(["", "Present", "present", None])
        work.append(entry)
    return {
        "basics": {
            "name": full,
            "label": person.headline,
            "image": "",
            "email": contact.email,
            "phone": contact.phone or "",
            "url": "",
            "summary": person.about,
            "location": {
                "address": "",
                "postalCode": "",
                "city": person.city[0],
                "countryCode": person.locale.country,
                "region": person.city[1],
            },
            "profiles": [{"network": "LinkedIn", "username": contact.vanity, "url": contact.url}]
            if contact.url
            else [],
        },
        "work": work,
        "volunteer": [],
        "education": [
            {
                "institution": study.school,
                "url": "",
                "area": study.field,
                "studyType": study.degree[0],
                "startDate": str(study.start),
                "endDate": str(study.end),
                "score": study.grade or "",
                "courses": [],
            }
            for study in person.studies
        ],
        "awards": [],
        "certificates": [
            {"name": certificate, "date": "2021-03-01", "issuer": "", "url": ""}
            for certificate in person.certificates
        ],
        "publications": [],
        "skills": [
            {
                "name": "Skills",
                "level": "",
                "keywords": [alias(skill, chance) for skill in person.skills],
            }
        ]
        if chance() < 0.5
        else [
            {"name": alias(skill, chance), "level": "Master", "keywords": []}
            for skill in person.skills
        ],
        "languages": [
            {"language": language[0], "fluency": language[1]} for language in person.languages
        ],
        "interests": [],
        "references": [],
        "projects": [],
        "meta": {"version": "v1.0.0"},
    }
