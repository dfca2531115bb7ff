"""Jobs of the flat list of lines that pyresparser makes of a resume's experience."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
_BELOW: Final = (1, -1)
_BESIDE_DATES: Final = (_BELOW, (-1, -2), (-1, None), (-2, -1), (-3, -2), (1, None), (2, 1))
_AROUND_DATES: Final = ((-1, 0), (0, None), (1, 0))
"""Where title and employer are, in lines below the dates; None for the line of the title."""


def experience_lines(value: object) -> list[Mapping[str, object]]:
    """Jobs of pyresparser's flat list of lines.

    A line with dates marks a job, whose title and employer are on that line or near it: where a
    title is that the parser found, else where most jobs of the list have them. Lines up to the
    next job describe it; those before the first, or all without dates, are a description alone.
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
    """A way to read dates and the lines beside them: its form, and what it gives."""

    form: tuple[int, int | None]
    start: int
    body: int
    """The lines of the job, and those that describe it, begin here."""
    dates: str
    title: str
    company: str
    """Empty where it is beside the title."""
    behind: str


def _readings(lines: Sequence[str], known: _Known) -> list[_Reading]:
    """How each line with the dates of a job is read."""
    dated = {n: parts for n, line in enumerate(lines) if (parts := _dates(line, known))}
    are_alone = any(not (before or behind) for before, _, behind in dated.values())
    votes: Counter[tuple[int, int | None]] = Counter()
    possible: list[list[_Reading]] = []
    floor = 0
    for n, (before, dates, behind) in dated.items():
        ways = list(_ways(lines, n, floor, before, dates, behind))
        told = [way for way in ways if known.has_title(way.title)]
        sure = told or [way for way in ways if way.form != (1, 0)]
        if told or len(sure) == 1:
            votes.update([way.form for way in sure] * (2 if told else 1))
        # Beside dates alone, others are of a text, and so are those in a sentence.
        first = (before or behind)[:1]
        if told or not first or not (are_alone or first.islower() or first.isdigit()):
            possible.append(ways)
        floor = n + 1
    usual = max(votes, key=votes.__getitem__, default=_BELOW)
    readings: list[_Reading] = []
    for ways in possible:
        floor = readings[-1].body if readings else 0
        free = [
            way for way in ways if way.start >= floor and (way.dates or way.form == usual == _BELOW)
        ]
        if free:
            best = max(free, key=lambda way: (known.has_title(way.title), votes[way.form]))
            readings.append(best)
    return readings


def _ways(
    lines: Sequence[str], n: int, floor: int, before: str, dates: str, behind: str
) -> Iterator[_Reading]:
    """The ways to read line `n` with its dates, the likeliest first."""
    name = before.strip(_AROUND)
    near = {
        place: lines[n + place]
        for place in range(-3, 3)
        if floor <= n + place < len(lines) and _may_name(lines[n + place])
    } | {0: name or behind}
    for title, company in _AROUND_DATES if before or behind else _BESIDE_DATES:
        first, last = min(0, title, company or 0), max(0, title, company or 0)
        if not near.keys() >= set(range(first, last + 1)) or not near[title]:
            continue
        if (title, company) == (-1, -2) and _PARTS.search(near[title]):
            continue
        others = [near[place] for place in range(first, last) if place not in (title, company, 0)]
        yield _Reading(
            (title, company), n + first, n + last + 1, dates, near[title],
            "" if company is None else near[company] if company else name,
            "\n".join(filter(None, [*others, behind if title or name else ""])),
        )  # fmt: skip


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
    form, _, _, dates, title, company, behind = reading
    is_place = form in (_BELOW, (1, 0)) and body and not _is_bullet(body[0])
    if not company:
        title, company, *_ = *_PARTS.split(title, maxsplit=1), ""
        if company and order > 0:
            title, company = company, title
        elif not company and form == (-1, 0):
            company, behind = behind, ""
    return {
        "company": company,
        "dates": dates,
        "title": title,
        "location": body[0] if is_place else None,
        "description": "\n".join(filter(None, [behind, *body[bool(is_place) :]])),
    }


def _lacks_dates(lines: Sequence[str], n: int) -> bool:
    """Return whether the empty line `n` stands for missing dates, between employer and title."""
    near = lines[max(n - 3, 0) : n + 3]
    return all(map(_may_name, lines[max(n - 1, 0) : n + 2 : 2])) and not any(map(find_range, near))


def _may_name(line: str) -> bool:
    return 0 < len(line) <= _LONGEST_HEADER and not _is_bullet(line)


def _is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None
