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
    "ctc",
    "salary",
    "compensation",
    "remuneration",
    "pay",
    "package",
    "lpa",
    "annum",
    "p.a",
)


def pay_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where salaries stand in `text`."""
    lowered = text.lower()
    if any(word in lowered for word in _PAY_WORDS):
        yield from (match.span() for match in _PAY.finditer(text))
