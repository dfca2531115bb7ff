"""A summary made of the document's own sentences, for people whose model answer was refused.

Takes the headline, the summary and the newest jobs first, as whole sentences and in that order,
leaves out what a summary must not hold, and stops inside the length band. It adds no word but the
full stop that a bullet lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.models import LengthBand
from profiles.standardization.text import fold, split_sentences
from profiles.validation.form import (
    contact_fault,
    count_words,
    date_fault,
    list_fault,
    reasoning_fault,
)
from profiles.validation.language import foreign_sentence, language_fault
from profiles.validation.repetition import Told

__all__ = ["extract"]

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_SHORTEST_SENTENCE = 2
_LONGEST_SENTENCE = 70
_PHRASE_WORDS = 4
_MAX_SAID_SHARE = 0.34
"""Share of a sentence that earlier ones may have said already, in runs of four words."""
_YEARS_IN_BRACKETS = re.compile(
    r"\s*\([^()]*\b(?:19|20)\d\d\b[^()]*\)|,?\s*\b(?:19|20)\d\d\s*[-–]\s*(?:19|20)\d\d\b"
)
_EARLIER_JOBS = "Earlier jobs"
_SEPARATORS = re.compile(r"\s+[|·•]\s+")
_UNFINISHED = re.compile(r"(?:…|\.\.\.|[,;:&/(–—-])$")


def extract(document: str, band: LengthBand) -> str | None:
    """Plain prose inside the band, None when the document has too few fit sentences."""
    target = (band.minimum + band.maximum) // 2
    chosen: list[str] = []
    said: set[tuple[str, ...]] = set()
    told: list[Told] = []
    words = 0
    for sentence in _candidates(document):
        size = count_words(sentence)
        if words + size > band.maximum or not _is_fit(sentence, size):
            continue
        phrases = _phrases(sentence)
        if len(phrases & said) > _MAX_SAID_SHARE * len(phrases):
            continue
        content = Told.of(sentence)
        if any(earlier.retells(content) for earlier in told):
            continue
        told.append(content)
        said |= phrases
        chosen.append(sentence)
        words += size
        if words >= target:
            break
    return " ".join(chosen) if words >= band.minimum else None


def _phrases(sentence: str) -> set[tuple[str, ...]]:
    """Its runs of four words; a shorter sentence is one run."""
    words = fold(sentence).split()
    last = max(1, len(words) - _PHRASE_WORDS + 1)
    return {tuple(words[start : start + _PHRASE_WORDS]) for start in range(last)}


def _candidates(document: str) -> Iterator[str]:
    """Sentences in the order in which they say most: head, summary, jobs, studies, skills."""
    sections = _sections(document)
    headline = _headline(sections[""])
    if headline:
        yield headline
    yield from _sentences(sections.get("Summary", ""))
    told = set(fold(headline).split())
    for title, *bullets in _jobs(sections.get("Experience", "")):
        if not set(fold(title).split()) <= told:
            yield title
        yield from bullets
    for name in ("Certifications", "Education"):
        for line in sections.get(name, "").split("\n"):
            yield from _sentences(_YEARS_IN_BRACKETS.sub("", line).replace(" — ", ", "))
    skills = sections.get("Skills", "").strip()
    if skills:
        yield _ended(" ".join(skills.split()))


def _sections(document: str) -> dict[str, str]:
    """Text per section name; the head, without its first line, is ``""``."""
    parts = _SECTION.split(document)
    head = [line for line in parts[0].split("\n") if not line.startswith("# ")]
    sections = {"": "\n".join(head).strip()}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        sections.setdefault(name.strip(), text.strip())
    return sections


def _headline(head: str) -> str:
    line = head.split("\n", 1)[0].strip()
    if not line or "of experience" in line:
        return ""
    return _ended(_SEPARATORS.sub(", ", line))


def _jobs(section: str) -> Iterator[list[str]]:
    """The bullets of each job, newest first; of a job without bullets its title and employer."""
    for block in re.split(r"^### ", section, flags=re.MULTILINE)[1:]:
        heading, _, text = block.partition("\n")
        bullets = [line[2:] for line in text.split("\n") if line.startswith("- ")]
        if heading.strip() == _EARLIER_JOBS:
            continue
        title = _ended(heading.replace(" — ", ", ").strip())
        yield [title, *(s for bullet in bullets for s in _sentences(bullet))]


def _sentences(text: str) -> Iterator[str]:
    for sentence in split_sentences(text):
        if not _UNFINISHED.search(sentence):
            yield _ended(" ".join(sentence.split()))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", ".”", '."')) else f"{sentence}."


def _is_fit(sentence: str, size: int) -> bool:
    if not _SHORTEST_SENTENCE <= size <= _LONGEST_SENTENCE:
        return False
    checks = (
        date_fault,
        list_fault,
        contact_fault,
        reasoning_fault,
        language_fault,
        foreign_sentence,
    )
    return all(check(sentence) is None for check in checks)
