"""One person's rows in the four source tables, with the keys that really are that person's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from sample_data.noise import email_variant, linkedin_url, phone_variant, view_of
from sample_data.pen import Pen, SourceRow, canonical_mailbox, encode
from sample_data.people import Person
from sample_data.population import Population
from sample_data.snapshot import NOW, timestamp
from sample_data.vendors import lemlist, linkedin, resume, weekday

_SOURCE_SHARES = (("li", 0.85), ("wd", 0.45), ("rs", 0.50), ("lm", 0.40))
_FILE_NAMES = [
    "%s_%s_Resume.pdf",
    "%s %s CV (1).docx",
    "Resume_%s_%s_final_v2.pdf",
    "Naukri_%s%s[5y_0m].pdf",
]
Maker = TypeVar("Maker")


def rows_of(population: Population, number: int) -> tuple[Person, list[SourceRow]]:
    """Person `number` and all rows about that person, one to six."""
    person = population.person(number)
    stream = population.stream(number, 0)
    rows = []
    for source in _sources(stream):
        pen = Pen(person, stream, population, list(person.tags), repeat=int(source[2:] == "2"))
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


def _pick(makers: Sequence[tuple[str, Maker, int]], x: float) -> tuple[str, Maker]:
    """The vendor at x in [0, 1), by weight."""
    x *= sum(weight for _, _, weight in makers)
    for name, make, weight in makers:
        if x < weight:
            return name, make
        x -= weight
    return makers[-1][:2]


def _linkedin(pen: Pen) -> SourceRow:
    person, stream, chance = pen.person, pen.stream, pen.chance
    as_of = NOW - int(chance() ** 2 * 24)
    view = view_of(person, stream, as_of)
    vendor, make = _pick(linkedin.MAKERS, chance())
    vanity = person.old_vanity if person.old_vanity and pen.repeat else person.vanity
    url = linkedin_url(vanity, chance, person.locale.country)
    raw, full_name = make(person, stream, view, url, vanity)
    text = encode(raw)
    if chance() < 0.008:
        text = encode(text)
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


def _resume(pen: Pen) -> SourceRow:
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
    text = encode(make(person, stream, view, contact))
    key = pen.key("rs")
    if second_email and second_email in text:
        emails.append(canonical_mailbox(second_email))
    if parser == "pyresparser" and phone and len(re.sub(r"\D", "", phone)) > 10:
        phones = []
    if chance() < 0.006:
        text = encode(text)
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


_MAKERS: dict[str, Callable[[Pen], SourceRow]] = {
    "li": _linkedin,
    "wd": weekday.make_row,
    "rs": _resume,
    "lm": lemlist.make_row,
}
