"""Shapes of resume parsers that a path cannot describe."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from profiles.extraction.json_path import decode_json
from profiles.extraction.leftovers import WRAPPED, objects
from profiles.standardization.dates import is_present, parse_date, parse_range

_BULLET: Final = re.compile(r"^\s*(?:[•●▪◦‣➤✔🔹*·]|-\s|\d+[.)]\s)")
_LABEL: Final = re.compile(r"^[^,:|]{1,40}:\s*")
_SEPARATOR: Final = re.compile(r"\s*[,;|•\n]\s*")
_GROUP_NAMES: Final = frozenset(
    {"skills", "skill", "technical skills", "other", "others", "misc", "general"}
)
_NO_SKILL: Final = frozenset({"technical", "skills", "skill", "system", "process", "requirements"})
_LONGEST_DATE: Final = 48
_HEADER_LINES: Final = 4
"""Employer, dates, title, place."""


def affinda_jobs(value: object) -> list[Mapping[str, object]]:
    """Affinda's jobs, without the January that it fills in for a year alone.

    `dates.rawText` keeps what the resume said; where that is only years, so is the date.
    """
    return [_with_honest_dates(item) for item in objects(value)]


def experience_lines(value: object) -> list[Mapping[str, object]]:
    """Jobs of pyresparser's flat list of lines.

    A line of dates is the anchor: the line above it is the employer, the one or two lines below
    it are title and place, and bullets up to the next job describe it. Lines before the first
    anchor, or all of them when there is none, become one description, so that none is lost.
    """
    lines = [line.strip() for line in _strings(value)]
    anchors = _anchors(lines)
    jobs = _no_lines(value)
    if not anchors:
        return [{"description": "\n".join(lines)}, *jobs] if any(lines) else jobs
    before = "\n".join(lines[: anchors[0] - 1])
    if before:
        jobs.append({"description": before})
    for n, anchor in enumerate(anchors):
        end = anchors[n + 1] - 1 if n + 1 < len(anchors) else len(lines)
        jobs.append(_job_of_lines(lines, anchor, end))
    return jobs


def keyword_groups(found: Sequence[object]) -> list[object]:
    """Skills of JSON Resume: a group's keywords, and its name unless that only says "Skills"."""
    skills: list[object] = []
    for group in found:
        if not isinstance(group, dict):
            skills.append(group)
            continue
        keywords = group.get("keywords")
        name = group.get("name")
        named = isinstance(name, str) and name.strip().casefold() not in _GROUP_NAMES
        if named:
            skills.append(name)
        if isinstance(keywords, list):
            skills.extend(keywords)
    return skills


def linkedin_profiles(found: Sequence[object]) -> list[object]:
    """LinkedIn addresses or user names among JSON Resume's profiles on any network."""
    profiles = [profile for profile in found if isinstance(profile, dict)]
    addresses = [profile.get("url") for profile in profiles]
    # A user name alone is only an identity on the network that it belongs to.
    names = [
        profile.get("username")
        for profile in profiles
        if str(profile.get("network")).strip().casefold() == "linkedin"
    ]
    return [value for value in addresses + names if value]


def skill_lines(found: Sequence[object]) -> list[object]:
    """Skills of lines such as `Skills: Go, Rust`, one for each part."""
    return [
        part
        for line in _strings(list(found))
        for part in _SEPARATOR.split(_LABEL.sub("", line, count=1))
    ]


def parser_words(found: Sequence[object]) -> list[object]:
    """Skills of pyresparser without the generic words that it takes for skills."""
    return [word for word in _strings(list(found)) if word.strip().casefold() not in _NO_SKILL]


def _with_honest_dates(job: Mapping[str, object]) -> Mapping[str, object]:
    dates = job.get("dates")
    if not isinstance(dates, dict):
        return job
    said = dates.get("rawText")
    span = parse_range(said) if isinstance(said, str) and said else None
    if span is None:
        return job
    honest = dict(dates)
    for name, date in (("startDate", span.start), ("endDate", span.end)):
        filled = dates.get(name)
        if (
            date is not None
            and date.month is None
            and isinstance(filled, str)
            and filled.startswith(f"{date.year:04d}-01")
        ):
            honest[name] = str(date.year)
    return {**job, "dates": honest}


def _anchors(lines: Sequence[str]) -> list[int]:
    """The lines that state the dates of the job whose employer stands on the line above."""
    found: list[int] = []
    for n in range(1, len(lines)):
        if not lines[n - 1] or _is_bullet(lines[n - 1]):
            continue
        if _is_dates(lines[n]) or (not lines[n] and _is_missing_dates(lines, n, found)):
            found.append(n)
    return found


def _is_dates(line: str) -> bool:
    if not line or len(line) > _LONGEST_DATE or _is_bullet(line):
        return False
    return is_present(line) or (
        any(c.isdigit() for c in line)
        and (parse_range(line) is not None or parse_date(line) is not None)
    )


def _is_missing_dates(lines: Sequence[str], n: int, anchors: Sequence[int]) -> bool:
    """Whether an empty line stands for dates that the resume did not give, and is no mere gap.

    Then a job's header surrounds it: the employer above begins the list, follows a bullet or the
    title and place of the job before, and below comes a title, not another employer with dates.
    """
    below = lines[n + 1 : n + 3]
    if not below or not below[0] or _is_bullet(below[0]) or any(map(_is_dates, below)):
        return False
    begins = n == 1 or _is_bullet(lines[n - 2])
    return begins or (bool(anchors) and n - anchors[-1] >= _HEADER_LINES)


def _is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None


def _job_of_lines(lines: Sequence[str], anchor: int, end: int) -> Mapping[str, object]:
    body = [line for line in lines[anchor + 1 : end] if line]
    header = []
    for line in body[:2]:
        if _is_bullet(line):
            break
        header.append(line)
    return {
        "company": lines[anchor - 1],
        "dates": lines[anchor],
        "title": header[0] if header else None,
        "location": header[1] if len(header) > 1 else None,
        "description": "\n".join(body[len(header) :]) or None,
    }


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        decoded = decode_json(value)
        value = decoded if isinstance(decoded, list) else value.splitlines()
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, str)]


def _no_lines(value: object) -> list[Mapping[str, object]]:
    """What stands between the lines and is none, for the reading of jobs to count."""
    if isinstance(value, str):
        value = decode_json(value)
        if not isinstance(value, list):
            return []
    found = value if isinstance(value, list) else [value]
    return [{WRAPPED: item} for item in found if not isinstance(item, str)]
