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
    "hundred": 100,
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
_ABOUT = (
    r"(?P<about>\b(?:over|more than|nearly|almost|about|around|approximately|roughly|some|up to"
    r"|at least|close to|in excess of|less than|under|below|fewer than)\s+(?:an?\s+)?)?"
)
_UNIT = (
    r"(?:\s*(?P<percent>%|percent\b|per cent\b|percentage points?\b)"
    r"|[\s-]*(?P<years>(?:years?|yrs?)\b))?"
)
_DIGITS = re.compile(
    _ABOUT + r"(?<![\w.])(?P<money>[$€₹£]\s*|\b(?:USD|EUR|GBP|INR|Rs\.?)\s*)?"
    r"(?P<number>\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:(?P<tight>[kKmMbB]|[mb]n)\b|\s*(?P<scale>thousand|lakhs?|million|mn|crores?|cr|billion|bn)\b)?"
    r"(?P<plus>\+)?" + _UNIT + r"(?P<currency>\s+(?:dollars?|euros?|pounds?|rupees?)\b)?"
    r"(?![\w])",
    re.IGNORECASE,
)
_WORDS = re.compile(
    _ABOUT + rf"\b(?P<tens>{'|'.join(_TENS.split())})?(?:[\s-]*(?P<ones>"
    rf"{'|'.join(sorted(_SMALL.split(), key=len, reverse=True))}|dozen))?\b"
    r"(?:\s+(?P<scale>hundred|thousand|million|billion)\b)?" + _UNIT,
    re.IGNORECASE,
)
_WORD_GATE = re.compile(
    rf"\b(?:{'|'.join((*_SMALL.split(), *_TENS.split(), 'dozen', 'hundred'))})\b", re.I
)


def amounts_of(text: str) -> Iterator[Amount]:
    """All numbers of a text. Digits inside words (`EC2`, `B2B`) are none.

    >>> [(a.value, a.kind) for a in amounts_of("cut costs by 12% and saved $5M for forty people")]
    [(12.0, 'percent'), (5000000.0, 'money'), (40.0, 'count')]
    """
    if "24/7" in text:
        text = text.replace("24/7", "")
    for match in _DIGITS.finditer(text):
        mantissa = float(match["number"].replace(",", ""))
        scale = (match["tight"] or match["scale"] or "").lower()
        yield Amount(
            value=mantissa * _SCALES.get(scale, 1),
            mantissa=mantissa,
            kind=_kind(match, is_money=bool(match["money"] or match["currency"])),
            is_about=bool(match["about"] or match["plus"]),
            is_word=False,
        )
    if _WORD_GATE.search(text):
        yield from _word_amounts(text)


def _word_amounts(text: str) -> Iterator[Amount]:
    for match in _WORDS.finditer(text):
        tens, ones = (match["tens"] or "").lower(), (match["ones"] or "").lower()
        if not tens and not ones:
            continue
        mantissa = float(_WORD_VALUES.get(tens, 0) + _WORD_VALUES.get(ones, 0))
        scale = (match["scale"] or "").lower()
        value = mantissa * (100 if scale == "hundred" else _SCALES.get(scale, 1))
        yield Amount(
            value=value,
            mantissa=mantissa,
            kind=_kind(match, is_money=False),
            is_about=bool(match["about"]),
            is_word=True,
        )


def _kind(match: re.Match[str], *, is_money: bool) -> str:
    if match["percent"]:
        return "percent"
    if is_money:
        return "money"
    return "years" if match["years"] else "count"
