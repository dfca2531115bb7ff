"""Comparison of two names of people, word by word, and the phonetic keys to look a name up by.

A word meets another when they are equal, when one is the other's initial, when both are forms of
one name (a nickname, a transliteration, the same consonants, one cut short) or when they are a
typing error apart. The tables of forms are data of kept packages: `nicknames` (English,
Apache-2.0), `name-variants` (romanisations of eighteen languages, MIT), `anyascii` (scripts, ISC).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import product

import msgspec
from anyascii import anyascii
from name_variants import ALL_TABLES
from nicknames import name_triplets
from rapidfuzz.distance import OSA

from profiles.standardization.names import PARTICLES
from profiles.standardization.text import fold

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HANGUL = re.compile("[\uac00-\ud7af]{2,3}")
_INNER_W = re.compile("(?<=.)w")
"""A vowel, in scripts that write hardly any."""
_ARTICLE = re.compile("\\Aال")
_NOT_LETTER = re.compile("[^a-z]+")
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("ph", "f"), ("[sc]h|sz", "s"), ("ck|q|c(?![eiy])", "k"), ("x", "ks"), ("w", "v"),
        ("[kgtdb]h", lambda found: found[0][0]), ("[cz]", "s"), ("(?<=.)[aeiouyjh]+", ""),
        (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
MIN_SOUND = 3
"""Consonants that two forms of one name share at least: of fewer, too many names are made."""
MIN_SHORT = 3
CUT_SHORT = 4
LONG_WORD = 8


class NameVerdict(Enum):
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
def name_words(name: str) -> tuple[str, ...]:
    """Folded words of a name in its own script, "mueller" and "muller" alike.

    An East Asian name without a space begins with the family name, which is put last. Particles are
    left out where other words remain, and words in another script beside a name in Latin letters.
    """
    words = fold(name).split()
    if not all(map(str.isascii, words)):
        latin = [word for word in words if word.isascii()]
        if len(latin) > 1:
            words = latin
        elif len(words) == 1 and _EAST_ASIAN.match(words[0]):
            words = _without_space(words[0])
    found = tuple(map(_without_umlauts, words))
    return tuple(word for word in found if word not in PARTICLES) or found


def _without_space(name: str) -> list[str]:
    """Given name and family name: the longest that a table holds, else the shorter half."""
    sizes = [size for size in (3, 2) if size < len(name) and name[:size] in _natives()]
    size = sizes[0] if sizes else len(name) // 2
    return [part for part in (name[size:], name[:size]) if part]


def _without_umlauts(folded: str) -> str:
    return folded.replace("ae", "a").replace("oe", "o").replace("ue", "u")


@lru_cache(maxsize=65_536)
def latin_words(name: str) -> tuple[str, ...]:
    """The words of a name in Latin letters, one reading of each."""
    return tuple(filter(None, map(reading, name_words(name))))


@lru_cache(maxsize=65_536)
def reading(word: str) -> str:
    """One reading of a word of a name in Latin letters: the usual one of a table, else by letter.

    Kanji are read as Chinese where no table has them: such a name meets itself, not its reading.
    """
    if word.isascii():
        return word
    if known := _natives().get(word):
        return known[0]
    latin = anyascii(_ARTICLE.sub("al", word)).lower()
    if not _EAST_ASIAN.search(word):
        latin = _INNER_W.sub("u", latin)
    return _without_umlauts(_NOT_LETTER.sub("", latin))


@lru_cache(maxsize=65_536)
def _readings(word: str) -> frozenset[str]:
    """All readings of a word: those of the tables, of a Korean name also syllable by syllable."""
    found = {reading(word), *_natives().get(word, ())}
    if _HANGUL.fullmatch(word):
        syllables = [{*_natives().get(letter, ()), reading(letter)} for letter in word]
        found.update(map("".join, product(*syllables)))
    return frozenset(found)


@cache
def _natives() -> dict[str, tuple[str, ...]]:
    """The Latin forms of names in other scripts, the usual one first."""
    table: dict[str, dict[str, None]] = {}
    for names in ALL_TABLES.values():
        for native, entry in names.items():
            folded = [fold(form) for form in (native, *entry["forms"])]
            latin = [_without_umlauts(form) for form in folded if form.isascii() and form.isalpha()]
            for form in folded:
                if not form.isascii():
                    table.setdefault(form, {}).update(dict.fromkeys(latin))
    return {native: tuple(forms) for native, forms in table.items() if forms}


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """The consonants of a word, those alike that transliterations confuse: lakshmi, laxmi."""
    if not word.isascii():
        return word
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


@cache
def _nicknames() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for full, _, short in name_triplets():
        table.setdefault(_without_umlauts(short), set()).add(_without_umlauts(full))
    return {short: frozenset(names) for short, names in table.items()}


@cache
def _romanisations() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for language, names in ALL_TABLES.items():
        for native, entry in names.items():
            for form in entry["forms"]:
                table.setdefault(_without_umlauts(fold(form)), set()).add(f"{language} {native}")
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


@lru_cache(maxsize=65_536)
def _compare_names(a: str, b: str) -> NameMatch:
    ours, theirs = latin_words(a), latin_words(b)
    if not ours or not theirs:
        return _UNKNOWN
    if not (a.isascii() or b.isascii()) and _scripts(a) & _scripts(b):
        mine, others = "".join(name_words(a)), "".join(name_words(b))
        if _EAST_ASIAN.search(mine) and _EAST_ASIAN.search(others):
            # Many names sound alike: only their characters tell them apart.
            is_same = sorted(mine) == sorted(others)
            return NameMatch(NameVerdict.FULL, _long(ours)) if is_same else _DISAGREE
    if sorted(ours) == sorted(theirs):
        return NameMatch(NameVerdict.FULL, _long(ours))
    if "".join(ours) == "".join(theirs):
        return NameMatch(NameVerdict.FULL, _long(max(ours, theirs, key=len)))
    found = _matched(*sorted((name_words(a), name_words(b)), key=lambda found: (len(found), found)))
    if found.verdict not in AGREEING and not _scripts(a) & _scripts(b):
        return _UNKNOWN
    return found


_UNKNOWN, _DISAGREE = NameMatch(NameVerdict.UNKNOWN), NameMatch(NameVerdict.DISAGREE)


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


@lru_cache(maxsize=65_536)
def _rank(word: str, other: str) -> int | None:
    """Rank of the agreement of two words; None for words that do not agree."""
    if not (word.isascii() and other.isascii()):
        if _readings(word) & _readings(other):
            return _FORM
        word, other = reading(word), reading(other)
        if not word or not other:
            return None
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
    heard, other_heard = sound(short), sound(long)
    if heard[0] != other_heard[0]:
        return False
    # "Md" and "Mohd" for "Mohammed": cut short within.
    if len(short) <= CUT_SHORT and heard[-1:] == other_heard[-1:] and _is_within(short, long):
        return True
    if heard != other_heard:
        return False
    most = len(long) // 2 if len(heard) >= MIN_SOUND else int(len(short) > MIN_SOUND)
    return OSA.distance(short, long) <= most


def _is_within(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


@lru_cache(maxsize=65_536)
def _scripts(name: str) -> frozenset[str]:
    """First words of the Unicode names of the letters: LATIN, CJK, HANGUL, ARABIC, …"""
    return frozenset(
        unicodedata.name(letter, "?").split(" ", 1)[0] for letter in name if letter.isalpha()
    )
