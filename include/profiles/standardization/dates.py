"""Dates as vendors write them, with the precision they state and nothing filled in from today.

Pure and table-driven: general date parsers take milliseconds, fill missing parts from the clock
and lose the precision. Every text is parsed once and remembered.

    >>> str(parse_date("févr. 2015")), str(parse_date("2013年4月")), str(parse_date("Jan '21"))
    ('2015-02', '2013-04', '2021-01')
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from profiles.models import PartialDate
from profiles.standardization.months import MONTHS, PRESENT, SINCE, UNTIL
from profiles.standardization.text import fold

__all__ = ["DateRange", "is_present", "parse_date", "parse_range", "parse_span"]

_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_CENTURY_PIVOT = 50
_MONTH_DIGITS = 4
"""Leading zeros are allowed for; `int` refuses text of thousands of digits."""

_SIMPLE = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.]\d{1,2})?)?")
_WORD = r"[^\W\d_]+"


class DateRange(NamedTuple):
    """A span of time. `is_current` only when the source says so; `planned_end` keeps an end that
    lies in the future of the observation, which then counts as current."""

    start: PartialDate | None
    end: PartialDate | None
    is_current: bool
    planned_end: PartialDate | None = None


# One date inside running text. The alternatives go from specific to general; named groups tell
# what was found. Years are 19xx or 20xx, or two digits behind an apostrophe or a month name.
_TOKEN = re.compile(
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
_MONTH_PAIR = re.compile(
    rf"\b({_WORD})\.?\s*(?:-|–|—|to|bis|au|a|до)\s*({_WORD}\.?,?\s*(?:de\s+)?(?:19|20)\d{{2}})\b",
    re.IGNORECASE,
)
_SCHOOL_YEAR = re.compile(r"((?:19|20)\d{2})\s?[-–/]\s?(\d{2})(?!\d)")
_NUMBER = re.compile(r"-?\d{5,}(?:\.\d+)?\Z")
_MIDNIGHT_ABROAD = re.compile(r"(\d{4})-(\d{2})-(\d{2})T(18|19|2[0-3]):[03]0(?::00(?:\.0+)?)?Z\Z")
_DURATION = re.compile(
    r"\s*[·•(,|]?\s*(?:less than a|\d+)\s*\+?\s*(?:years?|yrs?|yr|months?|mos?|ans?|mois|jahre?"
    r"|monate?|años?|meses|mes|anos?|mês|mies|lata?|rok|yıl|ay|лет|год|мес|年|个月|か月|ヶ月|년|개월)\b.*\Z",
    re.IGNORECASE,
)
_NO_DATE = re.compile(r"\A\s*(?:\?+|none|null|n/?a|unknown)\s*(?=[-–—~〜])", re.IGNORECASE)
_EMPTY_START = re.compile(r"\s*(?:\?+|none|null|n/?a|unknown)?\s*[-–—~〜]\s*\Z", re.IGNORECASE)


def parse_date(value: object, *, is_end: bool = False) -> PartialDate | None:
    """The date that `value` states, None when it states none or says "present".

    Takes text, year numbers, epoch seconds or milliseconds (UTC), date objects, and the object
    shapes {year, month, day}, {month: "Jan", year, text} and Textkernel's TxDate, whose flags win
    over its filled-in digits. With `is_end`, a school year such as "2019-20" gives its second
    year.
    """
    if isinstance(value, str):
        return _parse_text(value, is_end)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, PartialDate):
        return value
    if isinstance(value, dict | Mapping):
        return _parse_object(value)
    if isinstance(value, int | float):
        return _parse_number(value)
    if isinstance(value, date):
        return _partial(value.year, value.month)
    return None


def is_present(value: object) -> bool:
    """Whether a value says "until now" in words, or is an object that does."""
    if isinstance(value, str):
        return _is_present_text(value)
    if isinstance(value, dict | Mapping):
        return value.get("IsCurrentDate") is True or is_present(value.get("text"))
    return False


@lru_cache(maxsize=4096)
def _is_present_text(text: str) -> bool:
    if len(text) > 40:
        return False
    return fold(text.replace("’", " ").replace("'", " ")) in PRESENT


def parse_range(text: object) -> DateRange | None:
    """The range that a text such as "Sept 2016 to Feb 2019 · 2 yrs" states, None when it has none.

    A lone year or season is a range of that year; a lone month is a start whose end is unknown.
    """
    return _parse_range(text) if isinstance(text, str) else None


def parse_span(
    start: object,
    end: object,
    *,
    current_flag: bool | None = None,
    as_of: PartialDate | None = None,
) -> DateRange:
    """The span of two separate values.

    Reversed ends are swapped. An end after `as_of`, the month the source was read, is a plan:
    current, with `planned_end`. A missing end is not "present" unless `current_flag` says so, and
    a current job has no end, whatever its end field holds (parsers write the parse date there).
    Two objects of 1 Jan and 31 Dec are years: that is how the vendor writes year-only dates.
    """
    first, last = parse_date(start), parse_date(end, is_end=True)
    if last is not None and _is_day(end, 12, 31) and (first is None or _is_day(start, 1, 1)):
        last = PartialDate(last.year)
        first = PartialDate(first.year) if first is not None else None
    if current_flag or is_present(end):
        return DateRange(first, None, True)
    if last is None:
        return DateRange(first, None, False)
    # Years tell most of them apart, and asking for the month is a call.
    if first is not None and last.year <= first.year and last.last_month < first.first_month:
        first, last = last, first
    if as_of is not None and last.year >= as_of.year and last.first_month > as_of.last_month:
        return DateRange(first, None, True, planned_end=last)
    return DateRange(first, last, False)


def _is_day(value: object, month: int, day: int) -> bool:
    if value is None or isinstance(value, str | PartialDate) or not isinstance(value, Mapping):
        return False
    return value.get("month") == month and value.get("day") == day


@lru_cache(maxsize=65_536)
def _parse_text(text: str, is_end: bool) -> PartialDate | None:
    simple = _SIMPLE.fullmatch(text)
    if simple is not None and not (simple[2] and int(simple[2]) > 12):
        return _partial(int(simple[1]), int(simple[2]) if simple[2] else None)
    text = text.strip()
    if _NUMBER.match(text):
        return _parse_number(float(text))
    local = _MIDNIGHT_ABROAD.match(text)
    if local is not None:
        return _local_midnight(int(local[1]), int(local[2]), int(local[3]))
    school = _SCHOOL_YEAR.fullmatch(text)
    if school is not None and int(school[2]) > 12:
        return PartialDate(_full_year(school[2]) if is_end else int(school[1]))
    found = _tokens(text)
    return found[-1 if is_end else 0][0] if found else None


def _local_midnight(year: int, month: int, day: int) -> PartialDate | None:
    """A UTC evening that is midnight of the next day where it was typed, e.g. 18:30Z in India."""
    try:
        moment = date(year, month, day) + timedelta(days=1)
    except ValueError:
        return _partial(year, month)
    return _partial(moment.year, moment.month)


def _parse_number(value: float) -> PartialDate | None:
    """A year, YYYYMM, YYYYMMDD, or an epoch in seconds or milliseconds."""
    if value != value or abs(value) >= 1e14:
        return None
    number = int(value)
    if number < 10_000:
        return _partial(number, None)
    if number < 1_000_000:
        return _partial(number // 100, number % 100)
    if 19_000_000 <= number < 21_010_000:
        return _partial(number // 10_000, number // 100 % 100)
    if number < 100_000_000:
        return None
    seconds = number / 1000 if number >= 100_000_000_000 else number
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    return _partial(moment.year, moment.month)


def _parse_object(value: Mapping[object, object]) -> PartialDate | None:
    if "FoundYear" in value or "IsCurrentDate" in value:
        return _parse_tx_date(value)
    year = value.get("year")
    if year.__class__ is int and _FIRST_YEAR <= year <= _LAST_YEAR:
        return _partial(year, _month(value.get("month")))
    if year in (None, "", 0):
        text = value.get("text") or value.get("date") or value.get("raw")
        return _parse_text(text, False) if isinstance(text, str) else None
    number = parse_date(year)
    if number is None:
        return None
    return _partial(number.year, _month(value.get("month")))


def _parse_tx_date(value: Mapping[object, object]) -> PartialDate | None:
    if value.get("IsCurrentDate") is True or value.get("FoundYear") is False:
        return None
    found = parse_date(value.get("Date"))
    if found is None:
        return None
    return found if value.get("FoundMonth") else PartialDate(found.year)


def _month(value: object) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        # Python's JSON knows NaN and infinity, which no integer can hold.
        return int(value) if math.isfinite(value) else None
    if isinstance(value, str):
        text = fold(value)
        if text.isdecimal():
            return int(text) if len(text) <= _MONTH_DIGITS else None
        return MONTHS.get(text)
    return None


@lru_cache(maxsize=4096)
def _partial(year: int, month: int | None) -> PartialDate | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    return PartialDate(year, month if month is not None and 1 <= month <= 12 else None)


def _full_year(digits: str) -> int:
    year = int(digits.lstrip("'’‘`´"))
    if year >= 100:
        return year
    return year + (2000 if year < _CENTURY_PIVOT else 1900)


def _tokens(text: str) -> list[tuple[PartialDate, int, int]]:
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
    return _partial(_full_year(year or "0"), int(month) if month else None)


def _read_day_month_year(groups: dict[str, str | None]) -> PartialDate | None:
    """Day and month in an unknown order keep the month only where it is certain."""
    first, second = int(groups["da"] or 0), int(groups["db"] or 0)
    year = int(groups["dy"] or 0)
    if groups["sep"] == "." or first > 12 or first == second:
        return _partial(year, second)
    if second > 12:
        return _partial(year, first)
    return _partial(year, None)


def _read_named(groups: dict[str, str | None]) -> PartialDate | None:
    word = fold(groups["nm"] or "")
    year = groups["nY"] or ""
    month = MONTHS.get(word)
    if month is None and len(year) < 4 and not year.startswith(("'", "’", "‘", "`", "´")):
        return None
    return _partial(_full_year(year), month)


_READERS: dict[str, Callable[[dict[str, str | None]], PartialDate | None]] = {
    "iso": lambda g: _read_year_month(g["iy"], g["im"]),
    "cjk": lambda g: _read_year_month(g["cy"], g["cm"]),
    "dmy": _read_day_month_year,
    "my": lambda g: _read_year_month(g["mY"], g["mm"]),
    "mys": lambda g: _read_year_month(g["sY"], g["sm"]) if int(g["sm"] or 0) <= 12 else None,
    "named": _read_named,
    "rev": lambda g: _partial(int(g["rY"] or 0), MONTHS.get(fold(g["rm"] or ""))),
    "fy": lambda g: _read_year_month(g["fY"], None),
    "year": lambda g: _read_year_month(g["yY"], None),
    "short": lambda g: _read_year_month(g["shY"], None),
}


@lru_cache(maxsize=65_536)
def _parse_range(text: str) -> DateRange | None:
    text = text.strip()
    school = _SCHOOL_YEAR.fullmatch(text)
    if school is not None and int(school[2]) > 12:
        return DateRange(PartialDate(int(school[1])), PartialDate(_full_year(school[2])), False)
    pair = _MONTH_PAIR.search(text)
    if pair is not None and (month := MONTHS.get(fold(pair[1]))):
        last = _parse_text(pair[2], True)
        if last is not None and last.month is not None:
            return DateRange(PartialDate(last.year, month), last, False)
    found = _tokens(text)
    rest = text[found[-1][2] :] if found else text
    current = _says_present(rest)
    if not found:
        return DateRange(None, None, True) if current else None
    if len(found) > 1:
        return parse_span(found[0][0], found[1][0])
    value, start, _ = found[0]
    return _lone_date(value, before=text[:start], current=current)


def _lone_date(value: PartialDate, *, before: str, current: bool) -> DateRange:
    words = fold(before)
    if current or words in SINCE:
        return DateRange(value, None, True)
    if words in UNTIL or _EMPTY_START.match(before):
        return DateRange(None, value, False)
    return DateRange(value, value if value.month is None else None, False)


def _says_present(rest: str) -> bool:
    """Whether what follows the first date is a separator and a word for "until now"."""
    rest = _NO_DATE.sub("", rest.replace("’", " ").replace("'", " "))
    words = fold(_DURATION.sub("", rest))
    return words in PRESENT or any(words.removeprefix(word + " ") in PRESENT for word in UNTIL)
