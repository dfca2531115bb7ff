"""A LinkedIn profile as of Proxycurl."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.industries import INDUSTRIES
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
from sample_data.vendors.linkedin.maker import Json


def _proxycurl_date(month: int | None, precision: str, *, is_end: bool = False) -> Json | None:
    """Year precision is written as 1 January or 31 December."""
    if month is None:
        return None
    year = month // 12
    if precision == "y":
        return {"day": 31 if is_end else 1, "month": 12 if is_end else 1, "year": year}
    return {"day": 28 if is_end else 1, "month": month % 12 + 1, "year": year}


def proxycurl(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
    chance = stream.random
    full, given, family = name_variant(person, chance)
    experience: list[Json] = []
    for job, start, end, precision in view:
        experience.append(
            {
                "starts_at": _proxycurl_date(start, precision)
                if start is not None
                else ({"day": None, "month": None, "year": None} if chance() < 0.3 else None),
                "ends_at": _proxycurl_date(end, precision, is_end=True),
                "company": company_variant(job.company, chance),
                "company_linkedin_profile_url": "https://www.linkedin.com/company/"
                + job.company.slug
                if chance() < 0.85
                else None,
                "company_facebook_profile_url": None,
                "title": title_variant(job.title, chance),
                "description": spoil(description(job.sentences, chance), chance),
                "location": place_variant(person.city, chance) if chance() < 0.7 else None,
                "logo_url": None,
            }
        )
    return {
        "public_identifier": vanity,
        "profile_pic_url": f"https://s3.us-west-000.example.com/proxycurl/{person.member_id}.jpg?X-Amz-Expires=1800",
        "background_cover_image_url": None,
        "first_name": given,
        "last_name": family,
        "full_name": full,
        "follower_count": int(chance() * 5000),
        "occupation": f"{view[0].job.title} at {view[0].job.company.name}" if view else None,
        "headline": person.headline,
        "summary": spoil(person.about, chance) or None,
        "country": person.locale.country,
        "country_full_name": person.city[2],
        "city": person.city[0],
        "state": person.city[1] or None,
        "industry": INDUSTRIES[person.jobs[0].company.industry][1 if chance() < 0.6 else 0]
        if chance() < 0.5
        else None,
        "experiences": experience,
        "education": [
            {
                "starts_at": {"day": 1, "month": 1, "year": study.start},
                "ends_at": {"day": 31, "month": 12, "year": study.end},
                "field_of_study": study.field,
                "degree_name": study.degree[1],
                "school": study.school,
                "school_linkedin_profile_url": None,
                "school_facebook_profile_url": None,
                "description": None,
                "logo_url": None,
                "grade": study.grade,
                "activities_and_societies": None,
            }
            for study in person.studies
        ],
        "languages": [language[0] for language in person.languages],
        "languages_and_proficiencies": [
            {"name": language[0], "proficiency": language[1]} for language in person.languages
        ],
        "skills": [alias(skill, chance) for skill in person.skills] if chance() < 0.5 else [],
        "accomplishment_organisations": [],
        "accomplishment_publications": [],
        "accomplishment_honors_awards": [],
        "accomplishment_patents": [],
        "accomplishment_courses": [],
        "accomplishment_projects": [],
        "accomplishment_test_scores": [],
        "volunteer_work": [],
        "certifications": [
            {
                "starts_at": {"day": 1, "month": 3, "year": 2021},
                "ends_at": None,
                "name": certificate,
                "license_number": None,
                "display_source": None,
                "authority": certificate.split(" ")[0],
                "url": None,
            }
            for certificate in person.certificates
        ],
        "connections": 500 if chance() < 0.7 else int(chance() * 499),
        "people_also_viewed": [
            {
                "link": f"https://www.linkedin.com/in/someone-else-{int(chance() * 1e6):x}",
                "name": "Someone Else",
                "summary": "Not this person",
                "location": None,
            }
        ]
        if chance() < 0.3
        else [],
        "recommendations": [],
        "activities": [],
        "similarly_named_profiles": [],
        "articles": [],
        "groups": [],
        "personal_emails": [person.email] if chance() < 0.12 else [],
        "personal_numbers": [person.phone] if chance() < 0.06 else [],
        "inferred_salary": None,
        "gender": None,
        "birth_date": None,
        "extra": {"twitter_profile_id": None, "github_profile_id": None}
        if chance() < 0.4
        else None,
    }, full
