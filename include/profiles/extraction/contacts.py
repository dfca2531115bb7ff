"""Mails, phones and member ids of one row, in their canonical forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import phonenumbers

from profiles.extraction import facts
from profiles.extraction.plan import RowPlan
from profiles.models import Position
from profiles.standardization.emails import canonical_email
from profiles.standardization.linkedin import member_id, public_identifier
from profiles.standardization.phones import region_of, to_e164

_CUT_LENGTH = 10
_SEVERAL = re.compile(r"\s*[;,|]\s*|\s+/\s+")


def emails(found: Sequence[object]) -> tuple[str, ...]:
    """Canonical addresses, each once, in order; a cell may hold several."""
    parts = (part for value in found if isinstance(value, str) for part in _SEVERAL.split(value))
    return facts.all_of(parts, canonical_email)


def member_ids(found: Sequence[object]) -> tuple[str, ...]:
    """LinkedIn member ids: numbers and urns, also the urn inside a profile address."""
    return facts.all_of(found, member_id)


def linkedin_id(found: Sequence[object]) -> str | None:
    """The first public identifier among profile addresses and bare identifiers."""
    return facts.first(found, _public_identifier)


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
    found = [value for value in plan.all("phones", root) if isinstance(value, str | int | float)]
    if not found:
        return ()
    region = region_of(location, country)
    if region is None:
        region = next(filter(None, (region_of(job.location, None) for job in jobs)), None)
    if plan.cut_phones:
        found = [value for value in found if not _may_be_cut(str(value), region)]
    return facts.all_of(found, lambda value: to_e164(value, region=region))


def _public_identifier(value: object) -> str | None:
    if isinstance(value, str) and "." in value and "linkedin." not in value.lower():
        # Another site's address in a list of links; a public identifier has no dot.
        return None
    return public_identifier(value)


def _may_be_cut(number: str, region: str | None) -> bool:
    """Whether ten digits may be the head of an international number, its last digits lost."""
    digits = re.sub(r"\D", "", number)
    if len(digits) != _CUT_LENGTH:
        return False
    if region is None or digits.startswith("0"):
        return True
    return digits.startswith(str(phonenumbers.country_code_for_region(region)))
