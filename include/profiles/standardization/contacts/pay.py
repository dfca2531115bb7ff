"""Salaries, and numbers that name a person, behind their labels in running text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from babel import Locale

from profiles.standardization.words import alternatives, encoded, words

_PAY_LABELS: Final = words("contacts", "pay")
_LABELS: Final = _PAY_LABELS | words("contacts", "identity")
_UNSPACED: Final = frozenset(label for label in _LABELS if max(label) >= "\u0e00")
UNSPACED_OF_PAY: Final = tuple(map(str.encode, _UNSPACED))
_UNITS: Final = words("contacts", "pay_unit")
OF_PAY: Final = encoded(max(re.split(r"[\W_]", label), key=len) for label in _LABELS)
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
    rf"(?:\s?(?:[-–~～]|to|bis|à|до)\s?(?:{_CURRENCY}\s*)?{_NUMBER}(?P<last>{_UNIT})*)?",
    re.IGNORECASE,
)
_IDENTITY: Final = re.compile(
    r"[^\w\n]{0,4}(?:(?:no|nr|num|n[º°])\b\W{0,3})?(?=[\w./-]*\d{3})[\w./-]{6,24}", re.IGNORECASE
)
_ALONE: Final = re.compile(
    rf"(?:{_CURRENCY}\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_BEFORE: Final = r"(?:\b(?:current|expected|desired|fixed|present|last|drawn|annual)\s+){0,4}"
_LARGE: Final = re.compile(r"(?!(?:19|20)\d\d\Z)(?:\D*\d){4}")
"""An amount that is no year and no count of a few."""


def pay_spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of salaries, and of numbers that name a person, with their labels."""
    yield from (match.span() for match in _ALONE.finditer(text))
    lowered = text.lower()
    stated = [label for label in _LABELS if label in lowered]
    pattern = f"{_BEFORE}(?P<label>{alternatives(stated)})"
    for found in re.finditer(pattern, text, re.IGNORECASE) if stated else ():
        start, end = found.span("label")
        label = found["label"].lower()
        is_pay = label in _PAY_LABELS
        match = (_PAY if is_pay else _IDENTITY).match(text, end)
        around = text[start - 1 : start] + text[end : end + 1]
        if match is None or (label not in _UNSPACED and any(map(str.isalpha, around))):
            continue
        is_sure = not is_pay or label.endswith("ctc") or _LARGE.match(match["number"])
        if is_sure or any(match.group("money", "unit", "last")):
            yield found.start(), match.end()
