"""Dates as vendors write them, with the precision they state and nothing filled in from today.

Pure and table-driven: general date parsers take milliseconds, fill missing parts from the clock
and lose the precision. Names of months are babel's, other words those of `include/words/dates.csv`;
both are compared folded, so that accents, dots and case do not matter.

    >>> str(parse_date("févr. 2015")), str(parse_date("2013年4月")), str(parse_date("Jan '21"))
    ('2015-02', '2013-04', '2021-01')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final
from unicodedata import decimal

from babel import Locale

from profiles.models import PartialDate
from profiles.standardization.text import fold
from profiles.standardization.words import labels


def _months() -> dict[str, int]:
    """The number of each month by its folded names."""
    found = {fold(name): int(number) for name, number in labels("dates", "month").items()}
    for code, width in labels("dates", "locales").items():
        for forms in Locale(code).months.values():
            for known in ("wide",) if width else ("wide", "abbreviated"):
                found.update({fold(name): number for number, name in forms[known].items()})
    return found


MONTHS: Final = _months()
FIRST_YEAR, LAST_YEAR = 1900, 2100
SCHOOL_YEAR: Final = re.compile(r"((?:19|20)\d{2})\s?[-–/]\s?(\d{2})(?!\d)")
"""A year and the last digits of the next."""
_CENTURY_PIVOT: Final = 50

# One date inside running text. The alternatives go from specific to general; named groups tell
# what was found. Years are 19xx or 20xx, or two digits behind an apostrophe or a month name.
_TOKEN: Final = re.compile(
    r"(?P<iso>(?<!\d)(?P<iy>(?:19|20)\d{2})\s?[-/.]\s?(?P<im>\d{1,2})(?:[-/.](?P<id>\d{1,2}))?"
    r"(?:[T ]\d{2}:\d{2}\S*)?(?!\d))"
    r"|(?P<era>(?P<en>令和|平成|昭和)\s?(?P<ey>\d{1,2}|元)\s?年(?:\s?(?P<em>\d{1,2})\s?月)?(?:\s?\d{1,2}\s?日)?)"
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


_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925}  # The year before each begins.
_TWO_DIGITS: Final = re.compile(r"\d\d|[和成]\s?[\d元]")
"""A part of every date: the pattern of dates costs ten times as much at each character."""
_LONGEST_BEFORE: Final = 40
"""Characters of a date before them: the name of a month and a separator."""


@lru_cache(maxsize=4096)
def partial_date(year: int, month: int | None) -> PartialDate | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return PartialDate(year, month if month is not None and 1 <= month <= 12 else None)


def full_year(digits: str) -> int:
    year = int(digits.lstrip("'’‘`´"))
    century = 2000 if year < _CENTURY_PIVOT else 1900
    return year if year >= 100 else century + year


def dates_in(text: str) -> list[tuple[PartialDate, int, int]]:
    """Each date in a text with its start and end offset."""
    if not text.isascii():  # Digits of other scripts are as long.
        text = "".join([str(decimal(char)) if char.isdecimal() else char for char in text])
    found = []
    position = 0
    while (digits := _TWO_DIGITS.search(text, position)) is not None:
        match = _TOKEN.search(text, max(position, digits.start() - _LONGEST_BEFORE))
        if match is None:
            break
        kind = match.lastgroup or ""
        start, position = match.span()
        if kind == "named" and fold(match["nm"]) not in MONTHS:
            start = match.start("nY")
        elif kind == "rev" and fold(match["rm"]) not in MONTHS:
            position = match.end("rY")
        value = _READERS[kind](match)
        if value is not None:
            found.append((value, start, position))
        elif kind == "named":  # "Puijonlaakso, 01.2017": the digits may be those of a date.
            position = match.start("nY")
    return found


def _read_year_month(year: str, month: str | None) -> PartialDate | None:
    return partial_date(full_year(year), int(month) if month else None)


def _read_day_month_year(found: re.Match[str]) -> PartialDate | None:
    """Day and month in an unknown order keep the month only where it is certain."""
    first, second = int(found["da"]), int(found["db"])
    year = int(found["dy"])
    if found["sep"] == "." or first > 12 or first == second:
        return partial_date(year, second)
    return partial_date(year, first if second > 12 else None)


def _read_named(found: re.Match[str]) -> PartialDate | None:
    word = fold(found["nm"])
    year = found["nY"]
    month = MONTHS.get(word)
    if month is None and len(year) < 4 and not year.startswith(("'", "’", "‘", "`", "´")):
        return None
    return partial_date(full_year(year), month)


_READERS: dict[str, Callable[[re.Match[str]], PartialDate | None]] = {
    "iso": lambda g: _read_year_month(g["iy"], g["im"]),
    "era": lambda g: partial_date(
        _ERAS[g["en"]] + int(g["ey"].replace("元", "1")), int(g["em"] or 0)
    ),
    "cjk": lambda g: _read_year_month(g["cy"], g["cm"]),
    "dmy": _read_day_month_year,
    "my": lambda g: _read_year_month(g["mY"], g["mm"]),
    "mys": lambda g: _read_year_month(g["sY"], g["sm"]) if int(g["sm"]) <= 12 else None,
    "named": _read_named,
    "rev": lambda g: partial_date(int(g["rY"]), MONTHS.get(fold(g["rm"]))),
    "fy": lambda g: _read_year_month(g["fY"], None),
    "year": lambda g: _read_year_month(g["yY"], None),
    "short": lambda g: _read_year_month(g["shY"], None),
}


_MONTH_DIGITS: Final = 4
"""Leading zeros are allowed for; `int` refuses text of thousands of digits."""

_SIMPLE: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.]\d{1,2})?)?")

_NUMBER: Final = re.compile(r"-?\d{5,}(?:\.\d+)?\Z")
_MIDNIGHT_ABROAD: Final = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})T(18|19|2[0-3]):[03]0(?::00(?:\.0+)?)?Z\Z"
)
_NESTING: Final = ("year", "Date", "text")
"""Members that are read as dates themselves."""
_LARGEST_NUMBER: Final = 10**14


def parse_date(value: object, *, is_end: bool = False) -> PartialDate | None:
    """The date that `value` states, None when it states none or says "present".

    Objects are {year, month, day}, {month: "Jan", year, text} and Textkernel's TxDate, whose flags
    win over its filled-in digits. With `is_end`, a school year "2019-20" gives its second year.
    """
    if isinstance(value, str):
        return _parse_text(value, is_end)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, PartialDate):
        return value
    if isinstance(value, dict):
        return _parse_object(value)
    if isinstance(value, int | float):
        return _parse_number(value)
    if isinstance(value, date):
        return partial_date(value.year, value.month)
    return None


@lru_cache(maxsize=65_536)
def _parse_text(text: str, is_end: bool) -> PartialDate | None:
    simple = _SIMPLE.fullmatch(text)
    if simple is not None and not (simple[2] and int(simple[2]) > 12):
        return partial_date(int(simple[1]), int(simple[2]) if simple[2] else None)
    text = text.strip()
    if _NUMBER.match(text):
        return _parse_number(float(text))
    local = _MIDNIGHT_ABROAD.match(text)
    if local is not None:
        return _local_midnight(int(local[1]), int(local[2]), int(local[3]))
    school = SCHOOL_YEAR.fullmatch(text)
    if school is not None and int(school[2]) > 12:
        return PartialDate(full_year(school[2]) if is_end else int(school[1]))
    found = dates_in(text)
    return found[-1 if is_end else 0][0] if found else None


def _local_midnight(year: int, month: int, day: int) -> PartialDate | None:
    """A UTC evening that is midnight of the next day where it was typed, e.g. 18:30Z in India."""
    try:
        moment = date(year, month, day) + timedelta(days=1)
    except ValueError:
        return partial_date(year, month)
    return partial_date(moment.year, moment.month)


def _parse_number(value: int | float) -> PartialDate | None:
    """A year, YYYYMM, YYYYMMDD, or an epoch in seconds or milliseconds."""
    if not abs(value) < _LARGEST_NUMBER:  # neither NaN nor infinity
        return None
    number = int(value)
    if number < 10_000:
        return partial_date(number, None)
    if number < 1_000_000:
        return partial_date(number // 100, number % 100)
    if 19_000_000 <= number < 21_010_000:
        return partial_date(number // 10_000, number // 100 % 100)
    if number < 100_000_000:
        return None
    seconds = number / 1000 if number >= 100_000_000_000 else number
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    return partial_date(moment.year, moment.month)


def _parse_object(value: dict[object, object]) -> PartialDate | None:
    if "FoundYear" in value or "IsCurrentDate" in value:
        return _parse_tx_date(value)
    year = value.get("year")
    if year.__class__ is int and FIRST_YEAR <= year <= LAST_YEAR:
        return partial_date(year, _month(value.get("month")))
    if year in (None, "", 0):
        text = value.get("text") or value.get("date") or value.get("raw")
        return _parse_text(text, False) if isinstance(text, str) else None
    number = parse_date(_shallow(year))
    return number and partial_date(number.year, _month(value.get("month")))


def _parse_tx_date(value: dict[object, object]) -> PartialDate | None:
    if value.get("IsCurrentDate") is True or value.get("FoundYear") is False:
        return None
    found = parse_date(_shallow(value.get("Date")))
    return found if found is None or value.get("FoundMonth") else PartialDate(found.year)


def _shallow(value: object) -> object:
    """The value, None for an object whose date is an object again: no vendor nests one so deep, and
    one that is nested a thousand times would end the stack."""
    if isinstance(value, dict) and any(isinstance(value.get(name), dict) for name in _NESTING):
        return None
    return value


def _month(value: object) -> int | None:
    if isinstance(value, str):
        text = fold(value)
        if text.isdecimal():
            return int(text) if len(text) <= _MONTH_DIGITS else None
        return MONTHS.get(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Python's JSON knows NaN and infinity, which no integer can hold.
    return int(value) if 1 <= value < 13 else None
