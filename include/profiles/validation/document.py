"""Content of a rendered document, read once from our own markdown: jobs, studies, lines. Pure.

Any section is evidence. Text that addresses a reader has been cut before a document is rendered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from anyascii import anyascii

from profiles.standardization.amounts import amounts_of, plain
from profiles.standardization.sentences import split_sentences
from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import fold
from profiles.validation.evidence import Evidence, Figures, Line
from profiles.validation.jobs import Job, is_period, jobs_of, outline, read_before
from profiles.validation.prose import is_foreign
from profiles.validation.words import table, words_of

_SHORTEST_NAME = 3
NamedForms = dict[str, list[tuple[tuple[str, ...], set[int]]]]
"""Ways to name something by their first word, each with its jobs."""


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
        for line in outline(self.text):
            if line.startswith("## "):
                name = line[3:].strip()
                found.setdefault(name, [])
            else:
                found[name].append(line)
        return found

    @cached_property
    def name(self) -> frozenset[str]:
        """The folded words of the person's name."""
        head = "".join(self.sections[""][:1])
        return frozenset(words_of(head)) if head.startswith("# ") else frozenset()

    @cached_property
    def own_name(self) -> re.Pattern[str] | None:
        """The person's name, in full or in part, and what stands before it or makes it a genitive;
        a part that is also a word of the record is none."""
        parts = "".join(self.sections[""][:1])[2:].split() if self.name else ()
        own = [part for part in parts if len(part) > 2 and fold(part) not in self.evidence.body]
        if not own:
            return None
        word = "|".join(map(re.escape, {*own, *map(anyascii, own)}))
        return re.compile(
            rf"(?<!\w)(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?:{word})(?: (?:[\w.]+ ){{0,2}}?(?:{word}))*"
            r"(?!\w)(?P<own>['’]s?(?!\w))?"
        )

    @cached_property
    def headline(self) -> str:
        """The lines under the name, and the summary."""
        return "\n".join([*self.sections[""][1:], *self.sections.get("Summary", ())])

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, newest first as the document has them."""
        lines = [line for name in self._work for line in self.sections[name]]
        return tuple(jobs_of(lines, read_before(self.text)))

    @cached_property
    def alike(self) -> dict[int, set[int]]:
        """For each job itself and those that may be the same in other words or letters."""
        jobs = self.jobs
        return {job.place: {one.place for one in jobs if job.is_like(one)} for job in jobs}

    @cached_property
    def starts(self) -> dict[int, int]:
        """The first month of each job that tells it."""
        return {job.place: job.start for job in self.jobs if job.start is not None}

    @cached_property
    def running(self) -> frozenset[int]:
        return frozenset(job.place for job in self.jobs if job.is_current)

    @cached_property
    def _work(self) -> tuple[str, ...]:
        """The sections of jobs."""
        return tuple(
            name
            for name, lines in self.sections.items()
            if any(line.startswith("### ") for line in lines)
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
                if place is not None and is_period(text):
                    yield Line(bare.partition("·")[2], name, place, (), is_heading=True)
                    continue
                for part in split_sentences(bare) if name == "Summary" else (bare,):
                    figures = amounts_of(part.replace("/", " / "), is_foreign=self.is_foreign)
                    yield Line(part, name, place, tuple(figures), text.startswith("#"))

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(self.text, self.lines, self.name, self.is_foreign)

    @cached_property
    def figures(self) -> Figures:
        return Figures(self.lines)

    @cached_property
    def education(self) -> tuple[Line, ...]:
        """The lines of studies and certificates."""
        others = ("", "Summary", "Skills", "Languages", *self._work)
        return tuple(line for line in self.lines if line.section not in others)

    @cached_property
    def is_foreign(self) -> bool:
        """Return whether a good part of it is in another language than English."""
        return is_foreign(self.text.partition("\n")[2])

    @cached_property
    def total(self) -> tuple[int, int] | None:
        """Months of work in all, the fewest and the most that the document allows."""
        head = (line for line in self.lines if line.section == "")
        years = [item.value for line in head for item in line.amounts if item.unit == "year"]
        return (int(years[0]) * 12, int(years[0]) * 12 + 12) if years else None

    @cached_property
    def employer_forms(self) -> NamedForms:
        """Each way to name an employer, in full or by its first words, and its jobs."""
        generic = table("organisations")["generic"] | table("organisations")["legal"]
        forms: dict[tuple[str, ...], set[int]] = {}
        for job in self.jobs:
            words = tuple(words_of(job.employer))
            is_plain = words[1:] and (words[0] in generic or len(words[0]) <= _SHORTEST_NAME)
            for end in range(1 + bool(is_plain), len(words) + 1):
                forms.setdefault(words[:end], set()).update(self.alike[job.place])
        return _by_first_word(forms)

    @cached_property
    def title_forms(self) -> NamedForms:
        """The stems of each title, and the jobs whose titles have them."""
        forms = {
            stems: {
                job.place
                for job in self.jobs
                if stems in job.title_forms
                or f" {' '.join(stems)} " in f" {' '.join(job.title_stems)} "
            }
            for stems in {form for job in self.jobs for form in job.title_forms}
        }
        return _by_first_word(forms)


def _by_first_word(forms: dict[tuple[str, ...], set[int]]) -> NamedForms:
    found: NamedForms = {}
    for form, jobs in forms.items():
        found.setdefault(form[0], []).append((form, jobs))
    return found
