"""Repetition loops, the usual way in which a small or badly sampled model fails. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from profiles.standardization.text import fold, split_sentences

__all__ = ["repetition_fault"]

_LONGEST_PERIOD = 12
_SHARE_GRAM = 4
_MAX_REPEATED_SHARE = 0.3
_LONG_GRAM = 8
_MIN_WORDS_FOR_SHARE = 40
_MIN_DISTINCT_SHARE = 0.25
_FEWEST_TEMPLATE_WORDS = 7
_TEMPLATE_WORDS_CHANGED = 2
_MOST_OF_A_TEMPLATE = 4


def repetition_fault(text: str) -> str | None:
    """Which kind of repetition the text has: a loop, a repeated sentence, repeated phrases.

    Words that belong to a subject come back in any honest text, so phrases count only when they
    make up a large share of it.
    """
    sentences = [fold(sentence) for sentence in split_sentences(text)]
    if _has_repeated_sentence(sentences):
        return "sentence"
    if _has_template(sentences):
        return "template"
    words = " ".join(sentences).split()
    if _has_loop(words):
        return "loop"
    return "phrases" if _is_repetitive(words) else None


def _has_repeated_sentence(sentences: Sequence[str]) -> bool:
    long = [sentence for sentence in sentences if sentence.count(" ") >= 3]
    return len(set(long)) < len(long)


def _has_template(sentences: Sequence[str]) -> bool:
    """Four sentences that differ from one of them in two words at most."""
    split = [sentence.split() for sentence in sentences]
    long = [words for words in split if len(words) >= _FEWEST_TEMPLATE_WORDS]
    for words in long:
        like = sum(_is_like(words, other) for other in long)
        if like >= _MOST_OF_A_TEMPLATE:
            return True
    return False


def _is_like(words: Sequence[str], other: Sequence[str]) -> bool:
    if len(words) != len(other):
        return False
    return sum(a != b for a, b in zip(words, other, strict=True)) <= _TEMPLATE_WORDS_CHANGED


def _has_loop(words: Sequence[str]) -> bool:
    """The same one to twelve words, three times in a row (a single word: four times)."""
    for period in range(1, min(_LONGEST_PERIOD, len(words) // 3) + 1):
        needed = period * (3 if period == 1 else 2)
        run = 0
        for position in range(period, len(words)):
            run = run + 1 if words[position] == words[position - period] else 0
            if run >= needed:
                return True
    return False


def _is_repetitive(words: Sequence[str]) -> bool:
    if len(words) < _MIN_WORDS_FOR_SHARE:
        return False
    if len(set(words)) < _MIN_DISTINCT_SHARE * len(words):
        return True
    grams = Counter(_grams(words, _SHARE_GRAM))
    repeated = sum(count - 1 for count in grams.values())
    if repeated > _MAX_REPEATED_SHARE * grams.total():
        return True
    return max(Counter(_grams(words, _LONG_GRAM)).values(), default=0) >= 3


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
