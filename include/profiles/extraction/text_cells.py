"""Jobs and studies in cells of text, in groups and in numbered columns: ATS exports and lemlist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from profiles.extraction.facts import WRAPPED, members, objects
from profiles.extraction.json_path import NOT_JSON, decode_json

_TRAILING_PARENTHESIS: Final = re.compile(r"(?<!\s)\s*\((?P<inside>[^()]*)\)\s*\Z")
_DATES: Final = re.compile(r"\d{4}|present|current|till|date|now|\?", re.IGNORECASE)
_AT: Final = re.compile(r"(?<!\s)\s+(?:@|at)\s+", re.IGNORECASE)
_RANGE: Final = re.compile(r"(?<!\s)\s+(?:-|–|—|to)\s+", re.IGNORECASE)
_STUDY_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*")
_SCHOOL: Final = re.compile(
    r"(?i:univ|colle|instit|school|schule|acad|escola|escuela|[eé]cole|facult|polit[eé]c)"
    r"|\b[A-Z]{3,}\b"
)
"""Pattern that matches the name of a school, but not that of a field of study."""
_YEARS: Final = re.compile(
    r"(?P<first>(?:19|20)\d\d)(?:\s*(?:-|–|—|to)\s*(?P<last>(?:19|20)\d\d))?"
)
_NUMBERED: Final = re.compile(r"(experience|school|language)(\d{1,2})_?([A-Za-z]\w*)?")


def experience_text(value: object) -> list[Mapping[str, object]]:
    """Jobs of a work-experience cell.

    A JSON list gives its objects. Free text gives one job per line that reads
    `Title @ Company (start - end)`; other lines describe the job above them, or stand alone as a
    job of unknown title and employer, so that no line is lost.
    """
    decoded = decode_json(value) if isinstance(value, str) else value
    if isinstance(decoded, dict):
        return [decoded]
    if isinstance(decoded, list):
        return [item if isinstance(item, dict) else {"description": item} for item in decoded]
    text = value if decoded is NOT_JSON else decoded
    return _jobs_of_lines(text) if isinstance(text, str) else objects(text)


def education_text(value: object) -> list[Mapping[str, object]]:
    """Studies of an education cell: a JSON list, or `Degree, School (year); Degree, School`."""
    decoded = decode_json(value) if isinstance(value, str) else value
    if isinstance(decoded, dict):
        return [decoded]
    if isinstance(decoded, list):
        return [item if isinstance(item, dict) else _study(str(item)) for item in decoded]
    text = value if decoded is NOT_JSON else decoded
    if not isinstance(text, str):
        return objects(text)
    return [_study(part) for part in _STUDY_SEPARATOR.split(text) if part.strip()]


def _jobs_of_lines(text: str) -> list[Mapping[str, object]]:
    jobs: list[dict[str, object]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        job = _job(line)
        if job is not None:
            jobs.append(job)
        elif jobs:
            earlier = jobs[-1].get("description")
            jobs[-1]["description"] = f"{earlier}\n{line}" if earlier else line
        else:
            jobs.append({"description": line})
    return list(jobs)


def _job(line: str) -> dict[str, object] | None:
    dates = None
    head, inside = _without_parenthesis(line)
    if inside is not None and _DATES.search(inside):
        dates = inside
    else:
        head = line
    parts = _AT.split(head, maxsplit=1)
    # Without dates and the unambiguous @ a sentence such as "Worked at scale" would be a job.
    if len(parts) != 2 or (dates is None and "@" not in head):
        return None
    job: dict[str, object] = {"title": parts[0], "company": parts[1]}
    ends = _RANGE.split(dates, maxsplit=1) if dates else []
    if len(ends) == 2:
        job.update(start=ends[0], end=ends[1])
    elif dates:
        job["dates"] = dates
    return job


def _study(text: str) -> Mapping[str, object]:
    head, years = text, None
    before, inside = _without_parenthesis(text)
    if inside is not None:
        years = _YEARS.search(inside)
        head = before if years else text
    study = _parts_of_study(head.split(","))
    if years is not None:
        first, last = years["first"], years["last"]
        study.update(start=first if last else None, end=last or first)
    return study


def _without_parenthesis(text: str) -> tuple[str, str | None]:
    """The text before a parenthesis at its end, and what stands inside."""
    match = _TRAILING_PARENTHESIS.search(text)
    if match is None or not match.start():
        return text, None
    return text[: match.start()], match["inside"]


def _parts_of_study(parts: list[str]) -> dict[str, object]:
    """`Degree, School`, `Degree, Field, School`, or `Degree, School, Town`."""
    degree, *rest = parts
    names_field = len(rest) > 1 and not _SCHOOL.search(rest[0])
    return {
        "degree": degree,
        "field": rest[0] if names_field else None,
        "school": ",".join(rest[1:] if names_field else rest) or None,
    }


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
        has_date = isinstance(stated, dict) and any(stated.values())
        date = stated if has_date else group.get("date") or stated
        jobs.append({**role, "company": group.get("company"), "date": date})
    return jobs


def numbered(name: str, value: object) -> list[Mapping[str, object]]:
    """Items of the columns `name1`, `name2`, …, each one text or object; an object of those in
    `name1Title`, `name1Company`, …"""
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
    items = [found[number] for number in sorted(found)]
    if name == "experience":
        return [
            job
            for each in items
            for job in (experience_text(each) if isinstance(each, str) else objects(each))
        ]
    return [each if isinstance(each, dict) else {WRAPPED: each} for each in items]
