"""Dates inside running text, each with its place, and the words for months and "until now" of about
fifteen languages. Pure.

The words are in `include/words/dates.csv`, folded, so that accents, dots and case do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from profiles.models import PartialDate
from profiles.standardization.text import fold
from profiles.standardization.words import rows, words

__all__ = [
    "DURATIONS",
    "FIRST_YEAR",
    "LAST_YEAR",
    "MONTHS",
    "ONWARD",
    "OPEN",
    "PRESENT",
    "SCHOOL_YEAR",
    "SINCE",
    "UNTIL",
    "dates_in",
    "full_year",
    "partial_date",
]


def _folded(section: str) -> frozenset[str]:
    return frozenset(map(fold, words("dates", section)))


MONTHS: Final = {
    fold(name): number for number, names in enumerate(rows("dates", "months"), 1) for name in names
}
PRESENT: Final = _folded("present")
SINCE: Final = _folded("since")
UNTIL: Final = _folded("until")
ONWARD: Final = _folded("onward")
OPEN: Final = _folded("open") - {""}
DURATIONS: Final = words("dates", "durations")

FIRST_YEAR, LAST_YEAR = 1900, 2100
SCHOOL_YEAR: Final = re.compile(r"((?:19|20)\d{2})\s?[-–/]\s?(\d{2})(?!\d)")
"""A year and the last digits of the next."""
_CENTURY_PIVOT: Final = 50

# One date inside running text. The alternatives go from specific to general; named groups tell
# what was found. Years are 19xx or 20xx, or two digits behind an apostrophe or a month name.
_TOKEN: Final = re.compile(
    r"(?P<iso>(?<!\d)(?P<iy>(?:19|20)\d{2})\s?[-/.]\s?(?P<im>\d{1,2})(?:[-/.](?P<id>\d{1,2}))?"
    r"(?:[T ]\d{2}:\d{2}\S*)?(?!\d))"
    r"|(?P<cjk>(?P<cy>(?:19|20)\d{2})\s?[年년](?:\s?(?P<cm>\d{1,2})\s?[月월])?(?:\s?\d{1,2}\s?[日일])?)"
    r"|(?P<dmy>(?<!\d)(?P<da>\d{1,2})(?P<sep>[-/.])(?P<db>\d{1,2})(?P=sep)(?P<dy>(?:19|20)\d{2})(?!\d))"
    r"|(?P<my>(?<![\d.])(?P<mm>\d{1,2})\s?[-/.]\s?(?P<mY>(?:19|20)\d{2})(?!\d))"
    r"|(?P<mys>(?<![\d./])(?P<sm>\d{1,2})\s?/\s?['’]?(?P<sY>\d{2})(?![\d/]))"
    r"|(?P<named>(?P<nm>[^\W\d_]{3,12})\.?,?[\s\-/]*(?:\d{1,2}(?:st|nd|rd|th)?,?\s+(?=(?:19|20)\d{2}))?"
    r"(?:de\s+|of\s+)?(?P<nY>(?:19|20)\d{2}(?!\d)|['’‘`´]\d{2}(?!\d)|(?<=[\s\-.])\d{2}(?![\d:]))(?:\s?г\.?)?)"
    r"|(?P<rev>(?P<rY>(?:19|20)\d{2})[\s,\-]+(?P<rm>[^\W\d_]{3,12})(?![^\W\d_]))"
    r"|(?P<fy>\bFY\s?['’]?(?P<fY>(?:(?:19|20)\d{2}|\d{2}))(?!\d))"
    r"|(?P<year>(?<![\d])(?P<yY>(?:19|20)\d{2})(?!\d))"
    r"|(?P<short>['’‘`´](?P<shY>\d{2})(?!\d))",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def partial_date(year: int, month: int | None) -> PartialDate | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return PartialDate(year, month if month is not None and 1 <= month <= 12 else None)


def full_year(digits: str) -> int:
    year = int(digits.lstrip("'’‘`´"))
    if year >= 100:
        return year
    return year + (2000 if year < _CENTURY_PIVOT else 1900)


def dates_in(text: str) -> list[tuple[PartialDate, int, int]]:
    """Each date in a text with its start and end offset."""
    found = []
    position = 0
    while (match := _TOKEN.search(text, position)) is not None:
        groups = match.groupdict()
        kind = next(name for name in _READERS if groups[name] is not None)
        start, position = match.span()
        if kind == "named" and fold(groups["nm"] or "") not in MONTHS:
            start = match.start("nY")
        elif kind == "rev" and fold(groups["rm"] or "") not in MONTHS:
            position = match.end("rY")
        value = _READERS[kind](groups)
        if value is not None:
            found.append((value, start, position))
    return found


def _read_year_month(year: str | None, month: str | None) -> PartialDate | None:
    return partial_date(full_year(year or "0"), int(month) if month else None)


def _read_day_month_year(groups: dict[str, str | None]) -> PartialDate | None:
    """Day and month in an unknown order keep the month only where it is certain."""
    first, second = int(groups["da"] or 0), int(groups["db"] or 0)
    year = int(groups["dy"] or 0)
    if groups["sep"] == "." or first > 12 or first == second:
        return partial_date(year, second)
    if second > 12:
        return partial_date(year, first)
    return partial_date(year, None)


def _read_named(groups: dict[str, str | None]) -> PartialDate | None:
    word = fold(groups["nm"] or "")
    year = groups["nY"] or ""
    month = MONTHS.get(word)
    if month is None and len(year) < 4 and not year.startswith(("'", "’", "‘", "`", "´")):
        return None
    return partial_date(full_year(year), month)


_READERS: dict[str, Callable[[dict[str, str | None]], PartialDate | None]] = {
    "iso": lambda g: _read_year_month(g["iy"], g["im"]),
    "cjk": lambda g: _read_year_month(g["cy"], g["cm"]),
    "dmy": _read_day_month_year,
    "my": lambda g: _read_year_month(g["mY"], g["mm"]),
    "mys": lambda g: _read_year_month(g["sY"], g["sm"]) if int(g["sm"] or 0) <= 12 else None,
    "named": _read_named,
    "rev": lambda g: partial_date(int(g["rY"] or 0), MONTHS.get(fold(g["rm"] or ""))),
    "fy": lambda g: _read_year_month(g["fY"], None),
    "year": lambda g: _read_year_month(g["yY"], None),
    "short": lambda g: _read_year_month(g["shY"], None),
}
