"""Capitals for titles, employers and names that a vendor wrote in lower case. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from profiles.standardization.words import words

_WORD: Final = re.compile(r"[^\W\d_][\w&]*(?:['’][^\W\d_]+)*|\d+[^\W\d_]\w*")
_PREFIX: Final = re.compile(r"\A[dol]['’](?=[^\W\d_])", re.IGNORECASE)
_ACRONYMS: Final = words("names", "acronyms")
_SMALL_WORDS: Final = words("names", "small")
_VOWELS: Final = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý")
_LONGEST_UNKNOWN: Final = 4
_SHORT_BRAND: Final = 2
_SPOKEN: Final = words("names", "spoken")


@lru_cache(maxsize=16_384)
def capitalized(text: str) -> str:
    """A title, employer, school or degree with a capital where each word begins.

    >>> capitalized("qa lead, crm & erp"), capitalized("st. peter's college of arts")
    ('QA Lead, CRM & ERP', "St. Peter's College of Arts")
    """
    lower = text.lower()
    first = _WORD.search(lower)

    def put(match: re.Match[str]) -> str:
        word = match[0]
        if word in _SMALL_WORDS and first and match.start() > first.start():
            return word
        return word.upper() if is_acronym(word) else _capital_behind_prefix(word)

    return _WORD.sub(put, lower)


@lru_cache(maxsize=16_384)
def capitalized_name(text: str) -> str:
    """The name of a person or place with a capital where each word begins: "Maya O'Brien"."""
    return _WORD.sub(lambda match: _capital_behind_prefix(match[0]), text.lower())


def is_acronym(word: str) -> bool:
    """Return whether a lower-case word is a known acronym, or cannot be pronounced."""
    if word in _ACRONYMS or "&" in word or (word[:1].isdecimal() and len(word) == _SHORT_BRAND):
        return True
    return (
        1 < len(word) <= _LONGEST_UNKNOWN
        and word.isalpha()
        and word.isascii()
        and _VOWELS.isdisjoint(word)
        and word not in _SPOKEN
    )


def _capital_behind_prefix(word: str) -> str:
    prefix = _PREFIX.match(word)
    if prefix is not None and len(word) > prefix.end() + 1:
        return word[0].upper() + word[1] + word[2:3].upper() + word[3:]
    return word[:1].upper() + word[1:]
