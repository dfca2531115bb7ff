"""The jobs of a row, and when two employers may be one company."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from rapidfuzz.distance import OSA

from profiles.models import Position
from profiles.resolution.facts import IdentityPosition
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


def related(employer: str, other: str) -> bool:
    """Return whether two different names may be one company: one adds a division, town or form to
    the other, is its initials, or is one typing error away."""
    return employer[0] == other[0] and _related(employer, other)


@lru_cache(maxsize=65_536)
def _related(employer: str, other: str) -> bool:
    short, long = sorted((employer.split(), other.split()), key=len)
    joined, others = "".join(short), "".join(long)
    if joined == others:
        return True
    begun = ""
    for word in long[:-1]:
        begun += word
        if begun == joined and (len(joined) >= MIN_HEAD or len(short) == 1):
            return True
    if len(short) == 1 and len(joined) > 1 and _initials(long).startswith(joined):
        return True
    return (
        min(len(joined), len(others)) >= MIN_TYPO
        and OSA.distance(joined, others, score_cutoff=1) <= 1
    )
