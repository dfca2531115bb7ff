"""One row of a source table in, one `SourceRecord` or `RowRejection` out. Never raises on data."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from typing import Final

import phonenumbers

from profiles.extraction import facts, items, limits
from profiles.extraction.detection import choose_variant, without_envelope
from profiles.extraction.json_path import decode_json, decode_utf8_json, looks_like_json
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.plan import Root, RowPlan
from profiles.models import Entry, PartialDate, Position, RowRejection, SourceRecord
from profiles.standardization.contacts.phones import region_of, to_e164
from profiles.standardization.identifiers import canonical_email, member_id, public_identifier
from profiles.standardization.names import Name, former_surname, name_beside, standardize_name
from profiles.standardization.text import is_placeholder

NO_KEY: Final = "no_key"
UNKNOWN_VARIANT: Final = "unknown_variant"
UNREADABLE_JSON: Final = "unreadable_json"
UNEXPECTED_SHAPE: Final = "unexpected_shape"
READER_FAILED: Final = "reader_failed"
EMPTY: Final = "empty"
FORMER_NAMES: Final = "former_names"
"""Name of the section."""

# What code that meets a shape nobody thought of can raise. Not `Exception`: a programming error
# such as NameError, and the end of memory, must still stop the night.
_SURPRISES: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)

_NAMES: Final = ("full_name", "given_name", "family_name")
_ASIDE: Final = frozenset("([,")
_SECONDS: Final = len("2026-05-01T00:00:00")
_CUT_LENGTH: Final = 10
_SEVERAL: Final = re.compile(r"(?:(?<!\s)\s+)?[;,|]\s*|(?<!\s)\s+/\s+")
_ONE_ADDRESS: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w.-]+", re.ASCII)


class _UnreadableError(Exception):
    """Carries reason and detail of a rejection out of nested code; never leaves this module."""


def read_row(
    mapping: SourceMapping, row: Root, cuts: list[str] | None = None
) -> SourceRecord | RowRejection:
    """The record that a row (column → text, JSON text or decoded JSON) stands for.

    The columns that the mapping reads JSON members of may also be text in UTF-8.

    A rejection never quotes the row. `cuts` gets the reasons why parts of it were not read.
    """
    limits.start()
    key = row.get(mapping.key)
    source_key = "" if key is None else str(key)
    if not source_key:
        return RowRejection(mapping.source, "", NO_KEY, f"expected a value in '{mapping.key}'")
    try:
        record = _read(mapping, row, source_key)
    except _UnreadableError as unreadable:
        return RowRejection(mapping.source, source_key, *unreadable.args)
    except _SURPRISES as error:
        detail = (
            f"{type(error).__name__} in {_origin(error)}; the adapter met a shape it can't read"
        )
        return RowRejection(mapping.source, source_key, READER_FAILED, detail)
    if cuts is not None:
        cuts += limits.cuts()
    if record.is_empty:
        detail = "the row names no person, key, job, school or skill"
        return RowRejection(mapping.source, source_key, EMPTY, detail)
    return record


def opened_row(mapping: SourceMapping, row: Root) -> tuple[str | None, dict[str, object]] | None:
    """The row's variant and its cells with JSON columns decoded; None when it can't be read."""
    try:
        plan, root = _opened(mapping, row)
    except (_UnreadableError, *_SURPRISES):
        return None
    return next(name for name, known in mapping.plans.items() if known is plan), root


def _read(mapping: SourceMapping, row: Root, source_key: str) -> SourceRecord:
    plan, root = _opened(mapping, row)
    texts = plan.texts
    observed = facts.instant(row.get(mapping.updated_at)) if mapping.updated_at else None
    as_of = None if observed is None else PartialDate(observed.year, observed.month)
    jobs = items.positions(plan, root, as_of)
    location = facts.place(texts["location"](root))
    country = texts["country"](root)
    if plan.lower_cased:
        location, country = facts.capitalized(location), facts.capitalized(country)
    name, former, beside = _name(plan, root)
    years = plan["years_experience"].first(root, facts.years)
    if years is None:
        years = plan["months_experience"].first(root, facts.years_of_months)
    identifier, member_ids = _identifiers(plan, root)
    return SourceRecord(
        source=mapping.source,
        source_key=source_key,
        observed_at=None if observed is None else f"{observed.isoformat()[:_SECONDS]}Z",
        full_name=name.full if name is not None else None,
        given_name=name.given if name is not None else None,
        family_name=name.family if name is not None else None,
        linkedin_id=identifier,
        linkedin_member_ids=member_ids,
        emails=_emails(plan["emails"].all(root)),
        phones=_phones(plan, root, location, country, jobs),
        headline=texts["headline"](root),
        summary=texts["summary"](root),
        location=location,
        country=country,
        industry=texts["industry"](root),
        positions=jobs,
        education=items.education(plan, root),
        skills=facts.names(plan["skills"].lists(root)),
        entries=(*items.entries(plan, root), *former),
        years_experience=years,
        name_beside=beside,
    )


def _opened(mapping: SourceMapping, row: Root) -> tuple[RowPlan, dict[str, object]]:
    """The plan of the row's variant, and the row with its JSON columns as objects."""
    root = dict(row)
    for column, cell in row.items():
        if isinstance(cell, str) and len(cell) > limits.LONGEST_TEXT:
            root[column] = limits.bounded(cell)
    problems: dict[str, _UnreadableError] = {}
    for column, members in mapping.members.items():
        cell = root.get(column)
        value = _decoded(cell)
        if isinstance(cell, bytes) and len(cell) > limits.LONGEST_TEXT:
            value = limits.bounded(value)
        is_list = column in mapping.lists
        if isinstance(value, dict):
            root[column] = without_envelope(value, members)
        elif isinstance(value, str) and (not is_list or looks_like_json(value)):
            problems[column] = _UnreadableError(UNREADABLE_JSON, f"expected JSON in '{column}'")
        elif value is None or is_list:
            root[column] = value
        else:
            problem = f"expected a JSON object in '{column}'"
            problems[column] = _UnreadableError(UNEXPECTED_SHAPE, problem)
    plan = _plan_of(mapping, root)
    for column in plan.json_columns & problems.keys():
        raise problems[column]
    return plan, root


