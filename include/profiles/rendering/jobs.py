"""One job from the claims of a spell: every field chosen, conflicts recorded."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from profiles.models import Experience, FieldChoice, PartialDate
from profiles.rendering.choosing import Bid, Reason, account, contested, spelling
from profiles.rendering.sentences import Line, contact_free_name, union
from profiles.rendering.spans import gap, months_in, span
from profiles.rendering.spells import (
    JITTER_MONTHS,
    Spell,
    is_lone_date,
    january_means_year,
    seen_at,
)
from profiles.rendering.titles import is_abbreviated, title_key
from profiles.standardization.companies import employer_key
from profiles.standardization.text import fold

STALE_MONTHS = 12
"""A "present" this much older than the newest list of jobs, which lacks the job, is not one."""

_EMPLOYMENT_SHOWN = {
    "contract": "Contract",
    "contractor": "Contract",
    "freelance": "Freelance",
    "internship": "Internship",
    "intern": "Internship",
    "part time": "Part-time",
    "apprenticeship": "Apprenticeship",
    "self employed": "Self-employed",
    "temporary": "Temporary",
    "volunteer": "Volunteer",
}
"""Kinds of employment worth a word; full-time is the rule and says nothing."""
_ASIDE = re.compile(
    r"\s*\((?:acquired by|formerly|previously|now|part of|a subsidiary of)\b[^)]*\)", re.IGNORECASE
)
_LEGAL_FORM = re.compile(
    r"[,\s]+(?:inc|llc|ltd|limited|plc|pvt|private|gmbh(?: & co\.? kg)?|ag|sas|sa|s\.l|s\.a|ltda|"
    r"corp|b\.v|pte)\.?$",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"\s*(?:\((?:full|part)[ -]?time\)|[·|/–-]\s*(?:full[ -]?time|part[ -]?time|contract|"
    r"permanent|individual contributor))\s*$",
    re.IGNORECASE,
)


T = TypeVar("T")
_SPELLED_OUT = {"Sr": "Senior", "Jr": "Junior", "Mgr": "Manager", "Asst": "Assistant"}
_SHORT_WORD = re.compile(r"\b(Sr|Jr|Mgr|Asst)\b\.?")
_SMALL_WORDS = frozenset(("of", "and", "the", "for", "in", "at", "to", "de", "und"))
_UPPER_WORDS = frozenset(
    (
        *("vp", "svp", "avp", "hr", "qa", "it", "ui", "ux", "ui/ux", "ceo", "cto", "cfo", "coo"),
        *("cmo", "sde", "sse", "ii", "iii", "iv", "ai", "ml", "bi", "pr", "seo", "sre", "erp"),
    )
)


class Job(NamedTuple):
    """A merged spell, its sentences, and the choices that had a loser.

    `period` is its first and last month as `spans.span` gives them.
    """

    experience: Experience
    period: tuple[int, int] | None
    lines: tuple[Line, ...]
    choices: tuple[FieldChoice, ...]


class Draft(NamedTuple):
    """A merged spell before all jobs are ordered: `facts` are what `Experience` has behind `n`."""

    facts: Facts
    period: tuple[int, int] | None
    lines: tuple[Line, ...]
    choices: tuple[FieldChoice, ...]


class Facts(NamedTuple):
    """The fields of `Experience` behind `n`, in their order."""

    employer: str | None
    employer_key: str | None
    company_linkedin_id: str | None
    company_domain: str | None
    title: str | None
    start: PartialDate | None
    end: PartialDate | None
    is_current: bool
    months: int | None
    sources: tuple[str, ...]
    employment_type: str | None


class _Ending(NamedTuple):
    end: PartialDate | None
    is_current: bool
    last_seen: PartialDate | None
    choice: FieldChoice | None = None


def merge_spell(spell: Spell, *, as_of: PartialDate | None, newest_rank: int) -> Draft:
    """The spell as one job, which has no number until all jobs are ordered.

    `spell` has the newest record first. `newest_rank` is the rank of the newest record that
    lists jobs at all, `as_of` the month to which running spells are counted.
    """
    title, title_choice = _contested(
        "title",
        spell,
        [claim.position.title for claim in spell],
        quality=_title_quality,
        same=title_key,
        show=display_title,
    )
    employer, employer_choice = _contested(
        "employer",
        spell,
        [claim.position.company for claim in spell],
        quality=_employer_quality,
        same=employer_key,
        show=display_employer,
    )
    start, start_choice = _start(spell)
    ending = _ending(spell, newest_rank=newest_rank, as_of=as_of)
    begin, end = _ordered(start, ending.end)
    period = span(begin, end, as_of if ending.is_current else ending.last_seen)
    sources = {claim.record.source for claim in spell}
    facts = Facts(
        employer=display_employer(employer) if employer else None,
        employer_key=employer_key(employer) if employer else None,
        company_linkedin_id=_first([claim.position.company_linkedin_id for claim in spell]),
        company_domain=_first([claim.position.company_domain for claim in spell]),
        title=display_title(title) if title else None,
        start=begin,
        end=end,
        is_current=ending.is_current,
        months=months_in(period),
        sources=tuple(sorted(sources) if len(sources) > 1 else sources),
        employment_type=_employment(spell),
    )
    choices = (title_choice, employer_choice, start_choice, ending.choice)
    return Draft(
        facts,
        period,
        union([claim.lines for claim in spell]),
        tuple([choice for choice in choices if choice is not None]),
    )


def _contested(
    field: str,
    spell: Spell,
    values: Sequence[str | None],
    *,
    quality: Callable[[str], int],
    same: Callable[[str], Hashable],
    show: Callable[[str], str | None],
) -> tuple[str | None, FieldChoice | None]:
    """The best spelled of the values that the claims of `spell` state, as `contested` tells."""
    stated = [value for value in values if value]
    if not stated:
        return None, None
    if stated.count(stated[0]) == len(stated):
        return stated[0], None
    bids = [Bid(value, claim.record) for value, claim in zip(values, spell, strict=True) if value]
    return contested(field, bids, quality=quality, reason=Reason.BEST_SPELLED, same=same, show=show)


def numbered(draft: Draft, n: int) -> Job:
    """The job at place `n`, its choices named after the place: "experience[2].title"."""
    choices = draft.choices
    if choices:
        choices = tuple(
            replace(choice, field=f"experience[{n}].{choice.field}") for choice in choices
        )
    return Job(Experience(n, *draft.facts), draft.period, draft.lines, choices)


@lru_cache(maxsize=65_536)
def display_employer(name: str) -> str | None:
    """An employer's name without legal form and remarks: "Veltrix Pvt. Ltd." → "Veltrix"."""
    shown = _ASIDE.sub("", contact_free_name(name)).strip()
    while (shorter := _LEGAL_FORM.sub("", shown)) != shown and len(shorter) > 1:
        shown = shorter
    return _capitalised(shown.rstrip(" ,")) or None


