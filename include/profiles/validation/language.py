"""Whether a summary is English prose in Latin script. Pure.

A word count against short lists of function words, not a detector: summaries are long enough,
and the question is only English or not. Of one sentence, small words with accents tell as much as
known ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from profiles.validation.wording import table

__all__ = [
    "ENGLISH",
    "FOREIGN",
    "foreign_language",
    "foreign_sentence",
    "is_foreign",
    "language_fault",
]

_WORD = re.compile(r"[^\W\d_]+")
_MIN_LATIN_SHARE = 0.85
_MIN_ENGLISH_SHARE = 0.12
_MIN_WORDS = 12
_MIN_SENTENCE_WORDS = 8
_FEWEST_FOREIGN = 2
_FOREIGN_SHARE = 0.15
_TIMES_ENGLISH = 2
_FOREIGN_PART = 0.25
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f]")
ENGLISH = table("languages")["en"]
_LOANS = table("languages")["en loans"]
_OTHERS = {
    code: words
    for code, words in table("languages").items()
    if not code.startswith("en") and code != "units"
}
_LANGUAGES: dict[str, tuple[str, ...]] = {
    word: tuple(name for name, words in _OTHERS.items() if word in words)
    for word in frozenset().union(*_OTHERS.values())
}
"""The languages that have a function word."""
FOREIGN = frozenset(_LANGUAGES) - ENGLISH
"""The small words of all other languages that English does not have."""


def language_fault(text: str) -> str | None:
    """`script` when too many letters are not Latin, a language code or `unclear` when the words
    are not English; None for English. Very short texts are judged by script alone."""
    if not text.isascii() and not _is_in_latin_script(text):
        return "script"
    counts = Counter(_WORD.findall(text.lower()))
    if counts.total() < _MIN_WORDS:
        return None
    english = sum(counts[word] for word in counts.keys() & ENGLISH)
    strongest, share = _strongest(counts)
    if share > english:
        return strongest
    return "unclear" if english < _MIN_ENGLISH_SHARE * counts.total() else None


def foreign_sentence(sentence: str) -> str | None:
    """`script` or a language code for a sentence that is not English."""
    if not sentence.isascii() and not _is_in_latin_script(sentence, 0.5):
        return "script"
    return foreign_language(sentence)


def foreign_language(sentence: str) -> str | None:
    """The language of a sentence whose small words are plainly another's than English.

    `unclear` where no list knows it and its words have accents as no English word has.
    """
    words = _WORD.findall(sentence)
    if len(words) < _MIN_SENTENCE_WORDS:
        return None
    # A capital inside a sentence begins a name: "De la Cruz".
    small = [words[0].lower(), *(word for word in words[1:] if word[0].islower())]
    fewest = max(_FEWEST_FOREIGN, _FOREIGN_SHARE * len(words))
    if sum(word in FOREIGN or not word.isascii() for word in small) < fewest:
        return None
    counts = Counter(small)
    accented = sum(counts[word] for word in counts if not word.isascii() and word not in _LOANS)
    strongest, known = _strongest(counts, is_shared=False)
    own = _OTHERS.get(strongest, frozenset())
    english = sum(counts[word] for word in (counts.keys() & ENGLISH) - own)
    is_plain = known + accented >= fewest and known + accented > _TIMES_ENGLISH * english
    return (strongest or "unclear") if is_plain else None


def _strongest(counts: Counter[str], *, is_shared: bool = True) -> tuple[str, int]:
    """The language of most function words, and how many; those shared with English or not."""
    found: Counter[str] = Counter()
    for word in counts.keys() & _LANGUAGES.keys():
        if is_shared or word not in ENGLISH:
            for name in _LANGUAGES[word]:
                found[name] += counts[word]
    return max(found.items(), key=lambda item: item[1], default=("", 0))


def _is_in_latin_script(text: str, share: float = _MIN_LATIN_SHARE) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(1 for char in letters if char.isascii() or _is_latin(char))
    return latin >= share * len(letters)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN")


def is_foreign(body: str) -> bool:
    """Whether a good part of a document, without its first line, is in another language."""
    others = len(_NOT_LATIN.findall(body)) if not body.isascii() else 0
    if others > 0.1 * sum(map(str.isalpha, body)):
        return True
    told = " ".join(line[2:] for line in body.split("\n") if line.startswith("- "))
    lines = [line for line in body.split("\n") if line.count(" ") >= 4]
    foreign = sum(len(line) for line in lines if _is_foreign_line(line))
    return (
        foreign > _FOREIGN_PART * len(" ".join(lines))
        or _lacks_english(body)
        or _is_foreign_line(told)
    )


def _lacks_english(body: str) -> bool:
    """Whether hardly a small word of a longer text is English."""
    words = [word for word in _WORD.findall(body) if word.islower()]
    english = sum(1 for word in words if word in ENGLISH)
    foreign = sum(1 for word in words if word in FOREIGN)
    return len(words) >= 12 and foreign > english


def _is_foreign_line(line: str) -> bool:
    if foreign_language(line) is not None:
        return True
    words = [word for word in _WORD.findall(line) if word[0].islower()]
    accented = sum(1 for word in words if not word.isascii())
    small = sum(1 for word in words if word in ENGLISH)
    return accented >= 2 and accented > small
