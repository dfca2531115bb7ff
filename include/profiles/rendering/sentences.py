"""The sentences of several texts, each said once.

Two sentences are the same when they fold to the same letters and digits. A sentence that is the
beginning of another one (a vendor cut it) says nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from profiles.standardization.text import fold, redact_contacts, split_sentences

MAX_SENTENCE_CHARS = 1_200
_MIN_BEGINNING_CHARS = 12
"""Shorter beginnings may be sentences of their own ("Led audits" and "Led audits in Pune")."""
_OWN_WORDS = 4
"""A sentence with fewer words may rightly be said of two employers."""
_MARKS = "#>*|`~ "
"""What would make a line a heading, quote, list or fence."""


class Line(NamedTuple):
    """A sentence and the folded key that it is compared by."""

    key: str
    text: str


def lines_of(block: str | None) -> tuple[Line, ...]:
    """The contact-free sentences of a text block; () for none."""
    if not block:
        return ()
    has_contact = redact_contacts(block) != block
    found = []
    for sentence in split_sentences(block):
        text = _without_contact(sentence) if has_contact else sentence
        if text[:1] in _MARKS:
            text = text.lstrip(_MARKS)
        if key := fold(text):
            found.append(Line(key, text))
    return tuple(found)


def _without_contact(sentence: str) -> str:
    """The sentence without contact data; "" when little else was in it ("Reach me on … or …")."""
    rest = redact_contacts(sentence)
    if rest == sentence:
        return sentence
    return rest if rest.count(" ") >= _OWN_WORDS and 2 * len(rest) > len(sentence) else ""


def union(groups: Iterable[Sequence[Line]]) -> tuple[Line, ...]:
    """All lines of `groups` in order of first appearance, repeats and cut ones removed."""
    kept: dict[str, Line] = {}
    for group in groups:
        for line in group:
            kept.setdefault(line.key, line)
    if len(kept) > 1:
        for key in _beginnings(kept):
            del kept[key]
    return tuple(kept.values())


class SaidBefore:
    """Remembers what newer jobs of a person already said."""

    def __init__(self) -> None:
        self._anywhere: set[str] = set()
        self._of_employer: set[tuple[str | None, str]] = set()

    def new(self, lines: Sequence[Line], employer: str | None) -> tuple[str, ...]:
        """The texts of those `lines` that no newer job said; remembers them.

        Long sentences are never repeated; short ones only for another employer.
        """
        fresh = []
        for key, text in lines:
            if key in self._anywhere or (employer, key) in self._of_employer:
                continue
            if key.count(" ") + 1 >= _OWN_WORDS:
                self._anywhere.add(key)
            else:
                self._of_employer.add((employer, key))
            fresh.append(text)
        return tuple(fresh)

    def quotes(self, line: Line) -> bool:
        """Whether `line` repeats a job's sentence, also behind a label ("Most proud of: …")."""
        if line.key in self._anywhere:
            return True
        label, colon, rest = line.text.partition(": ")
        return bool(colon) and label.count(" ") < _OWN_WORDS and fold(rest) in self._anywhere


def within(sentences: Sequence[str], budget: int) -> tuple[str, ...]:
    """The first sentences that fit `budget` characters; the first one always, cut if need be."""
    kept: list[str] = []
    used = 0
    for sentence in sentences:
        text = shorten(sentence)
        used += len(text) + 3
        if kept and used > budget:
            break
        kept.append(text)
    return tuple(kept)


def shorten(sentence: str) -> str:
    """An endless sentence cut at a word."""
    if len(sentence) <= MAX_SENTENCE_CHARS:
        return sentence
    return sentence[: MAX_SENTENCE_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _beginnings(kept: dict[str, Line]) -> list[str]:
    # Sorted, a key that begins another one stands right before one that it begins.
    ordered = sorted(kept)
    return [
        key
        for key, following in pairwise(ordered)
        if len(key) >= _MIN_BEGINNING_CHARS and following.startswith(key)
    ]
