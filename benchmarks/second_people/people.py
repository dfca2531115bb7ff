"""The true people: names, careers, and keys with the months in which they hold.

A month is `year * 12 + month - 1`. Nothing here knows rows or noise of spelling.
"""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass, field

from benchmarks.second_people.world import lists, rates, zipf

__all__ = ["NOW", "Employer", "Job", "Person", "ascii_form", "make_people"]

NOW = 2026 * 12 + 10
RARE_FAMILY = 0.22


@dataclass(frozen=True)
class Employer:
    index: int
    name: str
    domain: str
    country: str
    town: str
    former: str
    legal: str
    abbreviation: str


@dataclass(frozen=True)
class Job:
    employer: Employer
    titles: list[str]
    start: int
    end: int | None


@dataclass
class Person:
    id: str
    culture: str
    country: str
    given: str
    family: list[str]
    married: tuple[int, str] | None
    field: str
    jobs: list[Job]
    school: str
    degree: str
    graduated: int
    place: list[str]
    mails: list[tuple[int, str]]
    phones: list[tuple[int, str]]
    vanities: list[tuple[int, str]]
    member_id: str
    second_member_id: str | None
    second_vanity: str | None
    taken: set[str] = field(default_factory=set)

    def at(self, values: list[tuple[int, str]], month: int) -> str:
        """Value that holds in the month; the first one before its start."""
        held = [value for start, value in values if start <= month]
        return held[-1] if held else values[0][1]

    def families_at(self, month: int) -> list[str]:
        if self.married and self.married[0] <= month:
            return [self.married[1]]
        return self.family


def ascii_form(text: str) -> str:
    """Lower-case letters a-z of a name, as a mail address shows it."""
    plain = text.translate(str.maketrans({"ı": "i", "ł": "l", "đ": "d", "Đ": "D", "ø": "o"}))
    decomposed = unicodedata.normalize("NFKD", plain.casefold())
    return "".join(letter for letter in decomposed if "a" <= letter <= "z")


def _family(rng: random.Random, culture: dict) -> str:
    if rng.random() < RARE_FAMILY:
        return rng.choice(culture["stems"].split()) + rng.choice(culture["endings"].split())
    return zipf(rng, culture["family"].split())


def _employers(rng: random.Random, count: int) -> list[Employer]:
    world = lists("world")
    cultures = list(lists("names").values())
    pairs = [
        (first, second)
        for first in world["employer_first"].split()
        for second in world["employer_second"].split()
    ]
    made = []
    for index, (first, second) in enumerate(rng.sample(pairs, min(count, len(pairs)))):
        country = rng.choices(cultures, [c["share"] for c in cultures])[0]["country"]
        third = rng.choice(["", "", "Group", "India", "Global", "Solutions", "International"])
        name = " ".join(part for part in (first, second, third) if part)
        made.append(
            Employer(
                index=index,
                name=name,
                domain=f"{first.lower()}{second.lower()}-example.com",
                country=country,
                town=rng.choice(world["places"][country])[0].split("|")[0],
                former=f"{rng.choice(world['employer_first'].split())} {second}",
                legal=rng.choice(world["legal"][country]),
                abbreviation="".join(word[0] for word in name.split())
                if third
                else first[:3].upper() + second[0],
            )
        )
    return made


def _phone(rng: random.Random, country: str) -> str:
    world = lists("world")
    if country == "US":
        return f"+1{rng.choice(world['us_areas'].split())}555{rng.randrange(10_000):04d}"
    digits = "".join(str(rng.randrange(10)) if c == "#" else c for c in world["mobile"][country])
    return world["dial"][country] + digits


