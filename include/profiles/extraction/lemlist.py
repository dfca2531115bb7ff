"""Shapes of lemlist enrichment that a path cannot describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from profiles.extraction.leftovers import is_wrapped, objects, strays

_UNREAD: Final = "unread group"


def position_groups(value: object) -> list[Mapping[str, object]]:
    """Jobs of `positionGroups`: an employer with one or more `profilePositions`.

    Each job gets the group's `company`; a lone job without dates gets the group's, and a group
    without positions stands for one job without a title.
    """
    jobs: list[Mapping[str, object]] = []
    for group in objects(value):
        if is_wrapped(group):
            jobs.append(group)
            continue
        jobs.extend(strays(group.get("profilePositions")))
        roles = _mappings(group.get("profilePositions"))
        if len(roles) > 1:
            jobs.extend({**role, "company": group.get("company")} for role in roles)
        else:
            role = roles[0] if roles else {}
            said = role.get("date")
            date = said if _has_date(said) else group.get("date") or said
            job = {**role, "company": group.get("company"), "date": date}
            # Without either it is no job; the group says what was not read.
            jobs.append(job if role or job["company"] else {**job, _UNREAD: group})
    return jobs


def _has_date(value: object) -> bool:
    return isinstance(value, dict) and any(value.values())


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
