"""One job from the claims of a spell: every field chosen, conflicts recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import permutations, starmap
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from profiles.models import Experience, FieldChoice, PartialDate
from profiles.rendering.choosing import Reason, account, choose
from profiles.rendering.claims import Spell
from profiles.rendering.sentences import Line, union
from profiles.rendering.spans import gap, span
from profiles.rendering.spells import JITTER_MONTHS, january_means_year, seen_at
from profiles.rendering.titles import (
    adds_to,
    display_employer,
    display_title,
    employer_quality,
    title_key,
    title_quality,
)
from profiles.standardization.companies import employer_key
from profiles.standardization.contacts import contact_free_name
from profiles.standardization.text import fold
from profiles.standardization.words import labels, words

STALE_MONTHS: Final = 12
"""A "present" this much older than the newest list of jobs, which lacks the job, is not one."""

_EMPLOYMENT_SHOWN: Final = labels("titles", "employment")
_USUAL_EMPLOYMENT: Final = words("titles", "usual_employment")
_LONGEST_KIND: Final = 40


class Job(Struct, frozen=True, gc=False):
    """A merged spell, its sentences, and the choices that had a loser; `n` is not set yet.

    `period` is its first and last month as `spans.span` gives them.
    """

    experience: Experience
    period: tuple[int, int] | None
    lines: tuple[Line, ...]
    choices: tuple[FieldChoice, ...]


_Ending = tuple[PartialDate | None, bool, PartialDate | None, FieldChoice | None]
"""The end, whether the job runs on, when it was last seen to, and the account of the choice."""


def merge_spell(spell: Spell, *, as_of: PartialDate | None, newest_rank: int) -> Job:
    """The spell as one job, which is not numbered until all jobs are ordered.

    `spell` has the newest record first. `newest_rank` is the rank of the newest record that
    lists jobs at all, `as_of` the month to which running spells are counted.
    """
    records = [claim.record for claim in spell]
    titles, employers, ids, domains, starts, ends, _, _, places, kinds = zip(
        *[astuple(claim.position) for claim in spell], strict=True
    )
    known = frozenset(filter(None, titles))
    is_fuller = len(known) > 1 and any(starmap(adds_to, permutations(known, 2)))
    title, title_choice = choose(
        "title", titles, records, quality=partial(title_quality, beside=known), same=title_key,
        reason=Reason.MOST_COMPLETE if is_fuller else Reason.BEST_SPELLED, show=display_title,
        contested=True,
    )  # fmt: skip
    employer, employer_choice = choose(
        "employer", employers, records, reason=Reason.BEST_SPELLED,
        quality=lambda name: 10 * _in_one_script(name, title) + employer_quality(name),
        same=employer_key, show=display_employer, contested=True,
    )  # fmt: skip
    start, start_choice = choose(
        "start", starts, records, quality=partial(_start_quality, spell),
        reason=Reason.MOST_PRECISE, vote=True, contested=True,
    )  # fmt: skip
    final, is_current, last_seen, end_choice = _ending(
        spell, ends, newest_rank=newest_rank, as_of=as_of
    )
    # Different records may have won the two.
    end = start if start and final and final.last_month < start.first_month else final
    period = span(start, end, as_of if is_current else last_seen)
    experience = Experience(
        n=0,
        employer=display_employer(employer) if employer else None,
        employer_key=employer_key(employer) if employer else None,
        company_linkedin_id=next(filter(None, ids), None),
        company_domain=next(filter(None, domains), None),
        title=display_title(title) if title else None,
        start=start,
        end=end,
        is_current=is_current,
        months=period[1] - period[0] + 1 if period else None,
        sources=tuple(sorted({record.source for record in records})),
        employment_type=_first(kinds, _kind),
        location=_first(places, contact_free_name),
    )
    choices = tuple(filter(None, (title_choice, employer_choice, start_choice, end_choice)))
    is_disputed = len(known) > 1 or len(set(employers)) > 1
    other_names = _other_names(title, titles, employer, employers) if is_disputed else ()
    lines = union([other_names, *(claim.lines for claim in spell)])
    return Job(experience, period, lines, choices)


def _other_names(
    title: str | None,
    titles: Iterable[str | None],
    employer: str | None,
    employers: Iterable[str | None],
) -> tuple[Line, ...]:
    """What other sources call the job, where they use words that the shown title lacks, and its
    employer in another script."""
    known, others = set(title_key(title or "").split()), dict[str, None]()
    for name in dict.fromkeys(titles) if title else ():
        if not name or name == title:
            continue
        words = set(title_key(name).split())
        if not words <= known and (other := display_title(name)):
            others[other] = None
            known |= words
    for name in dict.fromkeys(employers) if employer else ():
        if name and not _in_one_script(name, employer) and (other := display_employer(name)):
            others[other] = None
    text = f"Also: {'; '.join(others)}"
    return (Line(fold(text), text),) if others else ()


def _in_one_script(name: str, other: str | None) -> bool:
    return other is None or fold(name).isascii() == fold(other).isascii()


def _start_quality(spell: Spell, start: PartialDate) -> int:
    """A start with a month before a bare year, and both before what may be an end or a year."""
    jobs = [claim.position for claim in spell]
    starts = {job.start for job in jobs if job.start and (job.end or job.is_current)}
    if starts and start not in starts:
        return 0
    if start.month == 1 and any(
        january_means_year(start, other) and (gap(start, other) or 0) > JITTER_MONTHS
        for other in starts
    ):
        return 1
    return 1 + _precision(start)


def _ending(
    spell: Spell, ends: Sequence[PartialDate | None], *, newest_rank: int, as_of: PartialDate | None
) -> _Ending:
    """End of the spell: the newest record with an end or "current" decides whether it ended."""
    for decisive in spell:
        if decisive.position.is_current or decisive.position.end is not None:
            break
    else:
        return None, False, None, None
    if not decisive.position.is_current:
        records = [claim.record for claim in spell]
        last, choice = choose(
            "end", ends, records, quality=_precision, reason=Reason.MOST_PRECISE, vote=True,
            contested=True,
        )  # fmt: skip
        return last, False, None, choice
    seen = seen_at(decisive.record)
    unseen = as_of.first_month - seen.first_month if as_of and seen else 0
    if spell[0].rank > newest_rank and unseen > STALE_MONTHS:
        return None, False, seen, None
    rivals = (claim for claim in spell if claim.record is not decisive.record)
    others = [claim for claim in rivals if claim.position.end]
    if not others:
        return None, True, seen, None
    ends = [None, *(claim.position.end for claim in others)]
    records = [claim.record for claim in (decisive, *others)]
    choice = account(
        "end", ends, records, ends, 0, Reason.NEWEST, lambda end: str(end or "present")
    )
    return None, True, seen, choice


def _precision(date: PartialDate) -> int:
    return int(date.month is not None)


def _kind(kind: str) -> str | None:
    """The kind of employment as the document shows it; None for the usual one."""
    folded = fold(kind)
    if folded in _USUAL_EMPLOYMENT or len(kind) > _LONGEST_KIND:
        return None
    return _EMPLOYMENT_SHOWN.get(folded) or contact_free_name(kind)


def _first(values: Iterable[str | None], shown: Callable[[str], str | None]) -> str | None:
    """What the newest record states that states it at all, as the document shows it."""
    return next(filter(None, map(shown, filter(None, values))), None)
