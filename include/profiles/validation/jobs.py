"""The jobs of a document, however its markdown marks them. Pure.

A job begins with a heading, or with a line that has its title in bold, and its period stands in
that line or below. Headings without a period are sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import zip_longest

from profiles.models import PartialDate
from profiles.standardization.amounts import Amount
from profiles.standardization.date_ranges import DateRange, parse_range
from profiles.validation.words import ENGLISH, degree, sounds_of, stem, table, words_of

EARLIER_JOBS = "Earlier jobs"
_WORK = "Experience"
_DATE = (
    r"(?:[^\W\d_]{3,12}\.?\s+(?:de\s+)?|\d{1,2}[./])?"
    r"(?<!\d)(?:19|20)\d\d(?:年(?:\s*\d{1,2}月)?|[./-]\d\d?(?!\d))?(?!\d)"
)
_SPAN = re.compile(rf"{_DATE}\s*[-–—~〜]\s*(?:{_DATE}|[^\W\d_][^·,|(•*:\n]*)")
_PERIOD = re.compile(r"\A[^•*,#-]{0,16}?(?:(?<!\d)(?:19|20)\d\d(?!\d)|Present\b)")
_HEADING = re.compile(r"(#{2,5})\s+(.+)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_PART_END = re.compile(r"\s+[—–|·]\s+|[,:(·]")
_AROUND = " -–—·,:|*_#"
_RUNNING_YEARS = re.compile(r"\((\d+)\+ yrs?\)")
_TITLE_END = re.compile(r"[,(|/–:]| - ")
_MIDDLE = 7
_FEWEST_SOUNDS = 3
_OLDEST = 24
"""Months by which a record that does not say so may be older than the answer about it."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_YEARS_MEAN = {"below": (-6, 0), "above": (0, 12), "about": (-5, 6), None: (-5, 5)}
"""Months by which a stay may be shorter or longer than its years, by how these are rounded."""
Months = tuple[float, float]


@dataclass(frozen=True)
class Job:
    """A job. Its first and last month are month numbers, the last None where it runs; `running` are
    the fewest and most months that it has run then."""

    place: int
    title: str
    employer: str
    start: int | None
    end: int | None
    is_current: bool
    running: tuple[int, int]
    is_precise: bool

    @cached_property
    def title_stems(self) -> tuple[str, ...]:
        """The stems of its title, in order."""
        return _stems(self.title)

    @cached_property
    def title_forms(self) -> frozenset[tuple[str, ...]]:
        """The stems of its title, in full and up to a comma or bracket, and its initials: "CFO"."""
        short = _stems(_TITLE_END.split(self.title, maxsplit=1)[0])
        initials = "".join(word[0] for word in short[-3:])
        return frozenset(filter(None, (self.title_stems, short, (initials,) * (len(short) > 2))))

    @cached_property
    def employer_sounds(self) -> frozenset[str]:
        """The consonants of the words that name its employer, whatever its letters."""
        words = set(words_of(self.employer)) - table("organisations")["generic"]
        return frozenset(filter(None, map(sounds_of, words - table("organisations")["legal"])))

    def is_like(self, other: Job) -> bool:
        """Return whether both may be one job, or jobs at one employer."""
        mine, theirs = self.employer_sounds, other.employer_sounds
        shared = mine & theirs
        if shared in (mine, theirs) and len("".join(shared)) >= _FEWEST_SOUNDS:
            return True
        is_timed = self.start is not None and self.start == other.start
        return self is other or (is_timed and abs(self.ended[0] - other.ended[0]) <= _MIDDLE)

    @property
    def ended(self) -> tuple[int, int]:
        """The first month without it, the earliest and the latest that its dates allow."""
        start = self.start or 0
        if self.is_current:
            return start + self.running[0], start + self.running[1]
        return self.end or start, (self.end or start) + 1

    @property
    def months(self) -> tuple[int, int] | None:
        """The fewest and most months that it lasted, None where its dates do not tell."""
        if self.start is None or (self.end is None and not self.is_current):
            return None
        if self.is_current:
            return self.running
        length = (self.end or self.start) - self.start + 1
        slack = 1 if self.is_precise else 11
        return max(0, length - slack), length + slack


