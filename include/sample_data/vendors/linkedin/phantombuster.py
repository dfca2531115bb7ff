"""A LinkedIn profile as of PhantomBuster."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

from sample_data.companies import company_variant
from sample_data.industries import INDUSTRIES
from sample_data.locales import LOCAL_MONTHS
from sample_data.noise import (
    Spell,
    View,
    alias,
    description,
    name_variant,
    place_variant,
    title_variant,
)
from sample_data.people import Person
from sample_data.snapshot import month_year
from sample_data.vendors.linkedin.maker import Json


def phantombuster(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
    chance = stream.random
    full, given, family = name_variant(person, chance)
    language = person.locale.language if chance() < 0.3 else None
    fields: Json = {
        "profileUrl": url,
        "linkedinProfileUrl": "https://www.linkedin.com/in/{}/".format(quote(vanity, safe="-")),
        "linkedinProfileSlug": vanity,
        "linkedinProfileId": person.member_id,
        "linkedinProfileUrn": person.urn,
        "firstName": given,
        "lastName": family,
        "fullName": full,
        "linkedinHeadline": person.headline,
        "location": place_variant(person.city, chance),
        "linkedinDescription": person.about or "",
        "linkedinFollowersCount": str(int(chance() * 900)),
        "linkedinConnectionsCount": "500",
        "connectionDegree": "3rd",
        "professionalEmail": person.work_email if chance() < 0.35 else "",
        "linkedinSkillsLabel": ", ".join(alias(skill, chance) for skill in person.skills),
        "companyIndustry": INDUSTRIES[person.jobs[0].company.industry][1],
        "companyName": view[0].job.company.name if view else "",
        "linkedinCompanyUrl": f"https://www.linkedin.com/company/{view[0].job.company.number}/"
        if view
        else "",
        "refreshedAt": f"2026-10-0{1 + int(chance() * 9)}T10:00:00.000Z",
    }
    prefixes = ("linkedinJob", "linkedinPreviousJob")
    for prefix, spell in zip(prefixes, view, strict=False):
        fields[f"{prefix}Title"] = title_variant(spell.job.title, chance)
        fields[f"{prefix}DateRange"] = _phantom_range(spell, language)
        place = place_variant(person.city, chance) if chance() < 0.6 else ""
        fields[f"{prefix}Location"] = place
        fields[f"{prefix}Description"] = description(spell.job.sentences, chance) or ""
        if prefix == "linkedinPreviousJob":
            fields["previousCompanyName"] = company_variant(spell.job.company, chance)
    study = person.studies[0]
    fields |= {
        "linkedinSchoolName": study.school,
        "linkedinSchoolDegree": f"{study.degree[1]}, {study.field}",
        "linkedinSchoolDateRange": f"{study.start} - {study.end}",
    }
    return fields, full


def _phantom_range(spell: Spell, language: str | None) -> str:
    if spell.start is None:
        return ""
    present = LOCAL_MONTHS[language][1] if language in LOCAL_MONTHS else "Present"

    def date(month: int) -> str:
        return str(month // 12) if spell.precision == "y" else month_year(month, language)

    return f"{date(spell.start)} - {present if spell.end is None else date(spell.end)}"