@lru_cache(maxsize=65_536)
def display_title(title: str) -> str | None:
    """A title spelled out, without the kind of employment behind it.

    >>> display_title("Sr. Engineering Mgr (Full-time)")
    'Senior Engineering Manager'
    """
    plain = contact_free_name(title)
    shown = _capitalised(_KIND.sub("", plain).strip() or plain)
    return _SHORT_WORD.sub(lambda match: _SPELLED_OUT[match[1]], shown) or None


def _capitalised(name: str) -> str:
    """Two and more words that no source wrote with normal capitals, written so."""
    if spelling(name) or " " not in name:
        return name
    return " ".join(
        word if word in _SMALL_WORDS else _capitalised_word(word) for word in name.lower().split()
    )


def _capitalised_word(word: str) -> str:
    if word in _UPPER_WORDS:
        return word.upper()
    return word[:1].upper() + word[1:]


@lru_cache(maxsize=65_536)
def _title_quality(title: str) -> int:
    return 2 * spelling(title) + (not is_abbreviated(title))


@lru_cache(maxsize=65_536)
def _employer_quality(name: str) -> int:
    # "NorthvaleSystems" is the same name as "Northvale Systems", written worse.
    shown = display_employer(name) or ""
    return 4 * spelling(name) + min(shown.count(" "), 3)


def _start(spell: Spell) -> tuple[PartialDate | None, FieldChoice | None]:
    starts = [start for claim in spell if (start := claim.position.start)]
    if not starts:
        return None, None
    if starts.count(starts[0]) == len(starts):
        return starts[0], None
    return contested(
        "start",
        [Bid(claim.position.start, claim.record) for claim in spell if claim.position.start],
        quality=_start_quality(spell),
        reason=Reason.MOST_PRECISE,
        vote=True,
    )


def _start_quality(spell: Spell) -> Callable[[PartialDate], int]:
    """A start with a month before a bare year, and both before what may be an end or a year."""
    positions = [claim.position for claim in spell]
    starts = {
        position.start for position in positions if position.start and not is_lone_date(position)
    }

    def quality(start: PartialDate) -> int:
        if starts and start not in starts:
            return 0
        if any(
            january_means_year(start, other) and (gap(start, other) or 0) > JITTER_MONTHS
            for other in starts
        ):
            return 1
        return 1 + _precision(start)

    return quality


def _ending(spell: Spell, *, newest_rank: int, as_of: PartialDate | None) -> _Ending:
    """How the spell ends: the newest record that says so decides whether it ended at all."""
    decisive = _first(
        claim for claim in spell if claim.position.is_current or claim.position.end is not None
    )
    if decisive is None:
        return _Ending(None, False, None)
    if not decisive.position.is_current:
        stated = [Bid(claim.position.end, claim.record) for claim in spell if claim.position.end]
        last = contested("end", stated, quality=_precision, reason=Reason.MOST_PRECISE, vote=True)
        return _Ending(last[0], False, None, last[1])
    seen = seen_at(decisive.record)
    if spell[0].rank > newest_rank and _is_stale(seen, as_of):
        return _Ending(None, False, seen)
    ends: list[Bid[PartialDate | None]] = [
        Bid(claim.position.end, claim.record)
        for claim in spell
        if claim.position.end and claim.record is not decisive.record
    ]
    if not ends:
        return _Ending(None, True, seen)
    ends.insert(0, Bid(None, decisive.record))
    choice = account("end", ends, [bid.value for bid in ends], 0, Reason.NEWEST, _shown_end)
    return _Ending(None, True, seen, choice)


def _shown_end(end: PartialDate | None) -> str:
    return str(end) if end else "present"


def _is_stale(seen: PartialDate | None, as_of: PartialDate | None) -> bool:
    if seen is None or as_of is None:
        return False
    return as_of.first_month - seen.first_month > STALE_MONTHS


def _precision(date: PartialDate) -> int:
    return int(date.month is not None)


def _ordered(
    start: PartialDate | None, end: PartialDate | None
) -> tuple[PartialDate | None, PartialDate | None]:
    """The dates, the end not before the start: different records may have won the two."""
    if start is not None and end is not None and end.last_month < start.first_month:
        return start, start
    return start, end


def _employment(spell: Spell) -> str | None:
    for claim in spell:
        kind = claim.position.employment_type
        if kind and (shown := _EMPLOYMENT_SHOWN.get(fold(kind))):
            return shown
    return None


def _first(values: Iterable[T | None]) -> T | None:
    return next((value for value in values if value is not None), None)
