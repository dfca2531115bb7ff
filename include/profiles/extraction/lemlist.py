"""Shapes of lemlist enrichment that a path cannot describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from profiles.extraction.facts import WRAPPED, members, objects
from profiles.extraction.weekday import experience_text

_NUMBERED: Final = re.compile(r"(experience|school|language)(\d{1,2})_?([A-Za-z]\w*)?")


def position_groups(value: object) -> list[Mapping[str, object]]:
    """Jobs of `positionGroups`: an employer with one or more `profilePositions`.

    Each job gets the group's `company`; a lone job without dates gets the group's, and a group
    without positions stands for one job without a title.
    """
    jobs: list[Mapping[str, object]] = []
    for group in objects(value):
        roles = members(group.get("profilePositions"))
        if len(roles) > 1:
            jobs.extend({**role, "company": group.get("company")} for role in roles)
            continue
        role = roles[0] if roles else {}
        stated = role.get("date")
        date = stated if _has_date(stated) else group.get("date") or stated
        jobs.append({**role, "company": group.get("company"), "date": date})
    return jobs


def numbered_jobs(value: object) -> list[Mapping[str, object]]:
    """Jobs of the columns `experience1`, `experience2`, …, each one text or object."""
    return [
        job
        for each in _numbered(value, "experience")
        for job in (experience_text(each) if isinstance(each, str) else objects(each))
    ]


def numbered_schools(value: object) -> list[Mapping[str, object]]:
    """Studies of the columns `school1`, `school2`, …"""
    return _wrapped(_numbered(value, "school"))


def numbered_languages(value: object) -> list[Mapping[str, object]]:
    """Languages of the columns `language1`, `language2`, …"""
    return _wrapped(_numbered(value, "language"))


def _numbered(value: object, name: str) -> list[object]:
    """The values of `name1`, `name2`, …; an object of those in `name1Title`, `name1Company`, …"""
    if not isinstance(value, dict):
        return []
    found: dict[int, object] = {}
    for key in value:
        match = _NUMBERED.fullmatch(key)
        if match is None or match[1] != name:
            continue
        if not match[3]:
            found[int(match[2])] = value[key]
        elif isinstance(parts := found.setdefault(int(match[2]), {}), dict):
            parts[match[3][0].lower() + match[3][1:]] = value[key]
    return [found[number] for number in sorted(found)]


def _wrapped(values: list[object]) -> list[Mapping[str, object]]:
    return [each if isinstance(each, dict) else {WRAPPED: each} for each in values]


def _has_date(value: object) -> bool:
    return isinstance(value, dict) and any(value.values())
