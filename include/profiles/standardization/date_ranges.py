"""Spans of time as vendors write them: "Sept 2016 to Feb 2019", "seit 2019", "2021 -", 至今. Pure.

A missing end is not "present": only words or flags of the source say that something goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.models import PartialDate
from profiles.standardization.date_tokens import (
    DURATIONS,
    MONTHS,
    ONWARD,
    OPEN,
    PRESENT,
    SCHOOL_YEAR,
    SINCE,
    UNTIL,
    dates_in,
    full_year,
    partial_date,
)
from profiles.standardization.dates import parse_date
from profiles.standardization.text import fold

__all__ = ["DateRange", "is_present", "parse_range", "parse_span"]

_LONGEST_PRESENT: Final = 60
_WORD: Final = r"[^\W\d_]+"
_MONTH_PAIR: Final = re.compile(
    rf"\b({_WORD})\.?\s*(?:-|–|—|to|bis|au|a|до)\s*({_WORD}\.?,?\s*(?:de\s+)?(?:19|20)\d{{2}})\b",
    re.IGNORECASE,
)
_DURATION: Final = re.compile(
    r"\s*(?:[·•(（,|]\s*)?(?:less than a|\d+)\s*(?:\+\s*)?(?:"
    + "|".join(map(re.escape, sorted(sorted(DURATIONS), key=len, reverse=True)))
    + r")(?![^\W\d_]).*\Z"
    # Chinese and the like write no space behind a unit.
    r"|\s*(?:[·•(（,|]\s*)?\d+\s*(?:年|个月|か月|ヶ月|년|개월).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NO_DATE: Final = re.compile(r"\A\s*(?:\?+|none|null|n/?a|unknown)\s*(?=[-–—~〜])", re.IGNORECASE)
_EMPTY_START: Final = re.compile(
    r"\s*(?:\?+|none|null|n/?a|unknown)?\s*[-–—~〜]\s*\Z", re.IGNORECASE
)
_OPEN_END: Final = re.compile(r"\s*(?:年|г\.?)?\s*(?:[-–—~〜～→]|->)\s*(?:\?+|\.{2,}|…)?\s*\Z")


class DateRange(NamedTuple):
    """A span of time. `is_current` only when the source says so; `planned_end` keeps an end that
    lies in the future of the observation, which then counts as current."""

    start: PartialDate | None
    end: PartialDate | None
    is_current: bool
    planned_end: PartialDate | None = None


def is_present(value: object) -> bool:
    """Whether a value says "until now" in words, or is an object that does."""
    if isinstance(value, str):
        return _is_present_text(value)
    if isinstance(value, Mapping):
        text = value.get("text")
        return value.get("IsCurrentDate") is True or (isinstance(text, str) and is_present(text))
    return False


@lru_cache(maxsize=16_384)
def _is_present_text(text: str) -> bool:
    if len(text) > _LONGEST_PRESENT:
        return False
    return _mean_present(fold(_DURATION.sub("", text).replace("’", " ").replace("'", " ")))


def _mean_present(words: str) -> bool:
    """Whether folded words mean "now" or "until now"."""
    return words in PRESENT or any(words.removeprefix(word + " ") in PRESENT for word in UNTIL)


def parse_range(text: object) -> DateRange | None:
    """The range that a text such as "Sept 2016 to Feb 2019 · 2 yrs" states, None when it has none.

    A lone year or season is a range of that year; a lone month, and a year with an open end behind
    it ("2021 -"), are a start whose end is unknown.
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
        last = partial_date(last.year, None)
        first = partial_date(first.year, None) if first is not None else None
    if current_flag or is_present(end):
        return DateRange(first, None, True)
    if last is None:
        return DateRange(first, None, False)
    if first is not None and last.last_month < first.first_month:
        first, last = last, first
    if as_of is not None and last.first_month > as_of.last_month:
        return DateRange(first, None, True, last)
    return DateRange(first, last, False)


def _is_day(value: object, month: int, day: int) -> bool:
    return isinstance(value, dict) and value.get("month") == month and value.get("day") == day


@lru_cache(maxsize=65_536)
def _parse_range(text: str) -> DateRange | None:
    text = text.strip()
    school = SCHOOL_YEAR.fullmatch(text)
    if school is not None and int(school[2]) > 12:
        return DateRange(PartialDate(int(school[1])), PartialDate(full_year(school[2])), False)
    pair = _MONTH_PAIR.search(text)
    if pair is not None and (month := MONTHS.get(fold(pair[1]))):
        last = parse_date(pair[2], is_end=True)
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
    return _lone_date(value, before=text[:start], after=rest, current=current)


def _lone_date(value: PartialDate, *, before: str, after: str, current: bool) -> DateRange:
    words, behind = fold(before), fold(after)
    if current or words in SINCE or behind in ONWARD or after.strip() == "+":
        return DateRange(value, None, True)
    if words in UNTIL or _EMPTY_START.match(before):
        return DateRange(None, value, False)
    is_open = value.month is not None or behind in OPEN or _OPEN_END.match(after)
    return DateRange(value, None if is_open else value, False)


def _says_present(rest: str) -> bool:
    """Whether what follows the first date is a separator and a word for "until now"."""
    rest = _NO_DATE.sub("", rest.replace("’", " ").replace("'", " "))
    return _mean_present(fold(_DURATION.sub("", rest)))
