"""Noise that vendors add to the truth: spellings, markup, cut texts, URL forms, jittered dates.

Every function takes one person's stream of random numbers (`chance`); how many it draws is part of
the format.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from sample_data.locales import ALTERNATIVE_CITIES, City
from sample_data.people import Job, Person
from sample_data.snapshot import NOW, Chance

BULLETS = ("• ", "- ", "* ", "✔ ", "➤ ", "– ", "● ", "🔹 ", "1")
NULLS = (None, "", None, "null", "N/A", None, "-", "None", "")


class Spell(NamedTuple):
    """A job as one source states it: unknown start, year precision (`y`) and errors included."""

    job: Job
    start: int | None
    end: int | None
    precision: str


View = Sequence[Spell]
"""The jobs that one source states, newest first."""


def view_of(person: Person, stream: Random, as_of: int) -> list[Spell]:
    """The jobs as one source saw them in month `as_of`: later jobs absent, running ones open."""
    return [
        _spell(job, stream, None if job.end is not None and job.end > as_of else job.end)
        for job in person.jobs
        if job.start <= as_of
    ]


def _spell(job: Job, stream: Random, seen_end: int | None) -> Spell:
    start: int | None = job.start
    end = seen_end
    x = stream.random()
    precision = "m"
    if x < 0.10:
        start = job.start + stream.choice((-3, -2, -1, 1, 2, 3))
    if x < 0.06 and end is not None:
        end += stream.choice((-2, -1, 1, 2))
    if x > 0.93:
        precision = "y"
    elif x > 0.915:
        start = None
    elif x > 0.905 and end is not None:
        start, end = end, start
    elif x > 0.902 and end is not None:
        end = NOW + 6 + int(stream.random() * 24)
    if start is not None and end is not None and end < start and x <= 0.905:
        end = start
    return Spell(job, start, end, precision)


def title_variant(title: str, chance: Chance) -> str:
    """The title shortened, in another case, or with an appendix."""
    x = chance()
    if x < 0.62:
        return title
    if x < 0.74:
        return title.replace("Senior", "Sr.").replace("Manager", "Mgr" if x < 0.66 else "Manager")
    if x < 0.80:
        return title.upper()
    if x < 0.86:
        return (
            title.replace("Senior Software Engineer", "SSE")
            .replace("Software Engineer II", "SDE 2")
            .replace("Software Engineer", "Software Developer")
        )
    if x < 0.91:
        endings = (" (Full-time)", " - Team Lead", " · Contract", " / Individual Contributor")
        return title + endings[int(x * 1000) % 4]
    if x < 0.95:
        return title.lower()
    return title.replace(" ", "  ") + " "


def place_variant(city: City, chance: Chance) -> str:
    """The city alone, with country, or with region and country; sometimes under another name."""
    name, region, country = city
    x = chance()
    others = ALTERNATIVE_CITIES.get(name)
    if others and x < 0.35:
        name = others[int(chance() * len(others))]
    if x > 0.9:
        return name
    parts = (name, region, country) if x < 0.8 else (name, country)
    return ", ".join(part for part in parts if part)


def description(sentences: Sequence[str], chance: Chance) -> str | None:
    """The sentences as prose, as bullets of one of nine kinds, or as bullets run together."""
    for _ in sentences:
        chance()
    if not sentences:
        return None
    x = chance()
    if x < 0.25:
        return " ".join(sentences)
    bullet = BULLETS[int(chance() * len(BULLETS))]
    if bullet == "1":
        return "\n".join(f"{n}. {sentence}" for n, sentence in enumerate(sentences, 1))
    if x < 0.32:
        return "".join(f" {bullet}{sentence}" for sentence in sentences).strip()
    return ("\n\n" if x > 0.92 else "\n").join(bullet + sentence for sentence in sentences)


def spoil(text: str | None, chance: Chance) -> str | None:
    """Free text with markup, entities, odd spaces, a cut, or lost line breaks."""
    if not text:
        return text
    x = chance()
    if x < 0.70:
        return text
    if x < 0.90:
        return _with_markup(text, x)
    if x < 0.93:
        tails = ("… see more", "...see more", "…", " ...show more")
        return text[: max(60, int(len(text) * 0.6))].rstrip() + tails[int(x * 10000) % 4]
    if x < 0.95:
        return f"# Highlights\n{text}\n```\nsee portfolio\n```"
    if x < 0.97:
        return text.replace("\n", "")
    return "🏆 " + text.replace("•", "1️⃣")


def _with_markup(text: str, x: float) -> str:
    if x < 0.76:
        text = text.replace("&", "&amp;").replace("'", "&#39;")
        return text.replace("%", "&#37;") if x < 0.72 else text
    if x < 0.80:
        return "<p>" + text.replace("\n", "</p><p>") + "</p>"
    if x < 0.84:
        return text.replace("\n", "<br>")
    if x < 0.87:
        return "&lt;p&gt;" + text.replace("\n", "&lt;br /&gt;") + "&lt;/p&gt;"
    return text.replace(" ", "\u00a0", 6).replace(". ", ".\u200b ")


def mojibake(text: str) -> str:
    """UTF-8 read as Windows-1252, or as Latin-1 where that is impossible."""
    try:
        return text.encode("utf-8").decode("cp1252")
    except UnicodeDecodeError:
        return text.encode("utf-8").decode("latin-1")


def linkedin_url(vanity: str, chance: Chance, country: str) -> str:
    """One of the fourteen ways in which people and exports write a profile's address."""
    key = quote(vanity, safe="-")
    x = chance()
    if x > 0.93:
        key = key.lower() if key != vanity else key
        address = f"https://www.linkedin.com/in/{vanity if x < 0.96 else key}"
        return address + ("," if x > 0.985 else "")
    lower = country.lower()
    subdomain = lower if country != "US" else "www"
    language = "en" if country == "US" else lower
    tracking = "utm_source=share&utm_campaign=share_via&utm_medium=ios_app"
    forms = (
        (0.30, f"https://www.linkedin.com/in/{key}"),
        (0.48, f"https://www.linkedin.com/in/{key}/"),
        (0.55, f"linkedin.com/in/{key}"),
        (0.65, f"https://{subdomain}.linkedin.com/in/{key}"),
        (0.70, f"http://www.linkedin.com/in/{key}/"),
        (0.76, f"https://www.linkedin.com/in/{key}?originalSubdomain={lower}"),
        (0.82, f"https://www.linkedin.com/in/{key}/?{tracking}"),
        (0.85, f"https://www.linkedin.com/in/{key}/{language}"),
        (0.88, f"https://www.linkedin.com/in/{key}/details/experience/"),
        (0.91, f"www.linkedin.com/in/{key}"),
        (0.93, f"https://m.linkedin.com/in/{key}"),
    )
    for limit, form in forms:
        if x < limit:
            return form
    return f"https://www.linkedin.com/in/{vanity}"


