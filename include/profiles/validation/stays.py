"""Durations of a sentence: years in all, and time spent in a job or at an employer. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Mention, Sentence
from profiles.validation.facts import Facts
from profiles.validation.jobs import Job
from profiles.validation.lines import Line
from profiles.validation.numbers import Amount

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["stay_claims"]

_Months = tuple[float, float]

_MORE = re.compile(r"\b(?:over|more than|at least|well over|exceeding|beyond)\s+\Z", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:in all|in total|total|totals?|overall|altogether|combined|career of|working life)\b",
    re.IGNORECASE,
)
_EXPERIENCE = re.compile(
    r"\A['’]?\s+(?:of\s+)?(?:[\w&/-]+\s+){0,4}?(?:experience|background|career)\b", re.IGNORECASE
)
_NOT_BETWEEN = re.compile(
    r"[;:.(]|\b(?:after|before|following|from|then|to|by|in|over|within|until|since|and|but|led|leading"
    r"|programme|program|project|plan|contract|warranty|roadmap|strategy|grew|grow\w*|reduc\w*)\b",
    re.IGNORECASE,
)
_LONGEST_BETWEEN = 50
_SLACK = 6
_NEAR = 30
_SLACK_IN_ALL = 6
_ROUNDED = 0.02


def stay_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each duration in years; one in months where a line or a job must have it."""
    del vocabulary
    for amount in sentence.amounts:
        if amount.unit not in ("year", "month"):
            continue
        yield Claim(RemovalReason.YEARS, _is_lived(amount, sentence, facts))


def _is_lived(amount: Amount, sentence: Sentence, facts: Facts) -> bool | None:
    claimed = _claimed(amount, sentence.text)
    at = _employer_of(amount, sentence.text, sentence.employers)
    if at is not None and not _EXPERIENCE.match(sentence.text[amount.end :]):
        spans = _at_employer(facts, at)
        in_line = any(line.job in at.jobs and _has(line, amount, facts) for line in facts.lines)
        return in_line or _meets(claimed, spans) if spans else None
    if not _is_in_all(amount, sentence.text) and _is_stated(amount, facts):
        return True
    jobs = facts.jobs
    if amount.unit == "month":
        jobs = tuple(job for job in jobs if job.is_precise)
    spans = [span for span in (*_spans(jobs), facts.total) if span]
    if not spans:
        return None
    if amount.unit == "year" and _is_in_all(amount, sentence.text):
        most = max(span[1] for span in spans)
        near = sentence.text[max(0, amount.start - _NEAR) : amount.end + _NEAR]
        is_only = sum(other.unit == "year" for other in sentence.amounts) == 1
        least = facts.total[0] if facts.total and is_only and _IN_ALL.search(near) else 0
        if _is_stated_of_all(amount, facts) or (facts.total is None and _is_stated(amount, facts)):
            return True
        shortest = amount.value * 12 * (1 - _ROUNDED) - _SLACK_IN_ALL
        return shortest <= most and claimed[1] >= least - 12
    if _meets(claimed, spans):
        return True
    return None if claimed[0] <= max(span[1] for span in spans) else False


def _is_stated(amount: Amount, facts: Facts) -> bool:
    """Whether a line states the duration; of another language, the number alone."""
    return any(_has(line, amount, facts) for line in facts.lines if line.amounts)


def _has(line: Line, amount: Amount, facts: Facts) -> bool:
    units = {amount.unit} if amount.unit in facts.units else {amount.unit, ""}
    return any(amount.agrees(other) and other.unit in units for other in line.amounts)


def _is_stated_of_all(amount: Amount, facts: Facts) -> bool:
    """Whether the head or the summary states so many years."""
    return any(
        amount.agrees(other) or 0 <= other.value - amount.value <= 1
        for line in facts.lines
        if line.section in ("", "Summary")
        for other in line.amounts
    )


def _claimed(amount: Amount, text: str) -> _Months:
    """The months that the words may mean."""
    size = amount.value * (12 if amount.unit == "year" else 1)
    slack = _SLACK + (3 if amount.is_about else 0) if amount.unit == "year" else 1 + 0.05 * size
    more = slack + (6 if _MORE.search(text[: amount.start]) else 0)
    return size - slack, size + more


def _is_in_all(amount: Amount, text: str) -> bool:
    return bool(_EXPERIENCE.match(text[amount.end :]) or _IN_ALL.search(text))


def _employer_of(amount: Amount, text: str, employers: list[Mention]) -> Mention | None:
    """The employer to whom the words next to a duration give it."""
    for mention in employers:
        between = text[min(mention.end, amount.end) : max(mention.start, amount.start)]
        if len(between) <= _LONGEST_BETWEEN and not _NOT_BETWEEN.search(between):
            return mention
    return None


def _at_employer(facts: Facts, mention: Mention) -> list[_Months]:
    jobs = [job for job in facts.jobs if job.place in mention.jobs]
    if not jobs or any(job.months is None for job in jobs):
        return []
    return [span for span in _spans(tuple(jobs)) if span]


def _spans(jobs: tuple[Job, ...]) -> list[_Months | None]:
    """How long each job and each run of them lasted, from first month to last and added up."""
    spans: list[_Months | None] = []
    for first in range(len(jobs)):
        low = high = 0.0
        for last in range(first, len(jobs)):
            months = jobs[last].months
            if months is None:
                break
            low, high = low + months[0], high + months[1]
            spans.append((low, high))
            if last > first:
                spans.append(_from_to(jobs[last], jobs[first]))
    return spans


def _from_to(oldest: Job, newest: Job) -> _Months | None:
    start = oldest.start
    end = newest.end
    if newest.is_current and newest.start is not None:
        end = newest.start + newest.running_years * 12
    if start is None or end is None:
        return None
    return end - start - 1.0, end - start + (13.0 if newest.is_current else 2.0)


def _meets(claimed: _Months, spans: list[_Months]) -> bool:
    return any(claimed[0] <= span[1] and span[0] <= claimed[1] for span in spans)
