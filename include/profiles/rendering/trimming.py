"""Shortens a rendered document to a budget by rules about its sections, never blindly at the end.

Sections beside jobs, studies and skills go first, the last one first; then older jobs lose their
text, oldest first; then the oldest jobs go, then the rest of the summary. Headline, newest job and
skills always stay, whatever the budget; so a document can remain above an absurdly small one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from profiles.standardization.sentences import split_sentences

EARLIER_JOBS: Final = "### Earlier jobs"
"""Heading of the list of jobs that are shown without text."""

_EXPERIENCE: Final = "## Experience"
"""Line above the heading of the newest job."""
_OWN_RULES: Final = frozenset(
    ("Summary", "Experience", "Education", "Skills", "Certifications", "Languages")
)
"""Sections that are shortened later than all others."""
_JOBS_KEPT_LONGEST: Final = 6
_BULLETS_KEPT_LONGEST: Final = 4
_SENTENCES_KEPT_LONGEST: Final = 2
_SKILLS_KEPT: Final = 25

_Block = list[str]
"""The lines of a section, of a job or of the head."""


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
    blocks = [block.split("\n") for block in markdown.rstrip("\n").split("\n\n")]
    trimmed: dict[str, None] = {}
    for name, removed in _cuts(blocks):
        trimmed[name] = None
        size -= count(removed)
        if size <= budget:
            text = _text(blocks)
            size = count(text)
            if size <= budget:
                return text, tuple(trimmed)
    return _text(blocks), tuple(trimmed)


def _text(blocks: Iterable[_Block]) -> str:
    """The document of what is left; a heading with nothing under it goes."""
    lists = ("## ", EARLIER_JOBS)
    kept = [block for block in blocks if block[1:] or (block and not block[0].startswith(lists))]
    return "\n\n".join(map("\n".join, kept)) + "\n"


def _cuts(blocks: Iterable[_Block]) -> Iterator[tuple[str, str]]:
    """Takes one thing after another out of the document; yields what was shortened and the text.

    The order is the rule: each step leaves the most useful shorter document.
    """
    sections = {block[0][3:]: block for block in blocks if block[0].startswith("## ")}
    jobs = [block for block in blocks if block[0].startswith(("### ", _EXPERIENCE))]
    earlier = jobs.pop() if jobs and jobs[-1][0] == EARLIER_JOBS else []
    for name in reversed(sections):
        if name not in _OWN_RULES:
            yield from _pop(name.lower(), sections[name], keep=1)
    for job in reversed(jobs[1:]):
        yield from _pop_bullets(job, keep=0)
    yield from _pop("experience", earlier, keep=1)
    yield from _pop_jobs(jobs, keep=_JOBS_KEPT_LONGEST)
    summary = sections.get("Summary", [])
    yield from _pop_parts("summary", summary, split_sentences, " ", keep=_SENTENCES_KEPT_LONGEST)
    for job in jobs[:1]:
        yield from _pop_bullets(job, keep=_BULLETS_KEPT_LONGEST)
    yield from _pop_jobs(jobs, keep=1)
    for name in ("Languages", "Certifications", "Education"):
        yield from _pop(name.lower(), sections.get(name, []), keep=1)
    yield from _pop_parts("summary", summary, split_sentences, " ", keep=0)
    for job in jobs[:1]:
        yield from _pop_bullets(job, keep=0)
    skills = sections.get("Skills", [])
    yield from _pop_parts("skills", skills, lambda line: line.split(", "), ", ", keep=_SKILLS_KEPT)


def _pop(name: str, block: _Block, *, keep: int) -> Iterator[tuple[str, str]]:
    while len(block) > keep:
        yield name, block.pop() + "\n"


def _pop_bullets(job: _Block, *, keep: int) -> Iterator[tuple[str, str]]:
    head = next((n for n, line in enumerate(job) if line.startswith("- ")), len(job))
    return _pop("experience text", job, keep=head + keep)


def _pop_jobs(jobs: list[_Block], *, keep: int) -> Iterator[tuple[str, str]]:
    while len(jobs) > keep:
        job = jobs.pop()
        removed = "\n".join(job) + "\n\n"
        job.clear()
        yield "experience", removed


def _pop_parts(
    name: str, block: _Block, split: Callable[[str], Iterable[str]], joint: str, *, keep: int
) -> Iterator[tuple[str, str]]:
    """Shortens the one line of a section from its end."""
    parts = [part for line in block[1:] for part in split(line)]
    while len(parts) > keep:
        removed = joint + parts.pop()
        block[1:] = [joint.join(parts)] if parts else []
        yield name, removed
