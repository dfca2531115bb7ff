"""Cuts a text into parts that an embedding model reads whole.

Nothing is left out: lines are packed together while they fit, a line that does not fit alone is
cut between sentences, and a sentence between words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from profiles.embedding.wordpieces import WordPieces

__all__ = ["Chunk", "split"]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text and its number of word pieces."""

    text: str
    pieces: int


def split(text: str, pieces: WordPieces, *, limit: int) -> tuple[Chunk, ...]:
    """The parts of a text, each of at most `limit` word pieces; none for an empty text.

    One word of more pieces than that stays whole, and the engine refuses it.
    """
    chunks: list[Chunk] = []
    held: list[str] = []
    size = 0
    for part, count in _parts(text, pieces, limit):
        if held and size + count > limit:
            chunks.append(Chunk("\n".join(held), size))
            held, size = [], 0
        held.append(part)
        size += count
    if held:
        chunks.append(Chunk("\n".join(held), size))
    return tuple(chunks)


def _parts(text: str, pieces: WordPieces, limit: int) -> Iterator[tuple[str, int]]:
    """Lines, sentences or runs of words that fit alone, with their pieces."""
    for line in text.splitlines():
        for sentence in _fitting(line, _SENTENCE_END.split(line), pieces, limit):
            for part in _fitting(sentence, sentence.split(), pieces, limit):
                if count := pieces.count(part):
                    yield part, count


def _fitting(text: str, items: list[str], pieces: WordPieces, limit: int) -> Iterator[str]:
    """The text when it fits, else its items, neighbours joined while they fit."""
    if pieces.count(text) <= limit:
        yield text
        return
    held: list[str] = []
    size = 0
    for item in items:
        count = pieces.count(item)
        if held and size + count > limit:
            yield " ".join(held)
            held, size = [], 0
        held.append(item)
        size += count
    if held:
        yield " ".join(held)
