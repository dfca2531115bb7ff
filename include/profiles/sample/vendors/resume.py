"""The five shapes that resume parsers write."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from profiles.sample.companies import company_variant
from profiles.sample.names import LONG_MONTHS, MONTHS
from profiles.sample.noise import (
    BULLETS,
    Spell,
    View,
    alias,
    name_variant,
    place_variant,
    title_variant,
)
from profiles.sample.people import Person
from profiles.sample.snapshot import NOW, TODAY, Chance, iso

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contact:
    """The contact lines printed on a resume; `vanity` is the profile its LinkedIn link names."""

    email: str | None
    second_email: str | None
    phone: str | None
    url: str | None
    vanity: str


Maker = Callable[[Person, Random, View, Contact], Json]


def _date(month: int | None, precision: str, style: int) -> str | None:
    """A date in one of the seven styles of printed resumes; year precision is the year alone."""
    if month is None:
        return None
    year, number = month // 12, month % 12 + 1
    if precision == "y":
        return str(year)
    return (
        f"{MONTHS[number - 1]} {year}",
        f"{number:02d}/{year}",
        f"{LONG_MONTHS[number - 1]} {year}",
        f"{MONTHS[number - 1]} '{year % 100:02d}",
        f"{year}/{number:02d}",
        f"{number:02d}.{year}",
        f"{'Sept' if number == 9 else MONTHS[number - 1]}, {year}",
    )[style]


def _range(spell: Spell, style: int, chance: Chance) -> str:
    first = _date(spell.start, spell.precision, style)
    last = (
        _PRESENT[int(chance() * 7)]
        if spell.end is None
        else _date(spell.end, spell.precision, style)
    )
    if first is None:
        return last or ""
    return first + (" - ", " – ", "-", " to ", " — ")[int(chance() * 5)] + (last or "")


_PRESENT = ("Present", "present", "Current", "till date", "Now", "to date", "PRESENT")


def _jsonresume(person: Person, stream: Random, view: View, contact: Contact) -> Json:
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


def _openresume(person: Person, stream: Random, view: View, contact: Contact) -> Json:
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
                "date": _range(Spell(job, start, end, precision), style, chance),
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


def _affinda(person: Person, stream: Random, view: View, contact: Contact) -> Json:
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
                    "rawText": _range(Spell(job, start, end, precision), style, chance),
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


def _textkernel(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    chance = stream.random
    full, given, family = name_variant(person, chance)

    def date(month: int | None, precision: str, *, is_open: bool = False) -> Json | None:
        """A TxDate: missing parts are filled with 01 and flagged as not found."""
        if is_open:
            text = f"{TODAY[0]}-{TODAY[1]}-01"
        elif month is None:
            return None
        else:
            text = f"{iso(month)}-01" if precision == "m" else f"{month // 12}-01-01"
        return {
            "Date": text,
            "IsCurrentDate": is_open,
            "FoundYear": not is_open,
            "FoundMonth": not is_open and precision == "m",
            "FoundDay": False,
        }

    return {
        "ResumeData": {
            "ContactInformation": {
                "CandidateName": {
                    "FormattedName": full,
                    "GivenName": given,
                    "MiddleName": person.middle or None,
                    "FamilyName": family,
                },
                "Telephones": [
                    {
                        "Raw": contact.phone,
                        "Normalized": None,
                        "InternationalCountryCode": None,
                        "SubscriberNumber": None,
                    }
                ]
                if contact.phone
                else [],
                "EmailAddresses": [x for x in (contact.email, contact.second_email) if x],
                "Location": {
                    "CountryCode": person.locale.country,
                    "Regions": [person.city[1]],
                    "Municipality": person.city[0],
                },
                "WebAddresses": [{"Address": contact.url, "Type": "LinkedIn"}]
                if contact.url
                else [],
            },
            "ProfessionalSummary": person.about or None,
            "Objective": None,
            "EmploymentHistory": {
                "ExperienceSummary": {"MonthsOfWorkExperience": person.years * 12},
                "Positions": [
                    {
                        "Id": f"POS-{k + 1}",
                        "Employer": {
                            "Name": {
                                "Probability": "VeryConfident",
                                "Raw": company_variant(job.company, chance),
                                "Normalized": job.company.name,
                            },
                            "Location": None,
                        },
                        "IsSelfEmployed": False,
                        "IsCurrent": end is None,
                        "JobTitle": {
                            "Raw": title_variant(job.title, chance),
                            "Normalized": job.title,
                        },
                        "StartDate": date(start, precision),
                        "EndDate": date(end, precision, is_open=end is None),
                        "JobType": "directHire",
                        "Description": "\n".join("* " + sentence for sentence in job.sentences),
                        "Bullets": [
                            {"Type": "bullet", "Text": sentence} for sentence in job.sentences
                        ]
                        if chance() < 0.3
                        else None,
                    }
                    for k, (job, start, end, precision) in enumerate(view)
                ],
            },
            "Education": {
                "EducationDetails": [
                    {
                        "Id": f"DEG-{k + 1}",
                        "SchoolName": {"Raw": study.school, "Normalized": None},
                        "Degree": {
                            "Name": {
                                "Raw": study.degree[0],
                                "Normalized": study.degree[1].split(" - ")[0],
                            },
                            "Type": "bachelors",
                        },
                        "Majors": [study.field],
                        "GPA": {"Score": study.grade} if study.grade else None,
                        "EndDate": {
                            "Date": f"{study.end}-01-01",
                            "IsCurrentDate": False,
                            "FoundYear": True,
                            "FoundMonth": False,
                            "FoundDay": False,
                        },
                        "Graduated": {"Value": True},
                    }
                    for k, study in enumerate(person.studies)
                ]
            },
            "Skills": {
                "Raw": [
                    {
                        "Name": alias(skill, chance),
                        "MonthsExperience": {"Value": int(chance() * 80)},
                        "LastUsed": {"Value": "2026-01-01"},
                    }
                    for skill in person.skills
                ]
            },
            "Certifications": [{"Name": certificate} for certificate in person.certificates],
            "LanguageCompetencies": [
                {"Language": language[0], "LanguageCode": "en"} for language in person.languages
            ],
            "ResumeMetadata": {"DocumentLanguage": "en"},
        }
    }


def _pyres(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    chance = stream.random
    full, _, _ = name_variant(person, chance)
    style = int(chance() * 7)
    lines: list[str] = []
    for job, start, end, precision in view:
        lines += [
            company_variant(job.company, chance),
            _range(Spell(job, start, end, precision), style, chance),
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


MAKERS: tuple[tuple[str, Maker, int], ...] = (
    ("jsonresume", _jsonresume, 18),
    ("openresume", _openresume, 18),
    ("affinda", _affinda, 26),
    ("textkernel", _textkernel, 22),
    ("pyresparser", _pyres, 16),
)
"""Parser name, maker, weight."""
