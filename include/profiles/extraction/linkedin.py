"""Shapes of LinkedIn exports that a path cannot describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from profiles.extraction.leftovers import objects, strays

_NESTED: Final = ("positions", "roles")
_OF_ONE_JOB: Final = frozenset(
    {"title", "description", "description_html", "duration", "start_date", "end_date", "date1"}
    | set(_NESTED)
)
_LABEL: Final = "Title\n"


def grouped_positions(value: object) -> list[Mapping[str, object]]:
    """Jobs of a list in which several roles at one employer share a header.

    Bright Data writes such a header with the employer's name as its title and the roles under
    `positions` (`subtitle` repeats the employer); page scrapers use `roles`. A header is no job:
    it gives its roles the employer and the place.
    """
    jobs: list[Mapping[str, object]] = []
    for entry in objects(value):
        jobs.extend(_roles(entry) or [entry])
        for name in _NESTED:
            jobs.extend(strays(entry.get(name)))
    return jobs


def _roles(header: Mapping[str, object]) -> list[Mapping[str, object]]:
    nested = next((found for name in _NESTED if (found := _mappings(header.get(name)))), None)
    if nested is None:
        return []
    shared = {name: member for name, member in header.items() if name not in _OF_ONE_JOB}
    return [
        {
            **shared,
            **role,
            "title": _without_label(role.get("title")),
            "company": header.get("company") or role.get("subtitle") or header.get("title"),
        }
        for role in nested
    ]


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _without_label(title: object) -> object:
    return title.removeprefix(_LABEL) if isinstance(title, str) else title