def _plan_of(mapping: SourceMapping, root: Root) -> RowPlan:
    plans = mapping.plans
    if not mapping.variants:
        return plans[None]
    label = None if mapping.discriminator is None else root.get(mapping.discriminator)
    name, nearest = choose_variant(plans, label, root, mapping.members)
    if name is None:
        known = ", ".join(sorted(mapping.variants))
        column = f"'{mapping.discriminator}'" if mapping.discriminator else "the shape"
        near = f"; nearest by its members is {nearest}" if nearest else ""
        raise _UnreadableError(UNKNOWN_VARIANT, f"expected {column} to be one of {known}{near}")
    return plans[name]


def _decoded(value: object) -> object:
    """Decode a JSON cell; an export of one profile may be a list of one."""
    if value.__class__ is bytes:
        value = decode_utf8_json(value)
    if isinstance(value, str):
        value = None if not value.strip() or is_placeholder(value) else decode_json(value)
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], str | int | float):
        return value[0]
    return value


def _name(plan: RowPlan, root: Root) -> tuple[Name | None, tuple[Entry, ...], str | None]:
    """The name that people are matched by, the surname before a marriage as an entry, and other
    names in parentheses."""
    full, given, family = (plan.texts[part](root) for part in _NAMES)
    if plan.lower_cased:
        full, given, family = (facts.capitalized(part) for part in (full, given, family))
    has_aside = full is not None and not _ASIDE.isdisjoint(full)
    former = former_surname(full) if has_aside else None
    entries = (Entry(FORMER_NAMES, former),) if former else ()
    beside = former or (name_beside(full) if has_aside else None)
    return standardize_name(full, given, family), entries, beside


def _emails(found: Sequence[object]) -> tuple[str, ...]:
    """Canonical addresses, each once, in order; a cell may hold several."""
    kept: dict[str, None] = {}
    for cell in found:
        if not isinstance(cell, str):
            continue
        cell = limits.long_line(cell)
        parts = [cell] if _ONE_ADDRESS.fullmatch(cell) is not None else _SEVERAL.split(cell)
        kept.update(dict.fromkeys(filter(None, map(canonical_email, parts))))
    return tuple(kept)


def _identifiers(plan: RowPlan, root: Root) -> tuple[str | None, tuple[str, ...]]:
    """The first public identifier among profile addresses and bare identifiers, and all LinkedIn
    member ids: numbers and urns, also the urn inside a profile address."""
    addresses = (
        public_identifier(value)
        for value in plan["linkedin_id"].all(root)
        if not _is_of_another_site(value)
    )
    members = map(member_id, plan["linkedin_member_ids"].all(root))
    return next(filter(None, addresses), None), tuple(dict.fromkeys(filter(None, members)))


def _phones(
    plan: RowPlan, root: Root, location: str | None, country: str | None, jobs: Sequence[Position]
) -> tuple[str, ...]:
    """E.164 numbers, each once. National ones are read in the region where the row says that the
    person is, else where their jobs are."""
    found = [
        limits.long_line(value) if isinstance(value, str) else value
        for value in plan["phones"].all(root)
        if isinstance(value, str | int | float)
    ]
    if not found:
        return ()
    places = [(location, country), *((job.location, None) for job in jobs)]
    region = next(filter(None, (region_of(*place) for place in places)), None)
    if plan.cut_phones:
        found = [value for value in found if not _may_be_cut(str(value), region)]
    numbers = (to_e164(value, region=region) for value in found)
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def _is_of_another_site(value: object) -> bool:
    """Return whether `value` is another site's link in a list; a public identifier has no dot."""
    return isinstance(value, str) and "." in value and "linkedin." not in value.lower()


def _may_be_cut(number: str, region: str | None) -> bool:
    """Return whether ten digits may be an international number that lost its last digits."""
    digits = re.sub(r"\D", "", number)
    if len(digits) != _CUT_LENGTH:
        return False
    if region is None or digits.startswith("0"):
        return True
    return digits.startswith(str(phonenumbers.country_code_for_region(region)))


def _origin(error: BaseException) -> str:
    """Module and line that raised, which says nothing about the row."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{frame.f_globals.get('__name__', '?')}:{line}"
