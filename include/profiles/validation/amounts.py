"""Numbers in prose: digits with units and scales, and number words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Amount", "amounts_of"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as written. `value` includes the scale (5M is 5,000,000), `mantissa` does not.

    `kind` is percent, money, years, or count for everything else. `is_about` says that the text
    calls it approximate or a bound; `is_word` that it was a number word.
    """

    value: float
    mantissa: float
    kind: str
    is_about: bool
    is_word: bool


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
    r"|\s*(?P<scale>thousand|lakhs?|million|mn|crores?|cr|billion|bn)\b)?"
    r"(?P<plus>\+)?"
    r"(?:\s*(?P<percent>%|percent\b|per cent\b|percentage points?\b)"
    r"|[\s-]*(?P<years>(?:years?|yrs?)\b))?"
    r"(?P<currency>\s+(?:dollars?|euros?|pounds?|rupees?)\b)?(?!\w)",
    re.IGNORECASE,
)
_ONES = "|".join(sorted(_SMALL.split(), key=len, reverse=True)) + "|dozen"
_NUMBER_WORDS = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS.split())})(?:[\s-]+(?P<more>{_ONES}))?|(?P<ones>{_ONES}))\b"
    r"(?:\s+(?P<scale>hundred|thousand|million|billion)\b)?"
    r"(?:\s*(?P<percent>percent\b|per cent\b|percentage points?\b)"
    r"|[\s-]*(?P<years>(?:years?|yrs?)\b))?",
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
        )


def _kind(match: re.Match[str], *, is_money: bool) -> str:
    if match["percent"]:
        return "percent"
    if is_money:
        return "money"
    return "years" if match["years"] else "count"
