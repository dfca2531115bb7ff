"""Makes invented people on demand.

Person i depends on (seed, i) only, so shards agree with one big run. The order in which a person's
random numbers are drawn is part of the format: drawing one more or in another order changes every
byte that follows for that person.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from random import Random

from sample_data.careers import CAREERS, Career, fill
from sample_data.companies import SCHOOLS, Company, make_companies, slug
from sample_data.industries import INDUSTRIES
from sample_data.locales import CUMULATIVE_WEIGHTS, LOCALE_KEYS, LOCALES, Locale, NamePart
from sample_data.particulars import (
    ATTITUDES,
    CERTIFICATES,
    DEGREES,
    FIELDS,
    LANGUAGES,
    LOCAL_MAILBOXES,
    MAILBOXES,
)
from sample_data.people import Job, Person, Study
from sample_data.snapshot import NOW, Chance

_JOB_COUNTS = tuple(
    accumulate((9, 11, 13, 14, 13, 11, 8.5, 6.5, 4.8, 3.4, 2.3, 1.4, 0.9, 0.6, 0.6))
)
"""Cumulative weights of one, two, three, … jobs."""


def _weighted(cumulative: Sequence[float], chance: Chance) -> int:
    """A position drawn by cumulative weights."""
    x = chance() * cumulative[-1]
    position = 0
    while cumulative[position] < x:
        position += 1
    return position


class Population:
    """All people of a seed, made on demand."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.companies = make_companies(seed)
        self._by_industry: dict[int, list[int]] = {}
        for position, company in enumerate(self.companies):
            self._by_industry.setdefault(company.industry, []).append(position)
        self.recruiters = [
            (f"recruiter{n:02d}@talentdesk-example.com", f"+91800000{1000 + n:04d}")
            for n in range(40)
        ]

    def stream(self, number: int, purpose: int) -> Random:
        """The random numbers of one person for one purpose (0 rows, 1 identity, 2 jobs, 3 rest)."""
        return Random((self.seed << 36) + number * 4 + purpose)

    def person(self, number: int) -> Person:
        """Person `number`, complete."""
        person = self._identity(number)
        stream = self.stream(number, 3)
        chance = stream.random
        career, jobs = self._jobs(number)
        if "twin_of_prev" in person.tags:
            career = self._make_twin(person, jobs)
        x = chance()
        if number and x < 0.003:
            person.email = self._identity(number - 1).email
            person.tags.append("shares_email_with_prev")
        elif number and x < 0.005:
            person.vanity = self._identity(number - 1).vanity
            person.took_vanity = True
            person.tags.append("took_over_prev_vanity")
        person.career, person.jobs = career, jobs
        cities = person.locale.cities
        person.city = cities[int(chance() * len(cities))]
        given, family = person.latin_slugs
        person.work_email = f"{given}.{family}.{number & 0xFFF:x}@{jobs[0].company.domain}"
        person.skills = _skills(career, stream)
        person.studies = _studies(jobs, chance)
        person.certificates = (
            stream.sample(CERTIFICATES, 1 + int(chance() * 2)) if chance() < 0.4 else []
        )
        person.languages = [LANGUAGES[0]] + (
            [LANGUAGES[1 + int(chance() * 7)]] if chance() < 0.6 else []
        )
        person.years = max(1, (NOW - jobs[-1].start) // 12)
        _describe(person, stream)
        return person

    def _identity(self, number: int) -> Person:
        """Name, contacts and ids alone: cheap, and called for neighbours too."""
        stream = self.stream(number, 1)
        chance = stream.random
        key = LOCALE_KEYS[_weighted(CUMULATIVE_WEIGHTS, chance)]
        locale = LOCALES[key]
        given = locale.given[int(chance() * len(locale.given))]
        family = locale.family[int(chance() * len(locale.family))]
        tags = ["twin_of_prev"] if chance() < 0.010 and number else []
        middle = ""
        if key in ("us", "in", "uk") and chance() < 0.18:
            middle = chr(65 + int(chance() * 26)) + "."
        digits = f"{(number * 2654435761 + self.seed) & 0xFFFFF:05x}"
        member_id = str(10**7 + number * 61 + int(chance() * 10**9) % 60)
        email = self._mailbox(number, key, (slug(given[1]), slug(family[1])), digits, stream)
        vanity = _vanity(number, given, family, digits, chance)
        old_vanity = None
        if chance() < 0.045:
            old_vanity = f"{slug(given[1])}-{slug(family[1])}-{number:x}{digits[:2]}"
            tags.append("two_linkedin_urls")
        digest = hashlib.sha1(f"{self.seed}/{number}".encode(), usedforsecurity=False).hexdigest()
        return Person(
            number=number,
            locale_key=key,
            given=given,
            family=family,
            middle=middle,
            email=email,
            phone=self._phone(number, locale),
            vanity=vanity,
            old_vanity=old_vanity,
            member_id=member_id,
            urn="ACoAA" + digest[:34],
            tags=tags,
        )

    def _phone(self, number: int, locale: Locale) -> str:
        return locale.dial(number * 73856093 + 13 + (self.seed % 97) * 101)

    def _mailbox(
        self, number: int, key: str, latin: tuple[str, str], digits: str, stream: Random
    ) -> str:
        domain = stream.choice(MAILBOXES + LOCAL_MAILBOXES.get(key, []))
        separator = stream.choice([".", "", "_", "."])
        given, family = (part.replace("-", "") for part in latin)
        full = stream.random() < 0.8
        local = given + separator + family if full else latin[0][:1] + family
        return f"{local}.zz{number:x}{digits[:2]}@{domain}"

    def _jobs(self, number: int) -> tuple[Career, list[Job]]:
        """The career and the true jobs, newest first."""
        stream = self.stream(number, 2)
        chance = stream.random
        count = _weighted(_JOB_COUNTS, chance) + 1
        career = CAREERS[int(chance() * len(CAREERS))]
        end = None if chance() < 0.82 else NOW - int(chance() * 14) - 1
        level = min(len(career.titles) - 1, max(0, int(count * 0.75 + chance() * 2.2)))
        jobs: list[Job] = []
        company: Company | None = None
        stays = False
        for _ in range(count):
            if company is None or not (stays and chance() < 0.6):
                company = self._employer(career, chance)
            stays = chance() < 0.22
            start = (NOW if end is None else end) - (4 + int(chance() ** 1.6 * 58))
            if start < 1985 * 12:
                break
            jobs.append(_job(career, company, level, (start, end), chance))
            end = _previous_end(start, stays, chance)
            if chance() < 0.62 and level:
                level -= 1
        return career, jobs

    def _employer(self, career: Career, chance: Chance) -> Company:
        industry = career.industries[int(chance() * len(career.industries))]
        pool = self._by_industry.get(industry) or range(len(self.companies))
        return self.companies[pool[int(chance() ** 2.2 * len(pool))]]

    def _make_twin(self, person: Person, jobs: list[Job]) -> Career:
        """Gives the person the name, employer and career of the one before, and nothing else."""
        before = self._identity(person.number - 1)
        career, before_jobs = self._jobs(person.number - 1)
        person.given, person.family = before.given, before.family
        person.locale_key = before.locale_key
        given, family = person.latin_slugs
        person.vanity = f"{given}-{family}-{person.number:07x}"
        person.email = f"{given}.{family}.zz{person.number:x}@gmail.com"
        person.middle = ""
        person.phone = self._phone(person.number, person.locale)
        jobs[0].company, jobs[0].title = before_jobs[0].company, before_jobs[0].title
        return career


def _vanity(number: int, given: NamePart, family: NamePart, digits: str, chance: Chance) -> str:
    """The LinkedIn public identifier, in one of the four forms that LinkedIn gives out."""
    latin = f"{slug(given[1])}-{slug(family[1])}"
    if chance() < 0.38:
        return f"{latin}-{digits[:3]}{number & 0xFFFFFF:06x}"
    if chance() < 0.5:
        return f"{latin.replace('-', '')}{number % 10**6}"
    if given[0] != given[1] and chance() < 0.6:
        native = f"{given[0]}-{family[0]}".lower().replace("’", "").replace(" ", "-")
        return f"{native}-{number:06x}"
    return f"{latin}-{number + 4096:x}"


def _job(
    career: Career, company: Company, level: int, months: tuple[int, int | None], chance: Chance
) -> Job:
    count = 0 if chance() < 0.10 else 3 + int(chance() * 9.2)
    sentences: list[str] = []
    if count and chance() < 0.45:
        sentences.append(career.introductions[int(chance() * len(career.introductions))])
    for _ in range(count):
        opening = fill(career.openings[int(chance() * len(career.openings))], chance)
        endings = career.long_endings if chance() < 0.54 else career.short_endings
        sentences.append(opening + fill(endings[int(chance() * len(endings))], chance))
    employment = "Internship"
    if level > 0:
        employment = "Contract" if chance() < 0.07 else "Full-time"
    return Job(
        company=company,
        title=career.titles[level],
        start=months[0],
        end=months[1],
        sentences=sentences,
        employment=employment,
        remote=chance() < 0.2,
    )


def _previous_end(start: int, stays: bool, chance: Chance) -> int:
    """End of the previous job: at once within an employer, sometimes overlapping, else a gap."""
    if stays:
        end = start
    elif chance() < 0.12:
        end = start + int(chance() * 8) + 1
    else:
        end = start - int(chance() ** 2 * 9) - (0 if chance() < 0.5 else 1)
    return min(end, NOW - 1)


def _skills(career: Career, stream: Random) -> list[tuple[str, ...]]:
    known = list(career.skills)
    stream.shuffle(known)
    skills = known[: 4 + int(stream.random() * min(15, len(known) - 3))]
    if stream.random() < 0.35:
        other = CAREERS[int(stream.random() * len(CAREERS))].skills
        drawn = [other[int(stream.random() * len(other))] for _ in range(2)]
        skills = skills + [skill for skill in drawn if skill not in skills]
    return skills


def _studies(jobs: list[Job], chance: Chance) -> list[Study]:
    """One or two studies around the first job, newest first."""
    first_year = jobs[-1].start // 12
    studies: list[Study] = []
    for position in range(1 if chance() < 0.55 else 2):
        is_first = position == 0
        degree = DEGREES[int(chance() * 5)] if is_first else DEGREES[5 + int(chance() * 4)]
        end = first_year if is_first else first_year + 1 + int(chance() * 5)
        studies.append(
            Study(
                school=SCHOOLS[int(chance() * len(SCHOOLS))],
                degree=degree,
                field=FIELDS[int(chance() * len(FIELDS))],
                start=end - (4 if is_first else 2),
                end=end,
                grade=f"{6 + chance() * 3.6:.1f}" if chance() < 0.3 else None,
            )
        )
    return studies[::-1]


def _describe(person: Person, stream: Random) -> None:
    """Sets headline and about."""
    job, first = person.jobs[0], person.jobs[-1]
    top = [skill[0] for skill in person.skills[:3]]
    if stream.random() < 0.5:
        person.headline = f"{job.title} at {job.company.name}"
    else:
        person.headline = " | ".join([job.title, *top])
    if stream.random() < 0.12:
        return
    proud = (job.sentences or ["building a team that stayed together."])[0]
    industry = INDUSTRIES[job.company.industry][1].lower()
    person.about = " ".join(
        [
            f"{job.title} with {person.years}+ years of experience in {industry}.",
            stream.choice(ATTITUDES),
            f"Hands-on with {', '.join(top)}.",
            stream.choice(
                [
                    f"Previously at {first.company.name}, where I grew from {first.title}.",
                    "Outside work I mentor juniors and run a local reading group.",
                    "Open to relocation and remote roles.",
                    f"Most proud of: {proud}",
                ]
            ),
        ]
    )
