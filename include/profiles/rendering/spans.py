"""Months of work: how far dates lie apart, how long a spell lasted, how they are written.

A year without a month stays one: it is compared as its twelve months, counted from its middle,
and shown as the year. Nothing here knows today; running spells are measured to a given month.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from babel import Locale

from profiles.models import Experience, PartialDate

_MONTHS: Final = dict(Locale("en").months["format"]["abbreviated"])
_MIDDLE: Final = 6
"""Index of the month that stands for a year whose month is unknown."""


def gap(first: PartialDate | None, second: PartialDate | None) -> int | None:
    """Months between two dates, 0 where they may be the same; None when one is unknown."""
    if first is None or second is None:
        return None
    if first == second:
        return 0
    apart = second.first_month - first.last_month
    return apart if apart > 0 else max(0, first.first_month - second.last_month)


def span(
    start: PartialDate | None, end: PartialDate | None, last_seen: PartialDate | None
) -> tuple[int, int] | None:
    """First and last month of a spell as month numbers, both included; None when unknown.

    `last_seen` stands in for the end of a spell that has none. A span is never negative.
    """
    finish = end or last_seen
    if start is None or finish is None:
        return None
    first = start.first_month if start.month else start.year * 12 + _MIDDLE
    last = finish.first_month if finish.month else finish.year * 12 + _MIDDLE - 1
    return first, max(first, last)


def months_once(periods: Iterable[tuple[int, int]]) -> int:
    """Months covered by all spans together; a month in two of them counts once."""
    total, covered = 0, -1
    for first, last in sorted(periods):
        total += max(0, last - max(first, covered + 1) + 1)
        covered = max(covered, last)
    return total


def date_text(date: PartialDate) -> str:
    """A date as the document shows it: "Mar 2019", or "2019" when the month is unknown."""
    return f"{date.year}" if date.month is None else f"{_MONTHS[date.month]} {date.year}"


def period_text(job: Experience) -> str | None:
    """The dates of a spell on one line, with its length; None when nothing is known.

    A running spell shows whole years only, so that a person seen again next month keeps the
    same bytes:

        "Mar 2019 – Jun 2021 (2 yrs 4 mos)", "Mar 2019 – Present (5+ yrs)", "2014 – 2016 (~2 yrs)"
    """
    start, end = job.start, job.end
    if job.is_current:
        years = (job.months or 0) // 12
        length = f" ({_counted(years, '+ yr')})" if years else ""
        return f"{date_text(start)} – Present{length}" if start else "Present (start unknown)"
    if start is None:
        return f"until {date_text(end)}" if end else None
    if end is None:
        return f"from {date_text(start)}"
    if start == end:
        return date_text(start)
    length = _length(job.months or 0, is_rough=start.month is None or end.month is None)
    return f"{date_text(start)} – {date_text(end)}{length}"


def years_text(months: int) -> str:
    """Total experience in whole years: "7 years", "1 year", "under 1 year"."""
    return _counted(years, " year") if (years := months // 12) else "under 1 year"


def _length(months: int, *, is_rough: bool) -> str:
    if is_rough:
        years = round(months / 12)
        return f" (~{_counted(years, ' yr')})" if years else ""
    counts = zip(divmod(months, 12), (" yr", " mo"), strict=True)
    return f" ({' '.join([_counted(number, unit) for number, unit in counts if number])})"


def _counted(number: int, unit: str) -> str:
    return f"{number}{unit}" if number == 1 else f"{number}{unit}s"


def years_span(
    start: PartialDate | None, end: PartialDate | None, *, is_current: bool = False
) -> str:
    """The years of a study or an entry: "2015–2019", "2019", "from 2015"; "" when unknown."""
    if start and end and start.year != end.year:
        return f"{start.year}–{end.year}"
    if start and not end:
        return f"from {start.year}" if is_current else str(start.year)
    only = end or start
    return str(only.year) if only else ""
