"""The jobs of a row, and when two employers may be one company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec
from rapidfuzz.distance import OSA, Prefix

from profiles.models import Position
from profiles.resolution.facts import IdentityPosition
from profiles.resolution.names import is_cut_short
from profiles.resolution.scripts import is_east_asian, reading, without_umlauts
from profiles.standardization.companies import employer_words, former_name
from profiles.standardization.contacts.hosts import site_name
from profiles.standardization.identifiers import is_personal_domain, is_role_mailbox
from profiles.standardization.text import fold
from profiles.standardization.words import labels, words

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
_IN_ENGLISH = words("companies", "english_schools")


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
    jobs = set[tuple[int, str, bool, str]]()
    for position in positions:
        start = position.start
        months_ago, is_precise = 0, False
        if start is not None:
            months_ago, is_precise = -start.first_month, start.month is not None
        for employer in employers_of(position.company):
            jobs.add((months_ago, employer, is_precise, _title(position.title)))
    known = {employer for _, employer, _, _ in jobs} if emails else ()
    for employer in filter(None, map(_employer_of_address, emails)):
        if employer not in known and not any(related(employer, name) for name in known):
            jobs.add((0, employer, False, ""))
    return tuple(
        Spell(employer, -months_ago or None, is_precise, title)
        for months_ago, employer, is_precise, title in sorted(jobs)[:MAX_SPELLS]
    )


@lru_cache(maxsize=65_536)
def _title(title: str | None) -> str:
    """Folded words with the usual short forms written out."""
    if not title:
        return ""
    return without_umlauts(" ".join(_TITLE_WORDS.get(word, word) for word in fold(title).split()))


@lru_cache(maxsize=65_536)
def employers_of(company: str | None) -> tuple[str, ...]:
    """The words of an employer as one text, and those of the name that it had before."""
    if not company:
        return ()
    former = former_name(company)
    names = (company,) if former is None else (company, former)
    return tuple(dict.fromkeys(" ".join(words) for words in map(employer_words, names) if words))


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
    """Blocking keys of an employer: the start of its first word, of two where that is short; of
    three words or more also the start of the last and the initials."""
    words = employer.split()
    head = words[0] if len(words[0]) >= MIN_HEAD or len(words) == 1 else words[0] + words[1]
    head = head[:HEAD]
    return (head,) if len(words) < 3 else (head, words[-1][:HEAD], _initials(words))


def _initials(words: Sequence[str]) -> str:
    return "".join([word[0] for word in words])


History = tuple[dict[str, list[Spell]], frozenset[str], frozenset[str]]
"""The jobs of a row by employer, the employers with a title or start, the words of all titles."""


def history(spells: tuple[Spell, ...]) -> History:
    jobs: dict[str, list[Spell]] = {}
    for spell in spells:
        employer = spell.employer
        if employer in jobs:
            jobs[employer].append(spell)
        else:
            jobs[employer] = [spell]
    listed = frozenset([spell.employer for spell in spells if spell.title or spell.start])
    return jobs, listed, frozenset().union(*[_words(spell.title) for spell in spells])


@lru_cache(maxsize=65_536)
def _words(title: str) -> frozenset[str]:
    """The words of a title; of one written without spaces its characters."""
    if is_east_asian(title):
        return frozenset(title.replace(" ", ""))
    return frozenset(title.split())


def same_title(title: str, other: str) -> bool:
    """Return whether two titles are one apart from added words."""
    words, more = _words(title), _words(other)
    return bool(words and more) and (title == other or word_share(words, more) == 1)


@lru_cache(maxsize=16_384)
def word_share(words: frozenset[str], others: frozenset[str]) -> float:
    """The share of the words of the shorter title that are among those of the other in some form:
    "finance", "financial"; "mgr", "manager"."""
    rest, more = words - others, others - words
    if len(rest) > len(more):
        rest, more = more, rest
    found = sum(
        any(word[0] == other[0] and _is_form(word, other) for other in more) for word in rest
    )
    size = min(len(words), len(others))
    return (size - len(rest) + found) / size


def starts_of(jobs: Mapping[str, Sequence[Spell]]) -> tuple[set[int], set[int]]:
    """The months, as far as known, and the years in which jobs began."""
    starts = [(spell.start, spell.precise) for spells in jobs.values() for spell in spells]
    known = [(start, is_precise) for start, is_precise in starts if start]
    return {start for start, is_precise in known if is_precise}, {start // 12 for start, _ in known}


def related_jobs(
    mine: Mapping[str, list[Spell]], others: Mapping[str, list[Spell]]
) -> list[tuple[list[Spell], list[Spell]]]:
    """The jobs of two rows at employers of different names that may be one company."""
    found = []
    rest = [
        (name[0], name[:MIN_WORD], name[-MIN_WORD:], name) for name in others if name not in mine
    ]
    for name, ours in mine.items():
        if name in others:
            continue
        first, start, end, is_ascii = name[0], name[:MIN_WORD], name[-MIN_WORD:], name.isascii()
        for its_first, its_start, its_end, other in rest:
            # A cheap look leaves out nearly all pairs.
            if (
                first == its_first
                or end == its_end
                or start in other
                or its_start in name
                or is_ascii != other.isascii()
            ) and (related(name, other) or _have_one_job(ours, others[other])):
                found.append((ours, others[other]))
    return found


def _have_one_job(ours: Sequence[Spell], theirs: Sequence[Spell]) -> bool:
    """Return whether two employers whose names begin alike have a job of one title and month:
    "Magalu", "Magazine Luiza"."""
    return ours[0].employer[:MIN_INNER] == theirs[0].employer[:MIN_INNER] and any(
        job.precise and job.start == more.start and same_title(job.title, more.title)
        for job in ours
        for more in theirs
    )


@lru_cache(maxsize=16_384)
def related(employer: str, other: str) -> bool:
    """Return whether two different names may be one company: one adds a division, town or form to
    the other, is its initials, or is one typing error away."""
    short, long = sorted(map(_latin_words, (employer, other)), key=len)
    if not short or not long:
        return False
    joined, others = "".join(short), "".join(long)
    if joined == others or (len(short) > 1 and _are_among(short, long)):
        return True
    if sorted(short) == sorted(long):
        return True
    same = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), 0)
    if same and len(short) - same == 1 and short[-1] == _initials(long[same:]):
        return True
    begun = ""
    for word in long[:-1]:
        begun += word
        if begun == joined and (len(joined) >= MIN_HEAD or len(short) == 1):
            return True
    if joined in long and len(joined) >= MIN_TYPO:
        return True
    if len(short) == 1 and len(joined) > 1 and _initials(long).startswith(joined):
        return True
    return (
        min(len(joined), len(others)) >= MIN_TYPO
        and OSA.distance(joined, others, score_cutoff=1) <= 1
    )


@lru_cache(maxsize=65_536)
def _latin_words(employer: str) -> tuple[str, ...]:
    """The words of an employer in Latin letters, without short ones between others: et, und, of."""
    words = employer.split() if employer.isascii() else [*map(reading, employer.split())]
    inner = [word for word in words[1:-1] if len(word) >= MIN_INNER or not word.isalpha()]
    return tuple(filter(None, [*words[:1], *inner, *words[1:][-1:]]))


def _are_among(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether other words hold the first ones in order, in some form."""
    rest = iter(others)
    return all(any(_is_form(word, other) for other in rest) for word in words)


@lru_cache(maxsize=16_384)
def other_school(school: str, other: str) -> bool:
    """Return whether two names of schools contradict each other: both in English or neither, none
    short for something, and half of the words of one or more without a form in the other."""
    words, others = sorted((_telling(school), _telling(other)), key=len)
    found = sum(any(_is_form(word, own) for own in others) for word in words)
    names = (school.split(), other.split())
    is_one_language = len({_IN_ENGLISH.isdisjoint(name) for name in names}) == 1
    return is_one_language and bool(words) and 2 * found <= len(words)


def _telling(name: str) -> list[str]:
    """The words that tell schools apart, none of a name that is short for something."""
    words = [word for word in name.split() if not word.isdigit()]
    if len(words) == 1 and len(words[0]) <= HEAD and words[0].isascii():
        return []
    long = [word for word in words if len(word) >= MIN_WORD or not word.isascii()]
    return [word for word in long if word not in _IN_ENGLISH]


@lru_cache(maxsize=16_384)
def _is_form(word: str, other: str) -> bool:
    if is_cut_short(word, other) or word.startswith(other) or other.startswith(word):
        return True
    start = Prefix.similarity(word, other)
    return start >= MIN_START and 2 * start > max(len(word), len(other))
