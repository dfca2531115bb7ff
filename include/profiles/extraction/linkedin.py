"""Shapes of LinkedIn exports that a path cannot describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from profiles.extraction.facts import members, objects
from profiles.standardization.date_ranges import parse_range

_NESTED: Final = ("positions", "roles", "subComponents")
_OF_ONE_JOB: Final = frozenset(
    {"title", "subtitle", "caption", "description", "description_html", "duration", "start_date",
     "end_date", "date1", "text"}
    | set(_NESTED)
)  # fmt: skip
_LABEL: Final = "Title\n"
_ISSUED: Final = "Issued by "
_DOT: Final = " · "
_GRADE: Final = re.compile(r"^Grade:\s*(\S.*)$", re.MULTILINE)


def grouped_positions(value: object) -> list[Mapping[str, object]]:
    """Jobs of a list in which several roles at one employer share a header.

    Bright Data writes such a header with the employer's name as its title and the roles under
    `positions` (`subtitle` repeats the employer); page scrapers use `roles`, and the components of
    a profile page `subComponents`. A header is no job: it gives its roles the employer and the
    place.
    """
    jobs: list[Mapping[str, object]] = []
    for entry in objects(value):
        jobs.extend(_roles(entry) or [_component_job(entry)])
    return jobs


def components(value: object) -> list[Mapping[str, object]]:
    """Entries of a list of page components: `subtitle` is who gave it, `caption` when."""
    found: list[Mapping[str, object]] = []
    for entry in objects(value):
        text = _text(entry)
        grade = _GRADE.search(text or "")
        by, dates = _by_and_dates(entry.get("subtitle"))
        found.append(
            {
                "by": by,
                "dates": entry.get("caption") or dates,
                "text": text,
                "grade": grade[1] if grade else None,
                **entry,
            }
        )
    return found


def _by_and_dates(subtitle: object) -> tuple[object, str | None]:
    """("Porto Vecchio", "Jun 2021") of "Issued by Porto Vecchio · Jun 2021"."""
    if not isinstance(subtitle, str):
        return subtitle, None
    head, _, last = subtitle.rpartition(_DOT)
    dates = last if parse_range(last) is not None else None
    by = head if dates else subtitle
    return by.removeprefix(_ISSUED).removesuffix(_DOT) or None, dates


def _roles(header: Mapping[str, object]) -> list[Mapping[str, object]]:
    for name in _NESTED:
        nested = [role for role in members(header.get(name)) if role.get("title")]
        if nested:
            break
    else:
        return []
    shared = {name: member for name, member in header.items() if name not in _OF_ONE_JOB}
    if name == "subComponents":
        shared = {
            **shared,
            "company": header.get("companyName") or header.get("title"),
            "place": _place(header.get("caption")),
            "employment": _kind(header.get("subtitle"), first=True),
        }
        return [{**shared, **_dated(role)} for role in nested]
    return [
        {
            **shared,
            **role,
            "title": own.removeprefix(_LABEL) if isinstance(own := role["title"], str) else own,
            "company": header.get("company") or role.get("subtitle") or header.get("title"),
        }
        for role in nested
    ]


def _component_job(entry: Mapping[str, object]) -> Mapping[str, object]:
    """A job that a page shows as title, `Employer · Full-time`, dates and place."""
    if "caption" not in entry and "subComponents" not in entry:
        return entry
    employer = entry.get("subtitle")
    return {
        "company": employer.partition(_DOT)[0] if isinstance(employer, str) else None,
        "employment": _kind(employer, first=False),
        **entry,
        **_dated(entry),
    }


def _dated(role: Mapping[str, object]) -> dict[str, object]:
    place = role.get("metadata")
    return {
        **role,
        **({"place": place} if place else {}),
        "dates": role.get("caption"),
        "text": _text(role),
    }


def _kind(subtitle: object, *, first: bool) -> object:
    parts = subtitle.split(_DOT) if isinstance(subtitle, str) else []
    return next(iter(parts if first else parts[1:]), None)


def _place(caption: object) -> object:
    """A header's caption, which is its place unless it states dates."""
    return None if isinstance(caption, str) and parse_range(caption) is not None else caption


def _text(entry: Mapping[str, object]) -> str | None:
    """The text components of an entry, also those of its parts without a title."""
    parts = [
        entry,
        *(part for part in members(entry.get("subComponents")) if not part.get("title")),
    ]
    texts = [
        text
        for part in parts
        for component in objects(part.get("description"))
        if isinstance(text := component.get("text") or component.get("value"), str)
    ]
    return "\n".join(texts) or None
