"""Jobs of the flat list of lines that pyresparser makes of a resume's experience."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from profiles.extraction.resumes import strings
from profiles.standardization.date_ranges import find_range, is_present
from profiles.standardization.text import fold

_BULLET: Final = re.compile(r"^\s*(?:[•●▪◦‣➤✔🔹*·]|-\s|\d+[.)]\s)")
_FOUND: Final = ("designation", "company_names")
_LONGEST_HEADER: Final = 100
_AROUND: Final = " \t,;:|·•()-–—"
_PARTS: Final = re.compile(
    r"\s+[-–—|@·•]\s+|,\s+|\s{2,}|\sat\s|(?<=[\u2e80-\uffff])\s(?=[\u2e80-\uffff])"
)
"""What stands between title and employer; a space where words have none between them."""


def experience_lines(value: object) -> list[Mapping[str, object]]:
    """Jobs of pyresparser's flat list of lines.

    A line with dates marks a job, whose title is on that line, one or two above, or the one below:
    where a title is that the parser found, else where most jobs of the list have it. Lines up to
    the next job describe it; those before the first, or all without dates, are a description alone.
    """
    raw = value if isinstance(value, dict) else {}
    known = _Known(*(tuple(map(fold, strings(raw.get(name)))) for name in _FOUND))
    lines = [line.strip() for line in strings(raw.get("experience"))]
    lines = [line for n, line in enumerate(lines) if line or _lacks_dates(lines, n)]
    headers = _headers(lines, known)
    starts = [*(dated.start(place) for dated, place in headers), len(lines)]
    before = "\n".join(lines[: starts[0]])
    jobs: list[Mapping[str, object]] = [{"description": before}] if before else []
    orders = [known.order(dated.title(place, lines)) for dated, place in headers]
    for (dated, place), order, end in zip(headers, orders, starts[1:], strict=True):
        jobs.append(_job(dated, place, lines[:end], order or sum(orders)))
    return jobs


class _Known(NamedTuple):
    """The titles and employers that the parser found in the resume, folded."""

    titles: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()

    def has_title(self, text: str) -> bool:
        """Return whether a known title is in the text, or anything before a known employer."""
        words = f" {fold(text)} "
        return any(f" {title} " in words for title in self.titles) or any(
            words.endswith(f" {name} ") and words != f" {name} " for name in self.employers
        )

    def order(self, text: str) -> int:
        """1 where the employer comes first, then the title, -1 where the title does, else 0."""
        first, *rest = _PARTS.split(text, maxsplit=1)
        return sum(map(self.has_title, rest)) - self.has_title(first)


class _Dated(NamedTuple):
    """Line `n` with its dates, empty where they are missing, and what stands around them."""

    n: int
    before: str
    dates: str
    behind: str

    @property
    def is_alone(self) -> bool:
        return not (self.before or self.behind)

    def places(self, lines: Sequence[str], floor: int) -> list[int]:
        """How many lines below this one the title may be, the likeliest first."""
        above, second = (n >= floor and _may_name(lines[n]) for n in (self.n - 1, self.n - 2))
        below = any(map(_may_name, lines[self.n + 1 : self.n + 2]))
        if not self.is_alone:
            return [-1] * above + [0] + [1] * below
        return [1] * (above and below) + [-1] * above + [-2] * (above and second)

    def title(self, place: int, lines: Sequence[str]) -> str:
        return lines[self.n + place] if place else (self.before or self.behind).strip(_AROUND)

    def start(self, place: int) -> int:
        """The first line of the job whose title is `place` lines below."""
        return self.n + (-1 if place == 1 and not self.before else min(place, 0))


def _dated(n: int, line: str, known: _Known) -> _Dated | None:
    if _is_bullet(line):
        return None
    if not line or is_present(line):
        return _Dated(n, "", line, "")
    found = find_range(line)
    if found is None or found[0] > _LONGEST_HEADER:
        return None
    start, end, is_range = found
    before, behind = line[:start].strip("( "), line[end:].strip(") ")
    if not (before or behind) or (not is_range and (before + behind).strip("-– ").isalpha()):
        return _Dated(n, "", line, "")  # Dates alone, or with a season or the like.
    if not is_range and not known.has_title(before):
        return None
    return _Dated(n, before, line[start:end], behind.strip(_AROUND))


def _headers(lines: Sequence[str], known: _Known) -> list[tuple[_Dated, int]]:
    """The lines with the dates of a job, and how many lines below each its title is."""
    found: list[tuple[_Dated, list[int], list[int]]] = []
    for n, line in enumerate(lines):
        if dated := _dated(n, line, known):
            places = dated.places(lines, found[-1][0].n + 1 if found else 0)
            told = [place for place in places if known.has_title(dated.title(place, lines))]
            found.append((dated, places, told or (places if len(places) == 1 else [])))
    votes = Counter(place for *_, told in found for place in told)
    usual = max(votes, key=votes.__getitem__, default=1)
    is_any_alone = any(dated.is_alone for dated, *_ in found)
    headers: list[tuple[_Dated, int]] = []
    floor = 0
    for dated, places, told in found:
        # Of others, a sentence, and what stands in a text beside dates alone, have no title.
        first = dated.title(0, lines)[:1]
        is_text = is_any_alone or first.islower() or first.isdigit()
        is_job = (dated.dates or usual == 1) if dated.is_alone else (told or not is_text)
        free = [place for place in told or places if dated.start(place) >= floor]
        if is_job and free:
            headers.append((dated, max(free, key=votes.__getitem__)))
            floor = dated.n + 1 + (headers[-1][1] == 1)
    return headers


def _job(dated: _Dated, place: int, lines: Sequence[str], order: int) -> Mapping[str, object]:
    """The job with its title `place` lines below its dates, described by the lines under both."""
    title, company, behind = dated.title(place, lines), dated.before.strip(_AROUND), dated.behind
    body = lines[dated.n + 1 + (place == 1) :]
    location = body[0] if place == 1 and body and not _is_bullet(body[0]) else None
    if place in (1, -2):
        company = company or lines[dated.n - 1]
    elif place == 0 or not company:
        behind = "" if title == behind else behind
        title, company, *_ = *_PARTS.split(title, maxsplit=1), ""
        if company and order > 0:
            title, company = company, title
        elif not company and place == -1:
            company, behind = behind, ""
    return {
        "company": company,
        "dates": dated.dates,
        "title": title,
        "location": location,
        "description": "\n".join(filter(None, [behind, *body[location is not None :]])),
    }


def _lacks_dates(lines: Sequence[str], n: int) -> bool:
    """Return whether the empty line `n` stands for missing dates, between employer and title."""
    return (
        0 < n < len(lines) - 1
        and all(_may_name(lines[near]) for near in (n - 1, n + 1))
        and not any(_dated(n, line, _Known()) for line in lines[max(n - 3, 0) : n + 3] if line)
    )


def _may_name(line: str) -> bool:
    return 0 < len(line) <= _LONGEST_HEADER and not _is_bullet(line)


def _is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None
