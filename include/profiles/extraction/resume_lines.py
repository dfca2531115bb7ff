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
    readings = _readings(lines, known)
    starts = [*(each.start for each in readings), len(lines)]
    before = "\n".join(lines[: starts[0]])
    jobs: list[Mapping[str, object]] = [{"description": before}] if before else []
    orders = [0 if each.company else known.order(each.title) for each in readings]
    for each, order, end in zip(readings, orders, starts[1:], strict=True):
        jobs.append(_job(each, lines[each.body : end], order or sum(orders)))
    return jobs


class _Known(NamedTuple):
    """The titles and employers that the parser found in the resume, folded."""

    titles: tuple[str, ...]
    employers: tuple[str, ...]

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


class _Reading(NamedTuple):
    """A way to read dates and the lines beside them, by how many lines below them the title is."""

    place: int
    start: int
    body: int
    """The lines of the job, and those that describe it, begin here."""
    dates: str
    title: str
    company: str
    """Empty where it is beside the title."""
    behind: str = ""


def _readings(lines: Sequence[str], known: _Known) -> list[_Reading]:
    """How each line with the dates of a job is read."""
    dated = {n: parts for n, line in enumerate(lines) if (parts := _dates(line, known))}
    are_alone = any(not (before or behind) for before, _, behind in dated.values())
    votes: Counter[int] = Counter()
    possible: list[list[_Reading]] = []
    floor = 0
    for n, (before, dates, behind) in dated.items():
        ways = _ways(lines, n, floor, before, dates, behind)
        told = [way for way in ways if known.has_title(way.title)]
        votes.update(way.place for way in told or ways if told or len(ways) == 1)
        # Beside dates alone, others are of a text, and so are those in a sentence.
        first = (before or behind)[:1]
        if told or not first or not (are_alone or first.islower() or first.isdigit()):
            possible.append(told or ways)
        floor = n + 1
    usual = max(votes, key=votes.__getitem__, default=1)
    readings: list[_Reading] = []
    for ways in possible:
        floor = readings[-1].body if readings else 0
        free = [
            way for way in ways if way.start >= floor and (way.dates or way.place == usual == 1)
        ]
        readings += [max(free, key=lambda way: votes[way.place])] if free else []
    return readings


def _ways(
    lines: Sequence[str], n: int, floor: int, before: str, dates: str, behind: str
) -> list[_Reading]:
    """The ways to read line `n` with its dates, the likeliest first."""
    above, second = (
        lines[near] if near >= floor and _may_name(lines[near]) else "" for near in (n - 1, n - 2)
    )
    below = next(filter(_may_name, lines[n + 1 : n + 2]), "")
    if not (before or behind):
        ways = [
            _Reading(1, n - 1, n + 2, dates, below if above else "", above),
            _Reading(-1, n - 1, n + 1, dates, above, ""),
            _Reading(-2, n - 2, n + 1, dates, second if above else "", above),
        ]
    else:
        name = before.strip(_AROUND)
        ways = [
            _Reading(-1, n - 1, n + 1, dates, above, name, behind),
            _Reading(0, n, n + 1, dates, name or behind, "", behind if name else ""),
            _Reading(1, n, n + 2, dates, below if name else "", name, behind),
        ]
    return [way for way in ways if way.title]


def _dates(line: str, known: _Known) -> tuple[str, str, str] | None:
    """What stands before the dates of a job, the dates, and what stands behind them."""
    if _is_bullet(line):
        return None
    if not line or is_present(line):
        return "", line, ""
    found = find_range(line)
    if found is None or found[0] > _LONGEST_HEADER:
        return None
    start, end, is_range = found
    before, behind = line[:start].strip("( "), line[end:].strip(") ")
    if not (before or behind) or (not is_range and (before + behind).strip("-– ").isalpha()):
        return "", line, ""  # Dates alone, or with a season or the like.
    if not is_range and not known.has_title(before):
        return None
    return before, line[start:end], behind.strip(_AROUND)


def _job(reading: _Reading, body: Sequence[str], order: int) -> Mapping[str, object]:
    _, _, _, dates, title, company, behind = reading
    location = body[0] if reading.place == 1 and body and not _is_bullet(body[0]) else None
    if not company:
        title, company, *_ = *_PARTS.split(title, maxsplit=1), ""
        if company and order > 0:
            title, company = company, title
        elif not company and reading.place == -1:
            company, behind = behind, ""
    return {
        "company": company,
        "dates": dates,
        "title": title,
        "location": location,
        "description": "\n".join(filter(None, [behind, *body[location is not None :]])),
    }


def _lacks_dates(lines: Sequence[str], n: int) -> bool:
    """Return whether the empty line `n` stands for missing dates, between employer and title."""
    near = lines[max(n - 3, 0) : n + 3]
    return all(map(_may_name, lines[max(n - 1, 0) : n + 2 : 2])) and not any(map(find_range, near))


def _may_name(line: str) -> bool:
    return 0 < len(line) <= _LONGEST_HEADER and not _is_bullet(line)


def _is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None
