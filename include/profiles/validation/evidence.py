"""The lines of a document, indexed so that a name or a figure can be looked up. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from anyascii import anyascii
from rapidfuzz import fuzz

from profiles.standardization.amounts import Amount
from profiles.standardization.text import fold
from profiles.validation.words import (
    cognate,
    content_of,
    content_stem,
    sounds_of,
    stem,
    valued,
    words_of,
)

_ROUNDING = 0.25
_ROUNDED_PERCENT = 2.5
_FRACTION_OF_PERCENT = 10.5
_EXACT = 0.06
_FIRST_YEAR = 1950
_ROUNDED_YEARS = 0.5
_PLACELESS = ("Skills", "Education", "Languages", "Certifications")
_PHRASE_END = re.compile(r"[\n,;:.()|]+|\s[-–—]\s|\b(?:in|with|for|at|by|from|to|on)\b")
_FEWEST_SOUNDS = 3
_SPELT_LIKE = 85.0
_LONG_NAME = 5
_OTHER_ACRONYM = re.compile(r"\b[Α-ΩА-Я]{3,6}\b")
_LIKE = 70.0
_SOUNDS_LIKE = 85.0
"""Likeness of a name in two languages, of its letters and of its consonants: Florence, Firenze."""
_UNSPELT = "\u2e80"
"""First character of the scripts of China, Japan and Korea."""
_UNSPELT_SHARE = 0.25


@dataclass(frozen=True, eq=False)
class Line:
    """One line or sentence of a document, and the place of the job that it belongs to."""

    text: str
    section: str
    job: int | None
    amounts: tuple[Amount, ...]
    is_heading: bool = False
    """True for the title, or period and place, of a job."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(words_of(self.text))

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of its content words."""
        return content_of(self.words)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The words of a document, looked at from the side of a name."""

    text: str
    lines: tuple[Line, ...]
    name: frozenset[str]
    is_foreign: bool

    @cached_property
    def body(self) -> frozenset[str]:
        """All folded words but those of the name."""
        return frozenset(word for line in self.lines for word in line.words)

    @cached_property
    def words(self) -> frozenset[str]:
        """All folded words."""
        return self.name | self.body

    @cached_property
    def places(self) -> dict[str, set[int]]:
        """The jobs to which a word points, for words that stand in no line of the head, the summary
        and the sections that are no lists of studies or skills."""
        key_of = self.key_of
        jobs: dict[str, set[int]] = {}
        common = {"", *map(key_of, valued("titles")["rank"])}
        for line in self.lines:
            if line.job is not None:
                for key in set(map(key_of, line.words)):
                    jobs.setdefault(key, set()).add(line.job)
            elif line.section not in _PLACELESS:
                common |= set(map(key_of, line.words))
        return {key: places for key, places in jobs.items() if key not in common}

    @cached_property
    def headings(self) -> dict[str, set[int]]:
        """The jobs whose title, employer or place has a word."""
        jobs: dict[str, set[int]] = {}
        for line in self.lines:
            if line.is_heading and line.job is not None:
                for key in map(self.key_of, line.words):
                    jobs.setdefault(key, set()).add(line.job)
        jobs.pop("", None)
        return jobs

    @property
    def key_of(self) -> Callable[[str], str]:
        """Function for the key that a word shares with its translation or another form of it; empty
        for words that tell no job from another."""
        return cognate if self.is_foreign else content_stem

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.words))

    @cached_property
    def _stemmed(self) -> str:
        """The stems of all words in order, a line each, with a space around each."""
        return "\n".join(f" {' '.join(map(stem, line.words))} " for line in self.lines)

    @cached_property
    def _initials(self) -> tuple[str, ...]:
        phrases = (tuple(words_of(phrase)) for phrase in _PHRASE_END.split(self.text))
        return tuple("".join(word[0] for word in phrase) for phrase in phrases if len(phrase) > 1)

    def has_word(self, word: str) -> bool:
        """Return whether the document has the folded word, or another form of it."""
        return word in self.words or stem(word) in self.stems

    def has_near(self, words: tuple[str, ...], window: int) -> bool:
        """Return whether some line has all these words within `window` words, in any order."""
        wanted = set(map(stem, words))
        if not wanted <= self.stems:
            return False
        lines = (line.split() for line in self._stemmed.split("\n"))
        return any(
            wanted <= set(line[start : start + window])
            for line in lines
            if wanted <= set(line)
            for start in range(max(1, len(line) - window + 1))
        )

    def has_initials(self, letters: str) -> bool:
        """Return whether some phrase spells out the letters: `SCM` for supply chain management."""
        return any(letters in initials for initials in self._initials)

    @cached_property
    def is_spelt(self) -> bool:
        """Return whether it is written in an alphabet, so that names keep their sounds."""
        letters = [char for char in self.text if char.isalpha()]
        return sum(char >= _UNSPELT for char in letters) < _UNSPELT_SHARE * len(letters)

    @cached_property
    def has_acronyms(self) -> bool:
        """Return whether it has acronyms in another alphabet, which hide what they stand for."""
        return _OTHER_ACRONYM.search(self.text) is not None

    @cached_property
    def _latin(self) -> tuple[tuple[str, str], ...]:
        """Its words in Latin letters, also without the Arabic article, and their consonants."""
        latin = {anyascii(word).lower() for word in self.words}
        latin |= {word[2:] for word in latin - self.words if word.startswith("al")}
        return tuple((word, sounds_of(word)) for word in latin)

    def is_like_name(self, word: str) -> bool:
        """Return whether it has the name in the spelling of another language."""
        folded = fold(word)
        return len(word) >= _LONG_NAME and any(
            fuzz.ratio(folded, own) >= _SPELT_LIKE for own, _ in self._latin
        )

    def likeness(self, word: str) -> float:
        """Highest likeness of its words to this one, by letters or sound; 1 or more: a name in two
        languages."""
        sounds = sounds_of(word)
        long = len(sounds) >= _FEWEST_SOUNDS
        return max(
            (
                max(
                    fuzz.ratio(word, own) / _LIKE,
                    long * fuzz.ratio(sounds, theirs) / _SOUNDS_LIKE,
                    float(sounds == theirs and len(sounds) > 1),
                )
                for own, theirs in self._latin
            ),
            default=0,
        )


