"""What a rendered document states, read from our own markdown: jobs, studies, lines, figures. Pure.

Any section is evidence. Text that addresses a reader has been cut before a document is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from profiles.standardization.text import split_sentences
from profiles.validation.evidence import Evidence, sounds_of, stem, words_of
from profiles.validation.jobs import PERIOD, Job, jobs_of
from profiles.validation.language import is_foreign
from profiles.validation.lines import Line, commonplace
from profiles.validation.numbers import Amount, amounts_of, plain
from profiles.validation.wording import table

__all__ = ["Facts"]

_UNDER_A_YEAR = "under 1 year of experience"
_MOST_ADDED = 6
"""Figures of one line that a writer may add up or subtract."""
_SHORTEST_NAME = 3
_PLACELESS = ("Skills", "Education", "Languages", "Certifications")
_COGNATE = 4
"""Consonants that two words of one origin share; fewer are shared by unlike ones too often."""
_LARGE = 1000
_PLAIN_ROUNDING = 0.035
_ROUNDING = 0.25


@dataclass(frozen=True, eq=False)
class Facts:
    """A document, read once for all claims of one answer."""

    document: str

    @cached_property
    def text(self) -> str:
        """The document in one notation."""
        return plain(self.document)

    @cached_property
    def evidence(self) -> Evidence:
        """Its words."""
        return Evidence(self.text)

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
        head = self.sections[""][:1]
        return frozenset(words_of(head[0])) if head and head[0].startswith("# ") else frozenset()

    @cached_property
    def headline(self) -> str:
        """The lines under the name, and the summary."""
        return "\n".join([*self.sections[""][1:], *self.sections.get("Summary", ())])

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, newest first as the document has them."""
        return tuple(jobs_of([line for name in self._work for line in self.sections[name]]))

    @cached_property
    def _work(self) -> tuple[str, ...]:
        """The sections of jobs: "Experience", and any other with headings and dates below them."""
        return tuple(
            name
            for name, lines in self.sections.items()
            if name == "Experience"
            or any(
                line.startswith("### ") and PERIOD.match(below) and not below.startswith("- ")
                for line, below in pairwise(lines)
            )
        )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Each line and sentence with its figures; a name is none."""
        return tuple(self._lines())

    @cached_property
    def lines_of(self) -> dict[str, list[int]]:
        """The places of the lines with a content stem."""
        found: dict[str, list[int]] = {}
        for place, line in enumerate(self.lines):
            for word in line.content if line.amounts else ():
                found.setdefault(word, []).append(place)
        return found

    @cached_property
    def education(self) -> tuple[Line, ...]:
        """The lines of studies and certificates."""
        return tuple(
            line
            for line in self.lines
            if line.section not in ("", "Summary", "Skills", "Languages", *self._work)
        )

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
    def places(self) -> dict[str, frozenset[int]]:
        """The jobs to which a word points, for words that stand in no line of the head, the summary
        and the sections that are no lists of studies or skills."""
        found: dict[str, set[int]] = {}
        common: set[str] = set()
        for line in self.lines:
            if line.job is not None:
                for word in set(line.words):
                    found.setdefault(word, set()).add(line.job)
            elif line.section not in _PLACELESS:
                common.update(line.words)
        keys: dict[str, set[int]] = {}
        for word, jobs in found.items():
            keys.setdefault(self.key_of(word), set()).update(jobs)
        without = {"", *map(self.key_of, common)}
        return {key: frozenset(jobs) for key, jobs in keys.items() if key not in without}

    def key_of(self, word: str) -> str:
        """What a word has in common with its translation or another form of it; empty for none."""
        if word in commonplace() or word.isdigit():
            return ""
        if not self.is_foreign:
            return stem(word)
        sounds = sounds_of(word)
        return sounds[:_COGNATE] if len(sounds) >= _COGNATE else ""

    @cached_property
    def total(self) -> tuple[int, int] | None:
        """Months of work in all, the fewest and the most that the document allows."""
        if _UNDER_A_YEAR in "\n".join(self.sections[""]):
            return 0, 12
        years = [
            amount.value
            for line in self.lines
            if line.section == ""
            for amount in line.amounts
            if amount.unit == "year"
        ]
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
    def told_stems(self) -> frozenset[str]:
        """The stems of all sections but skills and languages."""
        return frozenset(map(stem, self.told))

    @cached_property
    def folded(self) -> str:
        """All folded words in order."""
        return " ".join(" ".join(line) for line in self.evidence.lines)

    @cached_property
    def changes(self) -> frozenset[float]:
        """By how many percent two figures of a line differ."""
        return frozenset(
            round(abs(change - 1) * 100, 1)
            for line in self.lines
            for first, second in combinations(line.amounts, 2)
            if first.value > 0 and second.value > 0 and first.unit == second.unit
            for change in (first.value / second.value, second.value / first.value)
        )

    @cached_property
    def stated(self) -> dict[float, list[Line]]:
        """The lines that state each value."""
        found: dict[float, list[Line]] = {}
        for line in self.lines:
            for value in {value for amount in line.amounts for value in amount.values}:
                found.setdefault(value, []).append(line)
        return found

    @cached_property
    def made(self) -> dict[float, list[Line]]:
        """The lines of which two counts add up to a value, or two figures differ by it."""
        found: dict[float, list[Line]] = {}
        for line in self.lines:
            for first, second in combinations(line.amounts[:_MOST_ADDED], 2):
                values = {round(abs(first.value - second.value), 6)}
                if "percent" not in (first.unit, second.unit):
                    values.add(round(first.value + second.value, 6))
                elif first.unit != second.unit:
                    continue
                for value in values:
                    found.setdefault(value, []).append(line)
        return found

    @cached_property
    def employer_forms(self) -> dict[tuple[str, ...], frozenset[int]]:
        """Each way to name an employer, in full or by a first word, and its jobs."""
        organisations = table("organisations")
        generic = organisations["generic"] | organisations["legal"]
        forms: dict[tuple[str, ...], set[int]] = {}
        for job in self.jobs:
            words = tuple(words_of(job.employer))
            if words:
                forms.setdefault(words, set()).add(job.place)
                if words[0] not in generic and len(words[0]) > _SHORTEST_NAME:
                    forms.setdefault(words[:1], set()).add(job.place)
        return {form: frozenset(jobs) for form, jobs in forms.items()}

    @cached_property
    def title_forms(self) -> dict[tuple[str, ...], frozenset[int]]:
        """The stems of each title, and the jobs whose titles have them."""
        forms = {form for job in self.jobs for form in job.title_forms}
        return {
            stems: frozenset(
                job.place
                for job in self.jobs
                if stems in job.title_forms or _has_run(job.title_stems, stems)
            )
            for stems in forms
        }

    def lines_with(self, amount: Amount) -> list[Line]:
        """The lines that state a figure, or two that make it up; a rounded one may be near."""
        made = {} if amount.unit == "percent" and not amount.is_points else self.made
        lines = [
            line
            for value in amount.values
            for line in (*self.stated.get(value, ()), *made.get(value, ()))
        ]
        if lines or not (amount.is_about or amount.value >= _LARGE):
            return lines
        rounding = _ROUNDING if amount.is_about else _PLAIN_ROUNDING
        return [
            line
            for value, lines in self.stated.items()
            if any(abs(value - mine) <= rounding * value for mine in amount.values)
            for line in lines
        ]

    def _lines(self) -> Iterator[Line]:
        place: int | None = None
        job = -1
        for name, lines in self.sections.items():
            for text in lines:
                if text.startswith("# "):
                    continue
                if text.startswith("### ") and name in self._work:
                    job += 1
                place = job if name in self._work and job >= 0 else None
                bare = text.lstrip("#- ").strip()
                for sentence in split_sentences(bare) if name == "Summary" else (bare,):
                    is_period = place is not None and not text.startswith(("-", "#"))
                    is_period = is_period and PERIOD.match(text) is not None
                    figures = (
                        []
                        if is_period
                        else amounts_of(sentence.replace("/", " / "), is_foreign=self.is_foreign)
                    )
                    yield Line(sentence, name, place, tuple(figures))


def _has_run(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(words[start : start + size] == wanted for start in range(len(words) - size + 1))
