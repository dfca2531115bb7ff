"""Closed lists: praise, awards, shares in work, the person, pay, the record itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Sentence
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts
from profiles.validation.lines import Line, content_of
from profiles.validation.wording import pattern, table

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["meta_claims", "part_claims", "person_claims", "praise_claims"]

_OBJECT_WORDS = 4

# A demonym before the person, not before what the person teaches or translates.
_PERSON_NOUN = re.compile(
    r"(?:\b(?:is|as|an?|this)\s+(?:an?\s+)?|\A(?:An?|The)\s+)(?P<demonym>[A-Z][a-z]+)(?:-born)?"
    r"\s+(?!teach|translat|interpret|tutor|speaker|lectur|language|market|literature)[a-z]"
    r"|\b(?P<citizen>[A-Z][a-z]+)\s+(?:national|citizen|native|passport|origin|descent|roots)"
)
_AGE = re.compile(
    r"\baged?\s+(?:of\s+)?\d\d\b|\b\d\d[- ]years?[- ]old\b"
    r"|\bin (?:the|his|her|their) (?:early |mid-? ?|late )?(?:twen|thir|for|fif|six)ties\b",
    re.IGNORECASE,
)


def praise_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Awards and praise must be the record's own words."""
    del vocabulary
    for group in ("award", "praise"):
        for match in sentence.phrases(group):
            yield Claim(RemovalReason.AWARD, _is_told(match[0], group, facts))


def _is_told(phrase: str, group: str, facts: Facts) -> bool | None:
    if _has_all(phrase, facts):
        return True
    if group == "award" and pattern("phrases", "award told").search(facts.text):
        return None
    return False


def person_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Sex, family, age, origin and pay must be told by the record."""
    del vocabulary
    for group in ("person", "pay"):
        for match in sentence.phrases(group):
            yield Claim(RemovalReason.PERSON, _has_all(match[0], facts))
    if _AGE.search(sentence.text) and not _AGE.search(facts.text):
        yield Claim(RemovalReason.PERSON, False)
    if table("places")["demonym"].isdisjoint(word for word, _, _ in sentence.words):
        return
    for match in _PERSON_NOUN.finditer(sentence.text):
        demonym = (match["demonym"] or match["citizen"]).lower()
        if demonym in table("places")["demonym"]:
            yield Claim(RemovalReason.PERSON, demonym in facts.told)


def meta_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """A summary neither talks about the record nor guesses."""
    del vocabulary
    for match in sentence.phrases("meta"):
        yield Claim(RemovalReason.META, " ".join(match[0].lower().split()) in facts.text.lower())


def _has_all(phrase: str, facts: Facts) -> bool:
    words = list(words_of(phrase))
    return all(word in facts.evidence.words or stem(word) in facts.evidence.stems for word in words)


def part_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Leading what the record only took part in."""
    del vocabulary
    for match in () if facts.is_foreign else sentence.phrases("leading"):
        after = [word for word, start, _ in sentence.words if start >= match.end()]
        thing = content_of(tuple(after[:_OBJECT_WORDS]))
        lines = [line for line in facts.lines if thing and len(line.content & thing) >= 2]
        if lines:
            yield Claim(RemovalReason.EMPLOYMENT, not all(map(_is_only_part, lines)))


def _is_only_part(line: Line) -> bool:
    has_part = pattern("phrases", "part").search(line.text) is not None
    return has_part and pattern("phrases", "leading").search(line.text) is None
