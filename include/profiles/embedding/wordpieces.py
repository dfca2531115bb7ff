"""How many word pieces a text has for an uncased BERT model, counted without the model.

Needed to cut a long text before it is embedded: the model reads 256 pieces and is silent about
what it leaves out. A test compares the counts with those of the engine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["WordPieces"]

_LONGEST_WORD = 100
"""Characters of a word; a longer one is one unknown piece."""


class WordPieces:
    """Greedy longest-match pieces over the words of a lower-cased text without accents."""

    def __init__(self, vocabulary: frozenset[str]) -> None:
        self._vocabulary = vocabulary
        self.count_word = lru_cache(maxsize=100_000)(self._count_word)

    @classmethod
    def from_file(cls, path: Path) -> WordPieces:
        """Reads a `vocab.txt`: one piece a line."""
        return cls(frozenset(path.read_text(encoding="utf-8").splitlines()))

    def count(self, text: str) -> int:
        """Pieces of the text, without the two that mark its begin and end."""
        return sum(self.count_word(word) for word in words(text))

    def _count_word(self, word: str) -> int:
        if len(word) > _LONGEST_WORD:
            return 1
        start = pieces = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                if ("##" if start else "") + word[start:end] in self._vocabulary:
                    break
            else:
                return 1
            start = end
            pieces += 1
        return pieces


def words(text: str) -> Iterator[str]:
    """The words that pieces are cut from; every punctuation mark and Han character is one."""
    plain = "".join(
        character
        for character in unicodedata.normalize("NFD", text.lower())
        if unicodedata.category(character) != "Mn"
    )
    word: list[str] = []
    for character in plain:
        stands_alone = _is_punctuation(character) or _is_han(character)
        is_break = character.isspace() or unicodedata.category(character) in ("Cc", "Cf")
        if stands_alone or is_break:
            # A control character is dropped, not a gap; white space is one.
            if word and (stands_alone or character.isspace()):
                yield "".join(word)
                word = []
            if stands_alone:
                yield character
        else:
            word.append(character)
    if word:
        yield "".join(word)


def _is_punctuation(character: str) -> bool:
    is_ascii_mark = character.isascii() and character.isprintable() and not character.isalnum()
    return (is_ascii_mark and character != " ") or unicodedata.category(character)[0] == "P"


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf"
