"""A resume as pyresparser writes it."""

from __future__ import annotations

import re
from random import Random

from sample_data.companies import company_variant
from sample_data.noise import Spell, View, alias, name_variant
from sample_data.people import Person
from sample_data.vendors.resume.printed import Contact, Json, printed_range


def pyresparser(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    """Parser output for this person's resume."""
    chance = stream.random
    full, _, _ = name_variant(person, chance)
    style = int(chance() * 7)
    lines: list[str] = []
    for job, start, end, precision in view:
        lines += [
            company_variant(job.company, chance),
            printed_range(Spell(job, start, end, precision), style, chance),
            job.title,
            person.city[0],
        ] + ["• " + sentence for sentence in job.sentences]
    return {
        "name": full if chance() > 0.1 else full + " Mobile",
        "email": contact.email,
        "mobile_number": re.sub(r"\D", "", contact.phone or "")[:10] or None,
        "skills": sorted(
            {alias(skill, chance).capitalize() for skill in person.skills}
            | {"Technical", "Communication", "C"}
        ),
        "college_name": None if chance() < 0.7 else "None",
        "degree": [f"{study.degree[0]} in {study.field}" for study in person.studies]
        if chance() < 0.5
        else "None",
        "designation": [job.title for job, *_ in view[:2]] if chance() < 0.6 else None,
        "experience": lines,
        "company_names": [job.company.name for job, *_ in view[:3]] if chance() < 0.5 else None,
        "no_of_pages": None,
        "total_experience": float(person.years) if chance() < 0.6 else 0,
    }
