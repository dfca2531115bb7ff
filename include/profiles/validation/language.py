"""Whether a summary is English prose in Latin script. Pure.

A word count against short lists of function words, not a detector: summaries are long enough,
and the question is only English or not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from profiles.standardization.text import split_sentences

__all__ = ["foreign_language", "language_fault"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH = _words(
    "the a an and or of to in on for with at by from as is are was were be been has have had his"
    " her their its it he she they who that which this these those across through into over under"
    " within while where also including more than between both not all other such using during"
    " about up team work working experience led built years"
)
_OTHERS: dict[str, frozenset[str]] = {
    name: _words(words)
    for name, words in {
        "de": "der die das und mit für von zu im den des ein eine einer bei als ist auf sowie sich"
        " wurde hat dem nicht über durch nach sie er",
        "fr": "le la les et des du de un une dans pour avec sur au aux par est qui que en ses son"
        " il elle ainsi plus ont été chez",
        "es": "el la los las y de del en un una con por para que su sus al se como es más ha sido"
        " fue desde entre",
        "pt": "o a os as e de do da dos das em um uma com por para que seu sua ao no na nos nas é"
        " foi mais como",
        "it": "il lo la gli le e di del della in un una con per che su al è nel nella sono come da",
        "nl": "de het een en van in met voor op te zijn is aan door bij als ook naar",
        "pl": "i w z na do się jest oraz dla od przez po jako że nie",
        "sv": "och i att det som en på är av för med till den har de inte om ett han hon vid sedan",
        "tr": "ve bir ile için bu olarak da de en olan",
    }.items()
}
_WORD = re.compile(r"[^\W\d_]+")
_MIN_LATIN_SHARE = 0.85
_MIN_ENGLISH_SHARE = 0.12
_MIN_WORDS = 12
_MIN_SENTENCE_WORDS = 8
_PLAIN_SHARE = 0.25


def language_fault(text: str) -> str | None:
    """`script` when too many letters are not Latin, a language code or `unclear` when the words
    are not English; None for English. Very short texts are judged by script alone."""
    if not text.isascii() and not _is_in_latin_script(text):
        return "script"
    counts = Counter(_WORD.findall(text.lower()))
    if counts.total() < _MIN_WORDS:
        return None
    foreign = [code for code in map(foreign_language, split_sentences(text)) if code]
    if len(foreign) > 1:
        return foreign[0]
    english = _frequency(counts, _ENGLISH)
    shares = {name: _frequency(counts, known) for name, known in _OTHERS.items()}
    strongest = max(shares, key=lambda name: shares[name])
    if shares[strongest] > english:
        return strongest
    return "unclear" if english < _MIN_ENGLISH_SHARE * counts.total() else None


def foreign_language(sentence: str) -> str | None:
    """The language of a sentence whose function words are plainly another's than English."""
    counts = Counter(_WORD.findall(sentence.lower()))
    if counts.total() < _MIN_SENTENCE_WORDS:
        return None
    shares = {name: _frequency(counts, known) for name, known in _OTHERS.items()}
    strongest = max(shares, key=lambda name: shares[name])
    is_plain = shares[strongest] >= _PLAIN_SHARE * counts.total()
    return strongest if is_plain and shares[strongest] > 2 * _frequency(counts, _ENGLISH) else None


def _frequency(counts: Counter[str], known: frozenset[str]) -> int:
    return sum(counts[word] for word in counts.keys() & known)


def _is_in_latin_script(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(1 for char in letters if char.isascii() or _is_latin(char))
    return latin >= _MIN_LATIN_SHARE * len(letters)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN")