def phone_variant(number: str, chance: Chance, country: str) -> str:
    """An E.164 number as people write it: national, spaced, with extension, with a stray `.0`."""
    if chance() < 0.35:
        return number
    digits = number[1:]
    if country == "IN" or number.startswith("+91"):
        local = digits[2:]
        return (
            f"+91 {local[:5]} {local[5:]}",
            local,
            f"0{local}",
            f"+91-{local}",
            f"91{local}",
            f"(+91) {local}",
            f"{local}.0",
        )[int(chance() * 7)]
    if number.startswith("+1"):
        return _us_phone(digits[1:], chance)
    return (
        f"00{digits}",
        f"{number[:3]} {number[3:6]} {number[6:9]} {number[9:]}",
        f"{number[:3]}-{number[3:]}",
        digits,
    )[int(chance() * 4)]


def _us_phone(local: str, chance: Chance) -> str:
    area, exchange, line = local[:3], local[3:6], local[6:]
    # Drawn before the choice of the form, which does not always use it.
    extension = 10 + int(chance() * 80)
    return (
        f"({area}) {exchange}-{line}",
        f"{area}-{exchange}-{line}",
        f"1{local}",
        f"+1 {area}.{exchange}.{line}",
        local,
        f"{area}-{exchange}-{line} ext. {extension}",
    )[int(chance() * 6)]


def email_variant(address: str, chance: Chance) -> str:
    """The same mailbox in other letters: case, Gmail dots and tags, spaces, `mailto:`."""
    x = chance()
    if x < 0.72:
        return address
    local, domain = address.split("@")
    if x < 0.80:
        return address.title() if x < 0.76 else address.upper()
    if domain in ("gmail.com", "googlemail.com"):
        if x < 0.88:
            return f"{local.replace('.', '', 1)}@{domain}"
        if x < 0.94:
            return f"{local}+jobs@{domain}"
        return f"{local}@{'googlemail.com' if domain == 'gmail.com' else 'gmail.com'}"
    if x < 0.9:
        return f" {address} "
    return f"mailto:{address}" if x < 0.93 else address


def name_variant(person: Person, chance: Chance) -> tuple[str, str, str]:
    """Full, given and family name: native or Latin letters, turned, cut, with titles or emoji."""
    script = 0 if chance() < 0.55 else 1
    given, family = person.given[script], person.family[script]
    if person.locale.family_first and script == 0:
        return family + given, given, family
    x = chance()
    middle = f" {person.middle}" if person.middle and x < 0.5 else ""
    return _dressed(f"{given}{middle} {family}", given, family, x), given, family


def _dressed(full: str, given: str, family: str, x: float) -> str:
    forms = (
        (0.97, full.upper()),
        (0.945, f"{family}, {given}"),
        (0.92, full + (", MBA", ", PMP®", ", PhD", " (He/Him)", ", CFA")[int(x * 10000) % 5]),
        (0.905, f"{given} {family[0]}."),
        (0.895, f"{full} 🚀"),
        (0.885, f"Dr. {full}"),
    )
    for limit, form in forms:
        if x > limit:
            return form
    return full


def alias(skill: tuple[str, ...], chance: Chance) -> str:
    """The skill's canonical name, or one of its names."""
    return skill[0] if chance() < 0.55 else skill[int(chance() * len(skill))]
