"""Jobs, studies and section entries of one row, each list read by its `ItemPlan`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from profiles.extraction import facts
from profiles.extraction.facts import WRAPPED, objects
from profiles.extraction.json_path import listed, values
from profiles.extraction.plan import ItemPlan, Root, RowPlan
from profiles.models import Education, Entry, PartialDate, Position
from profiles.standardization.companies import employer_key, employers_agree
from profiles.standardization.date_ranges import DateRange, parse_range, parse_span
from profiles.standardization.dates import parse_date


def positions(plan: RowPlan, root: Root, as_of: PartialDate | None) -> tuple[Position, ...]:
    """The jobs of a row in the vendor's order, exact repeats once.

    `as_of` is when the source saw the person: an end after it has not come yet.
    """
    found: list[Position] = []
    for item_plan, element in _elements(plan, "positions", root):
        job = _position(item_plan, element, as_of, lower_cased=plan.lower_cased)
        if job is None:
            continue
        if item_plan.spec.unless_listed:
            found = _with_headline_job(found, job)
        else:
            found.append(job)
    return tuple(dict.fromkeys(found))


def education(plan: RowPlan, root: Root) -> tuple[Education, ...]:
    """The studies of a row in the vendor's order, exact repeats once."""
    studies = (
        _study(item_plan, element, lower_cased=plan.lower_cased)
        for item_plan, element in _elements(plan, "education", root)
    )
    return tuple(dict.fromkeys(study for study in studies if study is not None))


def entries(plan: RowPlan, root: Root) -> tuple[Entry, ...]:
    """The entries of every section of a row in the vendor's order, exact repeats once."""
    found: dict[Entry, None] = {}
    for item_plan in plan.items:
        if item_plan.kind in ("positions", "education"):
            continue
        for element in elements(item_plan, root):
            if item_plan.spec.split and isinstance(text := element.get(WRAPPED), str):
                found.update({Entry(item_plan.kind, part): None for part in listed(text)})
            elif entry := _entry(item_plan, element, lower_cased=plan.lower_cased):
                found[entry] = None
    return tuple(found)


def _elements(plan: RowPlan, kind: str, root: Root) -> Iterator[tuple[ItemPlan, Root]]:
    for item_plan in plan.items:
        if item_plan.kind == kind:
            for element in elements(item_plan, root):
                yield item_plan, element


def elements(plan: ItemPlan, root: Root) -> Sequence[Root]:
    """The raw items of one list of jobs or studies."""
    if plan.path is None:
        return (root,) if plan.reader is None else plan.reader(root)
    read = objects if plan.reader is None else plan.reader
    return [element for value in values(plan.path, root) for element in read(value)]


def _position(
    plan: ItemPlan, root: Root, as_of: PartialDate | None, *, lower_cased: bool
) -> Position | None:
    texts = plan.texts
    title, company = texts["title"](root), texts["company"](root)
    description = texts["description"](root)
    if title is None and company is None and description is None:
        return None
    location = texts["location"](root)
    if lower_cased:
        title, company = map(facts.capitalized_title, (title, company))
        location = facts.capitalized(location)
    span = _span(plan, root, as_of)
    return Position(
        title=title,
        company=company,
        company_linkedin_id=texts["company_linkedin_id"](root),
        company_domain=texts["company_domain"](root),
        start=span.start,
        end=span.end,
        is_current=span.is_current or plan.spec.always_current,
        description=description,
        location=location,
        employment_type=texts["employment_type"](root),
    )


def _study(plan: ItemPlan, root: Root, *, lower_cased: bool) -> Education | None:
    texts = plan.texts
    degree, field = texts["degree"](root), texts["field"](root)
    both = texts["degree_and_field"](root)
    if both is not None:
        degree, field = _degree_and_field(both)
    school = texts["school"](root)
    if school is None and degree is None and field is None:
        return None
    if lower_cased:
        school, degree, field = map(facts.capitalized_title, (school, degree, field))
    span = _span(plan, root, None)
    return Education(
        school=school,
        degree=degree,
        field=field,
        start=span.start,
        end=span.end,
        grade=texts["grade"](root),
    )


def _entry(plan: ItemPlan, root: Root, *, lower_cased: bool) -> Entry | None:
    texts = plan.texts
    title = texts["title"](root)
    if title is None and plan.path is not None:
        title = facts.line(root.get(WRAPPED))
    by, text = map(facts.spelled_out, (texts["by"](root), texts["description"](root)))
    if lower_cased:
        title, by = map(facts.capitalized_title, (title, by))
    if title is None and by is None and text is None:
        return None
    span = _span(plan, root, None)
    return Entry(plan.kind, title, by, span.start, span.end, span.is_current, text)


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


def _span(plan: ItemPlan, root: Root, as_of: PartialDate | None) -> DateRange:
    dates = plan.dates
    start_raw, end_raw = dates["start"](root), dates["end"](root)
    current = plan.is_current(root)
    if start_raw is None and end_raw is None:
        span = parse_range(dates["dates"](root))
        if span is None:
            return DateRange(None, None, bool(current))
        is_current = current or span.is_current
        return parse_span(span.start, span.end, current_flag=is_current, as_of=as_of)
    if current is None and plan.spec.open_end_is_current and end_raw is None:
        # An unknown start with no end either says nothing about today.
        current = parse_date(start_raw) is not None or None
    return parse_span(start_raw, end_raw, current_flag=current, as_of=as_of)


def _degree_and_field(text: str) -> tuple[str, str | None]:
    """("B.Tech", "Physics") of "B.Tech, Physics" or "B.Tech in Physics"."""
    degree, found, field = text.rpartition(", ")
    if not found:
        degree, found, field = text.partition(" in ")
    return (degree, field) if degree and field else (text, None)
