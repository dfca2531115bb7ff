"""What a rendered document states, read once from our own markdown: jobs, studies, lines. Pure.

Any section is evidence. Text that addresses a reader has been cut before a document is rendered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise, zip_longest

from profiles.standardization.date_ranges import PRESENT
from profiles.standardization.dates import MONTHS
from profiles.standardization.sentences import split_sentences
from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import fold
from profiles.validation.evidence import Evidence, Figures, Line
from profiles.validation.numbers import amounts_of, plain
from profiles.validation.prose import is_foreign
from profiles.validation.words import ENGLISH, stem, table, words_of

__all__ = ["Document", "Job"]

EARLIER_JOBS = "Earlier jobs"
_UNDER_A_YEAR = "under 1 year of experience"
_SHORTEST_NAME = 3
_PERIOD = re.compile(r"\A[^•*]{0,40}?(?:(?<!\d)(?:19|20)\d\d(?!\d)|Present\b)")
_DATE = re.compile(
    r"(?:(?P<name>[^\W\d_]{3,})\.?\s+|(?P<number>\d{1,2})[./])?(?P<year>(?:19|20)\d\d)(?!\d)"
    r"(?:年\s*(?P<after>\d{1,2})月|[./-](?P<iso>\d\d)(?!\d))?"
)
_TO = re.compile(r"\s+[-–—~]\s+|[–—~]")
_RUNNING_YEARS = re.compile(r"\((\d+)\+ yrs?\)")
_TITLE_END = re.compile(r"[,(|/–:]| - ")
_MIDDLE = 7


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
        """The stems of its title: in full, up to a comma or bracket, without a rank, and with what
        stands behind a comma first."""
        stems = _stems(_TITLE_END.split(self.title, maxsplit=1)[0])
        has_rank = len(stems) > 2 and stems[0] in map(stem, table("titles")["rank before"])
        turned = self.title_stems[len(stems) :] + stems
        forms = (self.title_stems, stems, stems[has_rank:], turned)
        return frozenset(form for form in forms if form)

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


@dataclass(frozen=True, eq=False)
class Document:
    """A document, read once for all claims of one answer."""

    markdown: str
    vocabulary: Vocabulary

    @cached_property
    def text(self) -> str:
        """The markdown in one notation."""
        return plain(self.markdown)

    @cached_property
    def sections(self) -> dict[str, list[str]]:
        """The lines of each section; those of the head under ``""``."""
        found: dict[str, list[str]] = {"": []}
        name = ""
        for line in self.text.split("\n"):
            if line.startswith("## "):
                name = line[3:].strip()
                found.setdefault(name, [])
            elif line.strip():
                found[name].append(line.strip())
        return found

    @cached_property
    def name(self) -> frozenset[str]:
        """The folded words of the person's name."""
        head = "".join(self.sections[""][:1])
        return frozenset(words_of(head)) if head.startswith("# ") else frozenset()

    @cached_property
    def headline(self) -> str:
        """The lines under the name, and the summary."""
        return "\n".join([*self.sections[""][1:], *self.sections.get("Summary", ())])

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, newest first as the document has them."""
        return tuple(_jobs_of([line for name in self._work for line in self.sections[name]]))

    @cached_property
    def starts(self) -> dict[int, int]:
        """The first month of each job that tells it."""
        return {job.place: job.start for job in self.jobs if job.start is not None}

    @cached_property
    def _work(self) -> tuple[str, ...]:
        """The sections of jobs: "Experience", and any other with headings and dates below them."""
        return tuple(
            name
            for name, lines in self.sections.items()
            if name == "Experience"
            or any(
                line.startswith("### ") and _PERIOD.match(below) and not below.startswith("- ")
                for line, below in pairwise(lines)
            )
        )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Each line, sentence and heading with its figures; a name is none."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[Line]:
        job = -1
        for name, lines in self.sections.items():
            if name:
                yield Line(name, "", None, ())
            is_work = name in self._work
            for text in lines:
                if text.startswith("# "):
                    continue
                job += is_work and text.startswith("### ")
                place = job if is_work and job >= 0 else None
                bare = text.lstrip("#- ").strip()
                is_period = place is not None and not text.startswith(("-", "#"))
                if is_period and _PERIOD.match(text):
                    yield Line(bare, name, place, (), is_heading=True)
                    continue
                for part in split_sentences(bare) if name == "Summary" else (bare,):
                    figures = amounts_of(part.replace("/", " / "), is_foreign=self.is_foreign)
                    yield Line(part, name, place, tuple(figures), text.startswith("#"))

    @cached_property
    def evidence(self) -> Evidence:
        """Its words."""
        return Evidence(self.text, self.lines, self.name, self.is_foreign)

    @cached_property
    def figures(self) -> Figures:
        """Its figures."""
        return Figures(self.lines)

    @cached_property
    def education(self) -> tuple[Line, ...]:
        """The lines of studies and certificates."""
        others = ("", "Summary", "Skills", "Languages", *self._work)
        return tuple(line for line in self.lines if line.section not in others)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether a good part of it is in another language than English."""
        return is_foreign(self.text.partition("\n")[2])

    @cached_property
    def units(self) -> frozenset[str]:
        """The units that its figures have, as far as they are understood."""
        found = frozenset(amount.unit for line in self.lines for amount in line.amounts)
        return found if self.is_foreign else found | {"year", "month"}

    @cached_property
    def total(self) -> tuple[int, int] | None:
        """Months of work in all, the fewest and the most that the document allows."""
        if _UNDER_A_YEAR in "\n".join(self.sections[""]):
            return 0, 12
        head = (line for line in self.lines if line.section == "")
        years = [item.value for line in head for item in line.amounts if item.unit == "year"]
        return (int(years[0]) * 12, int(years[0]) * 12 + 12) if years else None

    @cached_property
    def body(self) -> frozenset[str]:
        """The folded words of all but the name."""
        return frozenset(word for line in self.lines for word in line.words)

    @cached_property
    def told(self) -> frozenset[str]:
        """The folded words of all sections but skills and languages."""
        lines = (line for line in self.lines if line.section not in ("Languages", "Skills"))
        return frozenset(word for line in lines for word in line.words)

    @cached_property
    def employer_forms(self) -> dict[tuple[str, ...], set[int]]:
        """Each way to name an employer, in full or by a first word, and its jobs."""
        generic = table("organisations")["generic"] | table("organisations")["legal"]
        forms: dict[tuple[str, ...], set[int]] = {}
        for job in self.jobs:
            words = tuple(words_of(job.employer))
            if words:
                forms.setdefault(words, set()).add(job.place)
                if words[0] not in generic and len(words[0]) > _SHORTEST_NAME:
                    forms.setdefault(words[:1], set()).add(job.place)
        return forms

    @cached_property
    def title_forms(self) -> dict[tuple[str, ...], set[int]]:
        """The stems of each title, and the jobs whose titles have them."""
        return {
            stems: {
                job.place
                for job in self.jobs
                if stems in job.title_forms
                or f" {' '.join(stems)} " in f" {' '.join(job.title_stems)} "
            }
            for stems in {form for job in self.jobs for form in job.title_forms}
        }


