"""Figures and durations: each must stand on a line of the same thing, or in a job's dates. Pure.

A line is of the same thing when it shares a content word, or a second figure, with the clause. Of a
document in another language the figure alone is asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from profiles.models import RemovalReason
from profiles.standardization.amounts import Amount
from profiles.validation.claims import Claim, Sentence
from profiles.validation.document import Document
from profiles.validation.evidence import Line
from profiles.validation.jobs import Job, Months, lived_since, meets, months_meant, spans_of
from profiles.validation.words import ENGLISH, regex, table

_TIMES = ("year", "month")
_FEW = 12
"""A writer may count what a document lists up to here."""
_FEW_TOLD = 3
_NOUN = re.compile(r"[\s-]{0,3}([^\W\d_]+)")
_WIDTH = 60
_OF_ANOTHER_LINE = 2
_LONGEST_BETWEEN = 50


def figure_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each figure; durations are claims about stays."""
    for amount in sentence.amounts:
        if amount.unit not in _TIMES and not _is_no_figure(amount, sentence):
            yield Claim(RemovalReason.FIGURE, _is_supported(amount, sentence))


def _is_no_figure(amount: Amount, sentence: Sentence) -> bool:
    """Return whether it counts what the writer counted in the document."""
    if amount.value <= 2 and amount.unit != "percent" and (amount.is_word or amount.value <= 1):
        return True
    noun = _NOUN.match(sentence.text, amount.end)
    if noun and noun[1].lower() not in ENGLISH:
        return amount.value <= _FEW and noun[1].lower() in table("generic")["counted"]
    # "Thirteen years, ten of them in IT": what is counted stands before.
    return amount.value <= (_FEW if sentence.durations else _FEW_TOLD)


def _is_supported(amount: Amount, sentence: Sentence) -> bool | None:
    document = sentence.document
    lines = document.figures.lines_with(amount)
    context = sentence.clause(amount.start)
    bound = any(line.content & context for line in lines)
    if not bound:
        given = document.figures.lines_giving(amount)
        bound = any(line.content & context for line in given)
        is_exact = not (amount.is_word or amount.rounded or document.is_foreign)
        if bound or not (is_exact and amount.unit == "percent"):
            lines = lines or given
    if not lines:
        most = _FEW if document.is_foreign else _FEW_TOLD
        if amount.unit == "percent":
            # "Halved", in other words than a figure.
            return None if document.is_foreign and amount.is_word else False
        # In a word of the document: "U12", "B737-800".
        is_part = re.search(rf"[^\W\d_]{amount.value:g}(?!\d)", document.text)
        return None if amount.value <= most or is_part else False
    if document.is_foreign:
        return True
    if not bound and _is_moved(amount, sentence):
        return False
    return bound or None


def _is_moved(amount: Amount, sentence: Sentence) -> bool:
    """Return whether the clause states what a line with another figure of this kind states."""
    clause = sentence.clause(amount.start)
    lines_of = sentence.document.figures.lines_of
    shared = Counter(line for word in clause for line in lines_of.get(word, ()))
    return any(
        count >= _OF_ANOTHER_LINE
        and any((other.unit == "percent") == (amount.unit == "percent") for other in line.amounts)
        for line, count in shared.items()
    )


def stay_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each duration: years in all, or time spent in a job or at an employer."""
    for amount in sentence.durations:
        yield Claim(RemovalReason.YEARS, _is_lived(amount, sentence))


def _is_lived(amount: Amount, sentence: Sentence) -> bool | None:
    document, claimed = sentence.document, months_meant(amount)
    if regex("experience").match(sentence.text, amount.end):
        return _is_of_life(amount, document)
    named = _named_at(amount, sentence)
    part = next(part for part in sentence.parts if amount.start < part.end)
    is_post = bool(
        regex("behind a post").match(sentence.text, amount.end)
        or regex("before a post's").search(sentence.text, 0, amount.start)
    )
    places = named or (_is_stay(amount, sentence) and sentence.jobs_of(part))
    if places:
        jobs = [job for job in document.jobs if job.place in places]
        employers = {job.employer for job in jobs}
        is_of_post = named or is_post or part.within(sentence.titles)
        stays = jobs if is_of_post else [job for job in document.jobs if job.employer in employers]
        is_named = named or is_post or any(places <= item.jobs for item in sentence.employers)
        spans = spans_of(stays) if is_named else [*spans_of(stays), *_runs(jobs, sentence)]
        if not all(job.months for job in stays):
            return None
        if meets(claimed, spans):
            return True
    lines = document.figures.lines_giving(amount)
    lines += [line for line in document.lines if _is_stated(amount, line)]
    if lines or places:
        return not places or any(line.job in places for line in lines)
    jobs = [job for job in document.jobs if amount.unit == "year" or job.is_precise]
    spans = [span for span in (*spans_of(jobs), document.total) if span]
    if not spans or meets(claimed, spans):
        return True if spans else None
    most = max(lived_since(document.text), *(span[1] for span in spans))
    return None if claimed[0] <= most else False


def _runs(named: list[Job], sentence: Sentence) -> list[Months]:
    """Months of all jobs, and of those from the stated ones until now where it says "has"."""
    document = sentence.document
    jobs = [job for job in document.jobs if job.months]
    spans = spans_of(jobs, fewest=len(jobs))
    if regex("up to now").search(sentence.text) and jobs and jobs[0].is_current:
        spans += spans_of(jobs)[: max(job.place for job in named) + 1]
    return [span for span in (*spans, document.total) if span]


def _is_of_life(amount: Amount, document: Document) -> bool | None:
    """Return whether total years are what the record states, or the jobs allow."""
    head = (line for line in document.lines if line.section in ("", "Summary"))
    stated = [other.value for line in head for other in line.amounts]
    if any(0 <= value - amount.value <= 1 for value in stated):
        return True
    most = document.total or max(spans_of(document.jobs), key=lambda span: span[1], default=None)
    return months_meant(amount)[0] <= most[1] if most else None


def _is_stated(amount: Amount, line: Line) -> bool:
    return any(amount.agrees(other) and other.unit == amount.unit for other in line.amounts)


def _named_at(amount: Amount, sentence: Sentence) -> frozenset[int]:
    """The jobs named next to a duration."""
    behind = (item for item in sentence.titles if item.start >= amount.end)
    for mention in (*sentence.employers, *behind):
        start, end = min(mention.end, amount.end), max(mention.start, amount.start)
        between = sentence.text[start:end]
        is_far = len(between) > _LONGEST_BETWEEN or regex("not between").search(between)
        if not is_far and not any(amount.end <= one.start < end for one in sentence.durations):
            return frozenset(mention.jobs)
    return frozenset()


def _is_stay(amount: Amount, sentence: Sentence) -> bool:
    """Return whether a duration may be that of the job that its part tells of."""
    text, start = sentence.text, amount.start
    is_joined = "-" in text[start : amount.end] and " " not in text[start : amount.end]
    return not is_joined and not regex("not a stay").search(text, max(0, start - _WIDTH), start)
