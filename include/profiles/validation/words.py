"""Words of the gate: its lists as data, how it cuts words from text, and their stems. Pure.

The lists in include/gate are constants that a reviewer edits as data; like the code they are the
same for every deployment, so no setting names them and nothing else is ever read here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import chain
from pathlib import Path

from anyascii import anyascii
from babel import Locale

from profiles.standardization.text import fold

_FOLDER = Path(__file__).parents[2] / "gate"
_LETTERS = re.compile(r"[^\W\d_]+")
# `\\w` leaves out the vowel signs of Indic and Southeast Asian scripts, and the marks of Arabic.
_LETTER = r"(?:[^\W_]|[\u064b-\u0652\u0900-\u0963\u0966-\u0e3a\u0e40-\u109f])"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)?")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_OTHER_LETTER = re.compile("[\u064b-\u0652\u0900-\u0963\u0966-\u0e3a\u0e40-\u109f]")
_SPACED_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SHORTEST_STEM = 4
_COGNATE = 4
"""Consonants that two words of one origin share; fewer are shared by unlike ones too often."""
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
def regex(group: str) -> re.Pattern[str]:
    """Any of the patterns of a group."""
    return re.compile("|".join(_lines("patterns")[group]))


LEVELS = ("doctorate", "master", "bachelor", "associate", "diploma")


@lru_cache(maxsize=32)
def degree(*levels: str) -> re.Pattern[str]:
    """Any name of some levels of study, or of all; those of lists of studies keep their case."""
    names = "|".join("|".join(_lines("degrees")[level]) for level in levels or LEVELS)
    is_listed = any(level.startswith("study") for level in levels)
    return re.compile(rf"(?<!\w)(?:{names})", 0 if is_listed else re.IGNORECASE)


def phrases_among(text: str, words: Set[str]) -> Iterator[tuple[str, str]]:
    """Each phrase of a text with these folded words, behind its group."""
    phrases = _phrases()
    for group, pattern in chain.from_iterable(phrases[word] for word in phrases.keys() & words):
        for match in pattern.finditer(text):
            yield group, match[0]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """The phrases that begin with a word, a pattern for each group; `*` is the rest of a word."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for group, phrases in _lines("phrases").items():
        begun: dict[str, list[str]] = {}
        for phrase in phrases:
            part = re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
            begun.setdefault(fold(phrase).split()[0], []).append(part)
        for word, parts in begun.items():
            pattern = re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)
            found.setdefault(word, []).append((group, pattern))
    return found


@lru_cache(maxsize=4)
def valued(name: str) -> dict[str, dict[str, float]]:
    """The words of each group of a file with their values."""
    groups: dict[str, dict[str, float]] = {}
    for group, value, words in _rows(name):
        groups.setdefault(group, {}).update(dict.fromkeys(words.split(), float(value)))
    return groups


@lru_cache(maxsize=1)
def world_names() -> frozenset[str]:
    """The folded words of English names of countries, regions, languages and days, and the codes
    of currencies (CLDR)."""
    locale = Locale("en")
    days = locale.days["format"]["wide"].values()
    names = (*locale.territories.values(), *locale.languages.values(), *days, *locale.currencies)
    return frozenset(word for name in names for word in fold(name).split())


ENGLISH = table("languages")["en"]
"""The small words of English."""
_SMALL_WORDS = ENGLISH | table("generic")["words"]
_SUFFIXES = sorted(table("generic")["suffixes"], key=lambda word: (-len(word), word))


def words_of(text: str) -> Iterator[str]:
    """The words of a text, folded for comparison."""
    if text.isascii() and "'" not in text:
        return iter(_ASCII_WORD.findall(text.lower()))
    words = _WORD.findall(text) if _OTHER_LETTER.search(text) else _SPACED_WORD.findall(text)
    return (word.lower() if word.isascii() and word.isalnum() else fold(word) for word in words)


def content_of(words: Iterable[str]) -> frozenset[str]:
    """The stems that say something: no small words, no numbers."""
    return frozenset(filter(None, map(content_stem, words)))


@lru_cache(maxsize=65_536)
def content_stem(word: str) -> str:
    """The stem of a word that says something, empty for others."""
    is_small = word in _SMALL_WORDS or len(word) < 2 or word.isdigit()
    return "" if is_small else stem(word)


@lru_cache(maxsize=65_536)
def cognate(word: str) -> str:
    """The first consonants of a word that says something, empty for few."""
    sounds = sounds_of(word) if content_stem(word) else ""
    return sounds[:_COGNATE] if len(sounds) >= _COGNATE else ""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude common beginning of a word's forms.

    >>> {stem(word) for word in ("manages", "managed", "management")}, stem("apis")
    ({'manag'}, 'api')
    """
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            root = word[: -len(suffix)]
            return stem(root.removesuffix("at") if len(root) > _SHORTEST_STEM + 1 else root)
    if len(word) == _SHORTEST_STEM and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


@lru_cache(maxsize=65_536)
def sounds_of(word: str) -> str:
    """The consonants of a folded word in Latin letters, which spellings of one name share.

    >>> sounds_of("тулякова"), sounds_of("tuliakova"), sounds_of("skandinavien")
    ('tlkf', 'tlkf', 'skndnfn')
    """
    latin = word if word.isascii() else anyascii(word).lower()
    return _NO_CONSONANT.sub("", latin.replace("ph", "f").translate(_ONE_SOUND))
