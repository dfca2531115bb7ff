"""What a document says, indexed so that a claim can be looked up. Pure.

One `Evidence` serves all checks of one answer: words, word stems, numbers and degrees of the
document are read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from profiles.standardization.text import fold
from profiles.validation.amounts import Amount, amounts_of
from profiles.validation.language import foreign_language

__all__ = ["DEGREES", "Evidence", "degrees_of", "sounds_of", "stem", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")
_SUFFIXES = (
    "ements", "ations", "ement", "ation", "ments", "ings", "ment", "ions", "ing", "ers", "ies",
    "ion", "ed", "es", "er", "or", "al", "ly", "s", "e", "y",
)  # fmt: skip
_SHORTEST_STEM = 4

DEGREES: dict[str, re.Pattern[str]] = {
    "doctorate": re.compile(r"\bPh\.?\s?D\b|\bdoctora(?:te|l)\b|\bDoctor of\b", re.IGNORECASE),
    "mba": re.compile(r"\bE?MBA\b|\bMaster(?:'s|’s)? (?:of|in) Business Administration\b", re.I),
    "master": re.compile(
        r"\bmaster(?:['’]?s)?\s+(?:degree|of\s+(?!the\b)|in\b)|\bmaster['’]s\b|\bM\.?Sc\b"
        r"|\bM\.?Tech\b|\bM\.?Eng\b|\bM\.?Com\b|\bE?MBA\b|\bpost-?graduate degree\b",
        re.IGNORECASE,
    ),
    "bachelor": re.compile(
        r"\bbachelor(?:['’]?s)?\b|\bB\.?Sc\b|\bB\.?Tech\b|\bB\.?Eng\b|\bB\.?Com\b|\bB\.E\b"
        r"|\bundergraduate degree\b",
        re.IGNORECASE,
    ),
    "diploma": re.compile(r"\bdiploma\b", re.IGNORECASE),
}
"""Levels of study, with the words that claim them."""

# Short forms that mean a degree in a list of studies and something else in prose.
_IN_STUDIES = {
    "master": re.compile(
        r"\bM\.?(?:S|A|E|Phil)\b\.?|\bDipl|\bPGDM\b|\bMaster\b|\bMagister\b|\bM(?:ae|e)str(?:ía|ado)"
    ),
    "bachelor": re.compile(r"\bB\.?(?:S|A|E|BA|CA|Ed)\b\.?|\bLicen[cs]|\bGrado\b"),
    "diploma": re.compile(r"\bDipl|\bPG\s?Dip"),
}
_TOLD = 600
"""So many letters of what a document tells show its language."""
_HEAD_ABROAD = re.compile(
    r"# .*\n[^\n]*? (?:bei|beim|am|im|chez|presso|bij|på|hos|w|na|en) [^\W\d_a-zà-ÿ]"
)
"""A title and an employer with another word than "at" between them."""
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_NO_CONSONANT = re.compile(r"[aeiouyjhъьыэюяёйіїє'’]")
_LATIN = dict(
    zip(
        "абвгґдежзиклмнопрстуфц",
        [
            "a",
            "b",
            "v",
            "g",
            "g",
            "d",
            "e",
            "z",
            "z",
            "i",
            "k",
            "l",
            "m",
            "n",
            "o",
            "p",
            "r",
            "s",
            "t",
            "u",
            "f",
            "ts",
        ],
        strict=True,
    )
) | {"х": "k", "ч": "c", "ш": "s", "щ": "sc", "й": "y", "і": "i", "ї": "i", "є": "e", "э": "e"}
_JOB = re.compile(r"^### (.+?) — ", re.MULTILINE)
_EMPLOYER = re.compile(r"(?:^(### .+?) — |\A(# .*\n[^\n]+?) at (?=[A-Z])).+$", re.MULTILINE)
_STUDIES = re.compile(r"^## Education\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def words_of(text: str) -> Iterator[str]:
    """The words of a text, folded for comparison."""
    for match in _WORD.finditer(text):
        word = match[0]
        yield word.lower() if word.isascii() and word.isalnum() else fold(word)


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


def sounds_of(word: str) -> str:
    """The consonants of a folded word in Latin letters, which spellings of one name share.

    >>> sounds_of("тулякова"), sounds_of("tuliakova"), sounds_of("tulyakova")
    ('tlkv', 'tlkv', 'tlkv')
    """
    return _NO_CONSONANT.sub("", "".join(_LATIN.get(letter, letter) for letter in word))


def degrees_of(text: str) -> frozenset[str]:
    """The levels of study that a text claims."""
    return frozenset(level for level, pattern in DEGREES.items() if pattern.search(text))


@dataclass(frozen=True)
class Evidence:
    """A document, looked at from the side of a claim."""

    document: str

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Folded words per line."""
        lines = (tuple(words_of(line)) for line in self.document.split("\n"))
        return tuple(line for line in lines if line)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether a line of it, or all that it tells, is in another language than English."""
        lines = self.document.split("\n")
        told = " ".join(line[2:] for line in lines if line.startswith("- "))
        if _HEAD_ABROAD.match(self.document) is not None or any(map(foreign_language, lines)):
            return True
        return foreign_language(told[:_TOLD]) is not None

    @cached_property
    def career(self) -> str:
        """All but studies and employers, folded: what somebody studied is not what they were."""
        told = _STUDIES.sub("", self.document)
        # In another language an employer's name may be the one word that is understood.
        return fold(told if self.is_foreign else _EMPLOYER.sub(r"\1\2", told))

    @cached_property
    def titles(self) -> str:
        """What the document calls the person, folded: head, summary and the titles of jobs."""
        head, *sections = re.split(r"^## ", self.document, flags=re.MULTILINE)
        summary = [text for text in sections if text.startswith("Summary")]
        return fold(_STUDIES.sub("", "\n".join((head, *summary)))) + " " + self.job_titles

    @cached_property
    def job_titles(self) -> str:
        """The titles of jobs without their employers, folded."""
        return fold("\n".join(match[1] for match in _JOB.finditer(self.document)))

    @cached_property
    def all_words(self) -> str:
        """The whole document, folded."""
        return fold(self.document)

    @cached_property
    def each_title(self) -> tuple[str, ...]:
        """The titles of jobs, folded, each by itself."""
        return tuple(fold(match[1]) for match in _JOB.finditer(self.document))

    @cached_property
    def own_name(self) -> frozenset[str]:
        """The words of the name at its head."""
        head = self.document.partition("\n")[0]
        return frozenset(words_of(head)) if head.startswith("# ") else frozenset()

    @cached_property
    def own_sounds(self) -> frozenset[str]:
        """The consonants of the name at its head, in Latin letters, if it is in Cyrillic ones."""
        head = self.document.partition("\n")[0]
        return frozenset(map(sounds_of, words_of(head))) if _CYRILLIC.search(head) else frozenset()

    @cached_property
    def sentences(self) -> str:
        """Its lines that tell what somebody did: no headings, lists of skills or schools."""
        lines = self.document.split("\n")
        return "\n".join(line for line in lines if line.startswith("- ") and " — " not in line)

    @cached_property
    def words(self) -> frozenset[str]:
        """All folded words."""
        return frozenset(word for line in self.lines for word in line)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Words of two capitals or more."""
        return frozenset(_ACRONYM.findall(self.document))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words."""
        return frozenset(map(stem, self.words))

    @cached_property
    def letters(self) -> str:
        """All words run together, for names that are written as one word elsewhere."""
        return "".join(word for line in self.lines for word in line)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """All numbers, digits and number words alike."""
        return tuple(amounts_of(self.document))

    @cached_property
    def degrees(self) -> frozenset[str]:
        """Levels of study, short forms counted inside the list of studies only."""
        found = set(degrees_of(self.document))
        studies = "\n".join(match[1] for match in _STUDIES.finditer(self.document))
        found |= {level for level, pattern in _IN_STUDIES.items() if pattern.search(studies)}
        return frozenset(found | ({"master"} if "mba" in found else set()))

    def has_word(self, word: str) -> bool:
        """Whether the document has the folded word, or another form of it."""
        return word in self.words or stem(word) in self.stems

    def has_joined(self, word: str) -> bool:
        """Whether the document writes the folded word as several, or as a part of a longer one."""
        if word not in self.letters:
            return False
        if any(other.startswith(word) or other.endswith(word) for other in self.words):
            return True
        return any(
            _is_joined(line[start:], word)
            for line in self.lines
            for start, first in enumerate(line)
            if word.startswith(first)
        )

    def has_phrase(self, words: tuple[str, ...]) -> bool:
        """Whether some line has these words one after the other, in any form."""
        wanted = tuple(map(stem, words))
        if not wanted or not all(part in self.stems for part in wanted):
            return False
        size = len(wanted)
        return any(
            tuple(map(stem, line[start : start + size])) == wanted
            for line in self.lines
            for start in range(len(line) - size + 1)
        )

    def has_near(self, words: tuple[str, ...], window: int) -> bool:
        """Whether some line has all these words within `window` words, in any order."""
        wanted = set(map(stem, words))
        if not wanted or not wanted <= self.stems:
            return False
        for line in self.lines:
            stems = [stem(word) for word in line]
            if wanted <= set(stems) and _within(stems, wanted, window):
                return True
        return False

    def has_initials(self, letters: str) -> bool:
        """Whether some line spells the abbreviation out: `SCM` for supply chain management."""
        size = len(letters)
        return any(
            "".join(word[0] for word in line[start : start + size]) == letters
            for line in self.lines
            for start in range(len(line) - size + 1)
        )


def _is_joined(words: tuple[str, ...], wanted: str) -> bool:
    """Whether these words, run together, begin with whole ones that make up the wanted one."""
    size = 0
    for word in words:
        if not wanted.startswith(word, size):
            return False
        size += len(word)
        if size == len(wanted):
            return True
    return False


def _within(stems: list[str], wanted: set[str], window: int) -> bool:
    starts = range(max(1, len(stems) - window + 1))
    return any(wanted <= set(stems[start : start + window]) for start in starts)
