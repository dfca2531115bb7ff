"""A resume as OpenResume writes it."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.noise import Spell, View, alias, name_variant, place_variant, title_variant
from sample_data.people import Person
from sample_data.vendors.resume.printed import Contact, Json, printed_range


def openresume(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    """Parser output for this person's resume."""
    chance = stream.random
    full, _, _ = name_variant(person, chance)
    style = int(chance() * 7)
    return {
        "profile": {
            "name": full,
            "email": contact.email or "",
            "phone": contact.phone or "",
            "summary": person.about,
            "location": place_variant(person.city, chance),
            "portfolioLink": "",
            "linkedinLink": contact.url or "",
            "githubLink": "",
        },
        "workExperiences": [
            {
                "company": company_variant(job.company, chance),
                "jobTitle": title_variant(job.title, chance),
                "date": printed_range(Spell(job, start, end, precision), style, chance),
                "descriptions": [sentence for sentence in job.sentences if chance() > 0.08],
            }
            for job, start, end, precision in view
        ],
        "educations": [
            {
                "school": study.school,
                "degree": f"{study.degree[0]} in {study.field}",
                "date": f"{study.start} - {study.end}",
                "gpa": study.grade or "",
                "descriptions": [],
            }
            for study in person.studies
        ],
        "projects": [],
        "skills": {
            "featuredSkills": [
                {"skill": alias(skill, chance), "rating": 4} for skill in person.skills[:6]
            ]
            + [{"skill": "", "rating": 4}],
            "descriptions": [
                "Skills: " + ", ".join(alias(skill, chance) for skill in person.skills)
            ],
        },
        "custom": {"descriptions": person.certificates},
    }