def outline(text: str) -> Iterator[str]:
    """The lines of a document with each section as "## …", each job as "### title — employer" and
    its period below it."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    section, depth, is_read, is_loose = "", 0, False, False
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        heading, bold = _HEADING.match(line), _BOLD.search(line)
        level = len(heading[1]) if heading else 0
        if is_read or not (heading or bold):
            if not is_read:
                yield line
            is_read = False
            continue
        inside = None if level == 2 else _span_in(line)
        under = below.strip("*_ ")
        is_read = level != 2 and inside is None and "**" not in under and is_period(under)
        is_job = (inside or is_read) and (heading or not degree().search(line))
        if is_loose and (is_job or " — " in line or line.endswith(EARLIER_JOBS)):
            yield f"## {section}"
            is_loose = False
        if is_job:
            depth = level - 1 if heading else depth
            yield from _job_lines(line, inside or under, bold)
        elif heading and level > 2 and ((section == _WORK and level > depth) or " — " in line):
            # Without employer and period it heads lines of several jobs.
            is_loose = " — " not in line and heading[2] != EARLIER_JOBS
            yield f"{'##' if is_loose else '###'} {heading[2]}"
        elif heading:
            section, depth = heading[2].strip(), level
            yield f"## {section}"
        else:
            yield line
            is_read = False


def _span_in(line: str) -> str | None:
    """The period that a line tells."""
    match = _SPAN.search(line)
    span = parse_range(match[0].strip()) if match else None
    return match[0] if match and span and (span.end or span.is_current) else None


def _job_lines(line: str, period: str, bold: re.Match[str] | None) -> Iterator[str]:
    """The heading of a job and its period, and what else stands in the line that begins it."""
    rest, text = line.replace(period, ""), ""
    names: list[str] = []
    if bold:
        names, rest = [bold[1]], rest.replace(bold[0], "")
        rest, _, text = rest.partition(":")
    names += _PART_END.split(rest) if bold else rest.split(" — ")
    names = [name for name in (name.strip(_AROUND) for name in names) if name]
    yield f"### {' — '.join(names[:2])}"
    yield " · ".join((period.strip(), *names[2:]))
    if text:
        yield f"- {text.strip()}"


def is_period(line: str) -> bool:
    """Return whether a line is the period of a job."""
    return _PERIOD.match(line) is not None


def read_before(text: str) -> int:
    """The month before which a document was not written: the first of its latest year."""
    months = (int(year) * 12 for year in _YEAR.findall(text))
    return max((month for month in months if month < _today()), default=0)


def lived_since(text: str) -> int:
    """Months from the first year that a document tells until today."""
    return _today() - min((int(year) * 12 for year in _YEAR.findall(text)), default=_today())


def months_meant(amount: Amount) -> Months:
    """The months that a duration in words may mean."""
    if amount.unit == "year":
        less, more = _YEARS_MEAN[amount.rounded]
        return amount.value * 12 + less, amount.value * 12 + more
    slack = 3 if amount.rounded else 0
    return amount.value - slack, amount.value + slack


def meets(meant: Months, spans: Iterable[Months]) -> bool:
    """Return whether a duration may be one of the spans."""
    return any(meant[0] <= span[1] and span[0] <= meant[1] for span in spans)


def spans_of(jobs: Sequence[Job], fewest: int = 1) -> list[Months]:
    """Months of each job and of each run of consecutive jobs, of so many at least."""
    spans: list[Months] = []
    for first in range(len(jobs)):
        low = high = 0.0
        for last in range(first, len(jobs)):
            months = jobs[last].months
            if months is None:
                break
            # Added up, or from the first month to the last: jobs side by side are no longer.
            low, high = low + months[0], high + months[1]
            begun = jobs[last].start or 0
            ended = jobs[first].ended
            if last - first + 1 >= fewest:
                length = ended[1] - begun + 1
                most = length if jobs[first].is_precise and jobs[last].is_precise else length + 11
                spans.append((min(low, ended[0] - begun - 1), max(length, min(high, most + 1))))
    return spans


def jobs_of(lines: Iterable[str], written: int) -> Iterator[Job]:
    """The jobs of the lines of a section, as they stand, of a document not written before a
    month."""
    place = -1
    is_list = False
    lines = list(lines)
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith("### "):
            place += 1
            heading = line[4:].strip()
            is_list = heading == EARLIER_JOBS
            if not is_list:
                yield _job(place, heading, below if is_period(below) else "", written)
        elif is_list and line.startswith("- "):
            name, _, period = line[2:].rpartition(", ")
            is_dated = is_period(period)
            yield _job(place, name if is_dated else line[2:], period if is_dated else "", written)


def _stems(title: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words_of(title) if word not in ENGLISH)


def _job(place: int, heading: str, period: str, written: int) -> Job:
    title, _, employer = heading.partition(" — ")
    match = _SPAN.search(period)
    range_text = (match[0] if match else period).partition("·")[0].strip()
    if range_text.startswith("from "):
        range_text = f"{range_text[5:]} –"
    span = parse_range(range_text) or DateRange(None, None, False)
    start = _month(span.start)
    return Job(
        place=place,
        title=title,
        employer=employer or title,
        start=start,
        end=_month(span.end),
        is_current=span.is_current or (match is not None and span.end is None),
        running=_running(period, start, written),
        is_precise=all(date.month for date in (span.start, span.end) if date),
    )


def _month(date: PartialDate | None) -> int | None:
    return date.year * 12 + (date.month or _MIDDLE) - 1 if date else None


def _running(period: str, start: int | None, written: int) -> tuple[int, int]:
    """Months that a period has run: as it states, else up to the writing of its record or today."""
    years = _RUNNING_YEARS.search(period)
    if years:
        return int(years[1]) * 12, int(years[1]) * 12 + 12
    if start is None:
        return 0, 0
    today = _today()
    return max(0, written - start, today - _OLDEST - start), max(0, today - start)


def _today() -> int:
    now = datetime.now(UTC)
    return now.year * 12 + now.month
