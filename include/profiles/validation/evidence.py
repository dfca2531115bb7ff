"""The words of a document, indexed so that a name can be looked up. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from anyascii import anyascii
from rapidfuzz import fuzz

from profiles.standardization.text import fold

__all__ = ["Evidence", "sounds_of", "stem", "words_of"]

# `\\w` leaves out the vowel signs of Indic and Southeast Asian scripts, and the marks of Arabic.
_LETTER = r"(?:[^\W_]|[\u064b-\u0652\u0900-\u0963\u0966-\u0e3a\u0e40-\u109f])"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)?")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_SUFFIXES = (
    "ements", "ations", "ement", "ation", "ments", "ings", "ment", "ions", "ing", "ers", "ies",
    "ion", "ed", "es", "er", "or", "al", "ly", "s", "e", "y",
)  # fmt: skip
_SHORTEST_STEM = 4
_PHRASE_END = re.compile(r"[\n,;:.()|]+|\s[-–—]\s|\b(?:in|with|for|at|by|from|to|on)\b")
_NO_CONSONANT = re.compile(r"[aeiouyhj']+|(?<=(.))\1")
_FEWEST_SOUNDS = 3
_LIKE = 66.0
"""Likeness of the consonants of a name in two languages: Florence and Firenze, Köln and Cologne."""
_LIKE_WITHIN = 75.0
"""The same where the first of them differs."""
_UNSPELT = "\u2e80"
"""Where the scripts of China, Japan and Korea begin."""
_UNSPELT_SHARE = 0.25
_ONE_SOUND = str.maketrans("czqxvw", "kskkff")


def words_of(text: str) -> Iterator[str]:
    """The words of a text, folded for comparison."""
    if text.isascii() and "'" not in text:
        return iter(_ASCII_WORD.findall(text.lower()))
    return (
        word.lower() if word.isascii() and word.isalnum() else fold(word)
        for word in _WORD.findall(text)
    )


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


@dataclass(frozen=True)
class Evidence:
    """A document, looked at from the side of a name."""

    document: str

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Folded words per line."""
        lines = (tuple(words_of(line)) for line in self.document.split("\n"))
        return tuple(line for line in lines if line)

    @cached_property
    def words(self) -> frozenset[str]:
        """All folded words."""
        return frozenset(word for line in self.lines for word in line)

    @cached_property
    def stem_lines(self) -> tuple[tuple[str, ...], ...]:
        """Stems per line."""
        return tuple(tuple(map(stem, line)) for line in self.lines)

    @cached_property
    def _lines_of(self) -> dict[str, list[tuple[str, ...]]]:
        found: dict[str, list[tuple[str, ...]]] = {}
        for line in self.stem_lines:
            for part in set(line):
                found.setdefault(part, []).append(line)
        return found

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words."""
        return frozenset(self._lines_of)

    @cached_property
    def letters(self) -> str:
        """All words run together, for names that are written as one word elsewhere."""
        return "".join(word for line in self.lines for word in line)

    @cached_property
    def _initials(self) -> tuple[str, ...]:
        phrases = (tuple(words_of(phrase)) for phrase in _PHRASE_END.split(self.document))
        return tuple("".join(word[0] for word in phrase) for phrase in phrases if len(phrase) > 1)

    def has_word(self, word: str) -> bool:
        """Whether the document has the folded word, or another form of it."""
        return word in self.words or stem(word) in self.stems

    def has_joined(self, word: str) -> bool:
        """Whether the document writes the folded word as several, or as a part of a longer one."""
        return word in self.letters

    def has_phrase(self, words: tuple[str, ...]) -> bool:
        """Whether some line has these words one after the other, in any form."""
        wanted = tuple(map(stem, words))
        if not wanted or not all(part in self.stems for part in wanted):
            return False
        size = len(wanted)
        return any(
            line[start : start + size] == wanted
            for line in self._lines_of[wanted[0]]
            for start in range(len(line) - size + 1)
        )

    def has_near(self, words: tuple[str, ...], window: int) -> bool:
        """Whether some line has all these words within `window` words, in any order."""
        wanted = set(map(stem, words))
        if not wanted or not wanted <= self.stems:
            return False
        lines = self._lines_of[next(iter(wanted))]
        return any(wanted <= set(line) and _within(line, wanted, window) for line in lines)

    def has_initials(self, letters: str) -> bool:
        """Whether some phrase spells the abbreviation out: `SCM` for supply chain management."""
        return any(letters in initials for initials in self._initials)

    @cached_property
    def is_spelt(self) -> bool:
        """Whether it is written in an alphabet, so that names keep their sounds."""
        letters = [char for char in self.document if char.isalpha()]
        return sum(char >= _UNSPELT for char in letters) < _UNSPELT_SHARE * len(letters)

    @cached_property
    def _sounds(self) -> tuple[str, ...]:
        sounds = {sounds_of(word) for word in self.words}
        return tuple(own for own in sounds if len(own) >= _FEWEST_SOUNDS)

    def sounds_like(self, sounds: str) -> bool:
        """Whether a word of it sounds nearly so."""
        return any(
            fuzz.ratio(sounds, own) >= (_LIKE if own[0] == sounds[0] else _LIKE_WITHIN)
            for own in self._sounds
        )


def _within(stems: tuple[str, ...], wanted: set[str], window: int) -> bool:
    starts = range(max(1, len(stems) - window + 1))
    return any(wanted <= set(stems[start : start + window]) for start in starts)
