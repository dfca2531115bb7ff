"""Repetition loops, the usual way in which a small or badly sampled model fails. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, takewhile

from profiles.standardization.text import fold, split_sentences
from profiles.validation.language import ENGLISH
from profiles.validation.retold import Told, has_retold

__all__ = ["repetition_fault"]

_LONGEST_PERIOD = 12
_SHARE_GRAM = 4
_MAX_REPEATED_SHARE = 0.3
_LONG_GRAM = 8
_MAX_LONG_GRAM_SHARE = 0.2
_MIN_WORDS_FOR_SHARE = 40
_MIN_DISTINCT_SHARE = 0.25
_FEWEST_TEMPLATE_WORDS = 4
_TEMPLATE_WORDS_CHANGED = 2
_LONG_TEMPLATE_WORDS_CHANGED = 3
_FEWEST_LONG_TEMPLATE_WORDS = 9
_TEMPLATE_SHARE = 0.6
_MOST_OF_A_TEMPLATE = 4
_MOST_JOBS = 7
_SHORTEST_RETOLD = 6
_MOST_COMPARED = 120
"""Sentences compared with each other; no accepted summary has as many."""
_SHORTEST_ROUND = 6
_ROUNDS = ((6, 2), (10, 4), (14, 6))
"""So many words of content in a row, of which no more are different."""
_FRAME = 3
_FRAMES_IN_A_SENTENCE = 4


def repetition_fault(text: str) -> str | None:
    """Which kind of repetition the text has: a loop, a repeated sentence, repeated phrases.

    Words that belong to a subject come back in any honest text, so phrases count only when they
    make up a large share of it.
    """
    written = split_sentences(text)
    sentences = [fold(sentence) for sentence in written]
    told = [Told.of(sentence) for sentence in written[:_MOST_COMPARED]]
    if _has_repeated_sentence(sentences, told):
        return "sentence"
    split = [sentence.split() for sentence in sentences]
    compared = split[:_MOST_COMPARED]
    if _has_template(compared, told):
        return "template"
    if _has_retold_sentence(compared, told) or has_retold(told):
        return "sentence"
    words = " ".join(sentences).split()
    if _has_loop(words) or any(map(_goes_round, split)):
        return "loop"
    kept = (*_without_frames(compared), *split[_MOST_COMPARED:])
    words = [word for sentence in kept for word in sentence]
    return "phrases" if _is_repetitive(words) else None


def _has_repeated_sentence(sentences: Sequence[str], told: Sequence[Told]) -> bool:
    """The same sentence twice. "The title was Data Analyst" is none: two jobs may have it."""
    long = [
        sentence
        for sentence, content in zip(sentences, told, strict=False)
        if sentence.count(" ") >= 3 and not content.is_title
    ]
    return len(set(long)) < len(long)


def _has_retold_sentence(sentences: Sequence[Sequence[str]], told: Sequence[Told]) -> bool:
    """Two sentences that differ in how they begin alone: "In addition, she ..."."""
    long = [words for words, content in zip(sentences, told, strict=True) if not content.is_title]
    return any(_is_retold(first, second) for first, second in combinations(long, 2))


def _is_retold(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one is the other with words put before it."""
    shorter = min(len(first), len(second))
    return shorter >= _SHORTEST_RETOLD and _shared(first[::-1], second[::-1]) == shorter


def _has_template(sentences: Sequence[Sequence[str]], told: Sequence[Told]) -> bool:
    """Four sentences that differ from one of them in one place of three words at most.

    Where they have a name in common besides, they are jobs of one title, which a writer may list.
    """
    long = [
        (words, content)
        for words, content in zip(sentences, told, strict=True)
        if len(words) >= _FEWEST_TEMPLATE_WORDS and not content.is_title
    ]
    for words, content in long:
        like = [other.names for them, other in long if _is_like(words, them)]
        of_other_names = 1 + sum(content.names.isdisjoint(names) for names in like)
        if of_other_names >= _MOST_OF_A_TEMPLATE or len(like) >= _MOST_JOBS:
            return True
    return False


def _is_like(words: Sequence[str], other: Sequence[str]) -> bool:
    shortest = min(len(words), len(other))
    before = _shared(words, other)
    after = min(_shared(words[::-1], other[::-1]), shortest - before)
    longest = max(len(words), len(other))
    same = before + after
    is_long = same >= _FEWEST_LONG_TEMPLATE_WORDS
    changed = _LONG_TEMPLATE_WORDS_CHANGED if is_long else _TEMPLATE_WORDS_CHANGED
    return longest - same <= changed and same >= _TEMPLATE_SHARE * longest


def _shared(words: Sequence[str], other: Sequence[str]) -> int:
    """How many words two sentences begin with alike."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, other, strict=False))
    )


def _without_frames(sentences: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Each sentence less the words with which an earlier one began or ended: a writer may do so."""
    for position, words in enumerate(sentences):
        earlier = sentences[:position]
        kept = words[max((_shared(words, other) for other in earlier), default=0) :]
        end = max((_shared(kept[::-1], other[::-1]) for other in earlier), default=0)
        yield kept[: len(kept) - end]


def _has_frame(words: Sequence[str]) -> bool:
    """The same three words four times in one sentence."""
    counts = Counter(_grams(words, _FRAME))
    return max(counts.values(), default=0) >= _FRAMES_IN_A_SENTENCE


def _goes_round(words: Sequence[str]) -> bool:
    """Whether a sentence says six words or more twice in a row, or little else than a few words."""
    if _has_frame(words):
        return True
    for period in range(3, len(words) // 2 + 1):
        run = 0
        needed = max(_SHORTEST_ROUND, period)
        for position in range(period, len(words)):
            run = run + 1 if words[position] == words[position - period] else 0
            if run >= needed:
                return True
    content = [word for word in words if word not in ENGLISH]
    return any(
        len(set(content[start : start + size])) <= most
        for size, most in _ROUNDS
        for start in range(len(content) - size + 1)
    )


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
    most = max(Counter(_grams(words, _LONG_GRAM)).values(), default=0)
    return most >= 3 and most * _LONG_GRAM > _MAX_LONG_GRAM_SHARE * len(words)


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
