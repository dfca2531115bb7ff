"""A LinkedIn profile as of dev_fusion, an actor of Apify."""

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
from sample_data.snapshot import NOW, duration, iso
from sample_data.vendors.linkedin.maker import Json


def dev_fusion(
    person: Person, stream: Random, view: View, url: str, vanity: str
) -> tuple[Json, str]:
    """Their JSON, and the full name as they spell it."""
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
