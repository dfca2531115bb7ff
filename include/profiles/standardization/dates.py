"""Dates as vendors write them, with the precision they state and nothing filled in from today.

Pure and table-driven: general date parsers take milliseconds, fill missing parts from the clock
and lose the precision. Every text is parsed once and remembered.

    >>> str(parse_date("févr. 2015")), str(parse_date("2013年4月")), str(parse_date("Jan '21"))
    ('2015-02', '2013-04', '2021-01')
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.models import PartialDate
from profiles.standardization.date_tokens import (
    FIRST_YEAR,
    LAST_YEAR,
    dates_in,
    full_year,
    partial_date,
)
from profiles.standardization.months import MONTHS, PRESENT, SINCE, UNTIL
from profiles.standardization.text import fold

__all__ = ["DateRange", "is_present", "parse_date", "parse_range", "parse_span"]

_MONTH_DIGITS: Final = 4
"""Leading zeros are allowed for; `int` refuses text of thousands of digits."""

_SIMPLE: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.]\d{1,2})?)?")
_WORD: Final = r"[^\W\d_]+"
_OBJECT: Final = (dict, Mapping)
"""`dict` first: most objects are one, and asking the abstract class takes ten times as long."""


class DateRange(NamedTuple):
    """A span of time. `is_current` only when the source says so; `planned_end` keeps an end that
    lies in the future of the observation, which then counts as current."""

    start: PartialDate | None
    end: PartialDate | None
    is_current: bool
    planned_end: PartialDate | None = None


_MONTH_PAIR: Final = re.compile(
    rf"\b({_WORD})\.?\s*(?:-|–|—|to|bis|au|a|до)\s*({_WORD}\.?,?\s*(?:de\s+)?(?:19|20)\d{{2}})\b",
    re.IGNORECASE,
)
_SCHOOL_YEAR: Final = re.compile(r"((?:19|20)\d{2})\s?[-–/]\s?(\d{2})(?!\d)")
_NUMBER: Final = re.compile(r"-?\d{5,}(?:\.\d+)?\Z")
_MIDNIGHT_ABROAD: Final = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})T(18|19|2[0-3]):[03]0(?::00(?:\.0+)?)?Z\Z"
)
_DURATION: Final = re.compile(
    r"\s*[·•(,|]?\s*(?:less than a|\d+)\s*\+?\s*(?:years?|yrs?|yr|months?|mos?|ans?|mois|jahre?"
    r"|monate?|años?|meses|mes|anos?|mês|mies|lata?|rok|yıl|ay|лет|год|мес|年|个月|か月|ヶ月|년|개월)\b.*\Z",
    re.IGNORECASE,
)
_NO_DATE: Final = re.compile(r"\A\s*(?:\?+|none|null|n/?a|unknown)\s*(?=[-–—~〜])", re.IGNORECASE)
_EMPTY_START: Final = re.compile(
    r"\s*(?:\?+|none|null|n/?a|unknown)?\s*[-–—~〜]\s*\Z", re.IGNORECASE
)


_NESTING: Final = ("year", "Date", "text")
"""Members that are read as dates themselves."""
_LARGEST_NUMBER: Final = 10**14


def parse_date(value: object, *, is_end: bool = False) -> PartialDate | None:
    """The date that `value` states, None when it states none or says "present".

    Takes text, year numbers, epoch seconds or milliseconds (UTC), date objects, and the object
    shapes {year, month, day}, {month: "Jan", year, text} and Textkernel's TxDate, whose flags win
    over its filled-in digits. With `is_end`, a school year such as "2019-20" gives its second
    year.
    """
    if isinstance(value, str):
        return _WRITTEN_OUT.get(value) or _parse_text(value, is_end)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, PartialDate):
        return value
    if isinstance(value, _OBJECT):
        return _parse_object(value)
    if isinstance(value, int | float):
        return _parse_number(value)
    if isinstance(value, date):
        return partial_date(value.year, value.month)
    return None


def is_present(value: object) -> bool:
    """Whether a value says "until now" in words, or is an object that does."""
    if isinstance(value, str):
        return _is_present_text(value)
    if isinstance(value, _OBJECT):
        return value.get("IsCurrentDate") is True or is_present(_shallow(value.get("text")))
    return False


@lru_cache(maxsize=4096)
def _is_present_text(text: str) -> bool:
    if len(text) > 40:
        return False
    return _mean_present(fold(text.replace("’", " ").replace("'", " ")))


def _mean_present(words: str) -> bool:
    """Whether folded words mean "now" or "until now"."""
    return words in PRESENT or any(words.removeprefix(word + " ") in PRESENT for word in UNTIL)


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
    first = parse_date(start)
    if end.__class__ is str:
        last, says_present = _parse_end(end)
    else:
        last, says_present = parse_date(end, is_end=True), is_present(end)
        if last is not None and _is_day(end, 12, 31) and (first is None or _is_day(start, 1, 1)):
            last = partial_date(last.year, None)
            first = partial_date(first.year, None) if first is not None else None
    if current_flag or says_present:
        return _range(DateRange, (first, None, True, None))
    if last is None:
        return _range(DateRange, (first, None, False, None))
    # Years tell most of them apart, and asking for the month is a call.
    if first is not None and last.year <= first.year and last.last_month < first.first_month:
        first, last = last, first
    if as_of is not None and last.year >= as_of.year and last.first_month > as_of.last_month:
        return _range(DateRange, (first, None, True, last))
    return _range(DateRange, (first, last, False, None))


# The constructor of a named tuple is Python code around this, and takes three times as long.
_range = tuple.__new__


def _parse_end(text: str) -> tuple[PartialDate | None, bool]:
    known = _WRITTEN_OUT.get(text)
    return (known, False) if known is not None else _parse_words(text)


@lru_cache(maxsize=16_384)
def _parse_words(text: str) -> tuple[PartialDate | None, bool]:
    return _parse_text(text, True), _is_present_text(text)


def _is_day(value: object, month: int, day: int) -> bool:
    if not isinstance(value, _OBJECT):
        return False
    return value.get("month") == month and value.get("day") == day


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
    school = _SCHOOL_YEAR.fullmatch(text)
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
    if isinstance(value, float) and not math.isfinite(value):
        return None
    number = int(value)
    if abs(number) >= _LARGEST_NUMBER:
        return None
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


def _parse_object(value: Mapping[object, object]) -> PartialDate | None:
    if "FoundYear" in value or "IsCurrentDate" in value:
        return _parse_tx_date(value)
    year = value.get("year")
    if year.__class__ is int and FIRST_YEAR <= year <= LAST_YEAR:
        return partial_date(year, _month(value.get("month")))
    if year in (None, "", 0):
        text = value.get("text") or value.get("date") or value.get("raw")
        return _parse_text(text, False) if isinstance(text, str) else None
    number = parse_date(_shallow(year))
    if number is None:
        return None
    return partial_date(number.year, _month(value.get("month")))


def _parse_tx_date(value: Mapping[object, object]) -> PartialDate | None:
    if value.get("IsCurrentDate") is True or value.get("FoundYear") is False:
        return None
    found = parse_date(_shallow(value.get("Date")))
    if found is None:
        return None
    return found if value.get("FoundMonth") else PartialDate(found.year)


def _shallow(value: object) -> object:
    """The value, None for an object whose date is an object again: no vendor nests one so deep, and
    one that is nested a thousand times would end the stack."""
    if isinstance(value, _OBJECT) and any(
        isinstance(value.get(member), _OBJECT) for member in _NESTING
    ):
        return None
    return value


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


@lru_cache(maxsize=65_536)
def _parse_range(text: str) -> DateRange | None:
    text = text.strip()
    school = _SCHOOL_YEAR.fullmatch(text)
    if school is not None and int(school[2]) > 12:
        return DateRange(PartialDate(int(school[1])), PartialDate(full_year(school[2])), False)
    pair = _MONTH_PAIR.search(text)
    if pair is not None and (month := MONTHS.get(fold(pair[1]))):
        last = _parse_text(pair[2], True)
        if last is not None and last.month is not None:
            return DateRange(PartialDate(last.year, month), last, False)
    found = dates_in(text)
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
    return _mean_present(fold(_DURATION.sub("", rest)))


def _written_out() -> dict[str, PartialDate]:
    years = [PartialDate(year) for year in range(FIRST_YEAR, LAST_YEAR + 1)]
    months = [PartialDate(known.year, month) for known in years for month in range(1, 13)]
    return {str(known): known for known in (*years, *months)}


_WRITTEN_OUT: Final = _written_out()
"""The dates that most rows give, such as 2019 and 2019-03; no search through a table is faster."""
