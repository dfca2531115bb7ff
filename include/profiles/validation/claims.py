"""A sentence of a summary and the claims that checks find in it. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from profiles.models import RemovalReason
from profiles.standardization.amounts import Amount, amounts_of, plain, rounded_before
from profiles.validation.document import Document, NamedForms
from profiles.validation.jobs import meets, months_meant, spans_of
from profiles.validation.words import ENGLISH, content_of, regex, stem, words_of

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_RARE_COUNT = 13
_WRITERS_OWN = 2
_TIMES = ("year", "month")
_ENOUGH = 2
_LEADING = ("After", "Following", "Before", "Prior to")
_PART_END = re.compile(rf"\b(?:{regex('part').pattern})|[,;:](?!\d)")
_CLAUSE = re.compile(r"[,;:](?!\d)|\b(?:and|while|where|which|with|plus)\b")


_Place = tuple[str, int, int]
"""A folded word, its first and its last place."""


class Claim(NamedTuple):
    """Something a sentence states. `is_supported` is None where the document does not decide."""

    reason: RemovalReason
    is_supported: bool | None


class Mention(NamedTuple):
    """The place at which a sentence names an employer or a title, and the jobs that it may mean."""

    start: int
    end: int
    jobs: set[int]


class Part(NamedTuple):
    """A part of a sentence between commas and words of order, and whether its jobs came "later" or
    "earlier" than those before."""

    start: int
    end: int
    order: str

    def within(self, mentions: Iterable[Mention]) -> list[Mention]:
        """The mentions that begin in it."""
        return [item for item in mentions if self.start <= item.start < self.end]


class Vote(NamedTuple):
    """Jobs to which a figure or word points, and how strongly; one key votes once."""

    start: int
    jobs: set[int]
    weight: int
    key: str


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence in one notation, with its words, its figures and the jobs that it names."""

    text: str
    document: Document
    before: Sentence | None = None

    @classmethod
    def of(cls, text: str, document: Document, before: Sentence | None = None) -> Sentence:
        """The sentence that a model wrote about a document."""
        return cls(plain(text), document, before)

    @cached_property
    def words(self) -> tuple[_Place, ...]:
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
    def bag(self) -> frozenset[str]:
        """Its folded words, in no order."""
        return frozenset(word for word, _, _ in self.words)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        return tuple(amounts_of(self.text))

    @cached_property
    def durations(self) -> list[Amount]:
        """Its figures of years or months; years and the months behind them are one."""
        years: list[Amount] = []
        for match in regex("one year").finditer(self.text):
            start, end = match.span("years")
            count, rounded = 1.5 if match["half"] else 1.0, rounded_before(start, self.text)
            years.append(Amount((count,), "year", start, end, True, rounded))
        found: list[Amount] = []
        for amount in sorted((*years, *self.amounts), key=attrgetter("start")):
            last = found[-1] if found and (found[-1].unit, amount.unit) == _TIMES else None
            if last and regex("and months").fullmatch(self.text, last.end, amount.start):
                months = 12 * last.value + amount.value
                found[-1] = replace(amount, values=(months,), start=last.start)
            elif amount.unit in _TIMES:
                found.append(amount)
        return found

    @cached_property
    def employers(self) -> list[Mention]:
        """The employers of the document that it names, in order."""
        words = [word for word, _, _ in self.words]
        return _longest(
            mention
            for mention in _mentions(words, self.words, self.document.employer_forms)
            if not self.text[mention.start].islower()
        )

    @cached_property
    def titles(self) -> list[Mention]:
        """The titles of the document that it names, in order."""
        places = [item for item in self.words if item[0] not in ENGLISH]
        stems = [stem(word) for word, _, _ in places]
        return _longest(_mentions(stems, places, self.document.title_forms))

    @cached_property
    def votes(self) -> list[Vote]:
        """The jobs that its figures and words point to, for those that no other line has."""
        return [*self._votes_of_figures(), *self._votes_of_words()]

    def _votes_of_figures(self) -> Iterator[Vote]:
        for amount in self.amounts:
            if amount.unit in _TIMES or amount.value <= _WRITERS_OWN:
                continue
            jobs = {line.job for line in self.document.figures.lines_with(amount)}
            is_part = amount.unit == "percent" and amount.is_word
            if jobs and None not in jobs and not is_part:
                is_rare = amount.unit == "percent" or amount.value >= _RARE_COUNT
                places = {job for job in jobs if job is not None}
                yield Vote(amount.start, places, 1 + is_rare, f"figure {amount.start}")

    def _votes_of_words(self) -> Iterator[Vote]:
        taken = [(item.start, item.end) for item in (*self.employers, *self.titles)]
        taken += [(amount.start, amount.end) for amount in self.amounts]
        evidence, places = self.document.evidence, self.document.evidence.places
        for word, start, end in self.words:
            key = evidence.key_of(word)
            if key in places and not any(first <= start and end <= last for first, last in taken):
                yield Vote(start, places[key], 1, key)

    @cached_property
    def parts(self) -> list[Part]:
        found: list[Part] = []
        start, order, ahead = 0, "", ""
        for match in _PART_END.finditer(self.text):
            kind, place = match.lastgroup or "", match.start()
            if kind == "subject" and not ahead:
                continue
            if place > start:
                found.append(Part(start, place, order))
            if place == 0:
                # "After that job, …": what follows the comma came later.
                turned = {"earlier": "later", "later": "earlier"}
                ahead = turned[kind] if match[0] in _LEADING else ""
            elif kind and kind != "subject":
                order, ahead = kind, ""
            else:
                order, ahead = (ahead, "") if match[0] in ("", ",") else ("", "")
            start = match.end()
        found.append(Part(start, len(self.text), order))
        return found

    def votes_in(self, start: int, end: int) -> list[Vote]:
        """The votes between two places, one a key."""
        return list({vote.key: vote for vote in self.votes if start <= vote.start < end}.values())

    def jobs_of(self, part: Part) -> frozenset[int]:
        """The jobs that all names, figures and words of a part have in common, where they are
        enough to tell. A duration narrows them, or is enough with a single word."""
        named = [item.jobs for item in part.within((*self.employers, *self.titles))]
        votes = self.votes_in(part.start, part.end)
        headings = self.document.evidence.headings
        of_headings = sum(headings.get(vote.key) == vote.jobs for vote in votes)
        weight = 2 * len(named) + of_headings + sum(vote.weight for vote in votes)
        candidates = [*named, *(vote.jobs for vote in votes)]
        found = frozenset(set.intersection(*candidates)) if candidates else frozenset()
        lasted = found and found & self._lasted(part.start, part.end)
        return found if weight >= _ENOUGH and not lasted else lasted

    def _lasted(self, start: int, end: int) -> frozenset[int]:
        """The jobs, if no row of them, that lasted as long as the only duration between places."""
        first, last = (
            bisect_left(self.durations, place, key=attrgetter("start")) for place in (start, end)
        )
        jobs = self.document.jobs
        if last - first != 1 or not all(job.months for job in jobs):
            return frozenset()
        meant = months_meant(self.durations[first])
        fits = () if meets(meant, spans_of(jobs, fewest=2)) else jobs
        return frozenset(job.place for job in fits if meets(meant, filter(None, (job.months,))))

    def told_of(self, part: Part) -> frozenset[int]:
        """The jobs of a part, or else those that lasted as long as it says."""
        return self.jobs_of(part) or self._lasted(part.start, part.end)

    def words_in(self, start: int, end: int) -> list[str]:
        """The words that begin between two places."""
        first, last = (bisect_left(self.words, place, key=itemgetter(1)) for place in (start, end))
        return [word for word, _, _ in self.words[first:last]]

    @cached_property
    def _clauses(self) -> tuple[list[int], list[frozenset[str]]]:
        """The starts of the clauses between commas and joining words, and their content stems."""
        cuts = list(_CLAUSE.finditer(self.text))
        starts = [0, *(cut.end() for cut in cuts)]
        ends = [*(cut.start() for cut in cuts), len(self.text)]
        bounds = zip(starts, ends, strict=True)
        return starts, [content_of(self.words_in(start, end)) for start, end in bounds]

    def clause(self, place: int) -> frozenset[str]:
        """The content stems of the clause around a place."""
        starts, contents = self._clauses
        return contents[bisect_right(starts, place) - 1]

    def clauses_in(self, part: Part) -> Iterator[tuple[int, int]]:
        """The bounds of the clauses that begin in a part, which joining words divide."""
        starts, _ = self._clauses
        first, last = bisect_right(starts, part.start), bisect_left(starts, part.end)
        return pairwise((part.start, *starts[first:last], part.end))


ClaimCheck = Callable[[Sentence], Iterator[Claim]]


def _mentions(words: list[str], places: Sequence[_Place], forms: NamedForms) -> Iterator[Mention]:
    """Yield a mention for each place at which the words have one of the forms."""
    for first, word in enumerate(words):
        for form, jobs in forms.get(word, ()):
            if tuple(words[first : first + len(form)]) == form:
                yield Mention(places[first][1], places[first + len(form) - 1][2], jobs)


def _longest(found: Iterator[Mention]) -> list[Mention]:
    """The mentions in order, each without those inside of it."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
