"""What a sentence places at one employer must not stand in the lines of other jobs alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Sentence
from profiles.validation.evidence import words_of
from profiles.validation.facts import Facts, Line, content_of
from profiles.validation.wording import pattern, table

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["part_claims", "scope_claims", "support_claims"]

_OTHER_TIME = re.compile(
    r"\b(?:before|earlier|previous|previously|after|prior|then|later|began|begun|start\w*|career|moved"
    r"|moving|first|from|since|following|path|former|formerly|past|joined|joining|until|plus"
    r"|alongside|together|across|both|combin\w+|progress\w*|advanced|rose)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:]|\band\b|\bwhile\b|\bwhere\b|\bwhich\b")
_FEWEST_WORDS = 3
_FEWEST_UNTOLD = 4
_OF_OTHERS = 0.75
_OF_OWN = 0.3
_PREFIX = 4
_OBJECT_WORDS = 4


def scope_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each figure and each clause after the only employer of a sentence."""
    del vocabulary
    employers = {mention.jobs: mention for mention in sentence.employers}
    if len(employers) != 1 or _OTHER_TIME.search(sentence.text):
        return
    ((jobs, mention),) = employers.items()
    if any(not title.jobs & jobs for title in sentence.titles):
        return
    own = [line for line in facts.lines if line.job in jobs or line.job is None]
    others = [line for line in facts.lines if line.job is not None and line.job not in jobs]
    for amount in sentence.amounts:
        if amount.start > mention.end and amount.unit not in ("year", "month") and amount.value > 2:
            lines = facts.lines_with(amount)
            context = sentence.around(amount.start, amount.end)
            if any(line in others and line.content & context for line in lines):
                is_own = facts.is_foreign or any(line in own for line in lines)
                yield Claim(RemovalReason.EMPLOYMENT, is_own)
    for clause in () if facts.is_foreign else _CLAUSE.split(sentence.text[mention.end :]):
        if _is_of_another(content_of(tuple(words_of(clause))), own, others):
            yield Claim(RemovalReason.EMPLOYMENT, False)


def _is_of_another(content: frozenset[str], own: list[Line], others: list[Line]) -> bool:
    """Whether a line of another job has nearly all the words of a clause, and its own hardly any."""
    if len(content) < _FEWEST_WORDS:
        return False
    of_own = frozenset().union(*(line.content for line in own))
    if len(content & of_own) > _OF_OWN * len(content):
        return False
    return any(len(content & line.content) >= _OF_OTHERS * len(content) for line in others)


def support_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """A clause of which the record has not one word; a writer's own words for a career are none."""
    del vocabulary
    if facts.is_foreign:
        return
    filler = table("generic")["filler"]
    for clause in _CLAUSE.split(sentence.text):
        words = [word for word in words_of(clause) if word not in filler]
        content = content_of(tuple(words))
        if len(content) >= _FEWEST_UNTOLD and not any(word.isdigit() for word in words):
            is_told = any(
                word in facts.evidence.stems or word[:_PREFIX] in facts.prefixes for word in content
            )
            yield Claim(RemovalReason.NAME, is_told)


def part_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Leading what the record only took part in."""
    del vocabulary
    for match in () if facts.is_foreign else pattern("phrases", "leading").finditer(sentence.text):
        after = [word for word, start, _ in sentence.words if start >= match.end()]
        thing = content_of(tuple(after[:_OBJECT_WORDS]))
        lines = [line for line in facts.lines if thing and len(line.content & thing) >= 2]
        if lines:
            yield Claim(RemovalReason.EMPLOYMENT, not all(map(_is_only_part, lines)))


def _is_only_part(line: Line) -> bool:
    has_part = pattern("phrases", "part").search(line.text) is not None
    return has_part and pattern("phrases", "leading").search(line.text) is None


