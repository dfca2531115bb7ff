"""Shapes of resume parsers that a path cannot describe."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from profiles.extraction import facts
from profiles.extraction.facts import members, objects
from profiles.extraction.json_path import decode_json
from profiles.standardization.date_ranges import parse_range

_LABEL: Final = re.compile(r"^[^,:|]{1,40}:\s*")
_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s+)?[,;|•\n]\s*")
_DEEPEST: Final = 12


def affinda_items(value: object) -> list[Mapping[str, object]]:
    """Affinda's jobs, studies and entries of both products as plain objects.

    The current product wraps every value into `{raw, parsed}` and names members after their list
    (`workExperienceDates`). Both fill in January for a year alone; the text of the dates keeps what
    the resume stated, and where that is only years, so is the date.
    """
    items = objects([_plain(each) for each in objects(value)])
    return [_with_stated_degree(_with_honest_dates(_with_dates(item))) for item in items]


def affinda_names(found: Sequence[object]) -> list[object]:
    """Names of skills and the like of both products."""
    return [_plain(each) for each in found]


def affinda_phones(found: Sequence[object]) -> list[object]:
    """Numbers as the resume has them; the current product's parsed form is an object."""
    names = ("raw", "rawText", "formattedNumber")
    return [
        next(filter(None, map(each.get, names)), None) if isinstance(each, dict) else each
        for each in found
    ]


def months(found: Sequence[object]) -> list[object]:
    """A number of months as years of experience: 30 → "2.5 years"."""
    years = [facts.years_of_months(each) for each in found]
    return [f"{each:.1f}".removesuffix(".0") + " years" for each in years if each and each >= 1]


def keyword_groups(found: Sequence[object]) -> list[object]:
    """Skills of JSON Resume. The name of a group of keywords gets a colon: it may be a heading."""
    skills: list[object] = []
    for group in found:
        if not isinstance(group, dict):
            skills.append(group)
            continue
        keywords = group.get("keywords")
        keywords = _SEPARATOR.split(keywords) if isinstance(keywords, str) else _listed(keywords)
        name = group.get("name")
        if isinstance(name, str) and name.strip():
            skills.append(f"{name.strip().rstrip(':')}:" if any(keywords) else name)
        skills.extend(keywords)
    return skills


def linkedin_profiles(found: Sequence[object]) -> list[object]:
    """LinkedIn addresses or user names among JSON Resume's profiles on any network."""
    profiles = members(list(found))
    # A user name alone is only an identity on the network that it belongs to.
    own = (each for each in profiles if str(each.get("network")).strip().casefold() == "linkedin")
    named = [each.get("url") for each in profiles] + [each.get("username") for each in own]
    return list(filter(None, named))


def skill_lines(found: Sequence[object]) -> list[object]:
    """Skills of lines such as `Databases: Redis, MySQL`, the heading with its colon, then one for
    each part."""
    skills: list[object] = []
    for line in strings(list(found)):
        label = _LABEL.match(line)
        if label is not None:
            skills.append(label[0].strip())
        skills.extend(_SEPARATOR.split(line[label.end() if label else 0 :]))
    return skills


def textkernel_languages(value: object) -> list[Mapping[str, object]]:
    """Textkernel's languages, each with what is behind its name in the text it was found in."""
    found: list[Mapping[str, object]] = []
    for each in objects(value):
        behind = str(each.get("FoundInContext") or "").partition(str(each.get("Language")))[2]
        level = _SEPARATOR.split(behind)[0].strip(" :–-")
        found.append({**each, "FoundInContext": level[1:-1] if level[:1] == "(" else level})
    return found


def _with_stated_degree(study: Mapping[str, object]) -> Mapping[str, object]:
    """The study with its degree as the resume states it, unless the parser's has that and more."""
    degree = study.get("accreditation")
    if not isinstance(degree, dict):
        return study
    stated, parsed = str(degree.get("inputStr") or ""), str(degree.get("education") or "")
    best = parsed if stated.casefold() in parsed.casefold() else stated
    return {**study, "accreditation": {**degree, "education": best}}


def _with_honest_dates(job: Mapping[str, object]) -> Mapping[str, object]:
    dates = job.get("dates")
    if not isinstance(dates, dict) or (span := parse_range(dates.get("rawText"))) is None:
        return job
    stated = {"startDate": span.start, "endDate": span.end, "completionDate": span.end}
    years = {
        name: str(date.year)
        for name, date in stated.items()
        if date and date.month is None and str(dates.get(name)).startswith(f"{date.year:04d}-01")
    }
    return {**job, "dates": {**dates, **years}}


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        decoded = decode_json(value)
        value = decoded if isinstance(decoded, list) else value.splitlines()
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, str)]


def side_by_side(first: str, second: str, value: object) -> list[Mapping[str, object]]:
    """The elements of two lists of pyresparser as pairs, where there are as many of both; else
    employers alone, or degrees and then schools."""
    if not isinstance(value, dict):
        return []
    one, other = (_listed(value.get(name)) for name in (first, second))
    if len(one) == len(other):
        return [{first: a, second: b} for a, b in zip(one, other, strict=True)]
    lone: list[Mapping[str, object]] = [{first: each} for each in one]
    return lone + ([{second: each} for each in other] if second == "college_name" else [])


def _listed(value: object) -> list[object]:
    return list(filter(None, value if isinstance(value, list) else [value]))


def _plain(value: object, depth: int = 0) -> object:
    """A value without the wrapping `{raw, parsed}`; an object keeps its text as `raw`."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value]
    if not isinstance(value, dict):
        return value
    if "parsed" not in value:
        plain = {name: _plain(member, depth + 1) for name, member in value.items()}
        label = plain.get("label") or plain.get("value")
        return {"name": label, **plain} if label else plain
    parsed = _plain(value["parsed"], depth + 1)
    return (
        {"raw": value.get("raw"), **parsed}
        if isinstance(parsed, dict)
        else (parsed or value.get("raw"))
    )


def _with_dates(item: Mapping[str, object]) -> Mapping[str, object]:
    """The item with the dates of the current product where those of the older one stand."""
    name = next((name for name in item if name.endswith("Dates")), None)
    if name is None or "dates" in item:
        return item
    dates = item[name]
    if not isinstance(dates, dict):
        return {**item, "dates": {"rawText": dates}}
    ends = map(dates.get, ("start", "end"))
    start, end = (each if isinstance(each, dict) else {"date": each} for each in ends)
    is_current = end.get("isCurrent")
    return {
        **item,
        "dates": {
            "rawText": dates.get("raw"),
            "startDate": start.get("date"),
            "endDate": None if is_current else end.get("date"),
            "completionDate": end.get("date"),
            "isCurrent": is_current,
        },
    }
