"""Phone numbers: in E.164, in running text, and the region that a national number needs.

Pure. There is no default region: a national number without a known country gives None, because a
guess would join strangers. In text libphonenumber tells numbers from dates, amounts, versions and
identifiers by what a country has and how it is grouped; a label ("Tel.") or a plus decides alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import phonenumbers
from phonenumbers import Leniency

from profiles.standardization.characters import repair_characters
from profiles.standardization.places import country_named, country_of
from profiles.standardization.words import alternatives, rows, words

_SPLIT: Final = re.compile(r"[;|\n]|\s/\s|,\s|\s+or\s+", re.IGNORECASE)
_EXTENSION: Final = re.compile(
    r"\s*(?:;?ext(?:ension|n)?\.?|x|#|доб\.?)\s*[:.=]?\s*\d{1,6}\s*\Z", re.IGNORECASE
)
_FLOAT_TAIL: Final = re.compile(r"(?<=\d)\.0+\Z")
_TRUNK: Final = re.compile(r"\(\s*0\s*\)")
_NOT_DIGIT: Final = re.compile(r"[^\d+]+")
_SEQUENCES: Final = frozenset(
    ("1234567890", "0123456789", "123456789", "12345678", "1234567", "9876543210")
)
# Digits from which a number without plus or trunk zero is taken to carry its country code.
_LONG: Final = 11
_SHORTEST, _LONGEST = 7, 17

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
_LONG_NATIONAL: Final = 10
"""Digits that a national number without its leading zero has at least in most countries."""
_REGIONS: Final = tuple(region for line in rows("contacts", "regions") for region in line)


def to_e164(value: object, *, region: str | None) -> str | None:
    """The number as +<country><national>, None when it is none or its country is unknown.

    `region` is the ISO 3166 code of the row's own country (see `region_of`). Extensions and the
    ".0" of spreadsheets are cut, placeholder digits refused; of several numbers the first valid
    one counts.

    >>> to_e164("098450 12345", region="IN"), to_e164("098450 12345", region=None)
    ('+919845012345', None)
    """
    if isinstance(value, float):
        value = str(int(value)) if value.is_integer() and abs(value) < 1e16 else None
    elif isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > 200:
        return None
    return _to_e164(value, region)


@lru_cache(maxsize=16_384)
def _to_e164(value: str, region: str | None) -> str | None:
    parts = _SPLIT.split(repair_characters(value))
    return next(filter(None, (_parse(part.strip(), region) for part in parts)), None)


def _parse(text: str, region: str | None) -> str | None:
    text = _TRUNK.sub("", _FLOAT_TAIL.sub("", _EXTENSION.sub("", text)))
    compact = _NOT_DIGIT.sub("", text)
    digits = compact.replace("+", "")
    is_filler = len(set(digits)) <= 2 or digits in _SEQUENCES
    if not _SHORTEST <= len(digits) <= _LONGEST or is_filler:
        return None
    if compact.startswith("+"):
        return _international(digits)
    if digits.startswith("00"):
        return _international(digits[2:])
    if region is not None:
        code = str(phonenumbers.country_code_for_region(region))
        # German national numbers vary in length, so 4915… is valid both ways; with its own country
        # code in front and this long it is the international form without the plus.
        if digits.startswith(code) and len(digits) >= _LONG:
            return _international(digits) or _parsed(digits, region)
        national = _parsed(digits, region)
        if national is not None:
            return national
    # A number that carries its country code without the plus; shorter ones are too ambiguous.
    return _international(digits) if len(digits) >= _LONG and digits[0] != "0" else None


def _international(digits: str) -> str | None:
    return _parsed(f"+{digits}", None)


def _parsed(text: str, region: str | None) -> str | None:
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def region_of(location: str | None, country: str | None) -> str | None:
    """The ISO 3166 code of a row's country: the country field, else what its location says.

    >>> region_of("Pune, India", None), region_of("Bengaluru", None), region_of(None, "Deutschland")
    ('IN', 'IN', 'DE')
    """
    if country:
        code = country.strip().upper()
        if len(code) == 2 and code in phonenumbers.SUPPORTED_REGIONS:
            return code
        if named := country_named(country):
            return named
    return country_of(location) if location else None


def phone_spans(text: str, region: str | None) -> Iterator[tuple[int, int]]:
    """Spans of the phone numbers in `text`; `region` is the country of the person, if known."""
    for match in _CANDIDATE.finditer(text):
        prefix = _PREFIX.search(text, max(0, match.start() - 3), match.start())
        start = prefix.start() if prefix else match.start()
        if _is_phone(text, start, match.end(), region):
            yield start, match.end()


def _is_phone(text: str, start: int, end: int, region: str | None) -> bool:
    number = text[start:end]
    before = text[max(0, start - _LONGEST_LABEL) : start]
    groups = [group for group in _NOT_DIGIT.split(number.replace("+", " ")) if group]
    if number.startswith(("+", "(+")):
        return sum(map(len, groups)) >= _SHORTEST
    if _CONTINUED.search(before) or _DATE.search(number):
        return False
    if _PHONE_LABEL.search(before):
        return _DOTTED.match(number) is None
    if sum(map(len, groups)) < _SHORTEST or len(max(groups, key=len)) == 1:
        return False
    if _IDENTIFIER.search(before):
        return False
    if _DOTTED.match(number) or (_THOUSANDS.match(number) and _COUNTED.match(text, end)):
        return False
    return _is_number(number, region)


@lru_cache(maxsize=16_384)
def _is_number(number: str, region: str | None) -> bool:
    """Return whether an unlabelled number is valid in the person's region, or plainly elsewhere."""
    digits = _NOT_DIGIT.sub("", number)
    if digits.startswith("00"):
        return _international(digits[2:]) is not None
    if region is not None and _is_found(number, region, Leniency.STRICT_GROUPING):
        return not digits.endswith("000")
    if _THOUSANDS.match(number):
        return False
    if number.isdigit() and len(digits) > _LONG_NATIONAL and _international(digits):
        return True
    if len(digits) < _LONG_NATIONAL - (digits[0] == "0" or number[0] == "("):
        return False
    return any(_is_found(number, each, Leniency.EXACT_GROUPING) for each in _REGIONS)


def _is_found(number: str, region: str, leniency: int) -> bool:
    return phonenumbers.PhoneNumberMatcher(number, region, leniency).has_next()
