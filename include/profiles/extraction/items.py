"""Jobs and studies of one row, each list read by its `ItemPlan`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from profiles.extraction import facts
from profiles.extraction.json_path import NOT_JSON, decode_json, values
from profiles.extraction.plan import ItemPlan, Paths, RowPlan
from profiles.models import Education, PartialDate, Position
from profiles.standardization.companies import domain_key, employer_key, employers_agree
from profiles.standardization.dates import (
    DateRange,
    parse_date,
    parse_range,
    parse_span,
)
from profiles.standardization.linkedin import company_reference
from profiles.standardization.text import is_placeholder

_NO_SPAN = DateRange(None, None, False)
_WRAPPED = "value"
"""Member under which an element that is no object is found: `fields: {degree: value}`."""


@dataclass(slots=True)
class _Item:
    """One element of a list, with the paths that lead into it."""

    root: Mapping[str, object]
    fields: Mapping[str, Paths]

    def line(self, name: str) -> str | None:
        return facts.text_line(self.fields.get(name), self.root)

    def all(self, name: str) -> Sequence[object]:
        paths = self.fields.get(name)
        return () if paths is None else paths.all(self.root)

    def raw(self, name: str) -> object:
        """The first value that says anything, else None."""
        for value in self.all(name):
            if _says_something(value):
                return value
        return None


def positions(
    plan: RowPlan, root: Mapping[str, object], as_of: PartialDate | None
) -> tuple[Position, ...]:
    """The jobs of a row in the vendor's order, exact repeats once.

    `as_of` is when the source saw the person: an end after it has not come yet.
    """
    found: dict[Position, None] = {}
    for item_plan in plan.positions:
        for element in elements(item_plan, root):
            job = _position(item_plan, _Item(element, item_plan.fields), as_of)
            if job is None:
                continue
            if plan.lower_cased:
                job = replace(
                    job,
                    title=facts.capitalized(job.title),
                    company=facts.capitalized(job.company),
                    location=facts.capitalized(job.location),
                )
            if item_plan.unless_listed:
                found = _with_headline_job(list(found), job)
            else:
                found.setdefault(job)
    return tuple(found)


def education(plan: RowPlan, root: Mapping[str, object]) -> tuple[Education, ...]:
    """The studies of a row in the vendor's order, exact repeats once."""
    found: dict[Education, None] = {}
    for item_plan in plan.education:
        for element in elements(item_plan, root):
            study = _study(item_plan, _Item(element, item_plan.fields))
            if study is None:
                continue
            if plan.lower_cased:
                study = replace(
                    study,
                    school=facts.capitalized(study.school),
                    degree=facts.capitalized(study.degree),
                    field=facts.capitalized(study.field),
                )
            found.setdefault(study)
    return tuple(found)


def elements(plan: ItemPlan, root: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The raw items of one list of jobs or studies."""
    if plan.path is None:
        yield root
        return
    for value in values(plan.path, root):
        if plan.reader is not None:
            yield from plan.reader(value)
        else:
            yield from _unwrapped(value)


def _unwrapped(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, str):
        decoded = decode_json(value)
        value = value if decoded is NOT_JSON else decoded
    for element in value if isinstance(value, list) else [value]:
        yield element if isinstance(element, dict) else {_WRAPPED: element}


def _position(plan: ItemPlan, item: _Item, as_of: PartialDate | None) -> Position | None:
    title, company = item.line("title"), item.line("company")
    description = facts.text_block(item.fields.get("description"), item.root)
    if title is None and company is None and description is None:
        return None
    span = _span(plan, item, as_of)
    return Position(
        title=title,
        company=company,
        company_linkedin_id=facts.first(item.all("company_linkedin_id"), company_reference),
        company_domain=facts.first(item.all("company_domain"), domain_key),
        start=span.start,
        end=span.end,
        is_current=span.is_current or plan.always_current,
        description=description,
        location=facts.first(item.all("location"), facts.place),
        employment_type=item.line("employment_type"),
    )


def _study(plan: ItemPlan, item: _Item) -> Education | None:
    degree, field = item.line("degree"), item.line("field")
    both = item.line("degree_and_field")
    if both is not None:
        degree, field = _degree_and_field(both)
    school = item.line("school")
    if school is None and degree is None and field is None:
        return None
    span = _span(plan, item, None)
    return Education(
        school=school,
        degree=degree,
        field=field,
        start=span.start,
        end=span.end,
        grade=item.line("grade"),
    )


def _with_headline_job(listed: list[Position], job: Position) -> dict[Position, None]:
    """The jobs with the one that the row names outside its list, unless it is there already.

    Listed jobs at that employer get what only the headline knows of it.
    """
    key = employer_key(job.company)
    same = [
        n for n, other in enumerate(listed) if employers_agree(key, employer_key(other.company))
    ]
    for n in same:
        listed[n] = replace(
            listed[n],
            company_domain=listed[n].company_domain or job.company_domain,
            company_linkedin_id=listed[n].company_linkedin_id or job.company_linkedin_id,
        )
    return dict.fromkeys(listed if same else [job, *listed])


def _span(plan: ItemPlan, item: _Item, as_of: PartialDate | None) -> DateRange:
    start_raw, end_raw = item.raw("start"), item.raw("end")
    current = facts.first(item.all("is_current"), facts.flag)
    if start_raw is None and end_raw is None:
        said = item.raw("dates")
        span = parse_range(said) if isinstance(said, str) else None
        if span is None:
            return replace(_NO_SPAN, is_current=current is True)
        return parse_span(
            span.start, span.end, current_flag=current or span.is_current or None, as_of=as_of
        )
    if current is None and plan.open_end_is_current and end_raw is None:
        # An unknown start with no end either says nothing about today.
        current = parse_date(start_raw) is not None or None
    return parse_span(start_raw, end_raw, current_flag=current, as_of=as_of)


def _says_something(value: object) -> bool:
    """Whether a raw date is more than null, "", {} or an object of nulls."""
    if isinstance(value, str):
        return not is_placeholder(value)
    if isinstance(value, dict):
        return any(member not in (None, "") for member in value.values())
    return value is not None


def _degree_and_field(text: str) -> tuple[str, str | None]:
    """("B.Tech", "Physics") of "B.Tech, Physics" or "B.Tech in Physics"."""
    degree, found, field = text.rpartition(", ")
    if not found:
        degree, found, field = text.partition(" in ")
    return (degree, field) if degree and field else (text, None)
