"""The form of a summary: length, and nothing that search text must not hold. Pure.

What spoils a text as a whole is decisive; what stands in one sentence costs that sentence. Every
check runs, also after one has failed: the stored verdicts are what thresholds are tuned on.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from profiles.errors import SettingsError
from profiles.models import Check, EngineProfile, LengthBand, RejectionReason
from profiles.standardization.contacts import private_spans
from profiles.standardization.words import count_unspaced, count_words
from profiles.validation.prose import foreign_sentence, repetition_fault
from profiles.validation.words import regex

SHORT_TOLERANCE = 0.1
LONG_TOLERANCE = 0.35
LONG_WORDS = 80
"""Share by which, above it with words at most, a summary may miss its band: models count badly."""

_DIGIT = re.compile(r"\d")
_BEFORE_YEAR = 24
_TITLE_WORDS = 6
_LOOSE_WORDS = 12
_LOOSE_LINES = 3
_ENDS = '.!?”"'
_LOOSE_START = re.compile(r"\A[\s,;:]+")
_LOOSE_SPACE = re.compile(r"\s{1,3}(?=[,.;:)])")
_DEFAULT_SCHEMA = """{
  "type": "object",
  "properties": {
    "skills": {"type": "array", "items": {"type": "string"}},
    "summary": {"type": "string", "minLength": 1}
  },
  "required": ["skills", "summary"]
}"""


def wanted_length(profile: EngineProfile, document: str, word_count: int) -> LengthBand:
    """The wanted length; words that a count of spaces missed are added to one that was so made."""
    is_spaced = word_count <= len(document.split())
    return profile.length.band(word_count + (count_unspaced(document.encode()) if is_spaced else 0))


def length_fault(words: int, band: LengthBand) -> str | None:
    """`short` or `long` when so many words miss the band by more than the tolerance."""
    if words < band.minimum * (1 - SHORT_TOLERANCE):
        return "short"
    return "long" if words > band.maximum + min(LONG_TOLERANCE * band.maximum, LONG_WORDS) else None


def date_fault(text: str) -> str | None:
    """`date` or `year` where the text names one. Durations, and years inside names of products,
    standards and counts ("over 2000 stores"), are none."""
    if not _DIGIT.search(text):
        return None
    if regex("date").search(text):
        return "date"
    years = regex("year").finditer(text)
    return "year" if any(_is_year(match, text) for match in years) else None


def _is_year(match: re.Match[str], text: str) -> bool:
    before = text[max(0, match.start() - _BEFORE_YEAR) : match.start()]
    if regex("before a year").search(before):
        return True
    is_name = regex("before a product's year").search(before)
    return not is_name and not regex("counted").match(text, match.end())


def reworded(sentence: str, name: re.Pattern[str] | None) -> str:
    """The sentence about "the candidate", without a name, a guessed gender and dates, which models
    tell although the prompt forbids it; a date that the sentence needs stays."""
    text = name.sub(_candidate, sentence) if name else sentence
    text = regex("pronoun").sub(_candidate, text)
    if _DIGIT.search(text):
        text = regex("loose date").sub(_undated, text)
    if text == sentence:
        return sentence
    text = _LOOSE_START.sub("", _LOOSE_SPACE.sub("", text))
    return text[:1].upper() + text[1:]


def _candidate(match: re.Match[str]) -> str:
    group = match.lastgroup
    word = "themselves" if group == "self" else "the candidate" + "'s" * (group == "own")
    return word.capitalize() if match.start() == 0 else word


def _undated(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    is_needed = regex("before a needed date").search(text[:start])
    return match[0] if is_needed or regex("counted").match(text, end) else ""


def list_fault(text: str) -> str | None:
    """Kind of list or markdown mark that the text has. Expects line breaks as the model wrote
    them; paragraphs are fine."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line in lines:
        # Any symbol or circled number before a line is a bullet.
        is_symbol = unicodedata.category(line[0]) in ("So", "No")
        if is_symbol or regex("list line").match(line):
            return "list"
    if _has_loose_lines(lines):
        return "lines"
    return "marks" if regex("list mark").search(text) else None


def _has_loose_lines(lines: list[str]) -> bool:
    """A short line that is no sentence, with text below it; or three that are none."""
    sizes = [len(line.split()) if line[-1] not in _ENDS else _LOOSE_WORDS for line in lines]
    is_title = any(size <= _TITLE_WORDS for size in sizes[:-1])
    return is_title or sum(size < _LOOSE_WORDS for size in sizes) >= _LOOSE_LINES


def schema_fault(value: object, schema: str | None) -> str | None:
    """Rule that the value breaks and its place, such as `minItems at skills`; None when it fits.

    The place names keys of the schema and positions, never the value.

    Raises:
        SettingsError: the schema itself is not a JSON schema.
    """
    error = best_match(_validator(schema or _DEFAULT_SCHEMA).iter_errors(value))
    if error is None:
        return None
    place = ".".join(str(part) for part in list(error.absolute_path)[:3])
    return f"{error.validator} at {place or 'the answer'}"


@lru_cache(maxsize=16)
def _validator(schema: str) -> Draft202012Validator:
    try:
        parsed = json.loads(schema)
        Draft202012Validator.check_schema(parsed)
    except (ValueError, SchemaError) as error:
        raise SettingsError(
            "the engine profile's output schema is not a JSON schema; correct schema.json"
        ) from error
    return Draft202012Validator(parsed)


_FormCheck = Callable[[str], str | None]
TEXT_CHECKS: dict[str, _FormCheck] = {
    "language": foreign_sentence,
    "repetition": repetition_fault,
    "lists": list_fault,
}
SENTENCE_CHECKS: dict[str, _FormCheck] = {
    "foreign_sentence": foreign_sentence,
    "contacts": lambda text: "contact" if private_spans(text) else None,
    "dates": date_fault,
}
_REASONS: dict[str, RejectionReason] = {
    "language": RejectionReason.LANGUAGE,
    "repetition": RejectionReason.REPETITION,
    "lists": RejectionReason.CONTAINS_LIST,
    "foreign_sentence": RejectionReason.LANGUAGE,
    "contacts": RejectionReason.CONTAINS_CONTACT,
    "dates": RejectionReason.CONTAINS_DATE,
    "unfinished": RejectionReason.TRUNCATED,
}


def check_form(
    summary: str, band: LengthBand, *, without: Collection[str] = ()
) -> tuple[Check, ...]:
    """The decisive verdicts on a summary with the line breaks that its writer gave it."""
    checks = []
    for name, check in TEXT_CHECKS.items():
        fault = None if name in without else check(summary)
        checks.append(Check(name, fault is None, fault or ""))
    words = count_words(summary)
    fault = length_fault(words, band)
    detail = f"words={words} band={band.minimum}-{band.maximum}"
    checks.append(Check("length", fault is None, f"{fault} {detail}" if fault else detail))
    return tuple(checks)


def first_reason(checks: Collection[Check]) -> RejectionReason | None:
    """The reason of the first failed check, None when all passed."""
    for check in checks:
        if not check.passed and check.name == "length":
            is_short = check.detail.startswith("short")
            return RejectionReason.TOO_SHORT if is_short else RejectionReason.TOO_LONG
        if not check.passed:
            return _REASONS.get(check.name, RejectionReason.UNGROUNDED)
    return None
