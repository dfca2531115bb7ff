"""Names of skills in other languages than English, and where lines have them. Pure.

`~` in a label marks where its word may end differently: `zarządzani~e` matches `zarządzania`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from profiles.standardization.skill_words import TOKEN, UNSPACED
from profiles.standardization.text import fold

__all__ = ["Labels", "language_of"]

_HEAD: Final = 4
"""Letters of a label's first word by which it is looked up."""
_OPEN: Final = "~"
_KATAKANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc]")
_SPLIT: Final = re.compile(r"[\s\-/'’]+")
_GAP: Final = re.compile(r"[ \t\u00a0]?[-/'’]?[ \t\u00a0]?\Z")


class _Word(NamedTuple):
    beginning: str
    is_open: bool

    def matches(self, word: str) -> bool:
        return word == self.beginning or (self.is_open and word.startswith(self.beginning))


class _Label(NamedTuple):
    words: tuple[_Word, ...]
    canonical: str


class Labels:
    """Labels by language; `names` has each as written, for names that stand alone."""

    def __init__(
        self,
        by_language: Mapping[str, Iterable[tuple[str, str]]],
        small_words: Mapping[str, frozenset[str]],
    ) -> None:
        self.small_words = small_words
        self.names: dict[str, str] = {}
        self._spaced: dict[str, dict[str, list[_Label]]] = {}
        self._unspaced: list[tuple[str, str]] = []
        for language, labels in by_language.items():
            table = self._spaced.setdefault(language, {})
            for written, canonical in labels:
                name = written.replace(_OPEN, "")
                self.names.setdefault(name, canonical)
                if UNSPACED.search(name):
                    self._unspaced.append((name, canonical))
                    continue
                words = tuple(map(_word, _SPLIT.split(written)))
                table.setdefault(words[0].beginning[:_HEAD], []).append(_Label(words, canonical))
        for table in self._spaced.values():
            for options in table.values():
                options.sort(key=lambda label: -sum(len(word.beginning) for word in label.words))
        self._unspaced.sort(key=lambda label: -len(label[0]))

    def find(self, line: str, language: str) -> list[str]:
        """The canonical names of the labels in a line of that language."""
        found = self._find_unspaced(line) if UNSPACED.search(line) else []
        table = self._spaced.get(language)
        if not table:
            return found
        spans = [match.span() for match in TOKEN.finditer(line)]
        words = [fold(line[start:end]).replace(" ", "") for start, end in spans]
        position = 0
        for index in range(len(words)):
            if index < position:
                continue
            for label in table.get(words[index][:_HEAD], ()):
                end = index + len(label.words)
                taken = words[index:end]
                if (
                    len(taken) == len(label.words)
                    and all(
                        part.matches(word) for part, word in zip(label.words, taken, strict=True)
                    )
                    and all(
                        _GAP.match(line[spans[at][1] : spans[at + 1][0]])
                        for at in range(index, end - 1)
                    )
                ):
                    found.append(label.canonical)
                    position = end
                    break
        return found

    def _find_unspaced(self, line: str) -> list[str]:
        taken: dict[int, str] = {}
        for name, canonical in self._unspaced:
            start = line.find(name)
            if start < 0:
                continue
            end = start + len(name)
            # A katakana word ends where the katakana do.
            if any(
                _KATAKANA.match(inner) and _KATAKANA.match(outer)
                for inner, outer in (
                    (name[0], line[start - 1 : start]),
                    (name[-1], line[end : end + 1]),
                )
            ):
                continue
            taken[start] = canonical
            line = line[:start] + "\0" * len(name) + line[end:]
        return [taken[start] for start in sorted(taken)]


def _word(written: str) -> _Word:
    beginning, mark, _ = written.partition(_OPEN)
    return _Word(fold(beginning).replace(" ", ""), bool(mark))


def language_of(
    words: frozenset[str], small_words: Mapping[str, frozenset[str]], *, default: str
) -> str:
    """The language with most of its small words among `words`; `default` where none leads."""
    best, most = default, len(words & small_words.get(default, frozenset()))
    for language, small in small_words.items():
        count = len(words & small)
        if count > most:
            best, most = language, count
    return best
