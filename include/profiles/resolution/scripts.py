"""The words of a person's name, and their readings in Latin letters.

Readings are those of `name-variants` (romanisations of eighteen languages, MIT), else letter by
letter those of `anyascii` (ISC).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product

from anyascii import anyascii
from name_variants import ALL_TABLES

from profiles.standardization.names import PARTICLES
from profiles.standardization.text import fold

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HANGUL = re.compile("[\uac00-\ud7af]{2,3}")
_INNER_W = re.compile("(?<=.)w")
"""A vowel, in scripts that write hardly any."""
_ARTICLE = re.compile("\\Aال")
_NOT_LETTER = re.compile("[^a-z]+")


@lru_cache(maxsize=16_384)
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
    found = tuple(map(without_umlauts, words))
    return tuple(word for word in found if word not in PARTICLES) or found


def _without_space(name: str) -> list[str]:
    """Given name and family name: the longest that a table holds, else the shorter half."""
    sizes = [size for size in (3, 2) if size < len(name) and name[:size] in _natives()]
    size = sizes[0] if sizes else len(name) // 2
    return [part for part in (name[size:], name[:size]) if part]


def without_umlauts(folded: str) -> str:
    return folded.replace("ae", "a").replace("oe", "o").replace("ue", "u")


@lru_cache(maxsize=16_384)
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
    return without_umlauts(_NOT_LETTER.sub("", latin))


@lru_cache(maxsize=16_384)
def readings(word: str) -> frozenset[str]:
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
            latin = [without_umlauts(form) for form in folded if form.isascii() and form.isalpha()]
            for form in folded:
                if not form.isascii():
                    table.setdefault(form, {}).update(dict.fromkeys(latin))
    return {native: tuple(forms) for native, forms in table.items() if forms}


def is_east_asian(text: str) -> bool:
    """Return whether a text holds Chinese, Japanese or Korean letters."""
    return _EAST_ASIAN.search(text) is not None


@lru_cache(maxsize=16_384)
def scripts(name: str) -> frozenset[str]:
    """First words of the Unicode names of the letters: LATIN, CJK, HANGUL, ARABIC, …"""
    return frozenset(
        unicodedata.name(letter, "?").split(" ", 1)[0] for letter in name if letter.isalpha()
    )


def comparable(mine: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether two groups of texts share a script, so that other texts mean other things."""
    ours, theirs = "".join(mine), "".join(others)
    return (ours.isascii() and theirs.isascii()) or not scripts(ours).isdisjoint(scripts(theirs))
