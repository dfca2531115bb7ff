"""Whether two sentences of a summary tell the same: in another order, of another subject. Pure.

What is compared are the words that carry the content. Two sentences of which each names something
of its own, a number or a name, are two facts, however alike their words are; only where the plain
words of one are nearly all in the other is it the same fact. A list given twice is found by
the run of its items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Self

from profiles.standardization.text import fold
from profiles.validation.evidence import stem
from profiles.validation.language import ENGLISH

__all__ = ["Told", "has_retold"]

_TOKEN = re.compile(r"[^\s,;:()–—\"“”]+|[,;]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EMPTY = ENGLISH | _words("""
    candidate professional applicant person individual specialist profile summary role position
    time here too again moreover furthermore addition additionally notably overall conclusion
    career them him what so such do does did being then now once it's they've
""")
"""Words that say nothing of what is told, besides the small ones."""
_BEGINS_WITH_NAME = re.compile(r"\S+ [A-Z]")
_FEWEST_WORDS = 6
_TOLD_SHARE = 0.8
_FEWEST_PLAIN_WORDS = 5
_PLAIN_SHARE = 0.95
_FEWEST_PLAIN_OF_NAMED = 3
_LONGEST_TITLE = 7
_BETWEEN_ITEMS = frozenset((",", ";", "&", "and"))
_FEWEST_ITEMS = 4
"""Three skills in the first sentence come again among others in many an honest summary."""
_SHORTEST_LIST = 4
_LIST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Told:
    """The content of a sentence: stems in order, those of names, numbers, list marks."""

    words: tuple[str, ...]
    content: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    marked: frozenset[int]
    size: int

    @classmethod
    def of(cls, sentence: str) -> Self:
        """The content of a sentence as it was written."""
        words: list[str] = []
        names: set[str] = set()
        numbers: set[str] = set()
        marked: set[int] = set()
        for position, match in enumerate(_TOKEN.finditer(sentence)):
            text = match[0]
            if text in _BETWEEN_ITEMS:
                marked.add(len(words))
                continue
            word = text.lower().strip(".!?'’") if text.isascii() else fold(text)
            if not word or word in _EMPTY:
                continue
            word = stem(word.removesuffix("'s"))
            words.append(word)
            if any(letter.isdigit() for letter in word):
                numbers.add(word)
            elif text != text.lower() and (position or _BEGINS_WITH_NAME.match(sentence)):
                names.add(word)
        return cls(
            tuple(words),
            frozenset(words),
            frozenset(names),
            frozenset(numbers),
            frozenset(marked),
            sentence.count(" ") + 1,
        )

    @property
    def is_title(self) -> bool:
        """Whether it says little more than a title or an employer, of which two jobs may be."""
        is_short = self.size <= _LONGEST_TITLE
        return is_short and bool(self.names) and len(self.plain) <= 1

    @property
    def plain(self) -> frozenset[str]:
        """The content without names and numbers."""
        return self.content - self.names - self.numbers


def has_retold(sentences: list[Told]) -> bool:
    """Whether some sentence tells what another tells."""
    return any(_is_retold(first, second) for first, second in combinations(sentences, 2))


def _is_retold(first: Told, second: Told) -> bool:
    shared = first.content & second.content
    if len(shared) < _SHORTEST_LIST:
        return False
    if _has_list_of(first, second):
        return True
    if first.numbers - second.content and second.numbers - first.content:
        return False
    plain = (first.plain & second.content) | (second.plain & first.content)
    shorter = min(len(first.content), len(second.content))
    names_differ = first.names - second.content and second.names - first.content
    if (
        not names_differ
        and len(plain) >= _FEWEST_PLAIN_OF_NAMED
        and len(shared) >= max(_FEWEST_WORDS, _TOLD_SHARE * shorter)
    ):
        return True
    shorter = min(len(first.plain), len(second.plain))
    fewer = min(first.numbers, second.numbers, key=len)
    is_same_count = bool(fewer) and fewer <= first.numbers & second.numbers
    share = _TOLD_SHARE if is_same_count else _PLAIN_SHARE
    return len(plain) >= max(_FEWEST_PLAIN_WORDS, share * shorter)


def _has_list_of(first: Told, second: Told) -> bool:
    """Whether most of one is a run of items that the other has, too."""
    start, length = _longest_run(first.words, second.words)
    shorter = min(len(first.words), len(second.words))
    begins_alike = start == 0 and first.words[:length] == second.words[:length]
    share = _TOLD_SHARE if begins_alike else _LIST_SHARE
    if length < max(_SHORTEST_LIST, share * shorter):
        return False
    return sum(start < mark < start + length for mark in first.marked) >= _FEWEST_ITEMS - 1


def _longest_run(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[int, int]:
    """Where the longest run of words begins in the first that both have, and its length."""
    best = (0, 0)
    lengths = [0] * (len(second) + 1)
    for position, word in enumerate(first):
        fresh = [0] * (len(second) + 1)
        for other, candidate in enumerate(second):
            if word == candidate:
                fresh[other + 1] = lengths[other] + 1
                if fresh[other + 1] > best[1]:
                    best = (position - fresh[other + 1] + 1, fresh[other + 1])
        lengths = fresh
    return best
