"""The markdown document of a person: fixed sections, one date format, newest first.

    # Anita Mergewell
    Senior Software Engineer at Veltrix Software
    Pune, India · 8 years of experience

    ## Summary
    ...
    ## Experience
    ### Senior Software Engineer — Veltrix Software
    Apr 2020 – Present (6+ yrs)
    - Built the billing service in Go.

    ## Education, other sections, ## Skills, ## Certifications, ## Languages

The same records give the same bytes on any day and in any order. Texts of the person never
start a line on their own account, so that they cannot add headings, fences or lists.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from profiles.models import (
    Candidate,
    Experience,
    MergedProfile,
    ProfileDocument,
    ReaderText,
    SearchFacts,
)
from profiles.rendering.merging import merge
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.rendering.reader_text import texts_of, without_reader_text
from profiles.rendering.sections import (
    CERTIFICATIONS,
    LANGUAGES,
    MAX_ENTRIES,
    MAX_ENTRY_CHARS,
    ON_ONE_LINE,
)
from profiles.rendering.sentences import closed, shorten, within
from profiles.rendering.spans import period_text, years_text
from profiles.rendering.studies import study_text
from profiles.rendering.trimming import EARLIER_JOBS, trim_document
from profiles.standardization.characters import defuse_tokens
from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import fold
from profiles.standardization.words import count_unspaced, word_set

RENDERER_VERSION: Final = "12"
"""Raise it with every change of the bytes or facts: all documents are rendered again."""

THIN_WORDS: Final = 60
"""A document with fewer words gets no model call."""

MAX_DOCUMENT_CHARS: Final = 24_000
MAX_SUMMARY_CHARS: Final = 4_000
MAX_JOB_CHARS: Final = 6_000
MAX_JOBS_IN_FULL: Final = 40
MAX_SKILLS: Final = 150
MAX_STUDIES: Final = 15
MAX_LINE_CHARS: Final = 240

_LAST: Final = (CERTIFICATIONS, LANGUAGES)
"""Sections behind the skills."""
_BYTES_PER_TOKEN: Final = 4.5
_SPACED_MARKS: Final = tuple(mark.encode() for mark in (" - ", " – ", " — ", " · "))


def renderer_version(vocabulary: Vocabulary, detector: ReaderTextDetector | None = None) -> str:
    """Version of the rules, the skill aliases and the words that address a reader."""
    words = f"/{detector.version}" if detector else ""
    return f"{RENDERER_VERSION}/{vocabulary.version}{words}"


def render(
    candidate: Candidate, *, vocabulary: Vocabulary, detector: ReaderTextDetector | None = None
) -> ProfileDocument | None:
    """The document of `candidate`, None when its records say nothing that may be shown.

    With a `detector`, text that addresses a reader is in none of it.
    """
    reader_text: tuple[ReaderText, ...] = ()
    texts = texts_of(candidate.records)
    found = word_set(text := str(texts))
    if detector is not None and (triggers := detector.triggers(text, found)):
        records, reader_text = without_reader_text(candidate.records, texts, detector, triggers)
        candidate = Candidate(candidate.candidate_id, records)
    profile = merge(candidate, vocabulary, found)
    parts = (profile.summaries, profile.experience, profile.education, profile.skills)
    if not any((profile.full_name, profile.headline, profile.sections, *parts)):
        return None
    markdown, content, trimmed = compose(profile)
    words = count_words(content, found.other)
    return ProfileDocument(
        candidate_id=candidate.candidate_id,
        markdown=markdown,
        content_hash=hashlib.sha256(content).hexdigest(),
        word_count=words,
        token_estimate=round(len(content) / _BYTES_PER_TOKEN),
        renderer_version=renderer_version(vocabulary, detector),
        as_of=str(profile.as_of) if profile.as_of else None,
        experience=tuple(job for job, _ in profile.experience),
        choices=profile.choices,
        trimmed=trimmed,
        full_name=profile.full_name,
        is_thin=words < THIN_WORDS,
        reader_text=reader_text,
        facts=_facts(profile),
    )


def _facts(profile: MergedProfile) -> SearchFacts:
    title, employer = None, None
    if profile.experience:
        newest, _ = profile.experience[0]
        title, employer = newest.title, newest.employer
    months = profile.total_months
    return SearchFacts(
        title=title and _line(title),
        employer=employer and _line(employer),
        place=profile.location and _line(profile.location),
        country=profile.country,
        years_of_experience=None if months is None else min(months // 12, 99),
    )


def compose(profile: MergedProfile) -> tuple[str, bytes, tuple[str, ...]]:
    """The markdown of a merged profile, its bytes, and what the size rules took out of it."""
    trimmed: dict[str, None] = {}
    sections = [_head(profile)]
    summary = within(profile.summaries, MAX_SUMMARY_CHARS)
    if len(summary) < len(profile.summaries):
        trimmed["summary"] = None
    if summary:
        sections.append("## Summary\n" + _inert(" ".join(map(closed, summary))))
    if profile.experience:
        sections.append("## Experience\n" + _jobs(profile, trimmed))
    for title, values, limit, joined in _lists(profile):
        if len(values) > limit:
            trimmed[title.lower()] = None
        if values:
            texts = [_line(value, MAX_ENTRY_CHARS) for value in values[:limit]]
            listed = _inert(", ".join(texts)) if joined else "- " + "\n- ".join(texts)
            sections.append(f"## {title}\n{listed}")
    markdown = "\n\n".join(sections) + "\n"
    content = markdown.encode()
    # A special token has one of these marks, and bytes are searched for them at next to no cost.
    if b"<" in content or b"[" in content or b">" in content:
        markdown = defuse_tokens(markdown)
        content = markdown.encode()
    if len(markdown) > MAX_DOCUMENT_CHARS:
        markdown, cut = trim_document(markdown, MAX_DOCUMENT_CHARS, len)
        content = markdown.encode()
        trimmed.update(dict.fromkeys(cut))
    return markdown, content, tuple(trimmed)


def _lists(profile: MergedProfile) -> Iterator[tuple[str, Sequence[str], int, bool]]:
    """Heading, values, how many are shown, and whether on one line, of each list in its order."""
    yield "Education", [study_text(study) for study in profile.education], MAX_STUDIES, False
    last = {}
    for section in profile.sections:
        if section.name in _LAST:
            last[section.name] = section
            continue
        yield section.heading, section.texts, MAX_ENTRIES, section.name in ON_ONE_LINE
    yield "Skills", profile.skills, MAX_SKILLS, True
    for name in _LAST:
        if name in last:
            yield last[name].heading, last[name].texts, MAX_ENTRIES, name in ON_ONE_LINE


def count_words(content: bytes, other: bytes | None = None) -> int:
    """Words of the body: marks and section names are not words of the person. `other` is that of
    `count_unspaced`."""
    head, *sections = content.split(b"\n## ")
    text = b"\n".join([b"", head, *[section.partition(b"\n")[2] for section in sections]])
    body = text.replace(b"\n\n", b"\n").replace(b"\n", b" ")
    marks = sum(map(body.count, _SPACED_MARKS)) + text.count(b"\n#")
    # Spaces are counted at a tenth of the cost of words; two in a row are rare.
    words = len(body.split()) if b"  " in body else body.count(b" ") - 1
    return words - marks + count_unspaced(text, other)


def _head(profile: MergedProfile) -> str:
    lines = [f"# {_line(profile.full_name or 'Candidate')}"]
    if profile.headline:
        lines.append(_inert(_line(profile.headline)))
    facts = [_line(profile.location)] if profile.location else []
    if profile.total_months:
        facts.append(f"{years_text(profile.total_months)} of experience")
    if facts:
        lines.append(_inert(" · ".join(facts)))
    return "\n".join(lines)


def _jobs(profile: MergedProfile, trimmed: dict[str, None]) -> str:
    home = fold(profile.location or "")
    experience = profile.experience
    blocks = [_job(job, texts, home, trimmed) for job, texts in experience[:MAX_JOBS_IN_FULL]]
    earlier = experience[MAX_JOBS_IN_FULL:]
    if earlier:
        trimmed["experience text"] = None
        lines = (", ".join(filter(None, (_job_name(job), period_text(job)))) for job, _ in earlier)
        blocks.append("\n- ".join((EARLIER_JOBS, *lines)))
    return "\n\n".join(blocks)


def _job(job: Experience, texts: Sequence[str], home: str, trimmed: dict[str, None]) -> str:
    # Where the person lives stands in the head.
    place = job.location if job.location and fold(job.location) not in home else None
    facts = " · ".join(filter(None, (period_text(job), job.employment_type, place)))
    heading = f"### {_job_name(job)}\n{_line(facts)}" if facts else f"### {_job_name(job)}"
    if not texts:
        return heading
    kept = within(texts, MAX_JOB_CHARS)
    if len(kept) < len(texts):
        trimmed["experience text"] = None
    return f"{heading}\n- " + "\n- ".join(kept)


def _job_name(job: Experience) -> str:
    if job.title and job.employer:
        return _line(f"{job.title} — {job.employer}")
    return _line(job.title or job.employer or "Position")


def _line(text: str, most: int = MAX_LINE_CHARS) -> str:
    """One line of bounded length."""
    text = shorten(text, most) if len(text) > most else text
    return " ".join(text.split()) if "\n" in text else text


def _inert(text: str) -> str:
    """A line that starts with a letter of the person, not with a mark of markdown."""
    return text.lstrip("#>*+-=`~| ") if text[:1] in "#>*+-=`~|" else text
