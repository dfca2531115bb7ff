"""Leads of an outreach tool: a contact inside one campaign, with what enrichment added."""

from __future__ import annotations

from sample_data.companies import Company, company_variant
from sample_data.industries import INDUSTRIES
from sample_data.noise import (
    Spell,
    View,
    alias,
    description,
    linkedin_url,
    name_variant,
    phone_variant,
    place_variant,
    title_variant,
    view_of,
)
from sample_data.pen import Pen, SourceRow, canonical_mailbox, encode
from sample_data.snapshot import NOW, Chance, Row, timestamp

_ROLE_MAILBOXES = ["info", "careers", "hr", "jobs", "contact", "hello", "sales", "admin"]
_LEAD_STATES = ["linkedinInviteDone", "emailsSent", "paused", "linkedinInviteAccepted", None]


def make_row(pen: Pen) -> SourceRow:
    """The person's row in `lemlist_leads`."""
    person, stream, chance = pen.person, pen.stream, pen.chance
    as_of = NOW - int(chance() ** 1.4 * 20)
    view = view_of(person, stream, as_of)
    _, given, family = name_variant(person, chance)
    job = view[0].job if view else person.jobs[0]
    company = job.company
    email, emails = _lead_mailbox(pen, company)
    phone, phones = _lead_phone(pen, company)
    url, vanities = _lead_url(pen)
    if chance() < 0.02:
        family = family[:1] + "."
    fields = _lead_fields(pen, given, company, view)
    key = "lea_" + pen.key("lm")[:17]
    sales_url = f"https://www.linkedin.com/sales/lead/{person.urn},NAME_SEARCH,a1B2"
    values: Row = (
        key,
        "ctc_" + key[4:],
        email,
        given if chance() > 0.03 else given.upper(),
        family,
        f"{given} {family}" if chance() < 0.7 else None,
        company_variant(company, chance),
        _lead_domain(company, chance),
        title_variant(job.title, chance),
        phone,
        url,
        sales_url if chance() < 0.2 else None,
        place_variant(person.city, chance),
        INDUSTRIES[company.industry][1 if chance() < 0.5 else 0],
        person.headline,
        person.about if chance() < 0.4 else None,
        _listed([alias(s, chance) for s in person.skills]) if chance() < 0.4 else None,
        _listed([language for language, _ in person.languages]) if chance() < 0.3 else None,
        stream.choice(["Europe/Paris", "America/New_York", "Asia/Kolkata", None]),
        f"cam_{int(chance() * 40):05d}",
        f"Outbound Q{1 + int(chance() * 4)} – {person.career.titles[2]}",
        stream.choice(_LEAD_STATES),
        "f" if chance() > 0.05 else "t",
        f"Hi {{{{firstName}}}}, saw your work at {company.name} 👋" if chance() < 0.5 else None,
        encode(fields),
        timestamp(as_of, chance),
    )
    return SourceRow("lemlist_leads", key, values, pen.tags, vanities, emails, phones, view)


def _listed(items: list[str]) -> str:
    return ", ".join(items)


def _lead_domain(company: Company, chance: Chance) -> str | None:
    if chance() < 0.7:
        return company.domain
    return f"www.{company.domain}" if chance() < 0.5 else None


def _lead_mailbox(pen: Pen, company: Company) -> tuple[str | None, list[str]]:
    person, x = pen.person, pen.chance()
    email: str | None = None
    if x < 0.45:
        email = person.work_email if company is person.jobs[0].company else None
    elif x < 0.72:
        email = person.email
    if pen.chance() < 0.012:
        pen.tags.append("role_mailbox")
        return f"{pen.stream.choice(_ROLE_MAILBOXES)}@{company.domain}", []
    return email, [canonical_mailbox(email)] if email else []


def _lead_phone(pen: Pen, company: Company) -> tuple[str | None, list[str]]:
    if pen.chance() >= 0.18:
        return None, []
    if pen.chance() < 0.3:
        pen.tags.append("company_switchboard")
        return f"+1 (415) 555-{int(company.number) % 10000:04d}", []
    number = pen.person.phone
    return phone_variant(number, pen.chance, pen.person.locale.country), [number]


def _lead_url(pen: Pen) -> tuple[str, list[str]]:
    person = pen.person
    vanity = pen.vanity(0.6)
    url = linkedin_url(vanity, pen.chance, person.locale.country) if pen.chance() < 0.85 else ""
    is_plain = not person.took_vanity and "two_linkedin_urls" not in pen.tags
    if is_plain and pen.chance() < 0.02 and url:
        pen.tags.append("urn_url")
        return f"https://www.linkedin.com/in/{person.urn}", []
    return url, [vanity.lower()] if url else []


def _lead_fields(pen: Pen, given: str, company: Company, view: View) -> dict[str, object]:
    chance = pen.chance
    return {
        "cleanFirstName": given,
        "seniority": pen.stream.choice([None, "Senior", "Manager"]),
        "companySize": company.size,
        "companyIndustry": INDUSTRIES[company.industry][1 if chance() < 0.5 else 0],
        "companyLinkedinUrl": company.linkedin_url,
        "companyWebsite": f"https://www.{company.domain}",
        "yearsOfExperience": str(pen.person.years),
        "positionGroups": (
            [_position_group(spell, chance) for spell in view] if chance() < 0.5 else []
        ),
    }


def _position_group(spell: Spell, chance: Chance) -> dict[str, object]:
    job, start, end, _ = spell
    dates = {"start": _lead_date(start), "end": _lead_date(end)}
    text = description(job.sentences, chance) if chance() < 0.5 else None
    position = {
        "title": job.title,
        "description": text,
        "companyName": job.company.name,
        "date": dates,
    }
    return {
        "company": {"name": job.company.name, "linkedinUrl": job.company.linkedin_url},
        "date": dates,
        "profilePositions": [position],
    }


def _lead_date(month: int | None) -> dict[str, int]:
    return {} if month is None else {"month": month % 12 + 1, "year": month // 12}
