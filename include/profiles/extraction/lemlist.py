"""Shapes of lemlist enrichment that a path cannot describe."""

from __future__ import annotations

from collections.abc import Mapping

from profiles.extraction.json_path import decode_json


def position_groups(value: object) -> list[Mapping[str, object]]:
    """Jobs of `positionGroups`: an employer with one or more `profilePositions`.

    Each job gets the group's `company`; a lone job without dates gets the group's, and a group
    without positions stands for one job without a title.
    """
    if isinstance(value, str):
        value = decode_json(value)
    if not isinstance(value, list):
        return []
    jobs: list[Mapping[str, object]] = []
    for group in value:
        if not isinstance(group, dict):
            continue
        roles = _mappings(group.get("profilePositions"))
        if len(roles) > 1:
            jobs.extend({**role, "company": group.get("company")} for role in roles)
        else:
            role = roles[0] if roles else {}
            date = role.get("date") if _has_date(role.get("date")) else group.get("date")
            jobs.append({**role, "company": group.get("company"), "date": date})
    return jobs


def _has_date(value: object) -> bool:
    return isinstance(value, dict) and any(value.values())


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
