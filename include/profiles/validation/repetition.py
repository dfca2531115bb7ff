"""Repetition loops, the usual way in which a small or badly sampled model fails. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from profiles.standardization.text import fold, split_sentences
from profiles.validation.evidence import stem
from profiles.validation.language import ENGLISH
from profiles.validation.wording import table

__all__ = ["Told", "repetition_fault"]

_ONE_CHARACTER = re.compile(r"(\S)\1{15}")
_LONGEST_PERIOD = 12
_SHARE_GRAM = 4
_MAX_REPEATED_SHARE = 0.3
_LONG_GRAM = 8
_MAX_LONG_GRAM_SHARE = 0.2
_MIN_WORDS_FOR_SHARE = 80
_MIN_DISTINCT_SHARE = 0.25
_FEWEST_WORDS = 6
_FEWEST_CONTENT = 5
_TOLD_SHARE = 0.75
_MOST_COMPARED = 120
"""Sentences compared with each other; no accepted summary has as many."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence says: its content stems, and its words with figures."""

    words: tuple[str, ...]
    content: frozenset[str]
    figures: frozenset[str]
    """Its figures and names: two sentences with other ones are two facts."""

    @classmethod
    def of(cls, sentence: str) -> Told:
        """The content of a sentence as it was written."""
        words = tuple(fold(sentence).split())
        generic = table("generic")["subject"]
        figures = frozenset(word for word in words if any(map(str.isdigit, word)))
        content = frozenset(
            stem(word) for word in words if word not in ENGLISH and word not in generic
        )
        names = frozenset(stem(fold(word)) for word in sentence.split()[1:] if word[:1].isupper())
        return cls(words, content - figures, figures | names)

    def retells(self, other: Told) -> bool:
        """Whether both say the same in other words: content and figures are nearly all alike."""
        if len(min(self.content, other.content, key=len)) < _FEWEST_CONTENT:
            return False
        if self.figures - other.figures and other.figures - self.figures:
            return False
        return len(self.content & other.content) >= _TOLD_SHARE * len(self.content | other.content)


def repetition_fault(text: str) -> str | None:
    """Which kind of repetition the text has: a run of one character, a loop, a repeated sentence,
    repeated phrases.

    Words that belong to a subject come back in any honest text, so phrases count only when they
    make up a large share of it.
    """
    if _ONE_CHARACTER.search(text):
        return "character"
    told = [Told.of(sentence) for sentence in split_sentences(text)]
    long = [sentence.words for sentence in told if len(sentence.words) >= _FEWEST_WORDS]
    if len(set(long)) < len(long):
        return "sentence"
    if any(first.retells(second) for first, second in combinations(told[:_MOST_COMPARED], 2)):
        return "sentence"
    words = [word for sentence in told for word in sentence.words]
    if _has_loop(words):
        return "loop"
    return "phrases" if _is_repetitive(words) else None


def _has_loop(words: Sequence[str]) -> bool:
    """The same one to twelve words, three times in a row (a single word: four times)."""
    for period in range(1, min(_LONGEST_PERIOD, len(words) // 3) + 1):
        needed = period * (3 if period == 1 else 2)
        run = 0
        for position in range(period, len(words)):
            run = run + 1 if words[position] == words[position - period] else 0
            if run >= needed:
                return True
    return False


def _is_repetitive(words: Sequence[str]) -> bool:
    if len(words) < _MIN_WORDS_FOR_SHARE:
        return False
    if len(set(words)) < _MIN_DISTINCT_SHARE * len(words):
        return True
    grams = Counter(_grams(words, _SHARE_GRAM))
    repeated = sum(count - 1 for count in grams.values())
    if repeated > _MAX_REPEATED_SHARE * grams.total():
        return True
    most = max(Counter(_grams(words, _LONG_GRAM)).values(), default=0)
    return most >= 3 and most * _LONG_GRAM > _MAX_LONG_GRAM_SHARE * len(words)


def _grams(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)
