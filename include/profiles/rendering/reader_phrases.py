"""Phrases by their words, to tell whether a text may hold one at a fraction of a search. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["Phrases", "folded", "letters"]

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_NOT_A_LETTER: Final = bytes(
    code if code >= 0x80 or chr(code).isalnum() else 0x20 for code in range(256)
)


class Phrases:
    """Phrases by their words, to tell whether a text may hold one: at a fraction of a search."""

    def __init__(self, phrases: Iterable[str]) -> None:
        spelled = [
            letters(spelling) for phrase in phrases for spelling in (phrase.lower(), folded(phrase))
        ]
        self._single = frozenset(words[0] for words in spelled if len(words) == 1)
        several = {frozenset(words) for words in spelled if len(words) > 1}
        self._several = {
            head: [words for words in several if max(words, key=len) == head]
            for head in {max(words, key=len) for words in several}
        }
        self._heads = frozenset(self._several)
        self.words = self._single.union(*several)
        """All words of all phrases."""

    def may_be_in(self, words: frozenset[bytes]) -> bool:
        """Whether all words of a phrase are among `words`."""
        if not self._single.isdisjoint(words):
            return True
        heads = self._heads & words
        return any(phrase <= words for head in heads for phrase in self._several[head])


def letters(text: str) -> list[bytes]:
    """The words of a text in small letters, without marks."""
    return text.encode("utf-8", "surrogatepass").translate(_NOT_A_LETTER).split()


def folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text.lower())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", text))
