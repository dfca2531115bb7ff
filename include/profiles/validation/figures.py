"""Figures: each must stand on a line of the document that tells of the same thing. Pure.

A line is of the same thing when it shares a content word, or a second figure, with the clause. Of a
document in another language the figure alone is asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, takewhile
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Sentence
from profiles.validation.evidence import stem, words_of
from profiles.validation.facts import Facts
from profiles.validation.language import ENGLISH
from profiles.validation.lines import Line
from profiles.validation.numbers import Amount, Magnitude, magnitudes_of
from profiles.validation.wording import number_words, table

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["figure_claims"]

_FEW = 12
"""A writer may count what a document lists up to here."""
_WORD = re.compile(r"[^\W\d_]+")
_LAST_WORD = re.compile(r"(\S+)[\s-]{0,9}\Z")
_FROM_TO = re.compile(r"\bfrom\s+\Z", re.IGNORECASE)
_NOUNS_AFTER = 3
_TEAM_WIDTH = 40
_OF_ANOTHER_LINE = 2
_ROUNDED_PERCENT = 2.5
_TEAM = re.compile(
    r"\b(?:team|group|staff|crew|squad|department)\s+of\s+(?:about |around |over |some )?\Z", re.I
)


def figure_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each figure; durations are claims about stays."""
    del vocabulary
    for amount in sentence.amounts:
        if amount.unit not in ("year", "month") and not _is_no_figure(amount, sentence, facts):
            yield Claim(RemovalReason.FIGURE, _is_told(amount, sentence, facts))
    for magnitude in magnitudes_of(sentence.text):
        yield Claim(RemovalReason.FIGURE, _is_of_size(magnitude, sentence, facts))
    if not facts.is_foreign:
        yield from _multiples(sentence, facts)


def _is_no_figure(amount: Amount, sentence: Sentence, facts: Facts) -> bool:
    """Whether it belongs to a name, or counts what the writer counted in the document."""
    if amount.value <= 2 and amount.unit != "percent" and (amount.is_word or amount.value <= 1):
        return True
    noun = next(iter(_nouns(amount, sentence.text)), "")
    is_team = _TEAM.search(sentence.text, max(0, amount.start - _TEAM_WIDTH), amount.start)
    if (
        amount.value <= _FEW
        and is_team is None
        and (noun in table("generic")["counted"] or not noun)
    ):
        return True
    before = _LAST_WORD.search(sentence.text, max(0, amount.start - _TEAM_WIDTH), amount.start)
    if before is not None and before[1].lower() == "per":
        return True
    if before is None or not any(map(str.isupper, before[1])):
        return False
    name = " ".join((*words_of(before[1]), *words_of(sentence.text[amount.start : amount.end])))
    return name in facts.folded


def _nouns(amount: Amount, text: str) -> list[str]:
    """The words that follow a figure, up to a small word or the end of its clause."""
    after = re.split(r"[,;.:()]", text[amount.end : amount.end + 60], maxsplit=1)[0]
    words = [match[0].lower() for match in _WORD.finditer(after)]
    return list(takewhile(lambda word: word not in ENGLISH, words))[:_NOUNS_AFTER]


def _is_told(amount: Amount, sentence: Sentence, facts: Facts) -> bool | None:
    lines = facts.lines_with(amount)
    if amount.unit == "percent" and any(
        abs(change - amount.value) <= _ROUNDED_PERCENT for change in facts.changes
    ):
        return True
    is_small = amount.value <= _FEW and amount.unit != "percent"
    if not lines:
        is_counted = facts.is_foreign and _TEAM.search(sentence.text[: amount.start]) is None
        return None if is_small and (amount.value <= 3 or is_counted) else False
    if facts.is_foreign:
        return True
    context = sentence.around(amount.start, amount.end)
    clause = sentence.clause(amount.start)
    bound = [line for line in lines if line.content & context]
    if not bound:
        others = [
            line
            for other in sentence.amounts
            if other is not amount
            for line in facts.lines_with(other)
        ]
        bound = [line for line in lines if line in others]
    most = max((len(line.content & clause) for line in lines), default=0)
    if not _is_reworded(amount, sentence, facts) and _is_moved(amount, clause, most, facts):
        return False
    return None if not bound else any(not _is_of_another(amount, sentence, line) for line in bound)


def _is_moved(amount: Amount, clause: frozenset[str], own: int, facts: Facts) -> bool:
    """Whether the clause tells what a line tells that has another figure of this kind."""
    if own > 0:
        return False
    shared = Counter(place for word in clause for place in facts.lines_of.get(word, ()))
    return any(
        count >= _OF_ANOTHER_LINE
        and any(
            (other.unit == "percent") == (amount.unit == "percent")
            for other in facts.lines[place].amounts
        )
        for place, count in shared.items()
    )


def _is_reworded(amount: Amount, sentence: Sentence, facts: Facts) -> bool:
    """Whether it counts something that the record never names, which may be another word for it."""
    nouns = _nouns(amount, sentence.text)[:2]
    return bool(nouns) and amount.unit == "" and not any(map(facts.evidence.has_word, nouns))


def _is_of_another(amount: Amount, sentence: Sentence, line: Line) -> bool:
    """Whether the line counts the same noun by another figure, and something else by this one."""
    nouns = [stem(noun) for noun in _nouns(amount, sentence.text)[:2]]
    attached: dict[str, list[Amount]] = {}
    for other in line.amounts:
        for noun in _nouns(other, line.text)[:2]:
            attached.setdefault(stem(noun), []).append(other)
    counted = [noun for noun in nouns if noun in attached and noun in line.content]
    if not counted or amount.unit == "percent":
        return False
    if sum(1 for other in line.amounts if amount.agrees(other)) == 0:
        return False
    return not any(amount.agrees(other) for noun in counted for other in attached[noun])


def _is_of_size(magnitude: Magnitude, sentence: Sentence, facts: Facts) -> bool | None:
    """Whether a line of the same thing has a figure of that size."""
    lines = [
        line
        for line in facts.lines
        for other in line.amounts
        if magnitude.low * 0.8 <= other.value <= magnitude.high
    ]
    context = sentence.around(magnitude.start, magnitude.start)
    is_bound = facts.is_foreign or any(line.content & context for line in lines)
    return False if not lines else is_bound or None


def _is_change(amount: Amount, facts: Facts) -> bool:
    """Whether two figures of a line differ by so many percent."""
    return any(abs(change - amount.value) <= _ROUNDED_PERCENT for change in facts.changes)


def _multiples(sentence: Sentence, facts: Facts) -> Iterator[Claim]:
    """Growth told as a multiple: two figures of a line in that ratio, or the word itself."""
    multiples = number_words()["multiple"]
    for word in multiples.keys() & {word for word, _, _ in sentence.words}:
        is_told = facts.evidence.has_word(word) or any(
            _has_ratio(line, multiples[word]) for line in facts.lines
        )
        yield Claim(RemovalReason.FIGURE, is_told)


def _has_ratio(line: Line, times: float) -> bool:
    for first, second in combinations(line.amounts, 2):
        if first.value > 0 and 0.8 * times <= second.value / first.value <= 1.25 * times:
            return True
    change = abs(times - 1) * 100
    return any(
        amount.unit == "percent" and abs(amount.value - change) <= 0.15 * change
        for amount in line.amounts
    )
