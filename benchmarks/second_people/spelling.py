"""Wording of a name, an employer, a title and a date, with the kinds of noise it used."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass, field

from benchmarks.second_people.people import Employer, Person, ascii_form
from benchmarks.second_people.world import lists

__all__ = ["ShownName", "employer_wording", "show_name"]

NEIGHBOURS = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        "snxfrghjoklknbpowedyicecux",
        strict=True,
    )
)


@dataclass
class ShownName:
    first: str
    last: str
    full: str
    kinds: set[str] = field(default_factory=set)
    given_readable: bool = True
    family_readable: bool = True


def _strip_marks(text: str) -> str:
    plain = text.translate(str.maketrans({"ı": "i", "ł": "l", "đ": "d", "Đ": "D"}))
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _typo(rng: random.Random, word: str) -> str:
    if len(word) < 3:
        return word + word[-1]
    place = rng.randrange(1, len(word))
    kind = rng.randrange(4)
    if kind == 0:
        return word[:place] + word[place + 1 :]
    if kind == 1:
        return word[:place] + word[place] + word[place:]
    if kind == 2 and place < len(word) - 1 and word[place] != word[place + 1]:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    letter = word[place].lower()
    return word[:place] + NEIGHBOURS.get(letter, "e" if letter != "e" else "r") + word[place + 1 :]


def _other(rng: random.Random, table: str, word: str) -> str | None:
    forms = lists("variants")[table].get(word)
    return rng.choice(forms.split()) if forms else None


def _respell(
    rng: random.Random, given: str, families: list[str], rate: dict[str, float], kinds: set[str]
) -> tuple[str, list[str]]:
    """Other forms, spellings and typing errors of the name's words."""
    words = [given, *families]
    nickname = _other(rng, "nicknames", given)
    if nickname and rng.random() < rate["nickname"]:
        words[0] = nickname
        kinds.add("nickname")
    for place in (0, 1):
        spelled = _other(rng, "transliterations", words[place])
        if spelled and rng.random() < rate["transliteration"]:
            words[place] = spelled
            kinds.add("transliteration")
    if rng.random() < rate["typo"]:
        place = rng.randrange(2)
        words[place] = _typo(rng, words[place])
        kinds.add("typo")
    if rng.random() < rate["diacritics_lost"]:
        plain = [_strip_marks(word) for word in words]
        if plain != words:
            words = plain
            kinds.add("diacritics_lost")
    return words[0], words[1:]


def show_name(
    rng: random.Random, person: Person, month: int, rate: dict[str, float], *, lead: bool
) -> ShownName:
    """The person's name as one row writes it in that month."""
    kinds: set[str] = set()
    families = list(person.families_at(month))
    if families != person.family:
        kinds.add("married")
    if len(families) > 1 and rng.random() < rate["second_family"]:
        families.pop(0 if rng.random() < 0.15 else 1)
        kinds.add("second_family")
    given, families = _respell(rng, person.given, families, rate, kinds)
    family, given_ok, family_ok = " ".join(families), True, True
    if rng.random() < rate["initial_given"]:
        given, given_ok = given[0] + rng.choice(["", "."]), False
        kinds.add("initial_given")
    if rng.random() < rate["initial_family"] * (2 if lead else 1):
        family, family_ok = family[0] + rng.choice(["", "."]), False
        kinds.add("initial_family")
    elif rng.random() < rate["middle_initial"]:
        given = f"{given} {rng.choice('ABDKMRS')}."
        kinds.add("middle_initial")
    scripts = lists("variants")["scripts"]
    if not kinds and given in scripts and rng.random() < 3 * rate["other_script"]:
        given, family = scripts[given], scripts.get(family, family)
        kinds.add("other_script")
    return _assemble(rng, person, rate, ShownName(given, family, "", kinds, given_ok, family_ok))


def _assemble(
    rng: random.Random, person: Person, rate: dict[str, float], name: ShownName
) -> ShownName:
    family_first = bool(lists("names")[person.culture].get("order")) and rng.random() < 0.3
    if rng.random() < rate["swapped"] or family_first:
        name.kinds.add("swapped")
        name.first, name.last = name.last, name.first
    name.full = f"{name.first} {name.last}"
    if rng.random() < rate["title_in_name"]:
        name.kinds.add("title_in_name")
        variants = lists("variants")
        if rng.random() < 0.4:
            name.full = f"{rng.choice(variants['titles_before'])} {name.full}"
        else:
            suffix = rng.choice(variants["titles_after"])
            name.full += suffix
            name.last += suffix
    if rng.random() < 0.06:
        name.full = name.full.upper() if rng.random() < 0.5 else name.full.lower()
    return name


def employer_wording(rng: random.Random, employer: Employer, own: bool) -> tuple[str, str]:
    """Name of the employer and the kind of wording; `own`: as the employer writes it."""
    if own:
        return employer.name, ""
    division = rng.choice(lists("world")["divisions"])
    wordings = {
        "employer_legal": f"{employer.name} {employer.legal}",
        "employer_division": rng.choice(
            [f"{employer.name} - {division}", f"{employer.name} {division}"]
        ),
        "employer_town": rng.choice(
            [f"{employer.name}, {employer.town}", f"{employer.name} ({employer.town})"]
        ),
        "employer_abbreviation": employer.abbreviation,
        "employer_former": rng.choice(
            [employer.former, f"{employer.name} (formerly {employer.former})"]
        ),
        "employer_spelling": rng.choice(
            [
                employer.name.replace(" ", ""),
                employer.name.upper(),
                _typo(rng, employer.name),
                ascii_form(employer.name.split()[0]),
            ]
        ),
    }
    kind = rng.choices(list(wordings), [30, 18, 18, 8, 8, 18])[0]
    return wordings[kind], kind