class _Keys:
    """Draws of mails, phones and vanity names; mails and phones never repeat."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.used = rng, set[str]()

    def phone(self, country: str) -> str:
        while (number := _phone(self.rng, country)) in self.used:
            continue
        self.used.add(number)
        return number

    def mail(self, given: str, family: str) -> str:
        rng, services = self.rng, lists("world")["mail_services"]
        first, last = ascii_form(given), ascii_form(family)
        while True:
            number = rng.randrange(100, 99_999)
            stem = rng.choice(
                [
                    f"{first}.{last}",
                    f"{first}{last}",
                    f"{first[0]}{last}",
                    f"{last}.{first}",
                    f"{first}_{last[:1]}",
                    f"{first}",
                    rng.choice(["sunny", "coder", "blueriver", "cricket", "mail4", "lucky"]),
                ]
            )
            service = rng.choices(list(services), list(services.values()))[0]
            address = f"{stem}.zq{number}@{service}"
            if address not in self.used:
                self.used.add(address)
                return address

    def vanity(self, given: str, family: str) -> str:
        rng, first, last = self.rng, ascii_form(given), ascii_form(family)
        while True:
            tail = f"{rng.getrandbits(32):08x}"
            name = rng.choices(
                [f"{first}-{last}-{tail}", f"{first}{last}{rng.randrange(1000)}", f"{first}{last}"],
                [6, 3, 1],
            )[0]
            if name not in self.used:
                self.used.add(name)
                return name


def _career(rng: random.Random, field_name: str, home: list[Employer], start: int) -> list[Job]:
    ladder = lists("world")["roles"][field_name]
    jobs: list[Job] = []
    month = start
    while month < NOW - 2 and len(jobs) < 8:
        length = max(7, int(rng.expovariate(1 / 34)))
        # A big employer has many of the people, so that namesakes meet in one.
        employer = home[(int(rng.paretovariate(0.8)) - 1) % len(home)]
        if rng.random() < 0.8:
            employer = rng.choice(home)
        rank = min(2, (month - start) // 60)
        end = month + length
        jobs.append(Job(employer, ladder[rank].split("|"), month, end if end < NOW else None))
        month = end + rng.choice([0, 0, 1, 1, 2, 4, 9])
    return jobs


def make_people(count: int, level: str, seed: int) -> tuple[list[Person], list[Employer]]:
    """People and the employers that they worked for."""
    rng, rate, world = random.Random(f"people-{seed}-{level}"), rates(level), lists("world")
    cultures = lists("names")
    employers = _employers(rng, max(60, min(960, count // 10)))
    by_country = {
        c["country"]: [e for e in employers if e.country == c["country"]] or employers
        for c in cultures.values()
    }
    keys, members = _Keys(rng), rng.sample(range(10_000_000, 990_000_000), 2 * count)
    schools = [
        f"{name} {kind}" for name in world["schools"].split() for kind in world["school_kinds"]
    ]
    people = []
    for index in range(count):
        name = rng.choices(list(cultures), [c["share"] for c in cultures.values()])[0]
        culture = cultures[name]
        given, first = zipf(rng, culture["given"].split()), _family(rng, culture)
        families = [first, _family(rng, culture)] if culture.get("double") else [first]
        country = culture["country"] if rng.random() < 0.88 else rng.choice(["US", "AE", "DE"])
        start = rng.randrange(1996 * 12, 2023 * 12)
        field_name = rng.choice(list(world["roles"]))
        home = by_country[country]
        jobs = _career(rng, field_name, home, start)
        # Work mails need an employer; a change happens in the years that rows can see.
        change = rng.randrange(2016 * 12, 2026 * 12)
        mails, phones = [(0, keys.mail(given, first))], [(0, keys.phone(country))]
        vanities = [(0, keys.vanity(given, first))]
        if rng.random() < rate["mail_changed"]:
            mails.append((change, keys.mail(given, first)))
        if rng.random() < rate["phone_changed"]:
            phones.append((rng.randrange(2016 * 12, NOW), keys.phone(country)))
        if rng.random() < rate["vanity_changed"]:
            vanities.append((rng.randrange(2018 * 12, NOW), keys.vanity(given, first)))
        second = rng.random() < rate["second_account"]
        people.append(
            Person(
                id=f"p{seed}_{index:06d}",
                culture=name,
                country=country,
                given=given,
                family=families,
                married=(change, _family(rng, culture)) if rng.random() < rate["married"] else None,
                field=field_name,
                jobs=jobs,
                school=rng.choice(schools),
                degree=rng.choice(world["degrees"]),
                graduated=start // 12,
                place=rng.choice(world["places"][country])[0].split("|"),
                mails=mails,
                phones=phones,
                vanities=vanities,
                member_id=str(members[2 * index]),
                second_member_id=str(members[2 * index + 1]) if second else None,
                second_vanity=keys.vanity(given, first) if second else None,
            )
        )
    _retake(rng, people, rate["vanity_retaken"])
    return people, employers


def _retake(rng: random.Random, people: list[Person], rate: float) -> None:
    """Let namesakes take some of the vanity names that others gave up, after they did."""
    namesakes: dict[tuple[str, str], list[Person]] = {}
    for person in people:
        namesakes.setdefault((person.given, person.family[0]), []).append(person)
    for group in namesakes.values():
        for person in group:
            others = [other for other in group if other is not person]
            if len(person.vanities) > 1 and others and rng.random() < rate:
                month = person.vanities[1][0] + rng.randrange(3, 24)
                other = rng.choice(others)
                if month < NOW:
                    other.vanities = [*other.vanities[:1], (month, person.vanities[0][1])]
                    other.taken.add(person.vanities[0][1])
