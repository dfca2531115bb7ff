"""A sentence of a summary and the claims that checks find in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts
from profiles.validation.language import ENGLISH
from profiles.validation.lines import content_of
from profiles.validation.numbers import Amount, amounts_of, plain
from profiles.validation.wording import phrases_in

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["Claim", "ClaimCheck", "Mention", "Sentence"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_WINDOW = 12
_CLAUSE = re.compile(r"[,;:](?!\d)|\b(?:and|while|where|which|with|plus)\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """Something a sentence states. `is_supported` is None where the document does not decide."""

    reason: RemovalReason
    is_supported: bool | None


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a sentence names an employer or a title, and the jobs that it may mean."""

    start: int
    end: int
    jobs: frozenset[int]


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence in one notation, with its words, its figures and the jobs that it names."""

    text: str
    facts: Facts
    previous: Sentence | None = None

    @classmethod
    def of(cls, text: str, facts: Facts, previous: Sentence | None = None) -> Sentence:
        """The sentence that a model wrote about the person of `facts`, and the one before it."""
        return cls(plain(text), facts, previous)

    @cached_property
    def words(self) -> tuple[tuple[str, int, int], ...]:
        """Folded words with their places."""
        if self.text.isascii() and "'" not in self.text:
            lowered = self.text.lower()
            return tuple((m[0], m.start(), m.end()) for m in _PLAIN_WORD.finditer(lowered))
        return tuple(
            (folded, match.start(), match.end())
            for match in _WORD.finditer(self.text)
            for folded in words_of(match[0])
        )

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each word."""
        return tuple(stem(word) for word, _, _ in self.words)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Its figures."""
        return tuple(amounts_of(self.text))

    @cached_property
    def employers(self) -> list[Mention]:
        """The employers of the document that it names, in order."""
        folded = [word for word, _, _ in self.words]
        found: list[Mention] = []
        for words, jobs in self.facts.employer_forms.items():
            for start in _places(folded, words):
                begin, end = self.words[start][1], self.words[start + len(words) - 1][2]
                if self.text[begin].isupper() or not self.text[begin].isalpha():
                    found.append(Mention(begin, end, jobs))
        return _longest(found)

    @cached_property
    def titles(self) -> list[Mention]:
        """The titles of the document that it names, in order."""
        found: list[Mention] = []
        words = [item for item in self.words if item[0] not in ENGLISH]
        stems = [stem(word) for word, _, _ in words]
        for form, jobs in self.facts.title_forms.items():
            for start in _places(stems, form):
                begin, end = words[start][1], words[start + len(form) - 1][2]
                found.append(Mention(begin, end, jobs))
        return _longest(found)

    def phrases(self, group: str) -> Iterator[re.Match[str]]:
        """Where it has a phrase of the group."""
        return phrases_in(self.text, self.words, "phrases", group)

    def around(self, start: int, end: int) -> frozenset[str]:
        """The content stems of the clause around a place, a dozen words on either side."""
        before = [word for word, _, stop in self.words if stop <= start]
        after = [word for word, begin, _ in self.words if begin >= end]
        left = self.text.rfind(";", 0, start)
        right = self.text.find(";", end)
        first = sum(1 for _, begin, _ in self.words if begin <= left) if left >= 0 else 0
        last = sum(1 for _, begin, _ in self.words if end <= begin < right) if right >= 0 else None
        return content_of((*before[first:][-_WINDOW:], *after[:last][:_WINDOW]))

    def clause(self, place: int) -> frozenset[str]:
        """The content stems between the commas and joining words around a place."""
        start = max((match.end() for match in _CLAUSE.finditer(self.text, 0, place)), default=0)
        after = _CLAUSE.search(self.text, place)
        end = after.start() if after else len(self.text)
        return content_of(tuple(word for word, begin, _ in self.words if start <= begin < end))


ClaimCheck = Callable[[Sentence, Facts, "Vocabulary"], Iterator[Claim]]


def _places(words: list[str] | tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[int]:
    size = len(wanted)
    for start in range(len(words) - size + 1):
        if words[start] == wanted[0] and tuple(words[start : start + size]) == wanted:
            yield start


def _longest(found: list[Mention]) -> list[Mention]:
    """The mentions in order, each without those inside of it."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
