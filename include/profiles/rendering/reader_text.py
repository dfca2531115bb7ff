"""Takes text that addresses a reader out of a person's records, before anything is merged.

Pure. A sentence of a text goes, or a part of a short value, or the whole value where the parts
alone say nothing; never the record. What is left is what documents, prompts and evidence hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from profiles.models import Education, Entry, Position, ReaderText, SourceRecord
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.standardization.text import split_sentences

__all__ = ["ReaderTextDetector", "block_without_reader_text", "without_reader_text"]

_PARTS: Final = re.compile(r"(\s*[|•·;]\s*|\s+[—–-]\s+|(?<=[.!?。！？])\s*|\s*[()\[\]]\s*)")
_ASIDE: Final = re.compile(r"\[[^\[\]]{1,600}\]")
_EDGES: Final = " ,;:|-–—·•()[]"
_BULLET: Final = "- "
_LINES: Final[dict[type, tuple[str, ...]]] = {
    SourceRecord: (
        "full_name", "given_name", "family_name", "headline", "location", "industry", "skills",
    ),
    Position: ("title", "company", "location", "employment_type"),
    Education: ("school", "degree", "field", "grade"),
    Entry: ("title", "by"),
}  # fmt: skip
"""Fields of one line, or of several such values, by what has them."""
_BLOCKS: Final[dict[type, tuple[str, ...]]] = {
    SourceRecord: ("summary",),
    Position: ("description",),
    Education: (),
    Entry: ("text",),
}
_FIELDS: Final = {kind: (*names, *_BLOCKS[kind]) for kind, names in _LINES.items()}
_AnyPart = SourceRecord | Position | Education | Entry
_Part = TypeVar("_Part", SourceRecord, Position, Education, Entry)


def without_reader_text(
    records: Sequence[SourceRecord], detector: ReaderTextDetector
) -> tuple[tuple[SourceRecord, ...], tuple[ReaderText, ...]]:
    """The records of a person without text that addresses a reader, and where some was.

    Vendors copy one another: a text that several records have is looked at once.
    """
    texts = dict.fromkeys(
        text for record in records for part in _parts(record) for text in _texts(part)
    )
    if not detector.may_address("\n".join(texts)):
        return tuple(records), ()
    suspects = frozenset(filter(detector.may_address, texts))
    if not suspects:
        return tuple(records), ()
    cleaned = [_without_reader_text(record, detector, suspects) for record in records]
    return tuple(record for record, _ in cleaned), tuple(
        one for _, found in cleaned for one in found
    )


def _parts(record: SourceRecord) -> list[_AnyPart]:
    return [record, *record.positions, *record.education, *record.entries]


def _without_reader_text(
    record: SourceRecord, detector: ReaderTextDetector, suspects: frozenset[str]
) -> tuple[SourceRecord, tuple[ReaderText, ...]]:
    cuts: Counter[str] = Counter()

    def cleaned(part: _Part, place: str) -> _Part:
        kept: dict[str, Any] = {}
        if suspects.isdisjoint(_texts(part)):
            return part
        for name in _FIELDS[type(part)]:
            clean = block_without_reader_text if name in _BLOCKS[type(part)] else _line
            value = getattr(part, name)
            for text in value if isinstance(value, tuple) else filter(None, (value,)):
                left, cut = clean(text, detector) if text in suspects else (text, 0)
                if cut:
                    cuts[f"{place}{name}"] += cut
                    kept.setdefault(name, {})[text] = left
        for name, changed in kept.items():
            value = getattr(part, name)
            if isinstance(value, tuple):
                kept[name] = tuple(filter(None, (changed.get(text, text) for text in value)))
            else:
                kept[name] = changed[value] or None
        return replace(part, **kept) if kept else part

    whole = replace(
        cleaned(record, ""),
        entries=tuple(cleaned(entry, f"{entry.section}.") for entry in record.entries),
        positions=tuple(cleaned(job, "positions.") for job in record.positions),
        education=tuple(cleaned(study, "education.") for study in record.education),
    )
    if not cuts:
        return record, ()
    found = tuple(
        ReaderText(record.source, record.source_key, field, count)
        for field, count in sorted(cuts.items())
    )
    return whole, found


def _texts(part: _AnyPart) -> Iterator[str]:
    for name in _FIELDS[type(part)]:
        value = getattr(part, name)
        if isinstance(value, tuple):
            yield from value
        elif value:
            yield value


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
