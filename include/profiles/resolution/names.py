"""Comparison of two names of people, word by word, and the phonetic keys to look a name up by.

A word meets another when they are equal, when one is the other's initial, when both are forms of
one name (a nickname, a transliteration, the same consonants, one cut short) or when they are a
typing error apart. The tables of forms are data of kept packages: `nicknames` (English,
Apache-2.0) and `name-variants` (romanisations of eighteen languages, MIT).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache

import msgspec
from name_variants import ALL_TABLES
from nicknames import name_triplets
from rapidfuzz.distance import OSA

from profiles.resolution.scripts import (
    is_east_asian,
    latin_words,
    name_words,
    reading,
    readings,
    scripts,
    without_umlauts,
)
from profiles.standardization.text import fold

_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("\\A[ae]l(?=[dghkmnqrstwyz])", ""), ("\\A[aeo]i", "e"), ("ph", "f"), ("[sc]h|sz", "s"),
        ("ck|q|c(?![eiy])", "k"), ("x", "ks"), ("w", "v"),
        ("[kgtdb]h", lambda found: found[0][0]), ("[cz]", "s"), ("(?<=.)[aeiouyjh]+", ""),
        (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
MIN_SOUND = 3
"""Consonants that two forms of one name share at least: of fewer, too many names are made."""
MIN_SHORT = 3
CUT_SHORT = 4
LONG_WORD = 8


class NameVerdict(StrEnum):
    """Result of comparing two names.

    LOOSE agrees by an initial or lacks a part, FORM by forms of one name, TYPO but for a typing
    error. GIVEN and FAMILY agree in that part alone; where the given names begin alike, as those of
    a nickname often do, it is ALIKE. UNKNOWN means a missing name or scripts that cannot be
    compared.
    """

    FULL = "full"
    LOOSE = "loose"
    FORM = "form"
    TYPO = "typo"
    UNKNOWN = "unknown"
    GIVEN = "given"
    ALIKE = "alike"
    FAMILY = "family"
    DISAGREE = "disagree"


class NameMatch(msgspec.Struct, frozen=True):
    """The verdict, and the words that agree in pairs: forms of one name, and typing errors."""

    verdict: NameVerdict
    shared: tuple[tuple[str, str], ...] = ()
    typos: tuple[tuple[str, str], ...] = ()


AGREEING = frozenset({NameVerdict.FULL, NameVerdict.LOOSE, NameVerdict.FORM, NameVerdict.TYPO})


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """The consonants of a word, those alike that transliterations confuse: lakshmi, laxmi."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


@cache
def _nicknames() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for full, _, short in name_triplets():
        table.setdefault(without_umlauts(short), set()).add(without_umlauts(full))
    return {short: frozenset(names) for short, names in table.items()}


@cache
def _romanisations() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for language, names in ALL_TABLES.items():
        for native, entry in names.items():
            for form in entry["forms"]:
                table.setdefault(without_umlauts(fold(form)), set()).add(f"{language} {native}")
    return {form: frozenset(names) for form, names in table.items()}


@lru_cache(maxsize=65_536)
def full_names(word: str) -> frozenset[str]:
    """The given names that a word is short for, itself among them."""
    return _nicknames().get(word, frozenset()) | {word}


def given_words(words: Sequence[str]) -> tuple[str, ...]:
    """The sounds of the given names that the first word may stand for, its own first."""
    own = sound(words[0])
    others = {sound(name) for name in full_names(words[0])} - {own}
    return (own, *sorted(others, key=lambda heard: (-len(heard), heard)))


@lru_cache(maxsize=65_536)
def given_initials(word: str) -> tuple[str, ...]:
    """The initials of the given names that a word may stand for: "bill" → ("b", "r", "w")."""
    return tuple(sorted({name[0] for name in full_names(word)}))


def compare_names(a: str | None, b: str | None) -> NameMatch:
    """Compare two names; symmetric."""
    if not a or not b:
        return _UNKNOWN
    return _compare_names(a, b) if a <= b else _compare_names(b, a)


@lru_cache(maxsize=16_384)
def _compare_names(a: str, b: str) -> NameMatch:
    ours, theirs = latin_words(a), latin_words(b)
    if not ours or not theirs:
        return _UNKNOWN
    if not (a.isascii() or b.isascii()) and scripts(a) & scripts(b):
        mine, others = "".join(name_words(a)), "".join(name_words(b))
        if is_east_asian(mine) and is_east_asian(others):
            # Many names sound alike: only their characters tell them apart.
            is_same = sorted(mine) == sorted(others) or _is_part(a, b) or _is_part(b, a)
            return NameMatch(NameVerdict.FULL, _long(ours)) if is_same else _DISAGREE
    if sorted(ours) == sorted(theirs):
        return NameMatch(NameVerdict.FULL, _long(ours))
    if "".join(ours) == "".join(theirs):
        return NameMatch(NameVerdict.FULL, _long(max(ours, theirs, key=len)))
    found = _matched(*sorted((name_words(a), name_words(b)), key=lambda found: (len(found), found)))
    if scripts(a) & scripts(b):
        return found
    if found.verdict not in AGREEING:
        return _UNKNOWN
    # All words in another script: no form of the name, the name itself.
    is_whole = len(found.shared) == len(ours) == len(theirs)
    return NameMatch(NameVerdict.FULL, found.shared) if is_whole else found


