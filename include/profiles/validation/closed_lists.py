"""Names, degrees and closed lists: claims that the record must contain. Pure.

A name is known when the record has its words, another form of them, their abbreviation or what
they abbreviate, or when the vocabulary knows it under another name that the record has. The level
of a degree must be in the record, level and field on one line of it. Praise, awards, what the
person is and earns, and talk about the record come from closed lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import inf
from statistics import fmean

from profiles.models import RemovalReason
from profiles.standardization.places import city_named, country_named, places_in
from profiles.validation.claims import Claim, Sentence
from profiles.validation.document import Document
from profiles.validation.evidence import Line
from profiles.validation.words import (
    ENGLISH,
    LEVELS,
    degree,
    phrases_among,
    regex,
    sounds_of,
    table,
    words_of,
    world_names,
)

_REASONS = {
    "award": RemovalReason.AWARD,
    "praise": RemovalReason.AWARD,
    "person": RemovalReason.PERSON,
    "pay": RemovalReason.PERSON,
    "meta": RemovalReason.META,
}

_PART = r"(?:[A-ZÀ-ÖØ-ÞĀ-ſА-Я][\w&+#.'/-]*[\w+#]|[A-ZÀ-ÖØ-Þ]|[a-z]+[A-Z]\w*)"
_NAME = re.compile(rf"(?<![\w])(?<![£$€]){_PART}(?:\s+{_PART})*")
_COMMON = ENGLISH.union(
    *(table("common_names")[group] for group in ("role", "umbrella")),
    *(table("places")[group] for group in ("wide", "demonym")),
)
_LONGEST_INITIALS = 6
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FEWEST_SOUNDS = 3


def name_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each name that is not the beginning of the sentence."""
    for match in _NAME.finditer(sentence.text):
        words = match[0].split()
        if match.start() == 0 and not _is_name_alone(words[0]):
            words = words[1:]
        words = [word for word in words if not _is_common(word)]
        if words:
            yield Claim(RemovalReason.NAME, _is_known(words, sentence.document))


def _is_name_alone(word: str) -> bool:
    """Return whether a sentence's first word is a name by its letters: "SAP", "GitHub", "C++"."""
    return sum(map(str.isupper, word)) > 1 or any(char in "+#" or char.isdigit() for char in word)


@lru_cache(maxsize=4096)
def _is_common(word: str) -> bool:
    bare = word.lower().removesuffix("'s").strip(".'/")
    return bare in _COMMON or all(
        part in _COMMON or len(part) < 2 for part in re.split(r"[/&-]", bare)
    )


def _is_known(words: list[str], document: Document) -> bool | None:
    unknown = [word for word in words if not _has(word, document)]
    if not unknown:
        return True
    text, vocabulary = " ".join(words), document.vocabulary
    code, city = country_named(text), city_named(text)
    countries, cities = places_in(document.text) if code or city else ((), ())
    if code in countries or (city and city[1] in cities):
        return True
    if code and countries and not (document.is_foreign and document.evidence.is_spelt):
        return False  # Elsewhere it may stand there with another ending.
    if world_names().issuperset(part for word in unknown for part in words_of(word)):
        return None
    if vocabulary.evidences(text, document.text):
        return True
    if document.evidence.has_acronyms and all(
        word.isupper() and len(word) <= _LONGEST_INITIALS for word in unknown
    ):
        return None
    is_in_other_form = document.is_foreign or all(map(document.evidence.is_like_name, unknown))
    parts = {part for word in unknown for part in words_of(word) if len(part) > 2} - _translated()
    is_spelt = document.evidence.is_spelt and bool(parts)
    if is_spelt and is_in_other_form and _is_like_one(words, parts, document):
        return None
    for name in (text, *unknown):
        skills = vocabulary.find(name)
        if not all(vocabulary.evidences(skill, document.text) for skill in skills):
            return False
    # Countries, languages and what is written without an alphabet stay undecided.
    return None if is_in_other_form and not is_spelt else False


def _is_like_one(words: list[str], parts: Iterable[str], document: Document) -> bool:
    """Return whether the record may have a name in its own letters, in its own form."""
    if len(words) == 1:
        parts = [part for part in parts if len(sounds_of(part)) >= _FEWEST_SOUNDS]
    likeness = [document.evidence.likeness(part) for part in parts]
    return not likeness or (min if len(words) == 1 else fmean)(likeness) >= 1


@lru_cache(maxsize=1)
def _translated() -> frozenset[str]:
    organisations = table("organisations")
    return world_names() | organisations["generic"] | organisations["legal"]


