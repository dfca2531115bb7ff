"""A LinkedIn profile as of People Data Labs."""

from __future__ import annotations

import hashlib
from random import Random

from sample_data.industries import INDUSTRIES
from sample_data.noise import View, alias, description, place_variant
from sample_data.people import Person
from sample_data.snapshot import iso
from sample_data.vendors.linkedin.maker import Json


def people_data_labs(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
    chance = stream.random
    given, family = person.given[1].lower(), person.family[1].lower()

    def date(month: int | None, precision: str) -> str | None:
        if month is None:
            return None
        return str(month // 12) if precision == "y" else iso(month)

    experience = [
        {
            "company": {
                "name": job.company.name.lower(),
                "size": job.company.size,
                "id": job.company.slug,
                "founded": None,
                "industry": INDUSTRIES[job.company.industry][0].lower().replace("&", "and"),
                "location": None,
                "linkedin_url": "linkedin.com/company/" + job.company.slug,
                "linkedin_id": job.company.number,
                "website": job.company.domain,
                "ticker": None,
            },
            "start_date": date(start, precision),
            "end_date": date(end, precision),
            "title": {
                "name": job.title.lower(),
                "raw": [job.title],
                "role": None,
                "sub_role": None,
                "levels": [],
            },
            "location_names": [place_variant(person.city, chance).lower()],
            "is_primary": k == 0,
            "summary": description(job.sentences, chance) if chance() < 0.5 else None,
        }
        for k, (job, start, end, precision) in enumerate(view)
    ]
    return {
        "id": hashlib.sha1(vanity.encode(), usedforsecurity=False).hexdigest()[:22] + "_0000",
        "full_name": given + " " + family,
        "first_name": given,
        "middle_initial": person.middle[:1].lower() or None,
        "middle_name": None,
        "last_initial": family[:1],
        "last_name": family,
        "sex": None,
        "birth_year": None,
        "birth_date": None,
        "linkedin_url": "linkedin.com/in/" + vanity,
        "linkedin_username": vanity,
        "linkedin_id": person.member_id,
        "headline": person.headline.lower(),
        "work_email": person.work_email if chance() < 0.4 else None,
        "personal_emails": [person.email] if chance() < 0.4 else [],
        "emails": [{"address": person.email, "type": "personal"}] if chance() < 0.3 else [],
        "recommended_personal_email": None,
        "mobile_phone": person.phone if chance() < 0.25 else None,
        "phone_numbers": [person.phone] if chance() < 0.2 else [],
        "industry": INDUSTRIES[person.jobs[0].company.industry][0].lower().replace("&", "and"),
        "job_title": view[0].job.title.lower() if view else None,
        "job_title_levels": [],
        "job_company_name": view[0].job.company.name.lower() if view else None,
        "job_company_website": view[0].job.company.domain if view else None,
        "job_start_date": date(view[0].start, view[0].precision) if view else None,
        "job_last_updated": f"2026-0{1 + int(chance() * 9)}-01",
        "location_name": ", ".join(part for part in person.city if part).lower(),
        "location_locality": person.city[0].lower(),
        "location_region": person.city[1].lower(),
        "location_country": person.city[2].lower(),
        "inferred_years_experience": person.years,
        "summary": person.about or None,
        "skills": [alias(skill, chance).lower() for skill in person.skills],
        "interests": [],
        "experience": experience,
        "education": [
            {
                "school": {"name": study.school.lower(), "type": None},
                "start_date": str(study.start),
                "end_date": str(study.end),
                "degrees": [study.degree[1].split(" - ")[0].lower()],
                "majors": [study.field.lower()],
                "minors": [],
                "gpa": float(study.grade) if study.grade else None,
                "raw": [],
            }
            for study in person.studies
        ],
        "profiles": [
            {
                "network": "linkedin",
                "id": person.member_id,
                "url": "linkedin.com/in/" + vanity,
                "username": vanity,
            }
        ],
        "certifications": [
            {
                "name": certificate.lower(),
                "organization": None,
                "start_date": None,
                "end_date": None,
            }
            for certificate in person.certificates
        ],
        "languages": [
            {"name": language[0].lower(), "proficiency": None} for language in person.languages
        ],
        "dataset_version": "29.1",
    }, f"{person.given[1]} {person.family[1]}"
