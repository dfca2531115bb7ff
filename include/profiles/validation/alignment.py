"""What a clause tells must stand in the job that it tells of. Pure.

A clause is bound to jobs by the employer or title that it names and by its time words
("currently", "before that", "began as"): its scope, which holds until a clause changes it. Its
figures and content words point to the jobs whose lines have them: its votes. Votes for other jobs
alone are a fault. A word that also stands outside of the jobs votes for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Mention, Sentence
from profiles.validation.facts import Facts

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["entry_claims"]

_BREAK = re.compile(
    r"[,;:](?!\d)|\b(?:while|whereas|and (?:at|then|later|earlier|previously|was))\b"
)
_NOW = re.compile(
    r"\b(?:currently|still|today|at present|presently|to this day|to date|is now"
    r"|now (?:as|at|works|serves))\b|\b(?:candidate|also|still)\s+(?:\w+ly\s+)?"
    r"(?!is|has|was|does|holds|brings|speaks|knows|offers|combines)[a-z]+[^s\W]s\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:career|path|journey)\s+(?:began|started|begins|starts)|\b(?:began|started|starting|beginning)"
    r"\s+(?:out\s+)?as\b|\bfirst\s+(?:job|role|post|position)\b",
    re.IGNORECASE,
)
_BEFORE_THAT = re.compile(
    r"\A(?:Before (?:that|this)|Earlier|Previously|Formerly|Prior to (?:that|this))\b"
)
_AFTER_THAT = re.compile(r"\A(?:After (?:that|this)|Then|Later|Subsequently|Afterwards)\b")
_THERE = re.compile(r"\A(?:There|In (?:this|that) (?:role|post|position))\b")
_TURN = re.compile(
    r"\b(?:after|before|since|until|having|had|then|later|earlier|previous|previously|formerly"
    r"|former|followed|moved|moving|joined|joining|promoted|same|past|prior)\b|\A\W*(?:following|from)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\A(?:(?:Before|After|Prior to) (?:that|this)|Earlier|Previously|Formerly|Then|Later)\b"
)
_AS = re.compile(r"\b(?:as|is|was)\s+(?:an?\s+|the\s+)?\Z", re.IGNORECASE)
_ENOUGH = 2
_RARE_COUNT = 13
_WRITERS_OWN = 2


@dataclass(frozen=True, slots=True)
class _Scope:
    """The jobs that a clause may tell of, and what it says of them is false otherwise."""

    jobs: frozenset[int]
    reason: RemovalReason


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int

    def holds(self, start: int) -> bool:
        """Whether a place is inside."""
        return self.start <= start < self.end


def entry_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each clause with a scope and enough votes."""
    del vocabulary
    if len(facts.jobs) < _ENOUGH:
        return
    whole = _scope_by_previous(sentence, facts)
    scope = _scope_of_there(sentence)
    for clause in _clauses(sentence.text):
        text = _LEAD.sub("", sentence.text[clause.start : clause.end])
        employers = [item for item in sentence.employers if clause.holds(item.start)]
        votes = list(_votes(clause, sentence, facts))
        timed = [*votes, *((item.jobs, _ENOUGH) for item in employers)]
        time = _time_scope(text, facts)
        if time is not None:
            yield from _judged(time, timed)
            scope = time
        elif whole is not None:
            yield from _judged(whole, timed)
        named = _named_scope(clause, text, employers, sentence)
        if named is not None:
            scope = named
        elif len(employers) > 1 or (time is None and _TURN.search(text)):
            scope = None
        if scope is not None and scope is not time:
            yield from _judged(scope, votes)


def _scope_by_previous(sentence: Sentence, facts: Facts) -> _Scope | None:
    """The jobs before or after those of the sentence before, where this one begins so."""
    is_before = _BEFORE_THAT.match(sentence.text) is not None
    if not is_before and not _AFTER_THAT.match(sentence.text):
        return None
    starts = _starts(facts)
    told = [starts[job] for job in _told(sentence.previous, facts) if job in starts]
    if len(starts) < len(facts.jobs) or not (told or is_before):
        return None
    if is_before:
        newest = max(told, default=max(starts.values()))
        jobs = frozenset(place for place, start in starts.items() if start < newest)
    else:
        jobs = frozenset(place for place, start in starts.items() if start > min(told))
    return _Scope(jobs, RemovalReason.EMPLOYMENT)