_UNKNOWN, _DISAGREE = NameMatch(NameVerdict.UNKNOWN), NameMatch(NameVerdict.DISAGREE)


def _is_part(name: str, other: str) -> bool:
    """Return whether a name of three characters or more stands beside something else."""
    return len(name) >= MIN_SHORT and fold(name) in fold(other).split()


def _long(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, word) for word in words if len(word) > 1)


def _matched(shorter: tuple[str, ...], longer: tuple[str, ...]) -> NameMatch:
    """Pairs every word of the shorter name with one of the longer, the closest first."""
    pairs = sorted(
        (rank, n, m)
        for n, word in enumerate(shorter)
        for m, other in enumerate(longer)
        if (rank := _rank(word, other)) is not None
    )
    partner: dict[int, tuple[int, int]] = {}
    taken: set[int] = set()
    for rank, n, m in pairs:
        if n not in partner and m not in taken:
            partner[n] = (rank, m)
            taken.add(m)
    ranks = [rank for rank, _ in partner.values()]
    shared, typos = (
        tuple(
            (reading(shorter[n]), reading(longer[m]))
            for n, (rank, m) in sorted(partner.items())
            if rank in wanted
        )
        for wanted in ((_SAME, _FORM), (_TYPO,))
    )
    if len(partner) == len(shorter) and any(rank <= _TYPO for rank in ranks):
        verdict = NameVerdict.LOOSE
        if typos:
            verdict = NameVerdict.TYPO
        elif _FORM in ranks:
            verdict = NameVerdict.FORM
        return NameMatch(verdict, shared, typos)
    if partner.get(0, (_INITIAL, -1))[0] <= _TYPO and partner[0][1] == 0:
        return NameMatch(NameVerdict.GIVEN, shared, typos)
    if not shared:
        return NameMatch(NameVerdict.DISAGREE, shared, typos)
    alike = shorter[0][0] == longer[0][0]
    return NameMatch(NameVerdict.ALIKE if alike else NameVerdict.FAMILY, shared, typos)


_SAME, _FORM, _TYPO, _INITIAL = range(4)


@lru_cache(maxsize=16_384)
def _rank(word: str, other: str) -> int | None:
    """Rank of the agreement of two words; None for words that do not agree."""
    if not (word.isascii() and other.isascii()):
        if readings(word) & readings(other):
            return _FORM
        word, other = reading(word), reading(other)
        if not word or not other:
            return None
        if len(sound(word)) >= MIN_SOUND and sound(word) == sound(other):
            return _FORM
    if word == other:
        return _SAME if len(word) > 1 else _INITIAL
    if len(word) == 1 or len(other) == 1:
        return _INITIAL if word[0] == other[0] else None
    if _one_name(word, other):
        return _FORM
    shorter = min(len(word), len(other))
    if shorter < 4:
        return None
    most = 2 if shorter >= LONG_WORD else 1
    return _TYPO if OSA.distance(word, other, score_cutoff=most) <= most else None


def _one_name(word: str, other: str) -> bool:
    if full_names(word) & full_names(other):
        return True
    table = _romanisations()
    if table.get(word, frozenset()) & table.get(other, frozenset()):
        return True
    short, long = sorted((word, other), key=len)
    if long[2:] == short and long[:2] in ("al", "el"):
        return True
    if (len(short) >= MIN_SHORT and long.startswith(short)) or (
        len(short) > MIN_SHORT and short in long
    ):
        return True
    if short.endswith("ie") and len(short) > MIN_SHORT + 2 and long.startswith(short[:-2]):
        return True
    heard, other_heard = sound(short), sound(long)
    if heard[0] != other_heard[0]:
        return False
    # "Md" and "Mohd" for "Mohammed": cut short within.
    if is_cut_short(short, long):
        return True
    if heard != other_heard:
        return False
    most = len(long) // 2 if len(heard) >= MIN_SOUND else int(len(short) > MIN_SOUND)
    return OSA.distance(short, long) <= most


def is_cut_short(word: str, other: str) -> bool:
    """Return whether one word is the other without letters inside."""
    short, long = sorted((word, other), key=len)
    letters = iter(long)
    return (
        short[0] == long[0]
        and 1 < len(short) <= CUT_SHORT
        and sound(short)[-1:] == sound(long)[-1:]
        and all(letter in letters for letter in short)
    )
