"""Rows of a recruiting tool's export: everything is text, in whatever form somebody typed it."""

from __future__ import annotations

from random import Random

from sample_data.companies import company_variant
from sample_data.noise import (
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
from sample_data.pen import Pen, SourceRow, canonical_mailbox, encode
from sample_data.snapshot import NOW, Chance, Row, iso, month_year, timestamp

_NOTES = [
    None,
    None,
    "",
    "Good comms. Follow up next week",
    "<b>Strong</b> profile &amp; quick joiner",
    "Referred by recruiter01@talentdesk-example.com / +91 80000 01001",
]


def make_row(pen: Pen) -> SourceRow:
    """The person's row in `weekday_candidates`."""
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
        return encode(skills)
    if x < 0.80:
        return "|".join(skills)
    if x < 0.9:
        return encode([{"name": skill, "years": int(chance() * 9)} for skill in skills])
    return encode(encode(skills)) if x < 0.95 else _null(chance)


def _weekday_work(view: View, x: float, pen: Pen) -> str:
    """Work history as JSON text, sometimes broken by escapes, or as one line per job."""
    chance = pen.chance
    jobs = [_weekday_job(spell, x, chance) for spell in view]
    if chance() < 0.9:
        text = encode(jobs)
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
