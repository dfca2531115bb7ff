"""Degrees: the level must be in the record, level and field on one line of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.standardization.date_ranges import PRESENT
from profiles.standardization.text import fold
from profiles.validation.claims import Claim, Sentence
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts
from profiles.validation.lines import Line, content_of
from profiles.validation.wording import phrases, table

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["degree_claims"]

_FIELD = re.compile(
    r"\A(?:['’]?s)?\s*(?:\(\w+\.?\)\s*)?(?:degrees?\s+|diploma\s+)?(?:of\s+[A-Z]\w+\s+)?in\s+(?P<field>[^,;:.()]{3,60})",
    re.IGNORECASE,
)
_FIELD_END = re.compile(
    r"\b(?:and|from|at|with|which|that|completes?|plus|as well"
    r"|earned|complements?|supports?|precedes?|is|was|are|alongside"
    r"|followed|underpins?)\b|\s-\s"
)
_RUNS_TO = re.compile(r"\d\s*[-–—]\s*([^\W\d][^)]*)")
_DONE = re.compile(r"\b(?:completed|holds|has|earned|obtained|received|finished|with)\s+an?\s+\Z")
_UNDER_WAY = re.compile(
    r"\b(?:pursu\w+|student|studying|candidate in|doctoral candidate|thesis|towards|final[- ]year"
    r"|ongoing|expected|in progress|under way|current\w*|year)\b"
)
_SAME_BEGINNING = 4


def degree_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each level of study that the sentence gives the person."""
    del vocabulary
    if not _any_level().search(sentence.text):
        return
    for level, pattern in _levels().items():
        for match in pattern.finditer(sentence.text):
            lines = _lines_of(level, facts)
            field = _field(match, sentence)
            if not lines:
                told = None if _is_open(level, facts) or pattern.search(facts.text) else False
                if any(_shares(field, line) for line in facts.education if _has_level(line)):
                    told = False
                yield Claim(RemovalReason.EDUCATION, told)
            elif all(map(_is_running, lines)) and _is_told_as_done(match, sentence):
                yield Claim(RemovalReason.EDUCATION, False)
            else:
                yield Claim(RemovalReason.EDUCATION, _is_of_field(field, lines, facts))


def _is_running(line: Line) -> bool:
    """Whether the years of a study end with a word for the present."""
    return any(fold(word).strip() in PRESENT for word in _RUNS_TO.findall(line.text))


def _is_told_as_done(match: re.Match[str], sentence: Sentence) -> bool:
    before = sentence.text[: match.start()]
    return bool(_DONE.search(before)) and not _UNDER_WAY.search(sentence.text)


@lru_cache(maxsize=1)
def _levels() -> dict[str, re.Pattern[str]]:
    return {
        level: re.compile(rf"(?<!\w)(?:{'|'.join(parts)})", re.IGNORECASE)
        for level, parts in phrases("degrees").items()
        if not level.startswith("study ")
    }


@lru_cache(maxsize=1)
def _any_level() -> re.Pattern[str]:
    return re.compile("|".join(pattern.pattern for pattern in _levels().values()), re.IGNORECASE)


@lru_cache(maxsize=1)
def _in_studies() -> dict[str, re.Pattern[str]]:
    """Short forms and other languages, which mean a degree in a list of studies only."""
    groups = phrases("degrees")
    return {
        level.removeprefix("study "): re.compile("|".join(rf"(?<!\w)(?:{part})" for part in parts))
        for level, parts in groups.items()
        if level.startswith("study ")
    }


def _lines_of(level: str, facts: Facts) -> list[Line]:
    short = _in_studies().get(level)
    return [
        line
        for line in facts.education
        if _levels()[level].search(line.text) or (short is not None and short.search(line.text))
    ]


def _has_level(line: Line) -> bool:
    patterns = (*_levels().values(), *_in_studies().values())
    return any(pattern.search(line.text) for pattern in patterns)


def _is_open(level: str, facts: Facts) -> bool:
    """Whether a study has a level that no list knows, or studies are told in another language; a
    doctorate has few names."""
    if level == "doctorate" and facts.education:
        return False
    studies = [line for line in facts.education if " — " in line.text]
    return facts.is_foreign or not all(map(_has_level, studies))


def _field(match: re.Match[str], sentence: Sentence) -> frozenset[str]:
    """The content words of the field that follows a level."""
    field = _FIELD.match(sentence.text[match.end() :])
    if field is None:
        return frozenset()
    named = _FIELD_END.split(field["field"], maxsplit=1)[0].strip()
    words = content_of(tuple(words_of(named))) - _any_field()
    return frozenset() if named.isupper() else words


def _is_of_field(wanted: frozenset[str], lines: list[Line], facts: Facts) -> bool | None:
    if not wanted or any(_shares(wanted, line) for line in lines):
        return True
    # Fields of other languages, and a line that has none, leave it open.
    elsewhere = [line for line in facts.education if line not in lines]
    if any(wanted & line.content for line in elsewhere):
        return False
    has_field = all("," in line.text.partition(" — ")[0] for line in lines)
    return None if facts.is_foreign or not has_field else False


@lru_cache(maxsize=1)
def _any_field() -> frozenset[str]:
    return frozenset(map(stem, table("generic")["field"]))


def _shares(wanted: frozenset[str], line: Line) -> bool:
    return any(
        word == other or word[:_SAME_BEGINNING] == other[:_SAME_BEGINNING]
        for word in wanted
        for other in line.content
    )
