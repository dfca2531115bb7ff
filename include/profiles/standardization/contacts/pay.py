"""Salaries, and numbers that name a person, behind their labels in running text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from babel import Locale

from profiles.standardization.words import Words, alternatives, words

_PAY_LABELS: Final = words("contacts", "pay")
_LABELS: Final = _PAY_LABELS | words("contacts", "identity")
_UNSPACED: Final = frozenset(label for label in _LABELS if max(label) >= "\u0e00")
_UNITS: Final = words("contacts", "pay_unit")
_KEYS: Final = {each: re.findall(r"[^ ./]{3,}|\A[^ ./]+", each)[-1].encode() for each in _LABELS}
OF_PAY: Final = frozenset(key for label, key in _KEYS.items() if label not in _UNSPACED)
_CURRENCY: Final = (
    rf"(?:(?-i:{alternatives(Locale('en').currencies)}\b)|(?-i:[A-Z]{{0,2}})[$€₹£¥₩₽₺₴₫฿₪]|rs\.?)"
)
_UNIT: Final = (
    rf"(?:\s?(?:{alternatives(filter(str.isascii, _UNITS))}(?![a-z])|{_CURRENCY}"
    rf"|{alternatives(unit for unit in _UNITS if not unit.isascii())}))"
)
_NUMBER: Final = r"\d[\d.,'’]*(?:[ \u00a0\u202f]\d{3}(?!\d))*"
_PAY: Final = re.compile(
    r"\s*(?:\([^()\n]{0,20}\)\s*)?(?:of|is|was|[=–-]|[^\d\n.,;:：!?]{0,24}[:：])?\s*"
    rf"(?P<money>{_CURRENCY}\s*)?(?P<number>{_NUMBER})(?P<unit>{_UNIT})*"
    rf"(?:\s?(?:[-–~～]|to|bis|à|до)\s?(?:{_CURRENCY}\s*)?{_NUMBER}(?P<last>{_UNIT})*)?"
    r"(?:\s*\([^()\n]{0,40}\d[^()\n]{0,12}\))?",
    re.IGNORECASE,
)
_IDENTITY: Final = re.compile(
    r"[^\w\n]{0,4}(?:(?:no|nr|num|n[º°])\b\W{0,3})?(?=[\w./-]*\d{3})[\w./-]{6,24}", re.IGNORECASE
)
_ALONE: Final = re.compile(
    r"(?:(?:INR|Rs\.?|₹)\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_LARGE: Final = re.compile(r"(?!(?:19|20)\d\d\Z)(?:\D*\d){4}")


def pay_spans(text: str, found: Words) -> Iterator[tuple[int, int]]:
    """Spans of salaries, and of numbers that name a person, with their labels."""
    if not found.isdisjoint((b"lpa", b"lakhs", b"lacs", b"lakh", b"lac")):
        yield from (match.span() for match in _ALONE.finditer(text))
    lowered = text.lower() if len(text.lower()) == len(text) else text
    for label, key in _KEYS.items():
        is_unspaced, is_pay = label in _UNSPACED, label in _PAY_LABELS
        start = lowered.find(label) if key in (found.other if is_unspaced else found) else -1
        while start >= 0:
            end = start + len(label)
            match = (_PAY if is_pay else _IDENTITY).match(text, end)
            around = text[start - 1 : start] + text[end : end + 1]
            if match and (is_unspaced or not any(map(str.isalpha, around))):
                is_sure = not is_pay or label.endswith("ctc") or _LARGE.match(match["number"])
                if is_sure or any(match.group("money", "unit", "last")):
                    yield start, match.end()
            start = lowered.find(label, end)
