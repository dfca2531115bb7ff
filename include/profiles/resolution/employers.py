"""The jobs of a row, and when two employers may be one company."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from rapidfuzz.distance import OSA, Prefix

from profiles.models import Position
from profiles.resolution.facts import IdentityPosition
from profiles.resolution.scripts import is_east_asian, reading
from profiles.standardization.companies import employer_words, former_name
from profiles.standardization.contacts.hosts import site_name
from profiles.standardization.identifiers import is_personal_domain, is_role_mailbox
from profiles.standardization.text import fold
from profiles.standardization.words import labels

MAX_SPELLS = 24
MIN_HEAD = 4
HEAD = 6
"""Letters of a head: "corvellesteel" meets "corvelle steel"."""
MIN_TYPO = 6
MIN_WORD = 4
"""Letters of a word that tells institutions apart: "the", "de" and "of" do not."""
MIN_START = 5
"""Letters that two forms of a word begin with: "universidad", "universitat"."""
MIN_INNER = 3
RESERVED_NAME = "example"
"""RFC 2606: nobody's domain."""

_TITLE_WORDS = labels("titles", "long")


class Spell(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One job: words of the employer, first month of its start (months since year 0), folded title.

    `precise` tells a known month from a known year.
    """

    employer: str
    start: int | None
    precise: bool
    title: str


def spells_of(
    positions: Sequence[IdentityPosition | Position], emails: Sequence[str] = ()
) -> tuple[Spell, ...]:
    """The jobs of a row, newest first, each once; an address at work tells of one more."""
    spells = set[Spell]()
    for position in positions:
        start = position.start
        for employer in employers_of(position.company):
            month = None if start is None else start.first_month
            is_precise = start is not None and start.month is not None
            spells.add(Spell(employer, month, is_precise, _title(position.title)))
    known = {spell.employer for spell in spells} if emails else ()
    for employer in filter(None, map(_employer_of_address, emails)):
        if employer not in known and not any(related(employer, name) for name in known):
            spells.add(Spell(employer, None, False, ""))
    if len(spells) < 2:
        return tuple(spells)
    return tuple(sorted(spells, key=_newest_first)[:MAX_SPELLS])


def _newest_first(spell: Spell) -> tuple[int, str, bool, str]:
    return (-(spell.start or 0), spell.employer, spell.precise, spell.title)


@lru_cache(maxsize=65_536)
def _title(title: str | None) -> str:
    """Folded words with the usual short forms written out."""
    if not title:
        return ""
    return " ".join(_TITLE_WORDS.get(word, word) for word in fold(title).split())


@lru_cache(maxsize=65_536)
def employers_of(company: str | None) -> tuple[str, ...]:
    """The words of an employer as one text, and those of the name that it had before."""
    if not company:
        return ()
    former = former_name(company)
    names = (company,) if former is None else (company, former)
    return tuple(dict.fromkeys(" ".join(words) for words in map(employer_words, names) if words))


@lru_cache(maxsize=65_536)
def _employer_of_address(email: str) -> str | None:
    """The name in a domain that is nobody's mail service: "nordaxi" of ada@nordaxi-bank.com."""
    if is_personal_domain(email) or is_role_mailbox(email):
        return None
    name = site_name(email.rpartition("@")[2])
    if name == RESERVED_NAME:
        return None
    first = name.partition("-")[0]
    return fold(first if len(first) >= MIN_HEAD else name.replace("-", "")) or None


@lru_cache(maxsize=65_536)
def heads(employer: str) -> tuple[str, ...]:
    """Blocking keys of an employer: the start of its first word, of two where that is short;
    its initials."""
    words = employer.split()
    head = words[0] if len(words[0]) >= MIN_HEAD or len(words) == 1 else words[0] + words[1]
    head = head[:HEAD]
    return (head,) if len(words) < 3 else (head, _initials(words))


def _initials(words: Sequence[str]) -> str:
    return "".join([word[0] for word in words])


History = tuple[dict[str, list[Spell]], set[str]]
"""The jobs of a row by employer, and the words of all their titles."""


@lru_cache(maxsize=2)
def history(spells: tuple[Spell, ...]) -> History:
    """The pairs of a row come one after the other."""
    jobs: dict[str, list[Spell]] = {}
    for spell in spells:
        employer = spell.employer
        if employer in jobs:
            jobs[employer].append(spell)
        else:
            jobs[employer] = [spell]
    return jobs, set().union(*[_words(spell.title) for spell in spells])


@lru_cache(maxsize=65_536)
def _words(title: str) -> frozenset[str]:
    """The words of a title; of one written without spaces its characters."""
    if is_east_asian(title):
        return frozenset(title.replace(" ", ""))
    return frozenset(title.split())


def same_title(title: str, other: str) -> bool:
    """Return whether two titles are one apart from added words."""
    words, more = _words(title), _words(other)
    return bool(words and more) and (title == other or words <= more or more <= words)


def related(employer: str, other: str) -> bool:
    """Return whether two different names may be one company: one adds a division, town or form to
    the other, is its initials, or is one typing error away."""
    # A cheap first look leaves out nearly all pairs.
    return (
        employer[0] == other[0]
        or employer.isascii() != other.isascii()
        or employer.endswith(other)
        or other.endswith(employer)
    ) and _related(employer, other)


@lru_cache(maxsize=65_536)
def _related(employer: str, other: str) -> bool:
    short, long = sorted(map(_latin_words, (employer, other)), key=len)
    if not short or not long:
        return False
    joined, others = "".join(short), "".join(long)
    if joined == others or (len(short) > 1 and short == long[-len(short) :]):
        return True
    same = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), 0)
    if same and len(short) - same == 1 and short[-1] == _initials(long[same:]):
        return True
    begun = ""
    for word in long[:-1]:
        begun += word
        if begun == joined and (len(joined) >= MIN_HEAD or len(short) == 1):
            return True
    if len(short) == 1 and len(joined) > 1 and _initials(long).startswith(joined):
        return True
    if len(short) == len(long) > 1 and all(map(_is_short_form, short, long)):
        return True
    return (
        min(len(joined), len(others)) >= MIN_TYPO
        and OSA.distance(joined, others, score_cutoff=1) <= 1
    )


def _latin_words(employer: str) -> list[str]:
    """The words of an employer in Latin letters, without short ones between others: et, und, of."""
    words = employer.split() if employer.isascii() else [*map(reading, employer.split())]
    inner = [word for word in words[1:-1] if len(word) >= MIN_INNER or not word.isalpha()]
    return [*filter(None, [*words[:1], *inner, *words[1:][-1:]])]


def _is_short_form(word: str, other: str) -> bool:
    """Return whether one word is the other cut short: "hosp", "hospital"."""
    short, long = sorted((word, other), key=len)
    return short == long or (len(short) >= MIN_WORD and long.startswith(short))


@lru_cache(maxsize=65_536)
def alike(school: str, other: str) -> bool:
    """Return whether the telling words of one name are, in order, among those of the other, cut
    short or in a related language: such names neither agree nor contradict each other."""
    short, long = sorted((_telling(school), _telling(other)), key=len)
    rest = iter(long)
    return all(any(_is_form(word, candidate) for candidate in rest) for word in short)


def _telling(name: str) -> list[str]:
    words = name.split()
    return [word for word in words if len(word) >= MIN_WORD or not word.isascii()] or words


def _is_form(word: str, other: str) -> bool:
    if _is_short_form(word, other) or word.startswith(other) or other.startswith(word):
        return True
    start = Prefix.similarity(word, other)
    return start >= MIN_START and 2 * start > max(len(word), len(other))
