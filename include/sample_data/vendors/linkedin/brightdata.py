"""A LinkedIn profile as of Bright Data."""

from __future__ import annotations

from random import Random

from sample_data.locales import LOCAL_MONTHS
from sample_data.noise import (
    Spell,
    View,
    description,
    name_variant,
    place_variant,
    title_variant,
)
from sample_data.people import Person
from sample_data.snapshot import NOW, Chance, duration, month_year
from sample_data.vendors.linkedin.maker import Json


def _brightdata_spell(spell: Spell, language: str | None, chance: Chance) -> Json:
    """One position; its plain description lost the line breaks, so sentences are glued."""
    job, start, end, precision = spell
    present = LOCAL_MONTHS[language][1] if language in LOCAL_MONTHS else "Present"

    def date(month: int | None) -> str | None:
        if month is None:
            return None
        return str(month // 12) if precision == "y" else month_year(month, language)

    first, last = date(start), (date(end) if end is not None else present)
    span = _long_duration(start, NOW if end is None else end) if start is not None else None
    text = description(job.sentences, chance)
    return {
        "title": title_variant(job.title, chance),
        "description": text.replace("\n", "") if text else None,
        "description_html": _brightdata_html(text) if text else None,
        "duration": f"{first} - {last}{' ' + span if span else ''}",
        "start_date": first,
        "end_date": last,
        "duration_short": span,
    }


def _brightdata_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("\n", "<br>") + " <!---->"


def _long_duration(first: int, last: int) -> str:
    """`3 years 4 months`; a lone month stays `1 month`."""
    words = duration(first, last).replace("yrs", "years").replace("yr", "year")
    return words.replace("mos", "months").replace("mo", "month").replace("monthnth", "month")


def _by_employer(view: View) -> list[list[Spell]]:
    """Neighbouring spells at the same employer, together."""
    groups: list[list[Spell]] = []
    for spell in view:
        if groups and groups[-1][0].job.company is spell.job.company:
            groups[-1].append(spell)
        else:
            groups.append([spell])
    return groups


def _brightdata_group(
    group: list[Spell], person: Person, language: str | None, chance: Chance
) -> Json:
    company = group[0].job.company
    site = f"https://{person.locale.country.lower()}.linkedin.com"
    entry: Json = {
        "company": company.name,
        "company_id": company.slug,
        "url": f"{site}/company/{company.slug}?trk=public_profile_experience-item",
        "company_logo_url": None,
        "location": place_variant(person.city, chance) if chance() < 0.6 else None,
    }
    if len(group) == 1:
        return entry | _brightdata_spell(group[0], language, chance)
    positions = [_brightdata_spell(spell, language, chance) for spell in group]
    return entry | {
        "title": company.name,
        "duration": f"{max(1, len(group) * 2)} years",
        "description_html": None,
        "positions": [
            position | {"subtitle": company.name, "meta": position["duration"]}
            for position in positions
        ],
    }


def _brightdata_employer(person: Person, view: View) -> Json:
    if not view:
        return {
            "current_company": None,
            "current_company_name": None,
            "current_company_company_id": None,
        }
    company = view[0].job.company
    page = f"https://www.linkedin.com/company/{company.slug}"
    return {
        "current_company": {
            "link": f"{page}?trk=public_profile_topcard-current-company",
            "name": company.name,
            "company_id": company.slug,
            "title": person.headline,
        },
        "current_company_name": company.name,
        "current_company_company_id": company.slug,
    }


def brightdata(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
    chance = stream.random
    full, given, family = name_variant(person, chance)
    language = person.locale.language if chance() < 0.35 else None
    experience = [
        _brightdata_group(group, person, language, chance) for group in _by_employer(view)
    ]
    return {
        "input": {"url": url},
        "id": vanity,
        "linkedin_id": vanity,
        "linkedin_num_id": person.member_id,
        "name": full,
        "first_name": given,
        "last_name": family,
        "city": ", ".join(part for part in person.city if part)
        if chance() > 0.03
        else "Contact Info",
        "country_code": person.locale.country,
        "position": person.headline,
        "about": (person.about or "").replace(". ", ".<br><br>", 1) or None,
        **_brightdata_employer(person, view),
        "experience": experience or None,
        "url": url,
        "input_url": url,
        "people_also_viewed": [
            {
                "profile_link": f"https://in.linkedin.com/in/other-{int(chance() * 1e6):x}"
                "?trk=public_profile_browsemap",
                "name": "Other Person",
                "about": "someone else",
                "location": None,
            }
        ],
        "education": [
            {
                "title": study.school,
                "degree": study.degree[1],
                "field": study.field,
                "start_year": str(study.start),
                "end_year": str(study.end),
                "url": None,
                "description": None,
            }
            for study in person.studies
        ]
        or None,
        "educations_details": person.studies[0].school if person.studies else None,
        "certifications": [
            {"title": certificate, "meta": "Issued Mar 2021See credential"}
            for certificate in person.certificates
        ]
        or None,
        "languages": [
            {"title": language[0], "subtitle": language[1].replace("_", " ").lower()}
            for language in person.languages
        ],
        "avatar": None,
        "followers": int(chance() * 2000),
        "connections": int(chance() * 500),
        "location": None,
        "honors_and_awards": None,
        "timestamp": f"2026-{1 + int(chance() * 10):02d}-1{int(chance() * 10)}T16:16:46.585Z",
    }, full