def _jobs_of(lines: list[str]) -> Iterator[Job]:
    """The jobs of the lines of a section, as they stand."""
    place = -1
    is_list = False
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith("### "):
            place += 1
            heading = line[4:].strip()
            is_list = heading == EARLIER_JOBS
            if not is_list:
                yield _job(place, heading, below if _PERIOD.match(below) else "")
        elif is_list and line.startswith("- "):
            name, _, period = line[2:].rpartition(", ")
            is_dated = _PERIOD.match(period) is not None
            yield _job(place, name if is_dated else line[2:], period if is_dated else "")


def _stems(title: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words_of(title) if word not in ENGLISH)


def _job(place: int, heading: str, period: str) -> Job:
    title, _, employer = heading.partition(" — ")
    matches = list(_DATE.finditer(period))
    dates = [int(match["year"]) * 12 + (_month_of(match) or _MIDDLE) - 1 for match in matches]
    last = _TO.split(period)[-1].partition("(")[0].partition("·")[0]
    is_current = fold(last).strip() in PRESENT or "Present" in period
    is_ended = dates and not is_current and not period.startswith("from ")
    return Job(
        place=place,
        title=title,
        employer=employer or title,
        start=dates[0] if dates and not period.startswith("until ") else None,
        end=dates[-1] if is_ended else None,
        is_current=is_current,
        running=_running(period, dates),
        is_precise=all(map(_month_of, matches)),
    )


def _running(period: str, dates: Sequence[int]) -> tuple[int, int]:
    """How long a period has run: as it says, else up to today, since its record may be old."""
    told = _RUNNING_YEARS.search(period)
    if told:
        return int(told[1]) * 12, int(told[1]) * 12 + 12
    today = datetime.now(UTC)
    return 0, max(0, today.year * 12 + today.month - dates[0]) if dates else 0


def _month_of(match: re.Match[str]) -> int | None:
    number = match["number"] or match["after"] or match["iso"]
    return int(number) if number else MONTHS.get(fold(match["name"] or ""))
