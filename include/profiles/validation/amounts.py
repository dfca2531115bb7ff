"""Numbers in prose: digits with units and scales, and number words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Amount", "amounts_of"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as written. `value` includes the scale (5M is 5,000,000), `mantissa` does not.

    `kind` is percent, money, years, months, or count for everything else. `is_about` says that the
    text calls it approximate or a bound; `is_word` that it was a number word; `is_of_people` that
    it counts the people of a team.
    """

    value: float
    mantissa: float
    kind: str
    is_about: bool
    is_word: bool
    is_of_people: bool = False


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORD_VALUES: dict[str, int] = {
    **{word: value for value, word in enumerate(_SMALL.split())},
    **{word: (place + 2) * 10 for place, word in enumerate(_TENS.split())},
    "dozen": 12,
}
_SCALES: dict[str, float] = {
    "k": 1e3,
    "thousand": 1e3,
    "lakh": 1e5,
    "lakhs": 1e5,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "millions": 1e6,
    "millionen": 1e6,
    "millones": 1e6,
    "mio": 1e6,
    "mrd": 1e9,
    "cr": 1e7,
    "crore": 1e7,
    "crores": 1e7,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
}
# Looked at backwards from a number: an optional prefix in front of the pattern would be tried at
# every letter of the text.
_ABOUT = re.compile(
    r"\b(?:over|more than|nearly|almost|about|around|approximately|roughly|some|up to|at least"
    r"|close to|in excess of|less than|under|below|fewer than)\s+(?:an?\s+)?"
    r"(?:[$€₹£]\s*|(?:USD|EUR|GBP|INR|Rs\.?)\s*)?\Z",
    re.IGNORECASE,
)
_MONEY = re.compile(r"(?:[$€₹£]|\b(?:USD|EUR|GBP|INR|Rs\.?))\s*\Z", re.IGNORECASE)
_LONGEST_PREFIX = 24
_DIGITS = re.compile(
    r"(?<![\w.])(?P<number>\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:(?P<tight>[kKmMbB]|[mMbB][nN])\b"
    r"|\s*(?P<scale>thousand|lakhs?|million(?:s|en)?|millones|mn|mio|mrd|crores?|cr|billion|bn)\b"
    r"\.?)?"
    r"(?P<plus>\+)?"
    r"(?:\s*(?P<percent>%|percent\b|per cent\b|percentage points?\b)"
    r"|[\s-]*(?P<years>(?:years?|yrs?)\b)|[\s-]*(?P<months>(?:months?|mos)\b))?"
    r"(?P<currency>\s+(?:dollars?|euros?|pounds?|rupees?)\b)?(?!\w)",
    re.IGNORECASE,
)
_PEOPLE_AFTER = re.compile(
    r"(?:\s+[a-z-]+){0,2}?\s+(?:engineers|developers|people|staff|nurses|analysts|reports|employees"
    r"|designers|colleagues|members|representatives|specialists|direct reports|consultants"
    r"|accountants|recruiters|technicians)\b",
    re.IGNORECASE,
)
_TEAM_BEFORE = re.compile(r"\b(?:team|group|staff|squad|department)\s+of\s*\Z", re.IGNORECASE)
_DECADES = re.compile(
    r"\b(?:(?P<number>two|three|four|five|2|3|4|5)\s+decades\b|(?P<half>half)\s+a\s+decade\b"
    r"|(?P<one>an?|one)\s+decade\b|(?P<many>several|many|multiple)\s+decades\b"
    r"|(?P<bare>decades)\s+of\b)",
    re.IGNORECASE,
)
_ALMOST = re.compile(r"\b(?:nearly|almost|close to|about|around|approaching)\s+\Z", re.IGNORECASE)
_DECADE_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5}
_ONES = "|".join(sorted(_SMALL.split(), key=len, reverse=True)) + "|dozen"
_NUMBER_WORDS = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS.split())})(?:[\s-]+(?P<more>{_ONES}))?|(?P<ones>{_ONES}))\b"
    r"(?:\s+(?P<scale>hundred|thousand|million|billion)\b)?"
    r"(?:\s*(?P<percent>percent\b|per cent\b|percentage points?\b)"
    r"|[\s-]*(?P<years>(?:years?|yrs?)\b)|[\s-]*(?P<months>(?:months?|mos)\b))?",
    re.IGNORECASE,
)


def amounts_of(text: str) -> Iterator[Amount]:
    """All numbers of a text. Digits inside words (`EC2`, `B2B`) are none.

    >>> [(a.value, a.kind) for a in amounts_of("cut costs by 12% and saved $5M for forty people")]
    [(12.0, 'percent'), (5000000.0, 'money'), (40.0, 'count')]
    """
    if "24/7" in text:
        text = text.replace("24/7", "")
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
        mantissa = float(match["number"].replace(",", ""))
        scale = (match["tight"] or match["scale"] or "").lower()
        yield Amount(
            value=mantissa * _SCALES.get(scale, 1),
            mantissa=mantissa,
            kind=_kind(match, is_money=bool(match["currency"] or _MONEY.search(before))),
            is_about=bool(match["plus"] or _ABOUT.search(before)),
            is_word=False,
            is_of_people=_is_of_people(text, match, before),
        )
    for match in _NUMBER_WORDS.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
        parts = (match["tens"], match["more"], match["ones"])
        mantissa = float(sum(_WORD_VALUES[part.lower()] for part in parts if part))
        scale = (match["scale"] or "").lower()
        yield Amount(
            value=mantissa * (100 if scale == "hundred" else _SCALES.get(scale, 1)),
            mantissa=mantissa,
            kind=_kind(match, is_money=False),
            is_about=bool(_ABOUT.search(before)),
            is_word=True,
            is_of_people=_is_of_people(text, match, before),
        )
    if "decade" in text:
        yield from _decades(text)


def _decades(text: str) -> Iterator[Amount]:
    """Decades as years; those without a number are at least two."""
    for match in _DECADES.finditer(text):
        decades: float = 2
        if match["number"]:
            decades = _DECADE_NUMBERS[match["number"].lower()]
        elif match["half"] or match["one"]:
            decades = 0.5 if match["half"] else 1
        before = text[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
        years = decades * 10 - (2 if _ALMOST.search(before) else 0)
        yield Amount(value=years, mantissa=years, kind="years", is_about=True, is_word=True)


def _is_of_people(text: str, match: re.Match[str], before: str) -> bool:
    return bool(_TEAM_BEFORE.search(before) or _PEOPLE_AFTER.match(text, match.end()))


def _kind(match: re.Match[str], *, is_money: bool) -> str:
    if match["percent"]:
        return "percent"
    if is_money:
        return "money"
    if match["months"]:
        return "months"
    return "years" if match["years"] else "count"
