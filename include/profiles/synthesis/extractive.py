"""A summary of a document's own sentences, for a person whose answers were rejected. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.models import EngineProfile, LengthBand, Outcome, Profile, Rejection
from profiles.standardization.sentences import split_sentences
from profiles.standardization.skills import Vocabulary
from profiles.standardization.words import count_words
from profiles.validation.document import Document
from profiles.validation.form import (
    SENTENCE_CHECKS,
    TEXT_CHECKS,
    check_form,
    first_reason,
    wanted_length,
)
from profiles.validation.grounding import document_skills
from profiles.validation.jobs import EARLIER_JOBS
from profiles.validation.words import content_of, words_of

_LONGEST_SENTENCE = 70
_NEW_SHARE = 0.25
"""Share of a sentence's content words that no sentence before it has."""
_YEARS_IN_BRACKETS = re.compile(r"\s*\([^()]*\b(?:19|20)\d\d\b[^()]*\)")
_SEPARATORS = re.compile(r"\s+[|·•]\s+")
_CHECKS = (*TEXT_CHECKS.values(), *SENTENCE_CHECKS.values())
_UNFINISHED = re.compile(r"(?:…|\.\.\.|[,;:&/(–—-])$")


def extractive_summary(
    rejection: Rejection,
    *,
    document: str,
    word_count: int,
    profile: EngineProfile,
    vocabulary: Vocabulary,
) -> Profile:
    """What is published in place of a rejected answer: a summary of the document's own sentences,
    none when they do not pass the gate, and skills."""
    record = Document(document, vocabulary)
    band = wanted_length(profile, document, word_count)
    summary = _extract(record, band)
    skills, checks = rejection.skills, check_form(summary or "", band)
    if first_reason(checks) is not None:
        summary, checks = None, rejection.checks
    elif not skills:
        skills = document_skills(record).skills
    return Profile(
        summary=summary,
        skills=skills,
        inferred_skills=rejection.inferred_skills,
        outcome=Outcome.EXTRACTIVE,
        checks=checks,
        reason=rejection.reason,
        removed=rejection.removed,
    )


def _extract(document: Document, band: LengthBand) -> str | None:
    """Plain prose inside the band, made of the document's own sentences; None for too few.

    Takes the headline, the summary and the newest jobs first, as whole sentences and in that order,
    leaves out what a summary must not hold, and adds no word but the full stop of a bullet.
    """
    chosen: list[str] = []
    covered: set[str] = set()
    words = 0
    for sentence in _candidates(document):
        content, size = content_of(words_of(sentence)), count_words(sentence)
        is_new = len(content - covered) > _NEW_SHARE * len(content)
        fits = 1 < size <= min(_LONGEST_SENTENCE, band.maximum - words)
        if is_new and fits and not any(check(sentence) for check in _CHECKS):
            covered |= content
            chosen.append(sentence)
            words += size
        if words >= (band.minimum + band.maximum) // 2:
            break
    return " ".join(chosen) if words >= band.minimum else None


def _candidates(document: Document) -> Iterator[str]:
    """Sentences in the order in which they say most: head, summary, jobs, studies, skills."""
    sections = document.sections
    headline = "".join(line for line in sections[""][1:2] if "of experience" not in line)
    lines = [_SEPARATORS.sub(", ", headline), *sections.get("Summary", ())]
    heading = ""
    for line in sections.get("Experience", ()):
        if line.startswith("### "):
            heading = line.removeprefix("### ").strip()
        if heading != EARLIER_JOBS and line.startswith(("### ", "- ")):
            lines.append(line.replace(" — ", ", ") if line.startswith("#") else line)
    for line in (*sections.get("Certifications", ()), *sections.get("Education", ())):
        lines.append(_YEARS_IN_BRACKETS.sub("", line).replace(" — ", ", "))
    lines.append(" ".join(" ".join(sections.get("Skills", ())).split()))
    for line in lines:
        for sentence in split_sentences(line.lstrip("#- ")):
            if not _UNFINISHED.search(sentence):
                is_whole = sentence.rstrip('”"').endswith((".", "!", "?"))
                yield sentence if is_whole else f"{sentence}."
