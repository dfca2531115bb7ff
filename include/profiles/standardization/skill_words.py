"""Words of skill names and texts, rough stems, and the index that evidence looks in. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.standardization.text import fold

__all__ = ["TOKEN", "Shape", "TextIndex", "index_of", "letter_pattern", "shape_of"]

# Punctuation that tells skills apart stays in the word: C++, C#, .NET.
TOKEN: Final = re.compile(r"\.NET\b(?!\w)|[^\W_]+(?:\+\+|#(?!\w))?", re.IGNORECASE)

_SUFFIX: Final = re.compile(
    r"(?:izations?|isations?|ations?|ements?|ments?|ings?|ors?|ers?|ied|ies|ed|es|s|y|e)\Z"
)
_DOUBLED: Final = re.compile(r"([bdfglmnprt])\1\Z")
_SHORTEST_STEM: Final = 4


class Shape(NamedTuple):
    """A form as evidence looks for it: its words, their stems, and both written as one word."""

    words: tuple[str, ...]
    stems: str
    first_stem: str
    glued: str


class TextIndex(NamedTuple):
    """A text as evidence looks in it: joined for phrases, as sets to refuse most forms early."""

    folded: str
    raw: str
    stems: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """A rough stem: "negotiated", "negotiating" and "negotiation" agree; short words stay."""
    match = _SUFFIX.search(word)
    if match is None or match.start() < _SHORTEST_STEM:
        if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            return word[:-1]
        return word
    stem = word[: match.start()]
    stem = stem.removesuffix("at") if len(stem) > 5 else stem
    return _DOUBLED.sub(r"\1", stem)


def _stems(words: list[str]) -> list[str]:
    return [_stem(word.lower() if word.isascii() else fold(word)) for word in words]


@lru_cache(maxsize=16_384)
def shape_of(form: str) -> Shape:
    """The shape of one way to write a skill."""
    words = TOKEN.findall(form)
    stems = _stems(words)
    return Shape(
        tuple(words),
        " ".join(stems),
        stems[0] if stems else "",
        _stem("".join(words).lower()),
    )


@lru_cache(maxsize=4)
def index_of(text: str) -> TextIndex:
    """The index of one text; the last few are kept, since many skills ask about one document."""
    words = TOKEN.findall(text)
    stems = _stems(words)
    return TextIndex(
        f" {' '.join(stems)} ", f" {' '.join(words)} ", frozenset(stems), frozenset(words)
    )


@lru_cache(maxsize=64)
def letter_pattern(letter: str) -> re.Pattern[str]:
    """One capital letter on its own: no part of R&D, J.R. or C-level, nor of C++ and C#."""
    # The letter stands first so that the search skips to it.
    own = re.escape(letter)
    return re.compile(rf"{own}(?<![\w&.'’-]{own})(?![\w&'’+#-]|\.\w)")
