"""Phone numbers in E.164, and the region that a national number needs.

Pure. There is no default region: a national number without a known country gives None, because a
guess would join strangers.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import phonenumbers

from profiles.standardization.characters import repair_characters
from profiles.standardization.regions import CITY_REGIONS, COUNTRY_REGIONS
from profiles.standardization.text import fold

__all__ = ["is_filler", "is_national", "region_of", "to_e164"]

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
_PARTS: Final = re.compile(r"[,;|/()]|\s[-–·]\s")


def to_e164(value: object, *, region: str | None) -> str | None:
    """The number as +<country><national>, None when it is none or its country is unknown.

    `region` is the ISO 3166 code of the row's own country (see `region_of`). Extensions and the
    ".0" of spreadsheets are cut, placeholder digits refused; of several numbers the first valid
    one counts.

    >>> to_e164("098450 12345", region="IN"), to_e164("098450 12345", region=None)
    ('+919845012345', None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, float):
        value = str(int(value)) if value.is_integer() and abs(value) < 1e16 else None
    elif isinstance(value, int):
        value = str(value)
    if not isinstance(value, str) or len(value) > 200:
        return None
    return _to_e164(value, region)


@lru_cache(maxsize=16_384)
def _to_e164(value: str, region: str | None) -> str | None:
    text = repair_characters(value)
    for part in _SPLIT.split(text):
        found = _parse(part.strip(), region)
        if found is not None:
            return found
    return None


def _parse(text: str, region: str | None) -> str | None:
    text = _TRUNK.sub("", _FLOAT_TAIL.sub("", _EXTENSION.sub("", text)))
    compact = _NOT_DIGIT.sub("", text)
    digits = compact.replace("+", "")
    if not _SHORTEST <= len(digits) <= _LONGEST or _is_filler(digits):
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


def is_filler(text: str) -> bool:
    """Whether the digits of a number only stand in for one: 0000000, 1234567890."""
    return _is_filler(_NOT_DIGIT.sub("", _FLOAT_TAIL.sub("", text)).replace("+", ""))


def is_national(text: str) -> bool:
    """Whether a text has the digits of a number, and not the country's code in front."""
    compact = _NOT_DIGIT.sub("", _FLOAT_TAIL.sub("", text))
    return not compact.startswith(("+", "00")) and _SHORTEST <= len(compact) <= _LONGEST


def _is_filler(digits: str) -> bool:
    return (len(digits) >= _SHORTEST and len(set(digits)) <= 2) or digits in _SEQUENCES


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


@lru_cache(maxsize=16_384)
def region_of(location: str | None, country: str | None) -> str | None:
    """The ISO 3166 code of a row's country: the country field, else the end of its location.

    Knows country names in their own and in the larger languages, and large cities.

    >>> region_of("Pune, India", None), region_of("Bengaluru", None), region_of(None, "Deutschland")
    ('IN', 'IN', 'DE')
    """
    if country:
        code = country.strip().upper()
        if len(code) == 2 and code in phonenumbers.SUPPORTED_REGIONS:
            return code
        named = COUNTRY_REGIONS.get(fold(country))
        if named is not None:
            return named
    return _region_of_location(location) if location else None


def _region_of_location(location: str) -> str | None:
    parts = [fold(part) for part in _PARTS.split(location)]
    for part in reversed(parts):
        found = COUNTRY_REGIONS.get(part)
        if found is not None:
            return found
    words = fold(location).split()
    for length in (3, 2, 1):
        found = COUNTRY_REGIONS.get(" ".join(words[-length:]))
        if found is not None:
            return found
    for part in parts:
        found = CITY_REGIONS.get(part) or CITY_REGIONS.get(_without_area(part))
        if found is not None:
            return found
    return None


def _without_area(part: str) -> str:
    part = part.removeprefix("greater ").removesuffix(" area").removesuffix(" region")
    part = part.removesuffix(" metropolitan").removesuffix(" city").removesuffix(" bay")
    return part.removesuffix(" metropolitan").removesuffix(" urban").removesuffix(" city")
