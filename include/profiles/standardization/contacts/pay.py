"""Salaries in running text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from profiles.standardization.words import Words, alternatives, encoded, words

_UP_TO_AMOUNT: Final = re.compile(
    r"\b\s*(?:\([^()\n]{0,20}\)\s*)?(?:of|is|was|:|=|-|–)?\s*"
    r"(?:(?:INR|USD|EUR|GBP|Rs\.?|[$€₹£])\s*)?\d",
    re.IGNORECASE,
)
_AMOUNT: Final = (
    r"[\d,.]*\s*(?:k|m|lpa|lakhs?|lacs?|cr(?:ores?)?)?\b"
    r"(?:\s*(?:-|–|to)\s*(?:[$€₹£]\s*)?\d[\d,.]*\s*(?:k|lpa|lakhs?|lacs?)?)?"
    r"(?:\s*(?:per annum|p\.?a\.?|per year|a year|/\s?(?:yr|year|annum|month)|lpa))?"
)
_PAY: Final = re.compile(
    r"\b(?:(?:current|expected|fixed|present|last|drawn|annual)\s+){0,4}(?:e?ctc|salary|compensation"
    r"|remuneration|pay|package)"
    + _UP_TO_AMOUNT.pattern
    + _AMOUNT
    + r"|(?:(?:INR|Rs\.?|₹)\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_PAY_WORDS: Final = words("contacts", "pay")
OF_PAY: Final = encoded(_PAY_WORDS | words("contacts", "pay_unit"))
"""Words without one of which a text states no pay."""
_PAY_WINDOW: Final = 96
_PAY_UNIT: Final = re.compile(r"l(?:pa|akh|ac)s?\b")


def pay_spans(text: str, found: Words) -> Iterator[tuple[int, int]]:
    """Spans of salaries in `text`: the pattern is tried only near words of pay that stand before an
    amount or near a unit of it."""
    stated = [word for word in _PAY_WORDS if word.encode() in found.lower]
    if not stated:
        return
    lowered = text.lower()
    end = 0
    for word in re.finditer(alternatives(stated), lowered):
        start = word.start() - _PAY_WINDOW
        unit = _PAY_UNIT.search(lowered, max(0, start), word.end() + _PAY_WINDOW)
        if unit or _UP_TO_AMOUNT.match(lowered, word.end()):
            around = max(end, start), word.start() + _PAY_WINDOW
            for match in _PAY.finditer(text, *(around if len(lowered) == len(text) else ())):
                end = match.end()
                yield match.span()
