"""Phone numbers in running text, told from dates, amounts, versions and identifiers.

libphonenumber knows which numbers a country has and how they are grouped there. A label before the
number ("Tel.") or a plus sign decides alone. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import phonenumbers
from phonenumbers import Leniency

from profiles.standardization.words import alternatives, rows, words

__all__ = ["phone_spans"]

_CANDIDATE: Final = re.compile(
    r"\d(?:\s/\s\d|[ ().\-\u2010-\u2015\u2212\u00a0\u3000~]{0,3}\d|/\d|\)/\s?\d){5,18}"
    r"(?![A-Za-z0-9_%])(?:\s*(?:x|ext\.?|extension)\s*\d{1,5}\b)?"
)
_PREFIX: Final = re.compile(r"(?:\+\s?|\(\+?\s?)\Z")
_CONTINUED: Final = re.compile(r"[A-Za-z0-9_.,/#$€₹£\u00a0-]\Z")
_PHONE_LABEL: Final = re.compile(
    rf"(?:(?<!\w){alternatives(words('contacts', 'phone'))}(?:[\W_]|\b(?:no|nr|number|me|us|at|on"
    r"|am|au|al|em|lo|il|or|is|und|ou|は)\b){0,12}|[\u260e\u260f\u2706\U0001f4de\U0001f4f1]\ufe0f?\W*)\Z",
    re.IGNORECASE,
)
_IDENTIFIER: Final = re.compile(
    rf"(?:(?<!\w){alternatives(words('contacts', 'identifier'))}"
    rf"|{alternatives(words('contacts', 'identifier_ends'))})"
    r"(?:\W{0,3}(?:no|nr|n°|nº|id|[a-z]{2}))?\W{0,3}\Z",
    re.IGNORECASE,
)
_LONGEST_LABEL: Final = 32
_DATE: Final = re.compile(
    r"(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}"
    r"|(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d|\d{1,2}[./](?:19|20)\d\d\s?[-–]"
    r"|(?:19|20)\d\d-(?:0\d|1[0-2])|[01]?\d\.(?:19|20)\d\d)(?!\d)"
)
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:[ .\u00a0]\d{3}){1,6}\Z")
_COUNTED: Final = re.compile(r"\s[^\W\d_]{2}|\s?[%€$£]")
_DOTTED: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,3}\Z|(?:0|[1-9]\d*)\.\d+\Z")
_NOT_DIGIT: Final = re.compile(r"\D+")
_FEWEST_DIGITS: Final = 7
_LONG: Final = 10
"""Digits that a national number without its leading zero has at least in most countries."""
_REGIONS: Final = tuple(region for line in rows("contacts", "regions") for region in line)


def phone_spans(text: str, region: str | None) -> Iterator[tuple[int, int]]:
    """Where the phone numbers of `text` stand; `region` is the country of the person, if known."""
    for match in _CANDIDATE.finditer(text):
        prefix = _PREFIX.search(text, max(0, match.start() - 3), match.start())
        start = prefix.start() if prefix else match.start()
        if _is_phone(text, start, match.end(), region):
            yield start, match.end()


def _is_phone(text: str, start: int, end: int, region: str | None) -> bool:
    number = text[start:end]
    before = text[max(0, start - _LONGEST_LABEL) : start]
    groups = [group for group in _NOT_DIGIT.split(number) if group]
    if number.startswith(("+", "(+")):
        return sum(map(len, groups)) >= _FEWEST_DIGITS
    if _CONTINUED.search(before) or _DATE.search(number):
        return False
    if _PHONE_LABEL.search(before):
        return _DOTTED.match(number) is None
    if sum(map(len, groups)) < _FEWEST_DIGITS or len(max(groups, key=len)) == 1:
        return False
    if _IDENTIFIER.search(before):
        return False
    if _DOTTED.match(number) or (_THOUSANDS.match(number) and _COUNTED.match(text, end)):
        return False
    return _is_number(number, region)


@lru_cache(maxsize=16_384)
def _is_number(number: str, region: str | None) -> bool:
    """Whether a number without a label is one of the person's region, or plainly one elsewhere."""
    digits = _NOT_DIGIT.sub("", number)
    if digits.startswith("00"):
        return _is_international(digits[2:])
    if region is not None and _is_found(number, region, Leniency.STRICT_GROUPING):
        return not digits.endswith("000")
    if _THOUSANDS.match(number):
        return False
    if number.isdigit() and len(digits) > _LONG and _is_international(digits):
        return True
    if len(digits) < (_LONG - 1 if digits[0] == "0" or number[0] == "(" else _LONG):
        return False
    return any(_is_found(number, each, Leniency.EXACT_GROUPING) for each in _REGIONS)


def _is_international(digits: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{digits}", None))
    except phonenumbers.NumberParseException:
        return False


def _is_found(number: str, region: str, leniency: int) -> bool:
    return phonenumbers.PhoneNumberMatcher(number, region, leniency).has_next()
