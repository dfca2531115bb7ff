"""Text cells of an ATS export: jobs and studies as JSON or as free text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from profiles.extraction.facts import objects
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
"""What the name of a school has and that of a field of study has not."""
_YEARS: Final = re.compile(
    r"(?P<first>(?:19|20)\d\d)(?:\s*(?:-|–|—|to)\s*(?P<last>(?:19|20)\d\d))?"
)


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
            said = jobs[-1].get("description")
            jobs[-1]["description"] = f"{said}\n{line}" if said else line
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