def _has(word: str, document: Document) -> bool:
    capital = [piece for piece in re.split(r"[/-]", word) if not piece.islower()]
    parts = [part for part in words_of(" ".join(capital)) if len(part) > 1]
    evidence = document.evidence
    bare = "".join(parts)
    size = len(bare)
    return (
        all(evidence.has_word(part) or part in ENGLISH for part in parts)
        or (word.isupper() and size > 2 and any(own.endswith(bare) for own in evidence.words))
        or (word.isupper() and 2 <= size <= _LONGEST_INITIALS and evidence.has_initials(bare))
        or document.vocabulary.evidences(word, document.text)
        or re.search(rf"\d{re.escape(word)}(?!\w)", document.text) is not None
    )


def phrase_claims(sentence: Sentence) -> Iterator[Claim]:
    """Awards, praise, what the person is and earns, talk about the record: only in its words."""
    document = sentence.document
    if regex("first person").search(sentence.text):
        yield Claim(RemovalReason.PERSON, False)
    for group, phrase in phrases_among(sentence.text, sentence.bag):
        if group in _REASONS:
            is_supported = all(map(document.evidence.has_word, words_of(phrase)))
            is_open = group == "award" and regex("award recorded").search(document.text)
            yield Claim(_REASONS[group], is_supported or (None if is_open else False))


def origin_claims(sentence: Sentence) -> Iterator[Claim]:
    """Age and origin must be in the record."""
    document = sentence.document
    if regex("age").search(sentence.text) and not regex("age").search(document.text):
        yield Claim(RemovalReason.PERSON, False)
    demonyms = table("places")["demonym"]
    if not demonyms.isdisjoint(sentence.bag):
        prose = [line for line in document.lines if line.section not in ("Languages", "Skills")]
        for match in regex("person's origin").finditer(sentence.text):
            demonym = (match["demonym"] or match["citizen"]).lower()
            if demonym in demonyms:
                yield Claim(RemovalReason.PERSON, any(demonym in line.words for line in prose))


def degree_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each level of study that the sentence gives the person."""
    document = sentence.document
    for level in LEVELS if degree().search(sentence.text) else ():
        for match in degree(level).finditer(sentence.text):
            lines = [line for line in document.education if _has_level(line, level)]
            field = _field(sentence.text[match.end() :], document)
            if not lines:
                known = _is_open(level, document) or degree(level).search(document.text)
                yield Claim(RemovalReason.EDUCATION, None if known else False)
            else:
                yield Claim(RemovalReason.EDUCATION, _is_of_field(field, lines, document))


def _has_level(line: Line, *levels: str) -> bool:
    """Return whether a line of studies has one of the levels, or any; in a studies list short forms
    and words of other languages mean a degree, too."""
    return any(
        degree(group).search(line.text)
        for level in levels or LEVELS
        for group in ((level,) if level == "associate" else (level, f"study {level}"))
    )


def _is_open(level: str, document: Document) -> bool:
    """Return whether the latest study has a level in no list; a doctorate has few names."""
    if level == "doctorate" and document.education:
        return False
    sections = {line.section for line in document.education if _has_level(line)}
    studies = [line for line in document.education if line.section in sections]
    known = max((_last_year(line) for line in studies if _has_level(line)), default=0)
    return any(_last_year(line) >= known for line in studies if not _has_level(line)) or not studies


def _last_year(line: Line) -> float:
    return max(map(float, _YEAR.findall(line.text)), default=inf)


def _keys(line: Line, document: Document) -> frozenset[str]:
    """Keys that the words of a line share with those of its English wording."""
    return frozenset(map(document.evidence.key_of, line.words)) - {""}


def _field(behind: str, document: Document) -> frozenset[str]:
    """The content words of the field that follows a level."""
    field = regex("field").match(behind)
    named = regex("field end").split(field["field"], maxsplit=1)[0].strip() if field else ""
    if named.isupper():
        return frozenset()
    words = (word for word in words_of(named) if word not in table("generic")["field"])
    return frozenset(map(document.evidence.key_of, words)) - {""}


def _is_of_field(wanted: frozenset[str], lines: list[Line], document: Document) -> bool | None:
    if not wanted or any(wanted & _keys(line, document) for line in lines):
        return True
    # Fields of other languages, and a line that has none, leave it open.
    elsewhere = (line for line in document.education if line not in lines)
    if not document.is_foreign and any(wanted & _keys(line, document) for line in elsewhere):
        return False
    has_field = all("," in line.text.partition(" — ")[0] for line in lines)
    return None if document.is_foreign or not has_field else False