@dataclass(frozen=True, eq=False)
class Figures:
    """The figures of a document, looked up by value."""

    lines: tuple[Line, ...]

    @cached_property
    def _stated(self) -> dict[float, list[Line]]:
        """The lines that state each value."""
        found: dict[float, list[Line]] = {}
        for line in self.lines:
            for value in {value for amount in line.amounts for value in amount.values}:
                found.setdefault(value, []).append(line)
        return found

    def lines_with(self, amount: Amount) -> list[Line]:
        """The lines that state a figure; a rounded one may be near."""
        lines = [line for value in amount.values for line in self._stated.get(value, ())]
        if lines or not amount.rounded:
            return lines
        return [line for line in self.lines if any(_is_near(amount, own) for own in line.amounts)]

    def lines_giving(self, amount: Amount) -> list[Line]:
        """The lines with two figures that differ by so much, or by nearly so many percent."""
        return [line for line in self.lines if len(line.amounts) > 1 and _gives(line, amount)]

    @cached_property
    def lines_of(self) -> dict[str, list[Line]]:
        """The lines with a figure that have a content stem."""
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            for word in line.content if line.amounts else ():
                found.setdefault(word, []).append(line)
        return found


def _is_near(amount: Amount, other: Amount) -> bool:
    is_alike = (amount.unit == "percent") == (other.unit == "percent")
    gap = min(abs(mine - other.value) for mine in amount.values)
    return is_alike and gap <= _ROUNDING * other.value


def _gives(line: Line, amount: Amount) -> bool:
    most = _FRACTION_OF_PERCENT if amount.is_word and amount.rounded else _ROUNDED_PERCENT
    for first, second in permutations(line.amounts, 2):
        gap = abs(first.value - second.value)
        if first.unit != second.unit or second.value <= 0:
            continue
        if amount.unit in ("year", "month"):
            is_year = amount.unit == "year" and min(first.value, second.value) > _FIRST_YEAR
            is_given = is_year and abs(gap - amount.value) <= _ROUNDED_YEARS
        else:
            change = abs(100 * gap / second.value - amount.value)
            is_more = amount.rounded and 100 <= amount.value <= 100 * gap / second.value
            is_change = amount.unit == "percent" and (change <= most or is_more)
            is_given = is_change or abs(gap - amount.value) < _EXACT
        if is_given:
            return True
    return False
