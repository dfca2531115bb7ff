"""Takes text that addresses a reader out of a person's records, before anything is merged.

Pure. A sentence of a text goes, or a part of a short value, or the whole value where the parts
alone say nothing; never the record. What is left is what documents, prompts and evidence hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    SourceRecord: (
        "full_name", "given_name", "family_name", "headline", "location", "industry", "skills",
        "summary",
    ),
    Position: ("title", "company", "location", "employment_type", "description"),
    Education: ("school", "degree", "field", "grade"),
    Entry: ("title", "by", "text"),
}  # fmt: skip
_BLOCKS: Final = frozenset(("summary", "description", "text"))
"""Fields of several sentences; the others are of one line, or of several such values."""
_AnyPart = SourceRecord | Position | Education | Entry
_Part = TypeVar("_Part", SourceRecord, Position, Education, Entry)
_Stated = tuple[str, bool]
"""A text, and whether it is a block."""


def without_reader_text(
    records: Sequence[SourceRecord], detector: ReaderTextDetector
) -> tuple[tuple[SourceRecord, ...], tuple[ReaderText, ...]]:
    """The records of a person without text that addresses a reader, and where some was.

    Vendors copy one another: a text that several records have is looked at once.
    """
    parts: list[_AnyPart] = []
    for record in records:
        parts += (record, *record.positions, *record.education, *record.entries)
    stated = dict.fromkeys([text for part in parts for _, text in _texts(part)])
    if not detector.may_address("\n".join([text for text, _ in stated])):
        return tuple(records), ()
    found: dict[_Stated, tuple[str, int]] = {}
    for text, is_block in stated:
        left, cut = (block_without_reader_text if is_block else _line)(text, detector)
        if cut:
            found[text, is_block] = left, cut
    cleaned = [_without(record, found) for record in records] if found else []
    if not any(cuts for _, cuts in cleaned):
        return tuple(records), ()
    return tuple(record for record, _ in cleaned), tuple(cut for _, cuts in cleaned for cut in cuts)


def _texts(part: _AnyPart) -> Iterator[tuple[str, _Stated]]:
    """Each text of a part with the field that holds it."""
    for name in _FIELDS[type(part)]:
        value = getattr(part, name)
        if value:
            is_block = name in _BLOCKS
            for text in value if isinstance(value, tuple) else (value,):
                yield name, (text, is_block)


def _without(
    record: SourceRecord, found: Mapping[_Stated, tuple[str, int]]
) -> tuple[SourceRecord, tuple[ReaderText, ...]]:
    cuts: Counter[str] = Counter()

    def cleaned(part: _Part, place: str) -> _Part:
        kept: dict[str, Any] = {}
        for name, stated in _texts(part):
            if stated in found:
                cuts[f"{place}{name}"] += found[stated][1]
                kept[name] = getattr(part, name)
        for name, value in kept.items():
            texts = value if isinstance(value, tuple) else (value,)
            left = [found.get((text, name in _BLOCKS), (text, 0))[0] for text in texts]
            kept[name] = tuple(filter(None, left)) if isinstance(value, tuple) else left[0] or None
        return replace(part, **kept) if kept else part

    whole = replace(
        cleaned(record, ""),
        positions=tuple(cleaned(job, "positions.") for job in record.positions),
        education=tuple(cleaned(study, "education.") for study in record.education),
        entries=tuple(cleaned(entry, f"{entry.section}.") for entry in record.entries),
    )
    return whole, tuple(
        ReaderText(record.source, record.source_key, field, count)
        for field, count in sorted(cuts.items())
    )


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
