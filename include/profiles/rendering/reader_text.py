"""Takes text that addresses a reader out of a person's records, before anything is merged.

Pure. A sentence of a text goes, or a part of a short value, or the whole value where the parts
alone say nothing; never the record. What is left is what documents, prompts and evidence hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from profiles.models import Education, Entry, Position, ReaderText, SourceRecord
from profiles.rendering.reader_address import ReaderTextDetector
from profiles.standardization.sentences import split_sentences
from profiles.standardization.words import has_one_of_each

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
"""Fields of one line, or of several such values."""
_BLOCKS: Final[dict[type, str]] = {SourceRecord: "summary", Position: "description", Entry: "text"}
"""The field of several sentences."""
_READ: Final = {part: attrgetter(*names) for part, names in _LINES.items()}
_Part = TypeVar("_Part", SourceRecord, Position, Education, Entry)
Triggers = Sequence[frozenset[bytes]]
_Left = Mapping[str, tuple[str, int]]
"""What is left of a text, and how many pieces were cut out."""


class Texts(NamedTuple):
    """The texts of a person, each once: vendors copy one another."""

    lines: dict[str, None]
    blocks: dict[str, None]

    def __str__(self) -> str:
        return "\n".join((*self.lines, *self.blocks))


def texts_of(records: Iterable[SourceRecord]) -> Texts:
    """The texts of the records of a person."""
    lines: list[str | None] = []
    blocks: list[str | None] = []
    for record in records:
        *own, skills = _READ[SourceRecord](record)
        lines += (*own, *skills)
        for part in (*record.positions, *record.education, *record.entries):
            lines += _READ[part.__class__](part)
        blocks.append(record.summary)
        blocks += [position.description for position in record.positions]
        blocks += [entry.text for entry in record.entries]
    return Texts(dict.fromkeys(filter(None, lines)), dict.fromkeys(filter(None, blocks)))


def without_reader_text(
    records: Sequence[SourceRecord], texts: Texts, detector: ReaderTextDetector, triggers: Triggers
) -> tuple[tuple[SourceRecord, ...], tuple[ReaderText, ...]]:
    """The records of a person without text that addresses a reader, and where some was.

    Such a text has words of the `triggers`.
    """
    blocks = {
        text: block_without_reader_text(text, detector, triggers)
        for text in texts.blocks
        if has_one_of_each(text, triggers)
    }
    may_be_line = has_one_of_each("\n".join(texts.lines), triggers)
    lines = {text: _line(text, detector) for text in texts.lines} if may_be_line else {}
    if not any(cut for _, cut in (*blocks.values(), *lines.values())):
        return tuple(records), ()
    cleaned = [_without(record, lines, blocks) for record in records]
    return tuple(record for record, _ in cleaned), tuple(cut for _, cuts in cleaned for cut in cuts)


def _without(
    record: SourceRecord, lines: _Left, blocks: _Left
) -> tuple[SourceRecord, tuple[ReaderText, ...]]:
    cuts: Counter[str] = Counter()

    def cleaned(part: _Part, place: str) -> _Part:
        kept: dict[str, Any] = {}
        block = _BLOCKS.get(type(part))
        for name in filter(None, (*_LINES[type(part)], block)):
            value = getattr(part, name)
            known = blocks if name == block else lines
            found = value if isinstance(value, tuple) else (value,)
            left = [known.get(text, (text, 0)) for text in found]
            if cut := sum(number for _, number in left):
                cuts[f"{place}{name}"] += cut
                texts = tuple(text for text, _ in left if text)
                kept[name] = texts if isinstance(value, tuple) else next(iter(texts), None)
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
    if not detector.triggers(value):
        return value, 0
    parts = _PARTS.split(value)
    kept, cut = [], 0
    for text, separator in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if detector.addresses(text) or (cut and detector.goes_on(text)):
            cut += 1
        else:
            kept += [text, separator]
    if cut:
        return "".join(kept).strip(_EDGES), cut
    return ("", 1) if detector.addresses(value) else (value, 0)


def block_without_reader_text(
    value: str, detector: ReaderTextDetector, triggers: Triggers | None = None
) -> tuple[str, int]:
    """A text without its sentences, and asides in brackets, that address a reader, and how many
    they were. Those have words of the `triggers`, where the caller knows them."""
    triggers = detector.triggers(value) if triggers is None else triggers
    if not triggers:
        return value, 0
    asides = [aside for aside in _ASIDE.findall(value) if detector.addresses(aside)]
    lines, cut = [], len(asides)
    left = value
    for aside in asides:
        left = left.replace(aside, "")
    for line in left.split("\n"):
        if not cut and not has_one_of_each(line, triggers):
            lines.append(line)
            continue
        mark = _BULLET if line.startswith(_BULLET) else ""
        kept = []
        for sentence in split_sentences(line[len(mark) :]):
            if (has_one_of_each(sentence, triggers) and detector.addresses(sentence)) or (
                cut and detector.goes_on(sentence)
            ):
                cut += 1
            else:
                kept.append(sentence)
        if kept or not line.strip():
            lines.append(mark + " ".join(kept))
    return ("\n".join(lines).strip(), cut) if cut else (value, 0)
