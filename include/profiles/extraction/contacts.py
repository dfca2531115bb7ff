"""Mails, phones and member ids of one row, in their canonical forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import phonenumbers

from profiles.extraction import limits
from profiles.extraction.plan import RowPlan
from profiles.models import Position
from profiles.standardization.identifiers import canonical_email, member_id, public_identifier
from profiles.standardization.phones import region_of, to_e164

_CUT_LENGTH: Final = 10
_SEVERAL: Final = re.compile(r"(?:(?<!\s)\s+)?[;,|]\s*|(?<!\s)\s+/\s+")
_ONE_ADDRESS: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w.-]+", re.ASCII)


def emails(found: Sequence[object]) -> tuple[str, ...]:
    """Canonical addresses, each once, in order; a cell may hold several."""
    kept: dict[str, None] = {}
    for cell in found:
        if not isinstance(cell, str):
            continue
        cell = limits.long_line(cell)
        parts = [cell] if _ONE_ADDRESS.fullmatch(cell) is not None else _SEVERAL.split(cell)
        kept.update(dict.fromkeys(filter(None, map(canonical_email, parts))))
    return tuple(kept)


def identifiers(plan: RowPlan, root: Mapping[str, object]) -> tuple[str | None, tuple[str, ...]]:
    """The first public identifier among profile addresses and bare identifiers, and all LinkedIn
    member ids: numbers and urns, also the urn inside a profile address."""
    addresses = map(_public_identifier, plan.all("linkedin_id", root))
    members = map(member_id, plan.all("linkedin_member_ids", root))
    return next(filter(None, addresses), None), tuple(dict.fromkeys(filter(None, members)))


def phones(
    plan: RowPlan,
    root: Mapping[str, object],
    *,
    location: str | None,
    country: str | None,
    jobs: Sequence[Position],
) -> tuple[str, ...]:
    """E.164 numbers, each once. National ones are read in the region where the row says that the
    person is, else where their jobs are."""
    found = [
        limits.long_line(value) if isinstance(value, str) else value
        for value in plan.all("phones", root)
        if isinstance(value, str | int | float)
    ]
    if not found:
        return ()
    region = region_of(location, country)
    if region is None:
        region = next(filter(None, (region_of(job.location, None) for job in jobs)), None)
    if plan.cut_phones:
        found = [value for value in found if not _may_be_cut(str(value), region)]
    numbers = (to_e164(value, region=region) for value in found)
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def _public_identifier(value: object) -> str | None:
    return None if _is_of_another_site(value) else public_identifier(value)


def _is_of_another_site(value: object) -> bool:
    """Whether it is another site's address in a list of links; a public identifier has no dot."""
    return isinstance(value, str) and "." in value and "linkedin." not in value.lower()


def _may_be_cut(number: str, region: str | None) -> bool:
    """Whether ten digits may be the head of an international number, its last digits lost."""
    digits = re.sub(r"\D", "", number)
    if len(digits) != _CUT_LENGTH:
        return False
    if region is None or digits.startswith("0"):
        return True
    return digits.startswith(str(phonenumbers.country_code_for_region(region)))
