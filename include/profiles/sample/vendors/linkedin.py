"""The six shapes in which LinkedIn profiles are sold or scraped.

Each maker returns the vendor's JSON and the full name as the vendor spells it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import quote

from profiles.sample.companies import company_variant
from profiles.sample.industries import INDUSTRIES
from profiles.sample.names import LOCAL_MONTHS, MONTHS
from profiles.sample.noise import (
    Spell,
    View,
    alias,
    description,
    name_variant,
    place_variant,
    spoil,
    title_variant,
)
from profiles.sample.people import Person
from profiles.sample.snapshot import NOW, Chance, duration, iso, month_year

Json = dict[str, Any]


Maker = Callable[[Person, Random, View, str, str], tuple[Json, str]]
"""From person, stream, view, profile URL and public identifier."""


def _proxycurl_date(month: int | None, precision: str, *, is_end: bool = False) -> Json | None:
    """Year precision is written as 1 January or 31 December."""
    if month is None:
        return None
    year = month // 12
    if precision == "y":
        return {"day": 31 if is_end else 1, "month": 12 if is_end else 1, "year": year}
    return {"day": 28 if is_end else 1, "month": month % 12 + 1, "year": year}


def _proxycurl(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
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


def _devfusion(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    chance = stream.random
    full, given, family = name_variant(person, chance)
    style = int(chance() * 3)

    def date(month: int | None, precision: str) -> str | None:
        if month is None:
            return None
        if precision == "y":
            return str(month // 12)
        forms = (
            f"{month % 12 + 1}-{month // 12}",
            f"{month % 12 + 1:02d}-{month // 12}",
            iso(month),
        )
        return forms[style]

    experience = [
        {
            "companyId": job.company.number,
            "companyUrn": "urn:li:fsd_company:" + job.company.number,
            "companyLink1": f"https://www.linkedin.com/company/{job.company.slug}/",
            "companyName": company_variant(job.company, chance),
            "companySize": job.company.size,
            "companyWebsite": "https://" + job.company.domain,
            "companyIndustry": INDUSTRIES[job.company.industry][1],
            "logo": None,
            "title": title_variant(job.title, chance),
            "jobDescription": spoil(description(job.sentences, chance), chance),
            "jobStartedOn": date(start, precision),
            "jobEndedOn": date(end, precision)
            if end is not None
            else ("" if chance() < 0.3 else None),
            "jobLocation": (
                place_variant(person.city, chance)
                + (" · Remote" if job.remote else " · On-site" if chance() < 0.4 else "")
            ),
            "jobStillWorking": end is None and chance() > 0.06,
            "jobLocationCountry": person.locale.country,
            "employmentType": job.employment,
            "subtitle": None,
            "caption": None,
            "metadata": None,
        }
        for job, start, end, precision in view
    ]
    top: Json = experience[0] if experience else {}
    return {
        "linkedinUrl": url,
        "firstName": given,
        "lastName": family,
        "fullName": full,
        "headline": person.headline,
        "connections": int(chance() * 900),
        "followers": int(chance() * 3000),
        "email": person.email
        if chance() < 0.15
        else (person.work_email if chance() < 0.1 else None),
        "mobileNumber": person.phone if chance() < 0.05 else None,
        "jobTitle": top.get("title"),
        "jobStartedOn": top.get("jobStartedOn"),
        "jobLocation": top.get("jobLocation"),
        "jobStillWorking": top.get("jobStillWorking"),
        "companyName": top.get("companyName"),
        "companyIndustry": top.get("companyIndustry"),
        "companyWebsite": top.get("companyWebsite"),
        "companyLinkedin": top.get("companyLink1"),
        "companyFoundedIn": None,
        "companySize": top.get("companySize"),
        "currentJobDuration": duration(view[0].start, NOW) if view and view[0].start else None,
        "currentJobDurationInYrs": None,
        "topSkillsByEndorsements": ", ".join(skill[0] for skill in person.skills[:3]),
        "addressCountryOnly": person.city[2],
        "addressWithCountry": " ".join(
            (", ".join(part for part in person.city[:2] if part), person.city[2])
        ),
        "addressWithoutCountry": ", ".join(part for part in person.city[:2] if part),
        "profilePic": None,
        "linkedinId": person.member_id,
        "isPremium": False,
        "isJobSeeker": chance() < 0.2,
        "about": spoil(person.about, chance) or None,
        "publicIdentifier": vanity,
        "linkedinPublicUrl": "https://linkedin.com/in/" + vanity,
        "urn": person.urn,
        "birthday": {"day": "", "month": "", "year": ""},
        "experiences": experience,
        "skills": [
            {
                "title": alias(skill, chance),
                "subComponents": [
                    {
                        "description": [
                            {
                                "type": "insightComponent",
                                "text": f"{int(chance() * 60)} endorsements",
                            }
                        ]
                    }
                ]
                if chance() < 0.3
                else [],
            }
            for skill in person.skills
        ]
        if chance() < 0.8
        else [],
        "educations": [
            {
                "companyId": "1",
                "title": study.school,
                "subtitle": f"{study.degree[1]}, {study.field}",
                "period": {"startedOn": {"year": study.start}, "endedOn": {"year": study.end}},
                "caption": f"{study.start} - {study.end}",
            }
            for study in person.studies
        ],
        "licenseAndCertificates": [{"title": certificate} for certificate in person.certificates],
        "languages": [
            {"title": language[0], "caption": language[1].replace("_", " ").title()}
            for language in person.languages
        ],
        "volunteerAndAwards": [],
        "projects": [],
        "publications": [],
        "courses": [],
        "interests": [],
        "recommendations": [],
    }, full


def _harvest(person: Person, stream: Random, view: View, url: str, vanity: str) -> tuple[Json, str]:
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


def _brightdata(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
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


def _pdl(person: Person, stream: Random, view: View, url: str, vanity: str) -> tuple[Json, str]:
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


def _phantom(person: Person, stream: Random, view: View, url: str, vanity: str) -> tuple[Json, str]:
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


MAKERS: tuple[tuple[str, Maker, int], ...] = (
    ("proxycurl", _proxycurl, 24),
    ("apify_dev_fusion", _devfusion, 26),
    ("apify_harvestapi", _harvest, 18),
    ("brightdata", _brightdata, 16),
    ("people_data_labs", _pdl, 9),
    ("phantombuster", _phantom, 7),
)
"""Vendor name, maker, weight."""
