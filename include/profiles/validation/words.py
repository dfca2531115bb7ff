"""Words of the gate: its lists as data, how it cuts words from text, and their stems. Pure.

The lists in include/gate are constants that a reviewer edits as data; like the code they are the
same for every deployment, so no setting names them and nothing else is ever read here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from anyascii import anyascii
from babel import Locale
from babel.units import format_unit

from profiles.standardization.text import fold

__all__ = [
    "ENGLISH",
    "commonplace",
    "content_of",
    "levels",
    "number_words",
    "pattern",
    "phrases_among",
    "regex",
    "sounds_of",
    "stem",
    "table",
    "unit_pattern",
    "words_of",
    "world_names",
]

_COUNTS = (1, 2, 3, 7, 20, 1.5)
"""Counts that between them take every plural form of CLDR."""
_FOLDER = Path(__file__).parents[2] / "gate"
_LETTERS = re.compile(r"[^\W\d_]+")
# `\\w` leaves out the vowel signs of Indic and Southeast Asian scripts, and the marks of Arabic.
_LETTER = r"(?:[^\W_]|[\u064b-\u0652\u0900-\u0963\u0966-\u0e3a\u0e40-\u109f])"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)?")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_SHORTEST_STEM = 4
_NO_CONSONANT = re.compile(r"[aeiouyhj']+|(?<=(.))\1")
_ONE_SOUND = str.maketrans("czqxvw", "kskkff")


def _rows(name: str) -> list[list[str]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


@lru_cache(maxsize=16)
def table(name: str) -> dict[str, frozenset[str]]:
    """The words of each group of a file: its first column is the group, its last the words."""
    groups: dict[str, set[str]] = {}
    for row in _rows(name):
        groups.setdefault(row[0], set()).update(row[-1].split())
    return {group: frozenset(words) for group, words in groups.items()}


@lru_cache(maxsize=16)
def _lines(name: str) -> dict[str, tuple[str, ...]]:
    """The lines of each group of a file with one phrase or pattern a line."""
    groups: dict[str, list[str]] = {}
    for group, line in _rows(name):
        groups.setdefault(group, []).append(line)
    return {group: tuple(found) for group, found in groups.items()}


@lru_cache(maxsize=64)
def regex(group: str, file: str = "patterns") -> re.Pattern[str]:
    """Any of the patterns that a file has for a group."""
    return re.compile("|".join(_lines(file)[group]))


@lru_cache(maxsize=16)
def pattern(group: str) -> re.Pattern[str]:
    """Any phrase of a group, as whole words; `*` stands for the rest of a word."""
    parts = sorted(_lines("phrases")[group], key=len, reverse=True)
    either = "|".join(
        re.escape(part).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for part in parts
    )
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def phrases_among(text: str, words: tuple[tuple[str, int, int], ...]) -> Iterator[tuple[str, str]]:
    """Each phrase of a text, given with its folded words and their places, behind its group."""
    whole, beginnings = _first_words()
    shortest = tuple(beginnings)
    for word, start, _ in words:
        groups = {*whole.get(word, ())}
        if word.startswith(shortest):
            groups.update(*(of for first, of in beginnings.items() if word.startswith(first)))
        for group in sorted(groups):
            match = pattern(group).match(text, start)
            if match is not None:
                yield group, match[0]


@lru_cache(maxsize=1)
def _first_words() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The groups of the phrases that begin with a word, and with a beginning of one."""
    whole: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    for group, found in _lines("phrases").items():
        for first in {phrase.split()[0] for phrase in found}:
            into = beginnings if first.endswith("*") else whole
            into.setdefault(fold(first).split()[0], set()).add(group)
    return whole, beginnings


@lru_cache(maxsize=16)
def levels(name: str, group: str) -> dict[str, int]:
    """The words of a group with the level that the file gives them."""
    rows = (row for row in _rows(name) if row[0] == group)
    return {word: int(level) for _, level, words in rows for word in words.split()}


@lru_cache(maxsize=1)
def number_words() -> dict[str, dict[str, float]]:
    """Words of numbers, scales and units with their values: `en`, `other`, `scale`, `percent`."""
    groups: dict[str, dict[str, float]] = {}
    for group, value, words in _rows("numbers"):
        groups.setdefault(group, {}).update(dict.fromkeys(words.split(), float(value)))
    return groups


@lru_cache(maxsize=4)
def unit_pattern(unit: str) -> re.Pattern[str]:
    """A unit of time behind a number, in each language of `languages.csv` (CLDR)."""
    words: set[str] = set()
    for language in " ".join(table("languages")["units"]).split():
        for count in _COUNTS:
            shown = format_unit(count, f"duration-{unit}", "long", locale=language)
            words.update(word for word in shown.split() if word[0].isalpha())
            words.update(_LETTERS.findall(shown))
    either = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"[\s-]{{0,3}}(?:{either})[a-zà-ž]{{0,2}}(?![A-Za-zà-ž])", re.IGNORECASE)


@lru_cache(maxsize=1)
def world_names() -> frozenset[str]:
    """The folded words of English names of countries, regions and languages (CLDR)."""
    locale = Locale("en")
    names = (*locale.territories.values(), *locale.languages.values())
    return frozenset(word for name in names for word in fold(name).split())


ENGLISH = table("languages")["en"]
"""The small words of English."""
_SMALL_WORDS = ENGLISH | table("generic")["words"]


@lru_cache(maxsize=1)
def commonplace() -> frozenset[str]:
    """Words that tell no job from another."""
    return _SMALL_WORDS | levels("titles", "rank").keys()


def words_of(text: str) -> Iterator[str]:
    """The words of a text, folded for comparison."""
    if text.isascii() and "'" not in text:
        return iter(_ASCII_WORD.findall(text.lower()))
    return (
        word.lower() if word.isascii() and word.isalnum() else fold(word)
        for word in _WORD.findall(text)
    )


def content_of(words: tuple[str, ...]) -> frozenset[str]:
    """The stems that say something: no small words, no numbers."""
    return frozenset(
        stem(word)
        for word in frozenset(words) - _SMALL_WORDS
        if len(word) > 1 and not word.isdigit()
    )


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude common beginning of a word's forms.

    >>> {stem(word) for word in ("manages", "managed", "management")}, stem("apis")
    ({'manag'}, 'api')
    """
    for suffix in _suffixes():
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            root = word[: -len(suffix)]
            return stem(root.removesuffix("at") if len(root) > _SHORTEST_STEM + 1 else root)
    if len(word) == _SHORTEST_STEM and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


@lru_cache(maxsize=1)
def _suffixes() -> tuple[str, ...]:
    return tuple(sorted(table("generic")["suffixes"], key=lambda word: (-len(word), word)))


@lru_cache(maxsize=65_536)
def sounds_of(word: str) -> str:
    """The consonants of a folded word in Latin letters, which spellings of one name share.

    >>> sounds_of("тулякова"), sounds_of("tuliakova"), sounds_of("skandinavien")
    ('tlkf', 'tlkf', 'skndnfn')
    """
    latin = word if word.isascii() else anyascii(word).lower()
    return _NO_CONSONANT.sub("", latin.replace("ph", "f").translate(_ONE_SOUND))
