"""Claims of a sentence about jobs: what stands in which job, how high it ranks, who led. Pure.

A clause is bound to jobs by the employer that it names and by its time words ("currently", "before
that"): its scope, which holds until a clause changes it. Its figures and content words point to the
jobs whose lines have them: its votes. Votes for other jobs alone are a fault. A word that also
stands outside of the jobs votes for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Mention, Part, Sentence, Vote
from profiles.validation.document import Document
from profiles.validation.evidence import Line
from profiles.validation.jobs import Job
from profiles.validation.words import regex, stem, table, valued, words_of

_ENOUGH = 2
_LOWEST_RANK = 3
_LEADING_RANK = 5
_OF_ONE_LINE = 3
"""Words and figures that a clause shares with the line that it repeats."""


def entry_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each part of the sentence with a scope and enough votes."""
    yield from _misplaced(sentence)
    scope: tuple[Set[int], RemovalReason] | None = None
    for part in sentence.parts:
        named = part.within(sentence.employers)
        timed = _told_by_time(sentence, part)
        yield from _titles_held(part, timed, sentence)
        if not (named or scope) and timed is None:
            continue
        # A clause that tells of another job is found although its part has words of this one.
        parts = [sentence.votes_in(*at) for at in (part[:2], *sentence.clauses_in(part))]
        if timed is not None:
            if not timed and regex("at work").search(sentence.text, part.start, part.end):
                yield Claim(RemovalReason.TENSE, False)
            yield from _judged(timed, RemovalReason.TENSE, parts, named)
        if part.order or named or sentence.text.endswith(";", 0, part.start):
            is_one = len(named) == 1 and not part.order
            scope = (named[0].jobs, RemovalReason.EMPLOYMENT) if is_one else None
        if scope is not None and (named or timed is None):
            yield from _judged(*scope, parts)
        elif timed is not None:
            scope = timed, RemovalReason.TENSE


def _titles_held(part: Part, timed: Set[int] | None, sentence: Sentence) -> Iterator[Claim]:
    """A title is one of the employer behind it, and one of the titles of a part for today runs."""
    titles = part.within(sentence.titles)
    for title in titles:
        if at := _employer_behind(title.end, sentence):
            yield Claim(RemovalReason.EMPLOYMENT, bool(title.jobs & at.jobs))
    if titles and timed is not None:
        yield Claim(RemovalReason.TENSE, any(title.jobs & timed for title in titles))


def _misplaced(sentence: Sentence) -> Iterator[Claim]:
    """A figure of one job stands in no clause of which all else tells another, nor between two
    figures of another in parts that name none."""
    figures = [vote for vote in sentence.votes if vote.weight > 1]
    row: list[Vote] = []
    for part in sentence.parts if figures else ():
        told = [figure for figure in figures if part.start <= figure.start < part.end]
        for at in sentence.clauses_in(part) if told else ():
            votes = sentence.votes_in(*at)
            for figure in (vote for vote in votes if vote.weight > 1):
                others = [vote for vote in votes if not vote.jobs & figure.jobs]
                theirs = set().union(*(vote.jobs for vote in others))
                mine = [
                    vote for vote in votes if vote.jobs & figure.jobs and not vote.jobs & theirs
                ]
                if sum(vote.weight for vote in others) >= _ENOUGH and len(mine) < _ENOUGH:
                    yield Claim(RemovalReason.FIGURE, False)
        is_named = any(part.within((*sentence.employers, *sentence.titles)))
        if is_named or part.order or sentence.text.endswith(";", 0, part.start):
            row = []
        row += () if is_named else told
        for first, second, third in zip(row, row[1:], row[2:], strict=False):
            if first.jobs & third.jobs and second.jobs.isdisjoint(first.jobs | third.jobs):
                yield Claim(RemovalReason.FIGURE, False)


def _judged(
    scope: Set[int],
    reason: RemovalReason,
    parts: list[list[Vote]],
    named: Sequence[Mention] = (),
) -> Iterator[Claim]:
    """One claim for each text with enough votes; the employers that are named vote, too."""
    for votes in parts:
        jobs = [*(vote.jobs for vote in votes), *(item.jobs for item in named)]
        if sum(vote.weight for vote in votes) + _ENOUGH * len(named) < (_ENOUGH if scope else 1):
            continue
        if any(places & scope for places in jobs):
            yield Claim(reason, True)
        elif set.intersection(*jobs):
            yield Claim(reason, False)


def _told_by_time(sentence: Sentence, part: Part) -> Set[int] | None:
    """The jobs that a part tells of by its words for today, where all tell their beginning."""
    document = sentence.document
    is_told = not part.order and document.jobs and len(document.starts) == len(document.jobs)
    is_now = is_told and regex("now").search(sentence.text, part.start, part.end)
    return document.running if is_now else None


