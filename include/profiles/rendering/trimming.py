"""Shortens a rendered document to a budget by rules about its sections, never blindly at the end.

Sections beside jobs, studies and skills go first, the last one first; then older jobs lose their
text, oldest first; then the oldest jobs go, then the rest of the
summary. Headline, newest job and skills always stay, whatever the budget; so a document can
remain above an absurdly small one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from profiles.standardization.sentences import split_sentences

EARLIER_JOBS: Final = "### Earlier jobs"
"""Heading of the list of jobs that are shown without text."""

_OWN_RULES: Final = frozenset(
    ("Summary", "Experience", "Education", "Skills", "Certifications", "Languages")
)
"""Sections that are shortened later than all others."""
_JOBS_KEPT_LONGEST: Final = 6
_BULLETS_KEPT_LONGEST: Final = 4
_SENTENCES_KEPT_LONGEST: Final = 2
_SKILLS_KEPT: Final = 25


@dataclass(slots=True)
class _Job:
    heading: list[str]
    bullets: list[str]


@dataclass(slots=True)
class _Document:
    head: list[str]
    sections: dict[str, list[str]] = field(default_factory=dict)
    jobs: list[_Job] = field(default_factory=list)
    earlier: list[str] = field(default_factory=list)

    def text(self) -> str:
        blocks = ["\n".join(self.head)]
        for name, lines in self.sections.items():
            if name == "Experience":
                blocks.extend(self._experience())
            elif lines:
                blocks.append(f"## {name}\n" + "\n".join(lines))
        return "\n\n".join(blocks) + "\n"

    def _experience(self) -> list[str]:
        blocks = ["\n".join(job.heading + job.bullets) for job in self.jobs]
        if self.earlier:
            blocks.append("\n".join([EARLIER_JOBS, *self.earlier]))
        return ["## Experience\n" + "\n\n".join(blocks)] if blocks else []


def trim_document(
    markdown: str, budget: int, count: Callable[[str], int]
) -> tuple[str, tuple[str, ...]]:
    """The document within `budget` as `count` measures it, and the names of what was shortened.

    `count` is called on the whole text and on single lines; lines need not add up exactly to
    the whole.
    """
    size = count(markdown)
    if size <= budget:
        return markdown, ()
    document = _parse(markdown)
    trimmed: dict[str, None] = {}
    for name, removed in _cuts(document):
        trimmed[name] = None
        size -= count(removed)
        if size <= budget:
            text = document.text()
            size = count(text)
            if size <= budget:
                return text, tuple(trimmed)
    return document.text(), tuple(trimmed)


def _parse(markdown: str) -> _Document:
    document = _Document(head=[])
    lines = document.head
    for line in markdown.splitlines():
        if line.startswith("## "):
            lines = document.sections.setdefault(line[3:], [])
        elif line == EARLIER_JOBS:
            lines = document.earlier
        elif line.startswith("### "):
            job = _Job(heading=[], bullets=[])
            document.jobs.append(job)
            lines = job.heading
            lines.append(line)
        elif line.startswith("- ") and document.jobs and lines is document.jobs[-1].heading:
            lines = document.jobs[-1].bullets
            lines.append(line)
        elif line:
            lines.append(line)
    return document


def _cuts(document: _Document) -> Iterator[tuple[str, str]]:
    """Takes one thing after another out of the document; yields what was shortened and the text.

    The order is the rule: each step leaves the most useful shorter document.
    """
    for name in reversed(document.sections):
        if name not in _OWN_RULES:
            yield from _pop(name.lower(), document.sections[name], keep=0)
    for job in reversed(document.jobs[1:]):
        yield from _pop("experience text", job.bullets, keep=0)
    yield from _pop("experience", document.earlier, keep=0)
    yield from _pop_jobs(document, keep=_JOBS_KEPT_LONGEST)
    yield from _pop_sentences(document, keep=_SENTENCES_KEPT_LONGEST)
    for job in document.jobs[:1]:
        yield from _pop("experience text", job.bullets, keep=_BULLETS_KEPT_LONGEST)
    yield from _pop_jobs(document, keep=1)
    for name in ("Languages", "Certifications", "Education"):
        yield from _pop(name.lower(), document.sections.get(name, []), keep=0)
    yield from _pop_sentences(document, keep=0)
    for job in document.jobs[:1]:
        yield from _pop("experience text", job.bullets, keep=0)
    yield from _pop_skills(document)


def _pop(name: str, lines: list[str], *, keep: int) -> Iterator[tuple[str, str]]:
    while len(lines) > keep:
        yield name, lines.pop() + "\n"


def _pop_jobs(document: _Document, *, keep: int) -> Iterator[tuple[str, str]]:
    while len(document.jobs) > keep:
        job = document.jobs.pop()
        yield "experience", "\n".join([*job.heading, *job.bullets]) + "\n\n"


def _pop_sentences(document: _Document, *, keep: int) -> Iterator[tuple[str, str]]:
    """Shortens the summary from its end at sentence bounds."""
    lines = document.sections.get("Summary")
    if not lines:
        return
    sentences = list(split_sentences(" ".join(lines)))
    while len(sentences) > keep:
        removed = sentences.pop()
        lines[:] = [" ".join(sentences)] if sentences else []
        yield "summary", " " + removed


def _pop_skills(document: _Document) -> Iterator[tuple[str, str]]:
    lines = document.sections.get("Skills")
    if not lines:
        return
    skills = ", ".join(lines).split(", ")
    while len(skills) > _SKILLS_KEPT:
        removed = skills.pop()
        lines[:] = [", ".join(skills)]
        yield "skills", ", " + removed
