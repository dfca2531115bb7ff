"""One row of a source table in, one `SourceRecord` or `RowRejection` out. Never raises on data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from typing import Final

from profiles.extraction import facts, items
from profiles.extraction.contacts import emails, identifiers, phones
from profiles.extraction.holders import note_strays
from profiles.extraction.json_path import NOT_JSON, decode_json, decode_utf8_json
from profiles.extraction.leftovers import note_unread
from profiles.extraction.mapping import SourceMapping
from profiles.extraction.plan import RowPlan
from profiles.extraction.unread import WRONG_FORM, Unread, note_value
from profiles.models import PartialDate, RowRejection, SourceRecord
from profiles.standardization.names import Name, standardize_name
from profiles.standardization.text import fold, is_placeholder

NO_KEY: Final = "no_key"
UNKNOWN_VARIANT: Final = "unknown_variant"
UNREADABLE_JSON: Final = "unreadable_json"
UNEXPECTED_SHAPE: Final = "unexpected_shape"
READER_FAILED: Final = "reader_failed"
EMPTY: Final = "empty"

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
_SECONDS: Final = len("2026-05-01T00:00:00")


class _UnreadableError(Exception):
    """Carries the reason for a rejection out of nested code; never leaves this module."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason)


def read_row(
    mapping: SourceMapping, row: Mapping[str, object], unread: Unread | None = None
) -> SourceRecord | RowRejection:
    """The record that a row (column → text, JSON text or decoded JSON) stands for.

    The columns that the mapping reads JSON members of may also be text in UTF-8.

    A rejection says why in a stable code (`no_key`, `unknown_variant`, `unreadable_json`,
    `unexpected_shape`, `reader_failed`, `empty`) and never quotes the row.

    `unread` gets field and reason of each item of a list and each value that no rule could read.
    """
    key = row.get(mapping.key)
    source_key = "" if key is None else str(key)
    if not source_key:
        return RowRejection(mapping.source, "", NO_KEY, f"expected a value in '{mapping.key}'")
    try:
        record = _read(mapping, row, source_key, [] if unread is None else unread)
    except _UnreadableError as unreadable:
        return RowRejection(mapping.source, source_key, unreadable.reason, unreadable.detail)
    except _SURPRISES as error:
        detail = (
            f"{type(error).__name__} in {_origin(error)}; the adapter met a shape it can't read"
        )
        return RowRejection(mapping.source, source_key, READER_FAILED, detail)
    if record.is_empty:
        detail = "the row names no person, key, job, school or skill"
        return RowRejection(mapping.source, source_key, EMPTY, detail)
    return record


def opened_row(
    mapping: SourceMapping, row: Mapping[str, object]
) -> tuple[str | None, dict[str, object]] | None:
    """The row's variant and its cells with JSON columns decoded; None when it can't be read."""
    try:
        plan = _plan_of(mapping, row)
        root = _decoded(plan, row)
    except _UnreadableError:
        return None
    return next(name for name, known in mapping.plans.items() if known is plan), root


def _read(
    mapping: SourceMapping, row: Mapping[str, object], source_key: str, unread: Unread
) -> SourceRecord:
    plan = _plan_of(mapping, row)
    root = _decoded(plan, row)
    texts = plan.texts
    observed = _observed(row.get(mapping.updated_at), unread) if mapping.updated_at else None
    as_of = None if observed is None else PartialDate(observed.year, observed.month)
    jobs = items.positions(plan, root, as_of, unread)
    location = facts.place(texts["location"](root, unread))
    country = texts["country"](root, unread)
    if plan.lower_cased:
        location, country = facts.capitalized(location), facts.capitalized(country)
    name = _name(plan, root, unread)
    years = _years(plan, root, "years_experience", facts.years, unread)
    if years is None:
        years = _years(plan, root, "months_experience", facts.years_of_months, unread)
    identifier, member_ids = identifiers(plan, root, unread)
    note_unread(plan.lists, root, unread)
    if plan.holders:
        note_strays(plan.holders, root, unread)
    return SourceRecord(
        source=mapping.source,
        source_key=source_key,
        observed_at=None if observed is None else f"{observed.isoformat()[:_SECONDS]}Z",
        full_name=name.full if name is not None else None,
        given_name=name.given if name is not None else None,
        family_name=name.family if name is not None else None,
        linkedin_id=identifier,
        linkedin_member_ids=member_ids,
        emails=emails(plan.all("emails", root), unread),
        phones=phones(plan, root, location=location, country=country, jobs=jobs, unread=unread),
        headline=texts["headline"](root, unread),
        summary=texts["summary"](root, unread),
        location=location,
        country=country,
        industry=texts["industry"](root, unread),
        positions=jobs,
        education=items.education(plan, root, unread),
        skills=_names(plan, root, "skills", unread),
        certifications=_names(plan, root, "certifications", unread),
        languages=_names(plan, root, "languages", unread),
        years_experience=years,
    )