def order_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each part that comes later or earlier than the one, or sentence, before it."""
    starts = sentence.document.starts
    previous: frozenset[int] = frozenset()
    order = ""
    if sentence.before and (match := regex("next").match(sentence.text)):
        order = match.lastgroup or ""
        for part in sentence.before.parts:
            previous = sentence.before.told_of(part) & starts.keys() or previous
    for part in sentence.parts if order or any(part.order for part in sentence.parts) else ():
        order = part.order or order
        jobs = sentence.told_of(part) & starts.keys()
        if not jobs:
            continue
        if previous and order and not previous & jobs:
            first, second = (previous, jobs) if order == "later" else (jobs, previous)
            is_so = any(starts[one] < starts[other] for one in first for other in second)
            yield Claim(RemovalReason.EMPLOYMENT, is_so)
        previous, order = jobs, ""


def part_claims(sentence: Sentence) -> Iterator[Claim]:
    """Nobody led what the nearest line tells as a part, nor did alone what it tells as shared."""
    for claimed, recorded in (("led", "took part"), ("alone", "shared")):
        for match in regex(claimed).finditer(sentence.text):
            line = _nearest(sentence, match.start())
            if line is not None and regex(recorded).search(line.text):
                is_supported = regex(claimed).search(line.text) is not None
                yield Claim(RemovalReason.EMPLOYMENT, is_supported)
            elif claimed == "alone" and not regex("alone recorded").search(sentence.document.text):
                yield Claim(RemovalReason.EMPLOYMENT, False)


def _nearest(sentence: Sentence, place: int) -> Line | None:
    """The line that shares most words and figures with the clause around a place, if enough."""
    clause = sentence.clause(place)
    document = sentence.document
    figures = {line for item in sentence.amounts for line in document.figures.lines_with(item)}
    shared = [(len(line.content & clause) + (line in figures), line) for line in document.lines]
    most, line = max(shared, key=lambda item: item[0], default=(0, None))
    is_most = line is not None and most > 1 and 2 * most >= len(line.content)
    return line if most >= _OF_ONE_LINE or is_most else None


def rank_claims(sentence: Sentence) -> Iterator[Claim]:
    """A role must not rank above the titles, nor hide that it is one of a beginner."""
    document = sentence.document
    yield from _beginner_claims(sentence)
    for match in regex("role").finditer(sentence.text):
        role = regex("role end").split(match["role"], maxsplit=1)[0]
        words = list(words_of(role))
        at = _employer_behind(match.start("role") + len(role.rstrip()), sentence)
        is_aside = match[0].startswith("and") and at is None
        if not words or is_aside:
            continue
        scope = at or next(iter(sentence.employers), None)
        jobs = [job for job in document.jobs if scope and job.place in scope.jobs]
        jobs = jobs or list(document.jobs)
        if document.jobs and not document.is_foreign:
            yield from _rank(words, jobs, document)
        if at is not None and regex("is now").search(match[0]):
            yield Claim(RemovalReason.TENSE, any(job.end is None for job in jobs))


def _beginner_claims(sentence: Sentence) -> Iterator[Claim]:
    """A post in a job of a beginner is named as one."""
    titles = table("titles")
    for part in sentence.parts:
        if not regex("post").search(sentence.text, part.start, part.end):
            continue
        places = sentence.jobs_of(part)
        held = [job.title for job in sentence.document.jobs if job.place in places]
        for group in ("intern", "beginner"):
            if held and all(_has_any(titles[group], title) for title in held):
                words = titles["entry recorded"] | titles[group]
                is_supported = not words.isdisjoint(sentence.words_in(part.start, part.end))
                yield Claim(RemovalReason.EMPLOYMENT, is_supported)


def _has_any(words: Set[str], title: str) -> bool:
    """Return whether a title has one of the words, as a part of it where it is not spaced."""
    return not words.isdisjoint(words_of(title)) or any(
        word in title for word in words if word > "\u2e80"
    )


def _employer_behind(place: int, sentence: Sentence) -> Mention | None:
    """The employer of a role: "at Nordwall"."""
    behind = (employer for employer in sentence.employers if employer.start >= place)
    is_at = regex("at").match
    return next((one for one in behind if is_at(sentence.text[place : one.start])), None)


def _rank(words: list[str], jobs: list[Job], document: Document) -> Iterator[Claim]:
    claimed = _level(words)
    if claimed >= _LOWEST_RANK:
        yield Claim(RemovalReason.EMPLOYMENT, claimed <= _highest(jobs, document))
    for word in table("titles")["exact"] & set(words):
        stems = set(map(stem, _held(document.jobs, document)))
        yield Claim(RemovalReason.EMPLOYMENT, stem(word) in stems)


def _level(words: Iterable[str]) -> float:
    ranks = valued("titles")["rank"]
    return max((ranks.get(word, 0) for word in words), default=0)


def _held(jobs: Iterable[Job], document: Document) -> Iterator[str]:
    """The words that state which posts the person holds or held."""
    return words_of("\n".join((*(job.title for job in jobs), document.headline)))


def _highest(jobs: list[Job], document: Document) -> float:
    """The highest rank that the titles, the headline and leading of people bear out."""
    highest = _level(_held(jobs, document))
    leads = any(map(document.evidence.has_word, table("titles")["leading"]))
    return max(highest, _LEADING_RANK) if leads and highest >= _LOWEST_RANK else highest
