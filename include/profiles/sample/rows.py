"""One person's rows in the four source tables, with the keys that really are that person's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from profiles.sample.companies import Company, company_variant
from profiles.sample.industries import INDUSTRIES
from profiles.sample.noise import (
    NULLS,
    Spell,
    View,
    alias,
    description,
    email_variant,
    linkedin_url,
    mojibake,
    name_variant,
    phone_variant,
    place_variant,
    spoil,
    title_variant,
    view_of,
)
from profiles.sample.people import Person, Population
from profiles.sample.snapshot import NOW, Chance, Row, iso, month_year, timestamp
from profiles.sample.vendors import linkedin, resume

_ROLE_MAILBOXES = ["info", "careers", "hr", "jobs", "contact", "hello", "sales", "admin"]
_SOURCE_SHARES = (("li", 0.85), ("wd", 0.45), ("rs", 0.50), ("lm", 0.40))
_NOTES = [
    None,
    None,
    "",
    "Good comms. Follow up next week",
    "<b>Strong</b> profile &amp; quick joiner",
    "Referred by recruiter01@talentdesk-example.com / +91 80000 01001",
]
_FILE_NAMES = [
    "%s_%s_Resume.pdf",
    "%s %s CV (1).docx",
    "Resume_%s_%s_final_v2.pdf",
    "Naukri_%s%s[5y_0m].pdf",
]
_LEAD_STATES = ["linkedinInviteDone", "emailsSent", "paused", "linkedinInviteAccepted", None]

Maker = TypeVar("Maker")

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(slots=True)
class SourceRow:
    """One row and the truth about it: whose keys it really carries, which traps it shows."""

    table: str
    key: str
    values: Row
    tags: list[str]
    vanities: list[str] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    view: View = ()


@dataclass(slots=True)
class _Pen:
    """Everything a row maker needs: the person, the stream of numbers, the population."""

    person: Person
    stream: Random
    population: Population
    tags: list[str]
    repeat: int = 0

    @property
    def chance(self) -> Chance:
        return self.stream.random

    def key(self, source: str) -> str:
        text = f"{self.population.seed}|{source}|{self.person.number}|{self.repeat}"
        return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()

    def vanity(self, old_share: float) -> str:
        old = self.person.old_vanity
        return old if old and self.chance() < old_share else self.person.vanity


def rows_of(population: Population, number: int) -> tuple[Person, list[SourceRow]]:
    """Person `number` and all rows about that person, one to six."""
    person = population.person(number)
    stream = population.stream(number, 0)
    rows = []
    for source in _sources(stream):
        pen = _Pen(person, stream, population, list(person.tags), repeat=int(source[2:] == "2"))
        rows.append(_MAKERS[source[:2]](pen))
    return person, rows


def _sources(stream: Random) -> list[str]:
    plan = [name for name, share in _SOURCE_SHARES if stream.random() < share]
    if not plan:
        plan = [stream.choice(["li", "rs", "wd"])]
    if stream.random() < 0.05 and "li" in plan:
        plan.append("li2")
    if stream.random() < 0.08 and "rs" in plan:
        plan.append("rs2")
    return plan


def canonical_mailbox(address: str) -> str:
    """The address as the truth file writes it: lower case, Gmail dots and tags off."""
    local, domain = address.lower().strip().replace("mailto:", "").split("@")
    local = local.split("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        return local.replace(".", "") + "@gmail.com"
    return f"{local}@{domain}"


def _pick(makers: Sequence[tuple[str, Maker, int]], x: float) -> tuple[str, Maker]:
    """The vendor at x in [0, 1), by weight."""
    x *= sum(weight for _, _, weight in makers)
    for name, make, weight in makers:
        if x < weight:
            return name, make
        x -= weight
    return makers[-1][:2]


def _linkedin(pen: _Pen) -> SourceRow:
    person, stream, chance = pen.person, pen.stream, pen.chance
    as_of = NOW - int(chance() ** 2 * 24)
    view = view_of(person, stream, as_of)
    vendor, make = _pick(linkedin.MAKERS, chance())
    vanity = person.old_vanity if person.old_vanity and pen.repeat else person.vanity
    url = linkedin_url(vanity, chance, person.locale.country)
    raw, full_name = make(person, stream, view, url, vanity)
    text = _encode(raw)
    if chance() < 0.008:
        text = _encode(text)
        pen.tags.append("double_encoded")
    key = pen.key("li")
    return SourceRow(
        table="linkedin_profiles",
        key=key,
        values=(
            key,
            vendor,
            vanity if chance() > 0.1 else None,
            url,
            person.member_id if chance() < 0.6 else None,
            full_name,
            text,
            timestamp(as_of, chance),
        ),
        tags=pen.tags,
        vanities=[vanity.lower()],
        emails=[canonical_mailbox(m) for m in (person.email, person.work_email) if m in text],
        phones=[person.phone] if person.phone in text else [],
        view=view,
    )


def _weekday(pen: _Pen) -> SourceRow:
    person, stream, chance = pen.person, pen.stream, pen.chance
    as_of = NOW - int(chance() ** 1.3 * 30)
    view = view_of(person, stream, as_of)
    names = name_variant(person, chance)
    mailbox = person.email if chance() < 0.93 else person.work_email
    email = email_variant(mailbox, chance) if chance() < 0.97 else _null(chance)
    country = person.locale.country
    phone = phone_variant(person.phone, chance, country) if chance() < 0.85 else _null(chance)
    phones = [person.phone] if phone and len(phone) > 6 else []
    if chance() < 0.02:
        phone, phones = stream.choice(pen.population.recruiters)[1], []
        pen.tags.append("recruiter_phone")
    vanity = pen.vanity(0.6)
    url = linkedin_url(vanity, chance, country) if chance() < 0.8 else _null(chance)
    skills = [alias(skill, chance) for skill in person.skills]
    style = chance()
    skill_text = _weekday_skills(skills, style, chance)
    work = _weekday_work(view, style, pen)
    studies = "; ".join(f"{s.degree[0]}, {s.school} ({s.end})" for s in person.studies)
    if chance() < 0.03:
        full, given, family = (mojibake(name) for name in names)
        names, work = (full, given, family), mojibake(work)
        pen.tags.append("mojibake")
    pay = 3 + chance() * 60
    key = pen.key("wd")
    work_email = email_variant(person.work_email, chance) if chance() < 0.1 else None
    values: Row = (
        key,
        *names,
        email,
        work_email,
        phone,
        url,
        f"https://files.weekday-example.com/r/{key}.pdf" if chance() < 0.6 else None,
        title_variant(view[0].job.title, chance) if view else None,
        company_variant(view[0].job.company, chance) if view else None,
        place_variant(person.city, chance),
        *_weekday_figures(person.years, pay, stream),
        skill_text,
        work,
        studies,
        stream.choice(_NOTES),
        stream.choice(["weekday_outreach", "inbound", "referral", None]),
        timestamp(as_of, chance),
        timestamp(min(NOW, as_of + int(chance() * 4)), chance),
    )
    emails = [canonical_mailbox(mailbox)] if email and "@" in email else []
    if person.work_email in (work_email or "").lower():
        emails.append(canonical_mailbox(person.work_email))
    vanities = [vanity.lower()] if url and "linkedin" in url else []
    return SourceRow("weekday_candidates", key, values, pen.tags, vanities, emails, phones, view)


def _weekday_figures(years: int, pay: float, stream: Random) -> tuple[str | None, ...]:
    """Years of experience, notice period, current and expected pay."""
    months, more = int(stream.random() * 11), stream.random()
    return (
        stream.choice(
            [str(years), f"{years} years", f"{years} yrs {months} mos", f"{years + more:.1f}", None]
        ),
        stream.choice(["30", "60", "90", "Immediate", "15 days", "serving notice", None, ""]),
        stream.choice(
            [f"{pay:.1f} LPA", str(int(pay * 100000)), f"INR {pay:.2f} lakhs", None, "0", "N/A"]
        ),
        stream.choice([f"{pay * 1.3:.0f} LPA", None, "Negotiable"]),
    )


def _null(chance: Chance) -> str | None:
    return NULLS[int(chance() * len(NULLS))]


def _weekday_skills(skills: list[str], x: float, chance: Chance) -> str | None:
    """Skills as one of the six texts an export column holds."""
    if x < 0.5:
        return ", ".join(skills)
    if x < 0.72:
        return _encode(skills)
    if x < 0.80:
        return "|".join(skills)
    if x < 0.9:
        return _encode([{"name": skill, "years": int(chance() * 9)} for skill in skills])
    return _encode(_encode(skills)) if x < 0.95 else _null(chance)


def _weekday_work(view: View, x: float, pen: _Pen) -> str:
    """Work history as JSON text, sometimes broken by escapes, or as one line per job."""
    chance = pen.chance
    jobs = [_weekday_job(spell, x, chance) for spell in view]
    if chance() < 0.9:
        text = _encode(jobs)
    else:
        text = "\n".join(
            f"{job['title']} @ {job['company']} ({job['start'] or '?'} - {job['end']})"
            for job in jobs
        )
    if chance() < 0.004:
        text = text.replace('description":"', 'description":"\\u0000', 1)
        pen.tags.append("nul_escape")
    if chance() < 0.004:
        text = text.replace('description":"', 'description":"\\ud83d ', 1)
        pen.tags.append("lone_surrogate")
    return text


def _weekday_job(spell: Spell, x: float, chance: Chance) -> dict[str, str | int | None]:
    job, start, end, _ = spell

    def date(month: int) -> str:
        return iso(month) if x < 0.5 else month_year(month)

    first: str | int | None = None
    if start is not None:
        first = _epoch_milliseconds(start) if x > 0.85 else date(start)
    return {
        "company": company_variant(job.company, chance),
        "title": title_variant(job.title, chance),
        "start": first,
        "end": "Present" if end is None else date(end),
        "description": (spoil(description(job.sentences, chance), chance) or "")[
            : 320 if chance() < 0.4 else 4000
        ],
    }


def _epoch_milliseconds(month: int) -> int:
    return int(((month // 12 - 1970) * 365.2425 + (month % 12) * 30.44) * 86400000)


def _resume(pen: _Pen) -> SourceRow:
    person, stream, chance = pen.person, pen.stream, pen.chance
    as_of = NOW - int(chance() ** 1.1 * 60) - (14 if pen.repeat else 0)
    view = view_of(person, stream, as_of) or view_of(person, stream, NOW)
    parser, make = _pick(resume.MAKERS, chance())
    email = email_variant(person.email, chance) if chance() < 0.92 else None
    country = person.locale.country
    phone = phone_variant(person.phone, chance, country) if chance() < 0.85 else None
    vanity = pen.vanity(0.5)
    url = linkedin_url(vanity, chance, country) if chance() < 0.55 else None
    emails = [canonical_mailbox(person.email)] if email else []
    phones = [person.phone] if phone else []
    if chance() < 0.015:
        email, phone = stream.choice(pen.population.recruiters)
        emails, phones = [], []
        pen.tags.append("recruiter_contact")
    elif chance() < 0.008:
        email, emails = "careers@" + person.jobs[0].company.domain, []
        pen.tags.append("role_mailbox")
    second_email = person.work_email if chance() < 0.08 else None
    contact = resume.Contact(email, second_email, phone, url, vanity)
    text = _encode(make(person, stream, view, contact))
    key = pen.key("rs")
    if second_email and second_email in text:
        emails.append(canonical_mailbox(second_email))
    if parser == "pyresparser" and phone and len(re.sub(r"\D", "", phone)) > 10:
        phones = []
    if chance() < 0.006:
        text = _encode(text)
        pen.tags.append("double_encoded")
    file_name = stream.choice(_FILE_NAMES) % (person.given[1], person.family[1])
    return SourceRow(
        table="parsed_resumes",
        key=key,
        values=(
            key,
            parser,
            file_name,
            email if chance() < 0.7 else None,
            text,
            None,
            timestamp(as_of, chance),
        ),
        tags=pen.tags,
        vanities=[vanity.lower()] if url and parser != "pyresparser" else [],
        emails=emails,
        phones=phones,
        view=view,
    )


def _lead(pen: _Pen) -> SourceRow:
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
        _encode(fields),
        timestamp(as_of, chance),
    )
    return SourceRow("lemlist_leads", key, values, pen.tags, vanities, emails, phones, view)


def _listed(items: list[str]) -> str:
    return ", ".join(items)


def _lead_domain(company: Company, chance: Chance) -> str | None:
    if chance() < 0.7:
        return company.domain
    return f"www.{company.domain}" if chance() < 0.5 else None


def _lead_mailbox(pen: _Pen, company: Company) -> tuple[str | None, list[str]]:
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


def _lead_phone(pen: _Pen, company: Company) -> tuple[str | None, list[str]]:
    if pen.chance() >= 0.18:
        return None, []
    if pen.chance() < 0.3:
        pen.tags.append("company_switchboard")
        return f"+1 (415) 555-{int(company.number) % 10000:04d}", []
    number = pen.person.phone
    return phone_variant(number, pen.chance, pen.person.locale.country), [number]


def _lead_url(pen: _Pen) -> tuple[str, list[str]]:
    person = pen.person
    vanity = pen.vanity(0.6)
    url = linkedin_url(vanity, pen.chance, person.locale.country) if pen.chance() < 0.85 else ""
    is_plain = not person.took_vanity and "two_linkedin_urls" not in pen.tags
    if is_plain and pen.chance() < 0.02 and url:
        pen.tags.append("urn_url")
        return f"https://www.linkedin.com/in/{person.urn}", []
    return url, [vanity.lower()] if url else []


def _lead_fields(pen: _Pen, given: str, company: Company, view: View) -> dict[str, object]:
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


_MAKERS: dict[str, Callable[[_Pen], SourceRow]] = {
    "li": _linkedin,
    "wd": _weekday,
    "rs": _resume,
    "lm": _lead,
}
