"""A resume as Textkernel writes it."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.noise import View, alias, name_variant, title_variant
from sample_data.people import Person
from sample_data.snapshot import TODAY, iso
from sample_data.vendors.resume.printed import Contact, Json


def textkernel(person: Person, stream: Random, view: View, contact: Contact) -> Json:
    """Parser output for this person's resume."""
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
