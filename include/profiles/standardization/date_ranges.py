"""Spans of time as vendors write them: "Sept 2016 to Feb 2019", "seit 2019", "2021 -", 至今. Pure.

Also whether a value says that something goes on: yes, no, or neither.

A missing end is not "present": only words or flags of the source say that something goes on.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.models import PartialDate
from profiles.standardization.dates import (
    MONTHS,
    SCHOOL_YEAR,
    dates_in,
    full_year,
    parse_date,
    partial_date,
)
from profiles.standardization.text import fold
from profiles.standardization.words import alternatives, words


def _folded(section: str) -> frozenset[str]:
    return frozenset(map(fold, words("dates", section)))


_PRESENT: Final = _folded("present")
_SINCE: Final = _folded("since")
_UNTIL: Final = _folded("until")
_UNTIL_NOW: Final = _PRESENT | {f"{word} {now}" for word in _UNTIL for now in _PRESENT}
_ONWARD: Final = _folded("onward")
_OPEN: Final = _folded("open") - {""}
_YES: Final = _folded("yes")
_NO: Final = _folded("no")
_OF_AN_END: Final = _folded("of_an_end")
_NUMBERS: Final = {"1": True, "1.0": True, "0": False, "0.0": False}
_LONGEST_FLAG: Final = 40
_INSIDE: Final = frozenset("'’.-_")
"""Signs that a word may have, and not begin with: n.v., aujourd'hui, non-current, not_current."""

_LONGEST_PRESENT: Final = 60
_WORD: Final = r"[^\W\d_]+"
_MONTH_PAIR: Final = re.compile(
    rf"\b({_WORD})\.?\s*(?:-|–|—|to|bis|au|a|до)\s*({_WORD}\.?,?\s*(?:de\s+)?(?:19|20)\d{{2}})\b",
    re.IGNORECASE,
)
_DURATION: Final = re.compile(
    rf"(?:less than a|\d+)\s*(?:\+\s*)?{alternatives(words('dates', 'durations'))}(?![^\W\d_]).*\Z"
    # Chinese and the like write no space behind a unit.
    r"|\d+\s*(?:年|个月|か月|ヶ月|년|개월).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_DURATION_BEHIND: Final = re.compile(
    rf"\s*(?:[·•(（,|]\s*)?(?:{_DURATION.pattern})", _DURATION.flags
)
_NO_DATE: Final = re.compile(r"\A\s*(?:\?+|none|null|n/?a|unknown)\s*(?=[-–—~〜])", re.IGNORECASE)
_EMPTY_START: Final = re.compile(
    r"\s*(?:\?+|none|null|n/?a|unknown)?\s*[-–—~〜]\s*\Z", re.IGNORECASE
)
_OPEN_END: Final = re.compile(r"\s*(?:年|г\.?)?\s*(?:[-–—~〜～→]|->)\s*(?:\?+|\.{2,}|…)?\s*\Z")
_TO: Final = _UNTIL | _OPEN | _ONWARD
_DASH: Final = re.compile(r"\s*(?:[-–—~〜～→]|->)\s*")
_WORD_OF_END: Final = re.compile(r"\s*[-–—]\s?[^\W\d_]+\s*")
"""Any word, such as one for "until now" in a language that we do not know."""
_WORD_BEHIND: Final = re.compile(r"\w+")


class DateRange(NamedTuple):
    """A span of time. `is_current` when the source says so, or its end is still to come."""

    start: PartialDate | None
    end: PartialDate | None
    is_current: bool


def is_present(value: object) -> bool:
    """Return whether a value means "until now" in words, or is an object that does."""
    if isinstance(value, str):
        return _is_present_text(value)
    if isinstance(value, dict):
        text = value.get("text")
        return value.get("IsCurrentDate") is True or (isinstance(text, str) and is_present(text))
    return False


@lru_cache(maxsize=16_384)
def _is_present_text(text: str) -> bool:
    return len(text) <= _LONGEST_PRESENT and not text[:1].isdigit() and _says_present(text)


def _says_present(text: str) -> bool:
    """Return whether a text, perhaps behind a separator, means "now" or "until now"."""
    text = _NO_DATE.sub("", text.replace("’", " ").replace("'", " "))
    return fold(_DURATION.sub("", text)) in _UNTIL_NOW


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

    Reversed ends are swapped. An end after `as_of`, the month the source was read, is a plan. A
    missing end is not "present" unless `current_flag` says so, and a current job has no end,
    whatever its end field holds (parsers write the parse date there).
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
        return DateRange(first, None, True)
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
    ahead, behind = fold(before), fold(after)
    if current or ahead in _SINCE or behind in _ONWARD or after.strip() == "+":
        return DateRange(value, None, True)
    if ahead in _UNTIL or _EMPTY_START.match(before):
        return DateRange(None, value, False)
    is_open = value.month is not None or behind in _OPEN or _OPEN_END.match(after)
    return DateRange(value, None if is_open else value, False)


def find_range(text: str) -> tuple[int, int, bool] | None:
    """Start and end of the first range in a text, else of its first date, and which of them it is.

    >>> find_range("Welder, Ozark Tank  2009 - 2016"), find_range("Best Welder 2022")
    ((20, 31, True), (12, 16, False))
    """
    found = dates_in(text)
    for (_, start, end), following in zip(found, [*found[1:], None], strict=False):
        between = text[end : following[1] if following else None]
        words_behind = _WORD_BEHIND.finditer(between, 0, _LONGEST_PRESENT)
        present = (word.end() for word in words_behind if _says_present(between[: word.end()]))
        if following and (_DASH.fullmatch(between) or fold(between) in _TO):
            end = following[2]
        elif behind := max(present, default=0):
            end += behind
        elif _OPEN_END.match(between) or (
            _WORD_OF_END.fullmatch(between) and text[:start].rstrip()[-1:] in ("", ",")
        ):
            end += len(between)
        else:
            continue
        is_length = len(text) - end <= _LONGEST_FLAG and _DURATION_BEHIND.match(text, end)
        return start, len(text) if is_length else end, True
    return (found[0][1], found[0][2], False) if found else None


def goes_on(value: object) -> bool | None:
    """True or false where a value says so, None where it says neither.

    Takes booleans, 1 and 0, and words: yes and no, and those for "until now" of `dates`.

    >>> goes_on("bis heute"), goes_on("No"), goes_on("N/A"), goes_on("see CV")
    (True, False, None, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _of_text(value) if len(value) <= _LONGEST_FLAG else None
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    return None


@lru_cache(maxsize=4096)
def _of_text(text: str) -> bool | None:
    text = text.strip()
    if not _is_of_words(text):
        return _NUMBERS.get(text)
    said = fold(text)
    if said in _NO:
        return False
    return said in _YES or (said not in _OF_AN_END and is_present(text)) or None


def _is_of_words(text: str) -> bool:
    """Return whether `fold` drops nothing that may change the meaning: -1, 1/0, !true, yes?."""
    return text[:1] not in _INSIDE and not any(
        unicodedata.category(char)[0] in "NPS" and char not in _INSIDE for char in text
    )
