"""The jobs of a rendered document: title, employer, dates in any language, and how long. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from profiles.standardization.date_ranges import PRESENT
from profiles.standardization.dates import MONTHS
from profiles.standardization.text import fold
from profiles.validation.evidence import stem, words_of
from profiles.validation.language import ENGLISH

__all__ = ["PERIOD", "Job", "jobs_of"]

_DATE = re.compile(
    r"(?:(?P<name>[^\W\d_]{3,})\.?\s+|(?P<number>\d{1,2})[./])?(?P<year>(?:19|20)\d\d)(?!\d)"
    r"(?:年\s*(?P<after>\d{1,2})月|[./-](?P<iso>\d\d)(?!\d))?"
)
PERIOD = re.compile(r"\A[^•*]{0,40}?(?:(?<!\d)(?:19|20)\d\d(?!\d)|Present\b)")
_TO = re.compile(r"\s+[-–—~]\s+|[–—~]")
_RUNNING_YEARS = re.compile(r"\((\d+)\+ yrs?\)")
_EARLIER_JOBS = "Earlier jobs"
_RANKS = frozenset(map(stem, ("senior", "junior", "lead", "principal", "chief")))
_MIDDLE = 7
_INITIALS = 3


@dataclass(frozen=True)
class Job:
    """A job. `span` is its first and last month as month numbers, the last None where it runs."""

    place: int
    title: str
    employer: str
    start: int | None
    end: int | None
    is_current: bool
    running_years: int
    is_precise: bool

    @cached_property
    def title_stems(self) -> tuple[str, ...]:
        """The stems of its title, in order."""
        return tuple(stem(word) for word in words_of(self.title) if word not in ENGLISH)

    @cached_property
    def title_forms(self) -> frozenset[tuple[str, ...]]:
        """The stems of its title: in full, up to a comma or bracket, without a rank, with what
        stands behind a comma first, and the initials of three words of it."""
        short = re.split(r"[,(|/–:]| - ", self.title, maxsplit=1)[0]
        stems = tuple(stem(word) for word in words_of(short) if word not in ENGLISH)
        bare = stems[1:] if len(stems) > 2 and stems[0] in _RANKS else stems
        turned = self.title_stems[len(stems) :] + stems
        initials = {
            ("".join(word[0] for word in stems[start : start + _INITIALS]),)
            for start in range(len(stems) - _INITIALS + 1)
        }
        return (
            frozenset(form for form in (self.title_stems, stems, bare, turned) if form) | initials
        )

    @property
    def months(self) -> tuple[int, int] | None:
        """The fewest and most months that it lasted, None where its dates do not tell."""
        if self.start is None or (self.end is None and not self.is_current):
            return None
        if self.is_current:
            return self.running_years * 12, self.running_years * 12 + 12
        length = (self.end or self.start) - self.start + 1
        slack = 1 if self.is_precise else 11
        return max(0, length - slack), length + slack


def jobs_of(lines: list[str]) -> Iterator[Job]:
    """The jobs of the lines of a section, as they stand."""
    place = -1
    heading = ""
    is_list = False
    for position, line in enumerate(lines):
        if line.startswith("### "):
            place += 1
            heading = line[4:].strip()
            is_list = heading == _EARLIER_JOBS
            following = lines[position + 1] if position + 1 < len(lines) else ""
            if not is_list:
                yield _job(place, heading, following if PERIOD.match(following) else "")
        elif is_list and line.startswith("- "):
            name, _, period = line[2:].rpartition(", ")
            named = name if PERIOD.match(period) else line[2:]
            yield _job(place, named, period if named == name else "")


def _job(place: int, heading: str, period: str) -> Job:
    title, _, employer = heading.partition(" — ")
    dates = [_month(match) for match in _DATE.finditer(period)]
    is_current = _is_open_ended(period)
    running = _RUNNING_YEARS.search(period)
    start = None if period.startswith("until ") or not dates else dates[0]
    end = None
    if not is_current and dates and not period.startswith("from "):
        end = dates[-1]
    return Job(
        place=place,
        title=title,
        employer=employer or title,
        start=start,
        end=end,
        is_current=is_current,
        running_years=int(running[1]) if running else 0,
        is_precise=all(_month_of(match) for match in _DATE.finditer(period)),
    )


def _is_open_ended(period: str) -> bool:
    """Whether a period runs to the present, in any language that dates come in."""
    last = _TO.split(period)[-1].partition("(")[0].partition("·")[0]
    return fold(last).strip() in PRESENT or "Present" in period


def _month(match: re.Match[str]) -> int:
    return int(match["year"]) * 12 + (_month_of(match) or _MIDDLE) - 1


def _month_of(match: re.Match[str]) -> int | None:
    number = match["number"] or match["after"] or match["iso"]
    return int(number) if number else MONTHS.get(fold(match["name"] or ""))
