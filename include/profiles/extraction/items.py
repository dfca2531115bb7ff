"""Jobs and studies of one row, each list read by its `ItemPlan`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final, TypeVar

from profiles.extraction import facts
from profiles.extraction.holders import note_strays
from profiles.extraction.json_path import NOT_JSON, decode_json, values
from profiles.extraction.leftovers import WRAPPED, why_unread_element
from profiles.extraction.plan import ItemPlan, RowPlan
from profiles.extraction.unread import NOTHING_READ, WRONG_FORM, Unread, note_value, says_something
from profiles.models import Education, PartialDate, Position
from profiles.standardization.companies import employer_key, employers_agree
from profiles.standardization.dates import (
    DateRange,
    is_present,
    parse_date,
    parse_range,
    parse_span,
)

Found = TypeVar("Found", Position, Education)

_texts_of_job = attrgetter("title", "company", "description")
_texts_of_study = attrgetter("school", "degree", "field")
_NO_SPAN: Final = DateRange(None, None, False)
_CURRENT: Final = DateRange(None, None, True)


def positions(
    plan: RowPlan, root: Mapping[str, object], as_of: PartialDate | None, unread: Unread
) -> tuple[Position, ...]:
    """The jobs of a row in the vendor's order, exact repeats once.

    `as_of` is when the source saw the person: an end after it has not come yet. What says no job,
    and what of a job could not be read, is added to `unread`.
    """
    found: list[Position] = []
    for item_plan in plan.positions:
        for element in elements(item_plan, root):
            before = len(unread)
            job = _position(item_plan, element, as_of, unread, lower_cased=plan.lower_cased)
            if job is None:
                _note(item_plan, element, unread, before)
                continue
            if item_plan.unless_listed:
                found = _with_headline_job(found, job)
            else:
                found.append(job)
    return _distinct(found, _texts_of_job)


def education(plan: RowPlan, root: Mapping[str, object], unread: Unread) -> tuple[Education, ...]:
    """The studies of a row in the vendor's order, exact repeats once.

    What says no study, and what of a study could not be read, is added to `unread`.
    """
    found: list[Education] = []
    for item_plan in plan.education:
        for element in elements(item_plan, root):
            before = len(unread)
            study = _study(item_plan, element, unread, lower_cased=plan.lower_cased)
            if study is not None:
                found.append(study)
            else:
                _note(item_plan, element, unread, before)
    return _distinct(found, _texts_of_study)


def _note(plan: ItemPlan, element: Mapping[str, object], unread: Unread, before: int) -> None:
    """Counts an element that is no job or study, once; its values go from `before` on."""
    if plan.path is not None:
        del unread[before:]
        why = why_unread_element(element)
        if why is not None:
            unread.append((plan.kind, why))
    # Without a path the element is the row itself, which need not name a job.
    elif len(unread) == before and any(
        says_something(value) for paths in plan.fields.values() for value in paths.all(element)
    ):
        unread.append((plan.kind, NOTHING_READ))


def _distinct(
    found: Sequence[Found], texts_of: Callable[[Found], tuple[str | None, ...]]
) -> tuple[Found, ...]:
    """The items, exact repeats once. Whole items are compared only where their texts are equal."""
    if len(found) < 2 or len(set(map(texts_of, found))) == len(found):
        return tuple(found)
    return tuple(dict.fromkeys(found))


def elements(plan: ItemPlan, root: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """The raw items of one list of jobs or studies."""
    if plan.path is None:
        return (root,)
    read = _unwrapped if plan.reader is None else plan.reader
    found = values(plan.path, root)
    if len(found) == 1:
        return read(found[0])
    return [element for value in found for element in read(value)]


def _unwrapped(value: object) -> Sequence[Mapping[str, object]]:
    if isinstance(value, str):
        decoded = decode_json(value)
        value = value if decoded is NOT_JSON else decoded
    return [
        element if isinstance(element, dict) else {WRAPPED: element}
        for element in (value if isinstance(value, list) else [value])
    ]


def _position(
    plan: ItemPlan,
    root: Mapping[str, object],
    as_of: PartialDate | None,
    unread: Unread,
    *,
    lower_cased: bool,
) -> Position | None:
    texts = plan.texts
    title, company = texts["title"](root, unread), texts["company"](root, unread)
    description = texts["description"](root, unread)
    if title is None and company is None and description is None:
        return None
    if plan.holders:
        note_strays(plan.holders, root, unread)
    location = texts["location"](root, unread)
    if lower_cased:
        title, company, location = map(facts.capitalized, (title, company, location))
    span = _span(plan, root, as_of, unread)
    return Position(
        title=title,
        company=company,
        company_linkedin_id=texts["company_linkedin_id"](root, unread),
        company_domain=texts["company_domain"](root, unread),
        start=span.start,
        end=span.end,
        is_current=span.is_current or plan.always_current,
        description=description,
        location=location,
        employment_type=texts["employment_type"](root, unread),
    )


def _study(
    plan: ItemPlan, root: Mapping[str, object], unread: Unread, *, lower_cased: bool
) -> Education | None:
    texts = plan.texts
    degree, field = texts["degree"](root, unread), texts["field"](root, unread)
    both = texts["degree_and_field"](root, unread)
    if both is not None:
        degree, field = _degree_and_field(both)
    school = texts["school"](root, unread)
    if school is None and degree is None and field is None:
        return None
    if lower_cased:
        school, degree, field = map(facts.capitalized, (school, degree, field))
    if plan.holders:
        note_strays(plan.holders, root, unread)
    span = _span(plan, root, None, unread)
    return Education(
        school=school,
        degree=degree,
        field=field,
        start=span.start,
        end=span.end,
        grade=texts["grade"](root, unread),
    )


def _with_headline_job(listed: list[Position], job: Position) -> list[Position]:
    """The jobs with the one that the row names outside its list, unless it is there already.

    Listed jobs at that employer get what only the headline knows of it.
    """
    key = employer_key(job.company)
    same = [
        n for n, other in enumerate(listed) if employers_agree(key, employer_key(other.company))
    ]
    for n in same:
        domain = listed[n].company_domain or job.company_domain
        reference = listed[n].company_linkedin_id or job.company_linkedin_id
        if (domain, reference) != (listed[n].company_domain, listed[n].company_linkedin_id):
            listed[n] = replace(listed[n], company_domain=domain, company_linkedin_id=reference)
    return listed if same else [job, *listed]


def _span(
    plan: ItemPlan, root: Mapping[str, object], as_of: PartialDate | None, unread: Unread
) -> DateRange:
    dates = plan.dates
    start_raw, end_raw = dates["start"](root, unread), dates["end"](root, unread)
    current = plan.is_current(root, unread)
    if start_raw is None and end_raw is None:
        said = dates["dates"](root, unread)
        span = parse_range(said) if isinstance(said, str) else None
        if span is None:
            if said is not None:
                note_value(f"{plan.kind}.dates", said, unread)
            return _CURRENT if current else _NO_SPAN
        return parse_span(
            span.start, span.end, current_flag=current or span.is_current or None, as_of=as_of
        )
    if current is None and plan.open_end_is_current and end_raw is None:
        # An unknown start with no end either says nothing about today.
        current = parse_date(start_raw) is not None or None
    span = parse_span(start_raw, end_raw, current_flag=current, as_of=as_of)
    if span.start is None and start_raw is not None:
        _note_date(f"{plan.kind}.start", start_raw, unread)
    if span.end is None and end_raw is not None:
        _note_end(f"{plan.kind}.end", end_raw, unread)
    return span


def _note_end(field: str, value: object, unread: Unread) -> None:
    """Counts an end that no span has; that of a running job may be any day."""
    if not is_present(value) and parse_date(value, is_end=True) is None:
        _note_date(field, value, unread)


def _note_date(field: str, value: object, unread: Unread) -> None:
    if not isinstance(value, dict):
        note_value(field, value, unread)
    elif says_something(value) and value.get("FoundYear", True) and not is_present(value):
        unread.append((field, WRONG_FORM))


def _degree_and_field(text: str) -> tuple[str, str | None]:
    """("B.Tech", "Physics") of "B.Tech, Physics" or "B.Tech in Physics"."""
    degree, found, field = text.rpartition(", ")
    if not found:
        degree, found, field = text.partition(" in ")
    return (degree, field) if degree and field else (text, None)
