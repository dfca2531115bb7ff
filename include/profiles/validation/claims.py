"""A sentence of a summary and the claims that checks find in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts, Job, content_of
from profiles.validation.numbers import Amount, amounts_of, plain

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["Claim", "ClaimCheck", "Mention", "Sentence", "employers_in", "titles_in"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_WINDOW = 12


@dataclass(frozen=True, slots=True)
class Claim:
    """Something a sentence states. `is_supported` is None where the document does not decide."""

    reason: RemovalReason
    is_supported: bool | None


@dataclass(frozen=True)
class Sentence:
    """A sentence in one notation, with its words and figures."""

    text: str

    @classmethod
    def of(cls, text: str) -> Sentence:
        """The sentence that a model wrote."""
        return cls(plain(text))

    @cached_property
    def words(self) -> tuple[tuple[str, int, int], ...]:
        """Folded words with their places."""
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

    def around(self, start: int, end: int) -> frozenset[str]:
        """The content stems of the clause around a place, a dozen words on either side."""
        before = [word for word, _, stop in self.words if stop <= start]
        after = [word for word, begin, _ in self.words if begin >= end]
        left = self.text.rfind(";", 0, start)
        right = self.text.find(";", end)
        first = sum(1 for _, begin, _ in self.words if begin <= left) if left >= 0 else 0
        last = sum(1 for _, begin, _ in self.words if end <= begin < right) if right >= 0 else None
        return content_of((*before[first:][-_WINDOW:], *after[:last][:_WINDOW]))


ClaimCheck = Callable[[Sentence, Facts, "Vocabulary"], Iterator[Claim]]


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a sentence names an employer or a title, and the jobs that it may mean."""

    start: int
    end: int
    jobs: frozenset[int]
    size: int


def employers_in(sentence: Sentence, facts: Facts) -> list[Mention]:
    """The employers of the document that the sentence names, in order."""
    folded = [word for word, _, _ in sentence.words]
    found: list[Mention] = []
    for words, jobs in _employer_forms(facts).items():
        for start in _places(folded, words):
            begin, end = sentence.words[start][1], sentence.words[start + len(words) - 1][2]
            if sentence.text[begin].isupper() or not sentence.text[begin].isalpha():
                found.append(Mention(begin, end, jobs, len(words)))
    return _longest(found)


def titles_in(sentence: Sentence, facts: Facts) -> list[Mention]:
    """The titles of the document that the sentence names, in order."""
    found: list[Mention] = []
    for stems in {job.title_stems for job in facts.jobs if job.title_stems}:
        jobs = frozenset(
            job.place for job in facts.jobs if _has_run(job.title_stems, stems)
        )
        for start in _places(sentence.stems, stems):
            begin, end = sentence.words[start][1], sentence.words[start + len(stems) - 1][2]
            found.append(Mention(begin, end, jobs, len(stems)))
    return _longest(found)


def _employer_forms(facts: Facts) -> dict[tuple[str, ...], frozenset[int]]:
    """Each way to name an employer: in full, or by a first word that is its own."""
    from profiles.validation.wording import table

    generic = table("organisations")["generic"] | table("organisations")["legal"]
    forms: dict[tuple[str, ...], set[int]] = {}
    for job in facts.jobs:
        words = tuple(words_of(job.employer))
        if not words:
            continue
        for form in {words, words[:1] if words[0] not in generic and len(words[0]) > 3 else words}:
            forms.setdefault(form, set()).add(job.place)
    return {form: frozenset(jobs) for form, jobs in forms.items()}


def _places(words: list[str] | tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[int]:
    size = len(wanted)
    for start in range(len(words) - size + 1):
        if words[start] == wanted[0] and tuple(words[start : start + size]) == wanted:
            yield start


def _has_run(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return next(_places(words, wanted), None) is not None


def _longest(found: list[Mention]) -> list[Mention]:
    """The mentions in order, each without those inside of it."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def job_at(facts: Facts, place: int) -> Job:
    """The job of that place."""
    return next(job for job in facts.jobs if job.place == place)