def _told(sentence: Sentence | None, facts: Facts) -> frozenset[int]:
    """The jobs that a sentence, or the last one before it that has any, plainly tells of."""
    while sentence is not None:
        named = [item.jobs for item in (*sentence.employers, *sentence.titles)]
        votes = (
            jobs
            for clause in _clauses(sentence.text)
            for jobs, _ in _votes(clause, sentence, facts)
        )
        if told := frozenset().union(*named, *(jobs for jobs in votes if len(jobs) == 1)):
            return told
        sentence = sentence.previous
    return frozenset()


def _scope_of_there(sentence: Sentence) -> _Scope | None:
    if sentence.previous is None or not _THERE.match(sentence.text):
        return None
    employers = sentence.previous.employers
    return _Scope(employers[-1].jobs, RemovalReason.EMPLOYMENT) if employers else None


def _judged(scope: _Scope, votes: list[tuple[frozenset[int], int]]) -> Iterator[Claim]:
    if sum(weight for _, weight in votes) < _ENOUGH:
        return
    if any(jobs & scope.jobs for jobs, _ in votes):
        yield Claim(scope.reason, True)
    elif reduce(frozenset.__and__, (jobs for jobs, _ in votes)):
        yield Claim(scope.reason, False)


def _clauses(text: str) -> Iterator[_Clause]:
    start = 0
    for match in _BREAK.finditer(text):
        yield _Clause(start, match.start())
        start = match.start()
    yield _Clause(start, len(text))


def _named_scope(
    clause: _Clause, text: str, employers: list[Mention], sentence: Sentence
) -> _Scope | None:
    if _TURN.search(text):
        return None
    if len(employers) == 1:
        return _Scope(employers[0].jobs, RemovalReason.EMPLOYMENT)
    titles = [
        item
        for item in sentence.titles
        if clause.holds(item.start) and _AS.search(sentence.text[: item.start])
    ]
    if len(titles) == 1 and not employers:
        return _Scope(titles[0].jobs, RemovalReason.EMPLOYMENT)
    return None


def _time_scope(text: str, facts: Facts) -> _Scope | None:
    starts = _starts(facts)
    running = frozenset(job.place for job in facts.jobs if job.is_current)
    if len(starts) < len(facts.jobs):
        return None
    if _FIRST.search(text):
        newest = max(starts.values())
        older = frozenset(place for place, start in starts.items() if start < newest)
        return _Scope(older, RemovalReason.EMPLOYMENT)
    if running and _NOW.search(text) and not _TURN.search(text):
        return _Scope(running, RemovalReason.TENSE)
    return None


def _starts(facts: Facts) -> dict[int, int]:
    return {job.place: job.start for job in facts.jobs if job.start is not None}


@dataclass(frozen=True, slots=True)
class _Vote:
    place: int
    jobs: frozenset[int]
    weight: int
    key: str


def _votes(
    clause: _Clause, sentence: Sentence, facts: Facts
) -> Iterator[tuple[frozenset[int], int]]:
    """The jobs that each figure and word of a clause points to, and how strongly."""
    seen: set[str] = set()
    for vote in _all_votes(sentence, facts):
        if clause.holds(vote.place) and vote.key not in seen:
            seen.add(vote.key)
            yield vote.jobs, vote.weight


@lru_cache(maxsize=64)
def _all_votes(sentence: Sentence, facts: Facts) -> tuple[_Vote, ...]:
    return (*_votes_of_figures(sentence, facts), *_votes_of_words(sentence, facts))


def _votes_of_figures(sentence: Sentence, facts: Facts) -> Iterator[_Vote]:
    for amount in sentence.amounts:
        if amount.unit in ("year", "month") or amount.value <= _WRITERS_OWN:
            continue
        jobs = frozenset(line.job for line in facts.lines_with(amount))
        if jobs and None not in jobs:
            is_rare = amount.unit == "percent" or amount.value >= _RARE_COUNT
            places = frozenset(job for job in jobs if job is not None)
            yield _Vote(amount.start, places, 2 if is_rare else 1, f"figure {amount.start}")


def _votes_of_words(sentence: Sentence, facts: Facts) -> Iterator[_Vote]:
    mentions = [*sentence.employers, *sentence.titles]
    taken = [(item.start, item.end) for item in mentions]
    taken += [(amount.start, amount.end) for amount in sentence.amounts]
    for word, start, end in sentence.words:
        key = facts.key_of(word)
        jobs = facts.places.get(key)
        if jobs and not any(first <= start and end <= last for first, last in taken):
            yield _Vote(start, jobs, 1, key)
