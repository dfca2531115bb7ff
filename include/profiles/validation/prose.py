"""Check that a summary is English prose in Latin script, and free of repetition loops. Pure.

A word count against short lists of function words, not a detector: summaries are long enough,
and the question is only English or not. Of one sentence, small words with accents tell as much as
known ones. Loops are the usual way in which a small or badly sampled model fails.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from operator import eq

from profiles.standardization.sentences import split_sentences
from profiles.standardization.text import fold
from profiles.validation.words import ENGLISH, stem, table

_WORD = re.compile(r"[^\W\d_]+")
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_MIN_LATIN_SHARE_OF_SENTENCE = 0.5
_MIN_WORDS = 12
_MIN_SENTENCE_WORDS = 8
_FEWEST_FOREIGN = 2
_FOREIGN_SHARE = 0.15
_TIMES_ENGLISH = 2
_FOREIGN_PART = 0.25
_FOREIGN_LETTERS = 0.1
_FOREIGN_HINT = 0.1
"""Share of the small words of English below which no part of a text is in another language."""
_LOANS = table("languages")["en loans"]
_OTHERS = {code: words for code, words in table("languages").items() if not code.startswith("en")}
_LANGUAGES = {
    word: tuple(name for name, words in _OTHERS.items() if word in words)
    for word in frozenset().union(*_OTHERS.values())
}
"""The languages that have a function word."""
_FOREIGN = frozenset(_LANGUAGES) - ENGLISH

_ONE_CHARACTER = re.compile(r"(\S)\1{15}")
_LONGEST_PERIOD = 12
_FEWEST_WORDS = 6
_FEWEST_CONTENT = 5
_SAME_SHARE = 0.75
_MOST_COMPARED = 120
"""Sentences compared with each other; no accepted summary has as many."""


def foreign_sentence(sentence: str) -> str | None:
    """`script`, or the language of a sentence whose small words are plainly another's than English.

    `unclear` where no list knows it and its words have accents as no English word has.
    """
    if not _is_in_latin_script(sentence, _MIN_LATIN_SHARE_OF_SENTENCE):
        return "script"
    words = _WORD.findall(sentence)
    if len(words) < _MIN_SENTENCE_WORDS:
        return None
    # A capital inside a sentence begins a name: "De la Cruz".
    small = [words[0].lower(), *(word for word in words[1:] if word[0].islower())]
    fewest = max(_FEWEST_FOREIGN, _FOREIGN_SHARE * len(words))
    hints = sum(map(_FOREIGN.__contains__, small))
    if not sentence.isascii():
        hints += sum(word not in _FOREIGN and not word.isascii() for word in small)
    if hints < fewest:
        return None
    counts = Counter(small)
    accented = sum(counts[word] for word in counts if not word.isascii() and word not in _LOANS)
    strongest, known = _strongest(counts, ENGLISH)
    own = _OTHERS.get(strongest, frozenset())
    english = sum(counts[word] for word in (counts.keys() & ENGLISH) - own)
    is_plain = known + accented >= fewest and known + accented > _TIMES_ENGLISH * english
    return (strongest or "unclear") if is_plain else None


def _strongest(counts: Counter[str], without: frozenset[str]) -> tuple[str, int]:
    """The language of most function words, and how many."""
    found: Counter[str] = Counter()
    for word in (counts.keys() & _LANGUAGES.keys()) - without:
        for name in _LANGUAGES[word]:
            found[name] += counts[word]
    return max(found.items(), key=lambda item: item[1], default=("", 0))


def _is_in_latin_script(text: str, share: float) -> bool:
    others = 0 if text.isascii() else len(_NOT_LATIN.findall(text))
    return others == 0 or others <= (1 - share) * sum(map(str.isalpha, text))


def is_foreign(body: str) -> bool:
    """Return whether a good part of a document, without its first line, is in another language."""
    if not _is_in_latin_script(body, 1 - _FOREIGN_LETTERS):
        return True
    words = [word for word in _WORD.findall(body) if word.islower()]
    own = _OTHERS.get(_strongest(Counter(words), ENGLISH)[0], frozenset())
    english = sum(map((ENGLISH - own).__contains__, words))
    foreign = sum(map(_FOREIGN.__contains__, words))
    accented = len(words) - sum(map(str.isascii, words))
    if foreign + accented < _FOREIGN_HINT * english:
        return False
    if len(words) >= _MIN_WORDS and foreign > english:
        return True
    lines = [line for line in body.split("\n") if line.count(" ") >= 4]
    length = sum(len(line) for line in lines if foreign_sentence(line))
    bullets = " ".join(line[2:] for line in body.split("\n") if line.startswith("- "))
    return length > _FOREIGN_PART * len(" ".join(lines)) or foreign_sentence(bullets) is not None


@dataclass(frozen=True, slots=True)
class SentenceContent:
    """Content of a sentence: its content stems, and its words with figures."""

    words: tuple[str, ...]
    content: frozenset[str]
    figures: frozenset[str]
    """Its figures and names: two sentences with other ones are two facts."""

    @classmethod
    def of(cls, sentence: str) -> SentenceContent:
        """The content of a sentence as it was written."""
        words = tuple(fold(sentence).split())
        figures = frozenset(word for word in words if any(map(str.isdigit, word)))
        content = frozenset(map(stem, set(words) - ENGLISH - table("generic")["subject"]))
        names = frozenset(stem(fold(word)) for word in sentence.split()[1:] if word[:1].isupper())
        return cls(words, content - figures, figures | names)

    def repeats(self, other: SentenceContent) -> bool:
        """Return whether both mean the same in other words: nearly the same content and figures."""
        if min(len(self.content), len(other.content)) < _FEWEST_CONTENT:
            return False
        if self.figures - other.figures and other.figures - self.figures:
            return False
        return len(self.content & other.content) >= _SAME_SHARE * len(self.content | other.content)


def repetition_fault(text: str) -> str | None:
    """Kind of repetition in the text: a character, a loop, or a repeated sentence."""
    if _ONE_CHARACTER.search(text):
        return "character"
    contents = [SentenceContent.of(sentence) for sentence in split_sentences(text)]
    words = [word for sentence in contents for word in sentence.words]
    if any(_has_period(words, period) for period in range(1, _LONGEST_PERIOD + 1)):
        return "loop"
    long = [sentence.words for sentence in contents if len(sentence.words) >= _FEWEST_WORDS]
    if len(set(long)) < len(long):
        return "sentence"
    pairs = combinations(contents[:_MOST_COMPARED], 2)
    return "sentence" if any(first.repeats(second) for first, second in pairs) else None


def _has_period(words: list[str], period: int) -> bool:
    """Return whether so many words come three times in a row, one word four times."""
    needed = period * 2 if period > 1 else 3
    return b"\1" * needed in bytes(map(eq, words, words[period:]))
