"""Takes text that addresses a reader out of a person's records, before anything is merged.

Pure. A sentence of a text goes, or a part of a short value, or the whole value where the parts
alone say nothing; never the record. What is left is what documents, prompts and evidence hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from profiles.models import Education, Position, ReaderText, SourceRecord
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.standardization.text import split_sentences

__all__ = ["ReaderTextDetector", "block_without_reader_text", "without_reader_text"]

_PARTS: Final = re.compile(r"(\s*[|•·;]\s*|\s+[—–-]\s+|(?<=[.!?。！？])\s*|\s*[()\[\]]\s*)")
_ASIDE: Final = re.compile(r"\[[^\[\]]{1,600}\]")
_EDGES: Final = " ,;:|-–—·•()[]"
_BULLET: Final = "- "
_LINES: Final = ("full_name", "given_name", "family_name", "headline", "location", "industry")
_OF_POSITION: Final = ("title", "company", "location", "employment_type")
_OF_STUDY: Final = ("school", "degree", "field", "grade")


def without_reader_text(
    record: SourceRecord, detector: ReaderTextDetector
) -> tuple[SourceRecord, tuple[ReaderText, ...]]:
    """The record without text that addresses a reader, and where some was."""
    if not detector.may_address("\n".join(_texts(record))):
        return record, ()
    cuts: Counter[str] = Counter()

    def line(field: str, value: str | None) -> str | None:
        return _count(field, value, _line(value, detector), cuts) if value else value

    def block(field: str, value: str | None) -> str | None:
        return (
            _count(field, value, block_without_reader_text(value, detector), cuts)
            if value
            else value
        )

    def items(field: str, values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(kept for value in values if (kept := line(field, value)))

    cleaned = replace(
        record,
        full_name=line("full_name", record.full_name),
        given_name=line("given_name", record.given_name),
        family_name=line("family_name", record.family_name),
        headline=line("headline", record.headline),
        location=line("location", record.location),
        industry=line("industry", record.industry),
        summary=block("summary", record.summary),
        skills=items("skills", record.skills),
        entries=tuple(
            replace(
                entry,
                title=line(f"{entry.section}.title", entry.title),
                by=line(f"{entry.section}.by", entry.by),
                text=block(f"{entry.section}.text", entry.text),
            )
            for entry in record.entries
        ),
        positions=tuple(
            replace(
                job,
                title=line("positions.title", job.title),
                company=line("positions.company", job.company),
                location=line("positions.location", job.location),
                employment_type=line("positions.employment_type", job.employment_type),
                description=block("positions.description", job.description),
            )
            for job in record.positions
        ),
        education=tuple(
            replace(
                study,
                school=line("education.school", study.school),
                degree=line("education.degree", study.degree),
                field=line("education.field", study.field),
                grade=line("education.grade", study.grade),
            )
            for study in record.education
        ),
    )
    if not cuts:
        return record, ()
    found = tuple(
        ReaderText(record.source, record.source_key, field, count)
        for field, count in sorted(cuts.items())
    )
    return cleaned, found


def _texts(record: SourceRecord) -> Iterable[str]:
    for name in _LINES:
        yield getattr(record, name) or ""
    yield from record.skills
    for entry in record.entries:
        yield from (entry.title or "", entry.by or "", entry.text or "")
    yield record.summary or ""
    for position in record.positions:
        yield from _of(position, (*_OF_POSITION, "description"))
    for study in record.education:
        yield from _of(study, _OF_STUDY)


def _of(part: Position | Education, names: tuple[str, ...]) -> Iterable[str]:
    return [getattr(part, name) or "" for name in names]


def _count(field: str, value: str, found: tuple[str, int], cuts: Counter[str]) -> str | None:
    kept, cut = found
    if not cut:
        return value
    cuts[field] += cut
    return kept or None


def _line(value: str, detector: ReaderTextDetector) -> tuple[str, int]:
    """A short value without the parts that address a reader, and how many they were."""
    if not detector.may_address(value):
        return value, 0
    parts = _PARTS.split(value)
    kept, cut = [], 0
    for text, separator in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if _is_addressed(text, detector, after=cut > 0):
            cut += 1
        else:
            kept += [text, separator]
    if cut:
        return "".join(kept).strip(_EDGES), cut
    return ("", 1) if detector.addresses(value) else (value, 0)


def block_without_reader_text(value: str, detector: ReaderTextDetector) -> tuple[str, int]:
    """A text without its sentences, and asides in brackets, that address a reader, and how many
    they were."""
    if not detector.may_address(value):
        return value, 0
    asides = [aside for aside in _ASIDE.findall(value) if detector.addresses(aside)]
    lines, cut = [], len(asides)
    for aside in asides:
        value = value.replace(aside, "")
    for line in value.split("\n"):
        mark = _BULLET if line.startswith(_BULLET) else ""
        kept = []
        for sentence in split_sentences(line[len(mark) :]):
            if _is_addressed(sentence, detector, after=cut > 0):
                cut += 1
            else:
                kept.append(sentence)
        if kept or not line.strip():
            lines.append(mark + " ".join(kept))
    return ("\n".join(lines).strip(), cut) if cut else (value, 0)


def _is_addressed(text: str, detector: ReaderTextDetector, *, after: bool) -> bool:
    return detector.addresses(text) or (after and detector.goes_on(text))
