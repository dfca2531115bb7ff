"""The gate's word lists, read once from include/gate.

They are constants that a reviewer edits as data; like the code they are the same for every
deployment, so no setting names them and nothing else is ever read here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from babel import Locale
from babel.units import format_unit

from profiles.standardization.text import fold

__all__ = [
    "levels",
    "number_words",
    "pattern",
    "phrases",
    "phrases_in",
    "table",
    "unit_pattern",
    "world_names",
]

_COUNTS = (1, 2, 3, 7, 20, 1.5)
"""Counts that between them take every plural form of CLDR."""
_LETTERS = re.compile(r"[^\W\d_]+")
_ENGLISH = Locale("en")
_FOLDER = Path(__file__).parents[2] / "gate"


@lru_cache(maxsize=16)
def table(name: str) -> dict[str, frozenset[str]]:
    """The words of each group of a file: its first column is the group, its last the words."""
    groups: dict[str, set[str]] = {}
    for row in _rows(name):
        groups.setdefault(row[0], set()).update(row[-1].split())
    return {group: frozenset(words) for group, words in groups.items()}


@lru_cache(maxsize=16)
def phrases(name: str) -> dict[str, tuple[str, ...]]:
    """The phrases of each group of a file with one phrase a line."""
    groups: dict[str, list[str]] = {}
    for group, phrase in _rows(name):
        groups.setdefault(group, []).append(phrase)
    return {group: tuple(found) for group, found in groups.items()}


@lru_cache(maxsize=32)
def pattern(name: str, group: str) -> re.Pattern[str]:
    """Any phrase of a group, as whole words; `*` stands for the rest of a word."""
    parts = sorted(phrases(name)[group], key=len, reverse=True)
    either = "|".join(
        re.escape(part).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for part in parts
    )
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def phrases_in(
    text: str, words: Iterable[tuple[str, int, int]], name: str, group: str
) -> Iterator[re.Match[str]]:
    """Where a text, given with its folded words and their places, has a phrase of a group."""
    whole, beginnings = _first_words(name, group)
    for word, start, _ in words:
        if word in whole or word.startswith(beginnings):
            match = pattern(name, group).match(text, start)
            if match is not None:
                yield match


@lru_cache(maxsize=32)
def _first_words(name: str, group: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The folded words with which the phrases of a group begin, and beginnings of such words."""
    firsts = [phrase.split()[0] for phrase in phrases(name)[group]]
    return (
        frozenset(fold(word).split()[0] for word in firsts if not word.endswith("*")),
        tuple(fold(word).split()[0] for word in firsts if word.endswith("*")),
    )


@lru_cache(maxsize=16)
def levels(name: str, group: str) -> dict[str, int]:
    """The words of a group with the level that the file gives them."""
    return {
        word: int(level)
        for found, level, words in _rows(name)
        if found == group
        for word in words.split()
    }


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
    names = (*_ENGLISH.territories.values(), *_ENGLISH.languages.values())
    return frozenset(word for name in names for word in fold(name).split())


def _rows(name: str) -> list[list[str]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]
