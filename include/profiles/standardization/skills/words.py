"""Words of skill names and texts, rough stems, and the index that evidence looks in. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.standardization.text import fold

__all__ = [
    "TOKEN",
    "UNSPACED",
    "Shape",
    "TextIndex",
    "index_of",
    "is_short",
    "shape_of",
    "short_pattern",
]

_UNSPACED: Final = r"\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f"
UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
"""A letter of a script without spaces between words."""
_LETTER: Final = rf"[^\W{_UNSPACED}]"
# Punctuation that tells skills apart stays in the word: C++, C#, .NET. "Rails" and "で" are two.
TOKEN: Final = re.compile(
    rf"\.NET(?!{_LETTER})|[^\W_{_UNSPACED}]+(?:\+\+|#(?!{_LETTER}))?|[{_UNSPACED}]+", re.IGNORECASE
)
_MOST_SHORT: Final = 3

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


def is_short(form: str) -> bool:
    """A form of so few letters that only its case and punctuation tell it from other words."""
    return sum(map(str.isalnum, form)) <= _MOST_SHORT


@lru_cache(maxsize=1_024)
def short_pattern(form: str) -> re.Pattern[str]:
    """A short form on its own: M&A is not MA, and R is no part of R&D, J.R. or R-level."""
    # The form stands first so that the search skips to it.
    own = re.escape(form)
    if len(form) == 1:
        return re.compile(rf"{own}(?<![\w&.'’-]{own})(?!{_LETTER}|[&'’+#-]|\.{_LETTER})")
    return re.compile(rf"{own}(?<!{_LETTER}{own})(?<!&{own})(?!{_LETTER}|[&+#])")
