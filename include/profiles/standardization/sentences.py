"""Sentence boundaries: splitting, glued sentences, tails that a source cut off. Pure."""

from __future__ import annotations

import re
from typing import Final

from profiles.standardization.wordlists import words

__all__ = ["cut_at_more", "split_sentences", "unglue"]

_MORE: Final = re.compile(
    r"\s*(?:…|\.\.\.)?\s*[\[(]?(?:(?:see|show|read|view)\s+(?:more|less)|voir\s+plus|ver\s+m[áa]s"
    r"|mehr\s+anzeigen|ver\s+mais|mostra\s+altro)[\])]?\s*(?:…|\.\.\.)?\s*\Z|\s*(?:…|\.{3,})\s*\Z",
    re.IGNORECASE,
)
_LONGEST_TAIL: Final = 48
_TAIL_MARKS: Final = ("…", "...", "more", "less", "plus", "ver m", "anzeigen", "altro")
_SENTENCE_END: Final = re.compile(r"[.!?。！？](?=\s|\Z)|\n|[。！？]")
# Begins with the rarest character, so that the search skips from mark to mark; most texts have no
# glued sentence at all, which the shorter pattern tells in less time.
_MAY_BE_GLUED: Final = re.compile(r"[.!?][A-Z]")
_MAY_BE_GLUED_AT_STOP: Final = re.compile(r"\.[A-Z]")
_GLUED: Final = re.compile(r"([.!?])(?<=[a-z0-9%)].)(?=[A-Z][a-z]*(?:[ ,'’-]|\Z))")
_PLAIN_BOUNDARY: Final = re.compile(r"([.!?…][\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[^\W_])")
_STOP_BOUNDARY: Final = re.compile(r"(\.[\"')\]]*)\s+(?=[\"'(\[]*[^\W_])")
"""The same in ASCII without "!" and "?": a single mark to begin with is found at once."""
_FULL_WIDTH_STOP: Final = re.compile("[。！？]")
_BOUNDARY: Final = re.compile(r"[.!?…][\"'”’)\]]*(\s+)(?=[\"'“‘(\[]*[^\W_])|[。！？]()")
_ABBREVIATIONS: Final = words("sentences", "abbreviations")
_BEFORE_NUMBER: Final = words("sentences", "before_number")
_BEFORE_ORDINAL: Final = words("sentences", "before_ordinal")
_LONGEST_ABBREVIATION: Final = 12
_NO_ABBREVIATION: Final = frozenset("%)")
"""Characters before a full stop that end no abbreviation."""
_LONGEST_ORDINAL: Final = 2
_LAST_WORD: Final = re.compile(r"([\w.]+)\.\Z")


def cut_at_more(text: str) -> str:
    """`text` without a "… see more" tail, cut back to the end of its last full sentence or line.

    A text with no full sentence keeps its words.
    """
    text = text.rstrip()
    start = max(0, len(text) - _LONGEST_TAIL)
    ending = text[start:].lower()
    if not any(mark in ending for mark in _TAIL_MARKS):
        return text
    tail = _MORE.search(text, start)
    if tail is None:
        return text
    kept = text[: tail.start()].rstrip()
    if _SENTENCE_END.search(kept[-1:]):
        return kept
    ends = [match.end() for match in _SENTENCE_END.finditer(kept)]
    return (kept[: ends[-1]].rstrip() if ends else "") or kept


def unglue(text: str) -> str:
    """`text` with the space that lost line breaks took: "done.Next one" → "done. Next one"."""
    sign = _MAY_BE_GLUED if "!" in text or "?" in text else _MAY_BE_GLUED_AT_STOP
    return _GLUED.sub(r"\1 ", text) if sign.search(text) is not None else text


def split_sentences(block: str) -> tuple[str, ...]:
    """The sentences of a clean block in order, without bullets.

    >>> split_sentences("Led a team, e.g. Ops.\\n- One item\\n- Two.Three here.")
    ('Led a team, e.g. Ops.', 'One item', 'Two.', 'Three here.')
    """
    sentences: list[str] = []
    for line in block.split("\n"):
        line = unglue(line.removeprefix("- ").strip())
        if line:
            sentences.extend(_split_line(line))
    return tuple(sentences)


def _split_line(line: str) -> list[str]:
    # A pattern that begins with a set of characters is searched several times as fast.
    is_ascii = line.isascii()
    if is_ascii or _FULL_WIDTH_STOP.search(line) is None:
        is_simple = is_ascii and "!" not in line and "?" not in line
        pieces = (_STOP_BOUNDARY if is_simple else _PLAIN_BOUNDARY).split(line)
        if len(pieces) == 1:
            return pieces
        parts = _joined(pieces)
        if parts is not None:
            return parts
        return _split_at(_PLAIN_BOUNDARY, line)
    return _split_at(_BOUNDARY, line)


def _joined(pieces: list[str]) -> list[str] | None:
    """Each text with the marks behind it; None when an abbreviation may end one.

    This is cheaper than `_split_at`, which looks at each boundary by itself and gives the same.
    """
    parts = []
    for text, marks in zip(pieces[::2], pieces[1::2], strict=False):
        if marks[0] == ".":
            word = text[1 - _LONGEST_ABBREVIATION :].rpartition(" ")[2]
            if len(word) > 1 and word.isalpha():
                if word.lower() in _ABBREVIATIONS or word.lower() in _BEFORE_NUMBER:
                    return None
            elif text[-1:] not in _NO_ABBREVIATION:
                return None
        parts.append(text + marks)
    parts.append(pieces[-1])
    return parts


def _split_at(boundary: re.Pattern[str], line: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for match in boundary.finditer(line):
        stop = match.start()
        if line[stop] == "." and _goes_on(line[start : stop + 1], line[match.end() :]):
            continue
        parts.append(line[start : match.end()].strip())
        start = match.end()
    parts.append(line[start:].strip())
    return [part for part in parts if part]


def _goes_on(piece: str, rest: str) -> bool:
    """Whether a full stop ends no sentence: an abbreviation, or an ordinal ("im 3. Quartal")."""
    *before, word = piece[:-1].lower().rsplit(None, 2)[-2:] or [""]
    following = rest.lstrip("\"'“‘([")
    if word.isdecimal():
        is_ordinal = not before or before[0] in _BEFORE_ORDINAL or following[:1].islower()
        return len(word) <= _LONGEST_ORDINAL and is_ordinal
    if word in _BEFORE_NUMBER:
        return following[:1].isdecimal()
    if len(word) > 1 and word.isalpha():
        return word in _ABBREVIATIONS
    return _ends_in_abbreviation(piece)


def _ends_in_abbreviation(piece: str) -> bool:
    word = _LAST_WORD.search(piece[-_LONGEST_ABBREVIATION:])
    if word is None:
        return False
    last = word[1].lower()
    if len(last) == 1:
        # An initial ("J. Doe"), not the end of a name such as GD&T or R&D.
        return last.isalpha() and last != "i" and not piece.endswith("&", 0, -2)
    return last in _ABBREVIATIONS
