"""Grouping of the job claims in a person's records into spells.

A claim is one `Position` of one record. Two claims are one spell when employer and dates agree
and title, text or dates leave no doubt. Pairs are joined best first, and a spell takes at most
one claim of each record: a record that lists a promotion or a return to an old employer as two
jobs knows better than any similarity. The order of records does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Final

from profiles.models import PartialDate, Position, SourceRecord
from profiles.rendering.claims import Claim, Partition, Spell, by_employer
from profiles.rendering.spans import gap
from profiles.rendering.titles import SIMILAR, title_similarity

JITTER_MONTHS: Final = 3
"""Vendors disagree on the start of a spell by up to this many months."""
MAX_PAIRS: Final = 100_000
"""Pairs of claims compared per employer; only a row made to be slow has more."""
_TEXT_JITTER_MONTHS: Final = 8
"""The same text, or the same title and end, bridges this much."""
_OPPOSITE_START_MONTHS, _OPPOSITE_END_MONTHS = 2 * JITTER_MONTHS, 4
"""Two vendors that err in opposite directions lie this far apart."""
_SAME_END_MONTHS: Final = 2
_FAR_END_MONTHS: Final = 12
_MIN_SHARED: Final = 2
"""One shared sentence can be a slogan; two are the same description."""


def group(claims: Sequence[Claim]) -> list[Spell]:
    """The claims put together to spells; within a spell the newest record comes first.

    `claims` are ordered by rank, then as their record lists them.
    """
    spells = Partition(len(claims))
    for members in by_employer(claims):
        if len(members) == 1:
            continue
        _join_repeats(spells, claims, members)
        pairs = [
            (-points, first, second)
            for first, second in islice(combinations(members, 2), MAX_PAIRS)
            if claims[first].rank != claims[second].rank
            and (points := affinity(claims[first], claims[second])) is not None
        ]
        for _, first, second in sorted(pairs):
            # A record is in a spell once.
            records = {claims[index].rank for index in spells.set_of[first]}
            if records.isdisjoint([claims[index].rank for index in spells.set_of[second]]):
                spells.join(first, second)
    return [[claims[index] for index in spell] for spell in spells.sets()]


def affinity(first: Claim, second: Claim) -> int | None:
    """Points for two claims of one employer being one spell; None when they cannot be."""
    start_gap, end_gap = _gaps(first, second)
    if start_gap is not None and start_gap > _TEXT_JITTER_MONTHS:
        return None
    shared = len(first.keys & second.keys) if first.keys and second.keys else 0
    one, other = first.position.title, second.position.title
    title = title_similarity(one, other) if one and other else None
    alike = title is None or title >= SIMILAR
    if start_gap is not None and start_gap <= JITTER_MONTHS:
        # Another title for the same dates: the vendors saw the person before and after a promotion
        # that the profile does not list as a job of its own.
        if not (alike or shared > 0 or start_gap <= 1):
            return None
    elif not _plausible(first, second, (start_gap, end_gap), title, shared):
        return None
    points = 100 + 20 * min(shared, 5) + (60 if title is None else title)
    points -= 15 if start_gap is None else 10 * start_gap
    points -= 8 if end_gap is None else 2 * min(end_gap, 20)
    return points


def is_lone_date(position: Position) -> bool:
    """Return whether a position has one date only, which in some resumes is the end."""
    return position.start is not None and position.end is None and not position.is_current


def january_means_year(start: PartialDate, other: PartialDate) -> bool:
    """Return whether `start` may be a bare year that a vendor wrote as its January."""
    return start.month == 1 and other.year == start.year and other.month is not None


def _gaps(first: Claim, second: Claim) -> tuple[int | None, int | None]:
    """Months between the starts and between the ends, with the known ways to misstate them."""
    one, other = first.position, second.position
    start_gap = gap(one.start, other.start)
    end_gap = _end_gap(first, second)
    if start_gap is None or start_gap <= JITTER_MONTHS or not one.start or not other.start:
        return start_gap, end_gap
    if is_lone_date(one) and _near(one.start, other.end):
        return None, gap(one.start, other.end)
    if is_lone_date(other) and _near(other.start, one.end):
        return None, gap(other.start, one.end)
    if january_means_year(one.start, other.start) or january_means_year(other.start, one.start):
        return JITTER_MONTHS + 1, end_gap
    return start_gap, end_gap


def _near(date: PartialDate, end: PartialDate | None) -> bool:
    apart = gap(date, end)
    return apart is not None and apart <= JITTER_MONTHS


def _plausible(
    first: Claim, second: Claim, gaps: tuple[int | None, int | None], title: int | None, shared: int
) -> bool:
    """Return whether claims with starts unknown or unusually far apart may be one spell."""
    start_gap, end_gap = gaps
    alike = title is None or title >= SIMILAR
    overlap = _overlap(first.position, second.position) if title == 100 else -1
    if start_gap is None:
        if _is_bare(first) or _is_bare(second):
            # Nothing but title and employer, as in "current title" columns.
            return alike or _saw_running(first, second)
        if shared > 0 or (alike and (end_gap is None or end_gap <= _FAR_END_MONTHS)):
            return True
        # One start is unknown and a vendor made "present" of an end that it misread.
        return overlap > 0
    same_end = end_gap is not None and end_gap <= _SAME_END_MONTHS
    if shared >= _MIN_SHARED or (title == 100 and same_end):
        return True
    # Spells that follow one another at one employer never overlap by their differences.
    return (
        start_gap <= _OPPOSITE_START_MONTHS
        and end_gap is not None
        and end_gap <= _OPPOSITE_END_MONTHS
        and overlap >= start_gap + end_gap
    )


def _saw_running(first: Claim, second: Claim) -> bool:
    """Return whether the record of a bare claim saw the person while the other's job ran: it names
    that job in other words, unless the list is older, so that another post may have followed."""
    bare, listed = (first, second) if _is_bare(first) else (second, first)
    seen, known, job = seen_at(bare.record), seen_at(listed.record), listed.position
    if not (bare.position.is_current and job.start and seen and known):
        return False
    runs_on = job.is_current or (job.end is not None and job.end.last_month >= seen.first_month)
    is_recent = seen.first_month - known.first_month <= JITTER_MONTHS
    return runs_on and is_recent and job.start.first_month <= seen.last_month


def _overlap(first: Position, second: Position) -> int:
    """Months that both spells surely share; below 0 without a start and an end to tell by."""
    starts = [date.last_month for date in (first.start, second.start) if date]
    ends = [position.end.first_month for position in (first, second) if position.end is not None]
    return min(ends) - max(starts) if starts and ends else -1


def _end_gap(first: Claim, second: Claim) -> int | None:
    """Months between the ends; a running spell ends for this purpose when it was last seen."""
    one, other = first.position, second.position
    if one.is_current and other.is_current:
        return 0
    if one.is_current or other.is_current:
        running, ended = (first, second) if one.is_current else (second, first)
        seen, end = seen_at(running.record), ended.position.end
        if seen is None or end is None:
            return None
        # Seen running before it ended is no contradiction.
        return max(0, seen.first_month - end.last_month)
    return gap(one.end, other.end)


def seen_at(record: SourceRecord) -> PartialDate | None:
    """The month in which a record's source saw the person."""
    observed = record.observed_at
    return _month(observed[:7]) if observed else None


@lru_cache(maxsize=1_024)
def _month(observed: str) -> PartialDate:
    return PartialDate(int(observed[:4]), int(observed[5:7]))


def _is_bare(claim: Claim) -> bool:
    position = claim.position
    return position.start is None and position.end is None and not claim.keys


def _join_repeats(spells: Partition, claims: Sequence[Claim], members: Sequence[int]) -> None:
    """Joins claims of one record that state the same job twice, and a "current title" without dates
    to the newest listed job that it names."""
    if len({claims[index].rank for index in members}) == len(members):
        return
    stated: dict[tuple[object, ...], int] = {}
    for index in members:
        claim = claims[index]
        job = claim.position
        same = (claim.rank, job.title, job.start, job.end, job.is_current)
        spells.join(stated.setdefault(same, index), index)
        if job.is_current and _is_bare(claim):
            named = (other for other in members if _is_named(claims[other], claim))
            spells.join(index, next(named, index))


def _is_named(listed: Claim, bare: Claim) -> bool:
    if listed.rank != bare.rank or _is_bare(listed) or listed.position.end is not None:
        return False
    return affinity(listed, bare) is not None