def _names(
    plan: RowPlan, root: Mapping[str, object], field: str, unread: Unread
) -> tuple[str, ...]:
    too_long: set[str] = set()
    found = facts.names(
        plan.fields.get(field), root, split=field != "certifications", too_long=too_long
    )
    if too_long:
        unread += [(field, facts.TOO_LONG)] * len(too_long)
    return found


def _plan_of(mapping: SourceMapping, row: Mapping[str, object]) -> RowPlan:
    plans = mapping.plans
    if mapping.discriminator is None:
        return plans[None]
    value = row.get(mapping.discriminator)
    plan = plans.get(value) if isinstance(value, str) else None
    if plan is None and isinstance(value, str):
        plan = plans.get(value.strip().casefold())
    if plan is None:
        known = ", ".join(sorted(mapping.variants))
        raise _UnreadableError(
            UNKNOWN_VARIANT, f"expected '{mapping.discriminator}' to be one of {known}"
        )
    return plan


def _decoded(plan: RowPlan, row: Mapping[str, object]) -> dict[str, object]:
    """The row with its JSON columns as objects; an export of one profile may be a list of one."""
    root = dict(row)
    for column in plan.json_columns:
        value = root.get(column)
        if value.__class__ is bytes:
            value = decode_utf8_json(value)
        if isinstance(value, str):
            value = None if not value.strip() or is_placeholder(value) else decode_json(value)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if value is NOT_JSON:
            raise _UnreadableError(UNREADABLE_JSON, f"expected JSON in '{column}'")
        if value is not None and not isinstance(value, dict):
            raise _UnreadableError(UNEXPECTED_SHAPE, f"expected a JSON object in '{column}'")
        root[column] = value
    return root


def _name(plan: RowPlan, root: Mapping[str, object], unread: Unread) -> Name | None:
    full, given, family = (plan.texts[part](root, unread) for part in _NAMES)
    if plan.lower_cased:
        full, given, family = (facts.capitalized(part) for part in (full, given, family))
    name = standardize_name(full, given, family)
    if name is None:
        said = zip(_NAMES, (full, given, family), strict=True)
        unread += [(part, WRONG_FORM) for part, text in said if text is not None]
        return None
    if given is not None and name.given is None and not _holds(name.full, given):
        unread.append(("given_name", WRONG_FORM))
    if family is not None and name.family is None and not _holds(name.full, family):
        unread.append(("family_name", WRONG_FORM))
    return name


def _holds(name: str, part: str) -> bool:
    return set(fold(part).split()) <= set(fold(name).split())


def _years(
    plan: RowPlan,
    root: Mapping[str, object],
    field: str,
    convert: Callable[[object], float | None],
    unread: Unread,
) -> float | None:
    found = plan.all(field, root)
    return (
        facts.first(found, convert, partial(facts.note_no_years, field), unread) if found else None
    )


def _observed(value: object, unread: Unread) -> datetime | None:
    observed = _instant(value)
    if observed is None:
        note_value("updated_at", value, unread)
    return observed


def _instant(value: object) -> datetime | None:
    """UTC time of a timestamp as Postgres or JSON writes it; one without a zone is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        try:
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        except OverflowError:
            # The first or last day of the calendar, written in a zone on the far side of it.
            return None
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return None


def _origin(error: BaseException) -> str:
    """Module and line that raised, which says nothing about the row."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:
        return "unknown code"
    return f"{step.tb_frame.f_globals.get('__name__', '?')}:{step.tb_lineno}"
