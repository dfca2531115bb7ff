"""Whether a plain run of digits is a valid number, by one pattern per country.

`phonenumbers` decides, but its parser takes eight times as long, most of it for what a plain number
has not: prefixes, letters, extensions. The patterns of its numbering plans are put together here,
once a country, and the answer is None where only the parser knows. A test compares both answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import phonenumbers
from phonenumbers import PhoneMetadata
from phonenumbers.phonemetadata import PhoneNumberDesc

__all__ = ["is_valid_international", "is_valid_national"]

_KINDS: Final = (
    "premium_rate", "toll_free", "shared_cost", "voip", "personal_number", "pager", "uan",
    "voicemail", "fixed_line", "mobile",
)  # fmt: skip
_LONGEST_CODE: Final = 3
_NEVER: Final = "(?!)"


class _Region(NamedTuple):
    """`leading` tells the numbers of this region by how they begin; None: by being valid there."""

    leading: re.Pattern[str] | None
    valid: re.Pattern[str]


class _Plan(NamedTuple):
    """The regions of a country code, its main one first, and beginnings that the parser may take
    off or rewrite."""

    regions: tuple[_Region, ...]
    prefixes: re.Pattern[str]


def is_valid_international(digits: str) -> bool | None:
    """Whether digits that begin with a country code are a number; None: ask the parser."""
    for length in range(1, _LONGEST_CODE + 1):
        plan = _plan(digits[:length])
        if plan is not None:
            return _is_valid(plan.regions, plan.prefixes, digits[length:])
    return None


def is_valid_national(digits: str, region: str) -> bool | None:
    """Whether digits are a number as people of this region write it; None: ask the parser."""
    plan = _national_plan(region)
    return None if plan is None else _is_valid(plan.regions, plan.prefixes, digits)


def _is_valid(regions: Sequence[_Region], prefixes: re.Pattern[str], digits: str) -> bool | None:
    if not digits.isascii() or prefixes.match(digits) is not None:
        return None
    for leading, valid in regions:
        if leading is None:
            if valid.fullmatch(digits) is not None:
                return True
        elif leading.match(digits) is not None:
            return valid.fullmatch(digits) is not None
    return False


@lru_cache(maxsize=2048)
def _plan(code: str) -> _Plan | None:
    """The plan of a country code; None when there is no such country."""
    if not code.isascii() or code.startswith("0"):
        return None
    known = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(code), ())
    found = [PhoneMetadata.metadata_for_region(region, None) for region in known]
    plans = [metadata for metadata in found if metadata is not None]
    if not plans:
        return None
    regions = tuple(
        _Region(
            None if each.leading_digits is None else re.compile(each.leading_digits),
            re.compile(_valid_pattern(each)),
        )
        for each in plans
    )
    return _Plan(regions, re.compile(rf"0|{_or_never(plans[0].national_prefix_for_parsing)}"))


@lru_cache(maxsize=512)
def _national_plan(region: str) -> _Plan | None:
    """The plan of a region's country, with what is dialled or left out there."""
    metadata = PhoneMetadata.metadata_for_region(region, None)
    plan = None if metadata is None else _plan(str(metadata.country_code))
    if metadata is None or plan is None:
        return None
    taken_off = (metadata.national_prefix_for_parsing, metadata.international_prefix)
    prefixes = "|".join(map(_or_never, taken_off))
    return _Plan(plan.regions, re.compile(rf"0|{metadata.country_code}|{prefixes}"))


def _or_never(pattern: str | None) -> str:
    return f"(?:{pattern})" if pattern else _NEVER


def _valid_pattern(metadata: PhoneMetadata) -> str:
    kinds = "|".join(_pattern(getattr(metadata, kind)) for kind in _KINDS)
    return rf"(?={_pattern(metadata.general_desc)}\Z)(?:{kinds})"


def _pattern(kind: PhoneNumberDesc | None) -> str:
    if kind is None or not kind.national_number_pattern:
        return _NEVER
    lengths = "|".join(rf"\d{{{n}}}\Z" for n in kind.possible_length if n > 0)
    if kind.possible_length and not lengths:
        return _NEVER
    allowed = f"(?={lengths})" if lengths else ""
    return f"{allowed}(?:{kind.national_number_pattern})"
