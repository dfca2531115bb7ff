"""Jobs: title and employer of one job, rank, order, and whether it still runs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Mention, Sentence
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts
from profiles.validation.jobs import Job
from profiles.validation.lines import content_of
from profiles.validation.wording import levels, table

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["order_claims", "pair_claims", "rank_claims", "tense_claims"]

_AT = re.compile(
    r"\A(?:(?:\s+(?!(?:after|before|from|and|then|to|where|who|which|until|by)\b)[\w'-]+){0,5}?,?"
    r"\s+(?:at|with|for|of)\s+(?:the\s+)?|\s+\(|,\s+)\Z",
    re.IGNORECASE,
)
_NEXT_EMPLOYER = re.compile(
    r"\A(?:,|,?\s+and(?:\s+(?:then|later))?)\s+(?:at\s+)?(?:the\s+)?\Z", re.I
)
_AS = re.compile(
    r"\A,?\s+(?:where\s+)?(?:(?:as|being)\s+|(?:the candidate\s+)?(?:was|is|worked as|began as"
    r"|started as|served as|serves as|works as)\s+)(?:an?\s+|the\s+)?\Z",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:is|currently|now|works|working|serves|leads|heads|holds|manages)\b"
    r"(?:(?!\b(?:was|were|had|whose|former|formerly|previous|previously|earlier|after|before|until"
    r"|from|moved|left|following|joined|began|started|spent|most recently|recent|last|latest)\b"
    r"|[;.]).){0,90}?\b(?:at|for|with)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_NOUN_PHRASE = re.compile(
    r"(?:Currently|Now|Today)(?:,? an?| the)?\s(?:(?!\b(?:former|formerly|was|were|until|recent"
    r"|after|before|previous|previously|earlier|latest|last|career|who|with|joined)\b)[^,;.]){3,60}?"
    r"\s(?:at|with|for)\s(?:the\s)?\Z"
)
_IS_NOW = re.compile(
    r"\b(?:is(?: now| currently)?|currently|now|works as|serves as|working as|serving as)\s"
    r"(?:an?\s|the\s|as\s)*\Z",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:(?:candidate|who|currently|now)\s+(?:is|was|works as|serves as|worked as"
    r"|served as)(?:\s+(?:now|currently))?"
    r"|works as|serves as|worked as|served as|became|promoted to|positions? (?:as|of)"
    r"|roles? (?:as|of)|and(?=\s+an?\s)|stepped up to|moved (?:up )?to|,\s+as)"
    r"\s+((?:an?|the|now|a recently promoted)\s+)?(?=(?P<role>[^,;:.()]{2,70}))",
    re.IGNORECASE,
)
_ROLE_END = re.compile(
    r"\b(?:at|for|with|in|who|that|which|whose|and|on|by|from|responsible|focused|to|reporting)\b"
)


def pair_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """A title next to an employer must be one job."""
    del vocabulary
    employers, titles = sentence.employers, sentence.titles
    for title in titles:
        last = title
        for employer in employers:
            between = sentence.text[last.end : employer.start]
            if employer.start < title.end:
                is_pair = bool(_AS.match(sentence.text[employer.end : title.start]))
            else:
                joint = _AT if last is title else _NEXT_EMPLOYER
                is_pair = bool(joint.match(between))
                last = employer if is_pair else last
            if is_pair:
                yield Claim(RemovalReason.EMPLOYMENT, _is_one_job(title, employer, facts))


def _is_one_job(title: Mention, employer: Mention, facts: Facts) -> bool | None:
    if title.jobs & employer.jobs:
        return True
    named = next(job for job in facts.jobs if job.place in title.jobs).title_stems
    for job in facts.jobs:
        # "Engineer II" may be told as "software engineer".
        if job.place in employer.jobs and set(job.title_stems[-2:]) & set(named[-1:]):
            return None
    return False


def tense_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """An employer of whom a sentence tells as of today must have a job that runs."""
    del vocabulary
    for employer in sentence.employers:
        jobs = [job for job in facts.jobs if job.place in employer.jobs]
        before = sentence.text[: employer.start]
        if _NOW.search(before) or _NOUN_PHRASE.match(before):
            is_running = any(job.is_current or job.end is None for job in jobs)
            yield Claim(RemovalReason.TENSE, is_running)
    if any(job.is_current for job in facts.jobs):
        yield from _told_as_running(sentence, facts)


def _told_as_running(sentence: Sentence, facts: Facts) -> Iterator[Claim]:
    """A title that somebody "is" must be one of a job that runs."""
    for title in sentence.titles:
        jobs = [job for job in facts.jobs if job.place in title.jobs]
        if _IS_NOW.search(sentence.text[: title.start]) and all(job.months for job in jobs):
            yield Claim(RemovalReason.TENSE, any(job.is_current for job in jobs))


def rank_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """A role must not rank above the titles, nor hide that it is one of a beginner."""
    del vocabulary
    for match in _ROLE.finditer(sentence.text):
        role = _ROLE_END.split(match["role"], maxsplit=1)[0]
        words = list(words_of(role))
        if not words:
            continue
        at = _employer_behind(match.start("role") + len(role), sentence)
        if match[0].startswith("and") and (at is None or len(words) > _LONGEST_ROLE):
            continue
        scope = [
            job
            for job in facts.jobs
            if job.place in (at or next(iter(sentence.employers), _ANYWHERE)).jobs
        ] or list(facts.jobs)
        if not facts.is_foreign:
            yield from _rank(words, scope, facts)
        if at is not None:
            yield from _kind(words, scope, facts)
        entry = _hides_entry(match, sentence, scope, is_named=at is not None)
        if entry is not None:
            yield Claim(RemovalReason.EMPLOYMENT, entry)


_LOWEST_RANK = 3
_LONGEST_STEP = 60
_LONGEST_ROLE = 5
_ANYWHERE = Mention(0, 0, frozenset())


def _employer_behind(place: int, sentence: Sentence) -> Mention | None:
    """The employer that a role is told of: "at Nordwall"."""
    for employer in sentence.employers:
        if employer.start >= place and _AT.match(sentence.text[place - 1 : employer.start]):
            return employer
    return None


def _rank(words: list[str], scope: list[Job], facts: Facts) -> Iterator[Claim]:
    claimed = _level(words)
    if claimed >= _LOWEST_RANK:
        yield Claim(RemovalReason.EMPLOYMENT, claimed <= _highest(scope, facts))
    for word in table("titles")["exact"] & set(words):
        yield Claim(RemovalReason.EMPLOYMENT, facts.evidence.has_word(word))


def _kind(words: list[str], scope: list[Job], facts: Facts) -> Iterator[Claim]:
    """A role shares a word with the titles of its employer, or with what the record says there."""
    own = content_of(tuple(words))
    if facts.is_foreign or not own:
        return
    titles = frozenset(stem for job in scope for stem in job.title_stems)
    if own & titles:
        yield Claim(RemovalReason.EMPLOYMENT, True)
    elif not own & facts.told_stems:
        yield Claim(RemovalReason.EMPLOYMENT, False)


def _level(words: list[str] | tuple[str, ...]) -> int:
    found = [levels("titles", "rank").get(word, 0) for word in words]
    return max(found, default=0)


def _highest(scope: list[Job], facts: Facts) -> int:
    """The highest rank that the titles, the headline and leading of people bear out."""
    texts = [job.title for job in scope] + [facts.headline]
    highest = max((_level(tuple(words_of(text))) for text in texts), default=0)
    leads = _LEADING & facts.evidence.stems
    return max(highest, 5) if leads and highest >= 3 else highest


_LEADING = frozenset(map(stem, ("supervise", "manage", "head")))


def _hides_entry(
    match: re.Match[str], sentence: Sentence, scope: list[Job], *, is_named: bool
) -> bool | None:
    """Whether a role of a beginner is told as one; None where the jobs are not, or not now."""
    running = scope if is_named else [job for job in scope if job.is_current]
    if not running or not all(_is_entry(job) for job in running):
        return None
    named = {part for job in running for part in job.title_stems}
    role = [stem(word) for word in words_of(match["role"])]
    if not is_named and not named & set(role):
        return None
    told = table("titles")["entry told"]
    if not any(
        word in table("titles")["intern"] for job in running for word in words_of(job.title)
    ):
        told = told | table("titles")["entry told of students"]
    return any(word in told for word, _, _ in sentence.words)


@lru_cache(maxsize=1024)
def _is_entry(job: Job) -> bool:
    entry = table("titles")["intern"] | table("titles")["beginner"]
    return any(word in entry for word in words_of(job.title))


_BEFORE = re.compile(
    r"\A[^;.]{0,50}\b(?:before|then|later|followed by|and (?:then )?moved|progress\w*"
    r"|on to|subsequently)\b[^;.]{0,60}\Z",
    re.I,
)
_AFTER = re.compile(
    r"\A[^;.]{0,50}\b(?:after|preceded by|having (?:been|worked|started))\b[^;.]{0,60}\Z", re.I
)
_FORMERLY = re.compile(
    r"\A(?:Earlier|Previously|Before that|Formerly|Prior to that|Before this"
    r"|Prior to this)\b[^;.]{0,60}\Z"
)
_AFTER_FIRST = re.compile(r"\b(?:After|after|Following|following|From|from)\s[^,;.]{0,40}\Z")
_BEFORE_FIRST = re.compile(r"\b(?:Before|Prior to|before)\s[^,;.]{0,40}\Z")
_START = re.compile(
    r"\b(?:career|path|working life|journey)\s+(?:\w+\s+)?(?:began|started|begins|starts"
    r"|opened)\b[^;.,]{0,60}\Z"
    r"|\b(?:starting|beginning|started out|began)\s+(?:out\s+)?as\b[^;.,]{0,60}\Z",
    re.IGNORECASE,
)


def order_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Two jobs told as one after the other must be in that order."""
    del vocabulary
    mentions = _steps(sentence, facts)
    for first, second in pairwise(mentions):
        between = sentence.text[first.end : second.start]
        before, after = bool(_BEFORE.match(between)), bool(_AFTER.match(between))
        if before != after:
            older, newer = (first, second) if before else (second, first)
            yield Claim(RemovalReason.EMPLOYMENT, _is_in_order(older, newer, facts))
    if len(mentions) > 1:
        start = sentence.text[: mentions[0].start]
        between = sentence.text[mentions[0].end : mentions[1].start]
        if not (_BEFORE.match(between) or _AFTER.match(between)) and len(between) < _LONGEST_STEP:
            if _AFTER_FIRST.search(start):
                yield Claim(RemovalReason.EMPLOYMENT, _is_in_order(mentions[0], mentions[1], facts))
            elif _BEFORE_FIRST.search(start):
                older, newer = mentions[1], mentions[0]
                yield Claim(RemovalReason.EMPLOYMENT, _is_in_order(older, newer, facts))
    for mention in mentions[:1]:
        if _FORMERLY.match(sentence.text[: mention.start]):
            jobs = [job for job in facts.jobs if job.place in mention.jobs]
            yield Claim(RemovalReason.TENSE, not all(job.is_current for job in jobs))
        if _START.search(sentence.text[: mention.start]):
            yield Claim(RemovalReason.EMPLOYMENT, _is_early(mention, facts))


