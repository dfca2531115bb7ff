"""What a person is paid or asks for, in running text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["pay_spans"]

_AMOUNT: Final = (
    r"(?:(?:INR|USD|EUR|GBP|Rs\.?|[$€₹£])\s*)?\d[\d,.]*\s*(?:k|m|lpa|lakhs?|lacs?|cr(?:ores?)?)?\b"
    r"(?:\s*(?:-|–|to)\s*(?:[$€₹£]\s*)?\d[\d,.]*\s*(?:k|lpa|lakhs?|lacs?)?)?"
    r"(?:\s*(?:per annum|p\.?a\.?|per year|a year|/\s?(?:yr|year|annum|month)|lpa))?"
)
_PAY: Final = re.compile(
    r"\b(?:(?:current|expected|fixed|present|last|drawn|annual)\s+){0,4}(?:e?ctc|salary|compensation"
    r"|remuneration|pay|package)\b\s*(?:\([^()\n]{0,20}\)\s*)?(?:of|is|was|:|=|-|–)?\s*"
    + _AMOUNT
    + r"|(?:(?:INR|Rs\.?|₹)\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_PAY_WORDS: Final = (
    *("ctc", "salary", "compensation", "remuneration", "pay", "package", "lpa", "annum", "p.a"),
)
_WINDOW: Final = 96
_NEAR: Final = 40
_FIGURE: Final = re.compile(r"\d")


def pay_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where salaries stand in `text`: the pattern is tried beside the words of pay alone."""
    lowered = text.lower()
    end = 0
    for start in sorted(_places(lowered)):
        around = max(end, start - _WINDOW), start + _WINDOW
        for match in _PAY.finditer(text, *(around if len(lowered) == len(text) else ())):
            end = match.end()
            yield match.span()


def _places(lowered: str) -> Iterator[int]:
    """Where a word of pay stands beside a figure."""
    for word in _PAY_WORDS:
        start = lowered.find(word)
        while start >= 0:
            end = start + len(word)
            if not lowered[end : end + 1].isalpha() and _FIGURE.search(
                lowered, max(0, start - _NEAR), end + _NEAR
            ):
                yield start
            start = lowered.find(word, end)
