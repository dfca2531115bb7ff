"""Mails, phones and member ids of one row, in their canonical forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import phonenumbers

from profiles.extraction.json_path import values
from profiles.extraction.plan import RowPlan
from profiles.extraction.unread import (
    NO_COUNTRY,
    NOTHING_READ,
    WRONG_FORM,
    WRONG_TYPE,
    Unread,
    note_value,
    says_something,
)
from profiles.models import Position
from profiles.standardization.emails import canonical_email, is_nobodys
from profiles.standardization.linkedin import member_id, public_identifier
from profiles.standardization.phones import is_filler, is_national, region_of, to_e164

_CUT_LENGTH: Final = 10
_PROFILE: Final = frozenset(("network", "url", "username"))
_SEVERAL: Final = re.compile(r"\s*[;,|]\s*|\s+/\s+")
_ONE_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)


def emails(found: Sequence[object], unread: Unread) -> tuple[str, ...]:
    """Canonical addresses, each once, in order; a cell may hold several."""
    kept: dict[str, None] = {}
    for cell in found:
        if not isinstance(cell, str):
            continue
        parts = [cell] if _ONE_ADDRESS.fullmatch(cell) is not None else _SEVERAL.split(cell)
        lost = False
        for part in parts:
            address = canonical_email(part)
            if address is not None:
                kept[address] = None
            else:
                lost = True
        if lost:
            _note_no_address(parts, unread)
    return tuple(kept)


def identifiers(
    plan: RowPlan, root: Mapping[str, object], unread: Unread
) -> tuple[str | None, tuple[str, ...]]:
    """The first public identifier among profile addresses and bare identifiers, and all LinkedIn
    member ids: numbers and urns, also the urn inside a profile address."""
    addresses = plan.all("linkedin_id", root)
    members = plan.all("linkedin_member_ids", root)
    identifier = None
    misses = []
    for value in addresses:
        identifier = _public_identifier(value)
        if identifier is not None:
            break
        misses.append(value)
    ids: dict[str, None] = {}
    for value in members:
        found = member_id(value)
        if found is not None:
            ids[found] = None
        elif value not in addresses:
            # Most addresses are read as one of the two only.
            note_value("linkedin_member_ids", value, unread)
    if misses:
        read = [value for value in members if member_id(value) is not None]
        _note_no_links(plan, root, [value for value in misses if value not in read], unread)
    _note_no_profiles(plan, root, unread)
    return identifier, tuple(ids)


def phones(
    plan: RowPlan,
    root: Mapping[str, object],
    *,
    location: str | None,
    country: str | None,
    jobs: Sequence[Position],
    unread: Unread,
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
        # That some lost their ends is known of this parser, and no fault of the row.
        found = [value for value in found if not _may_be_cut(str(value), region)]
    numbers: dict[str, None] = {}
    for value in found:
        number = to_e164(value, region=region)
        if number is not None:
            numbers[number] = None
        elif not (plan.cut_phones and _digits(value) == _CUT_LENGTH):
            _note_no_number(value, region, unread)
    return tuple(numbers)


def _public_identifier(value: object) -> str | None:
    return None if _is_of_another_site(value) else public_identifier(value)


def _is_of_another_site(value: object) -> bool:
    """Whether it is another site's address in a list of links; a public identifier has no dot."""
    return isinstance(value, str) and "." in value and "linkedin." not in value.lower()


def _note_no_address(parts: Sequence[str], unread: Unread) -> None:
    """Counts what of a cell is no address: beside a name, that of one, only a part with an @."""
    lost = [part for part in parts if canonical_email(part) is None]
    doubtful = [part for part in lost if says_something(part) and not is_nobodys(part)]
    broken = sum("@" in part for part in doubtful)
    is_read = len(lost) < len(parts)
    unread += [("emails", WRONG_FORM)] * (broken or bool(doubtful and not is_read))


def _note_no_links(
    plan: RowPlan, root: Mapping[str, object], misses: Sequence[object], unread: Unread
) -> None:
    """Counts what is no profile; a list of links may hold those of other sites."""
    listed = [value for value, is_element in plan.fields["linkedin_id"].cells(root) if is_element]
    for value in misses:
        if not (value in listed and _is_of_another_site(value)):
            note_value("linkedin_id", value, unread)


def _note_no_profiles(plan: RowPlan, root: Mapping[str, object], unread: Unread) -> None:
    """Counts what the reader of a list of profiles meets in the place of one."""
    paths = plan.fields.get("linkedin_id")
    if paths is None or paths.reader is None:
        return
    for steps in paths.steps:
        for value in values(steps, root):
            if not says_something(value):
                continue
            if not isinstance(value, dict):
                unread.append(("linkedin_id", WRONG_TYPE))
            elif _PROFILE.isdisjoint(value):
                unread.append(("linkedin_id", NOTHING_READ))


def _note_no_number(value: str | int | float, region: str | None, unread: Unread) -> None:
    text = str(value)
    if isinstance(value, bool) or not says_something(value) or is_filler(text):
        return
    is_foreign = region is None and is_national(text)
    unread.append(("phones", NO_COUNTRY if is_foreign else WRONG_FORM))


def _digits(value: object) -> int:
    return sum(map(str.isdecimal, str(value)))


def _may_be_cut(number: str, region: str | None) -> bool:
    """Whether ten digits may be the head of an international number, its last digits lost."""
    digits = re.sub(r"\D", "", number)
    if len(digits) != _CUT_LENGTH:
        return False
    if region is None or digits.startswith("0"):
        return True
    return digits.startswith(str(phonenumbers.country_code_for_region(region)))