def _steps(sentence: Sentence, facts: Facts) -> list[Mention]:
    """Titles and employers in order; a title and its employer are one step."""
    found = sorted((*sentence.employers, *sentence.titles), key=lambda item: item.start)
    steps: list[Mention] = []
    for mention in found:
        last = steps[-1] if steps else None
        if last and _AT.match(sentence.text[last.end : mention.start]) and last.jobs & mention.jobs:
            steps[-1] = Mention(last.start, mention.end, last.jobs & mention.jobs)
        else:
            steps.append(mention)
    return steps


def _is_in_order(older: Mention, newer: Mention, facts: Facts) -> bool | None:
    if older.jobs & newer.jobs:
        return None
    starts = {job.place: job.start for job in facts.jobs}
    pairs = [(starts[a], starts[b]) for a in older.jobs for b in newer.jobs]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return any(a <= b for a, b in known) if known else None


def _is_early(mention: Mention, facts: Facts) -> bool | None:
    """Whether a first step is no later than half of the other jobs."""
    starts = sorted(job.start for job in facts.jobs if job.start is not None)
    own = [job.start for job in facts.jobs if job.place in mention.jobs and job.start is not None]
    if len(starts) < 2 or not own:
        return None
    return min(own) < starts[-1] and min(own) <= starts[len(starts) // 2]
