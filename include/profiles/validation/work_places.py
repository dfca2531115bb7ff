"""Whether a noun of a summary stands in a place of occupations. Pure.

Such are "worked as a", "is a" of a person, "from a ... to a ...", and the beginning of a sentence
about one. Only there a noun that no list has is taken for an occupation.
"""

from __future__ import annotations

from profiles.validation.mention_words import (
    ACTS,
    ADJUNCTS,
    ADVERBS,
    ARTICLES,
    COMMAS,
    CONJUNCTIONS,
    COPULAS,
    EMPLOYED,
    ENDS,
    JOBS,
    NAMES_WORK,
    PERSONS,
    PRESENTS,
    ROLES,
    STOPS,
    WORKS,
)
from profiles.validation.mentions import Mentions

__all__ = ["ends_noun", "is_named_as_work", "is_worked_as", "speaks_of_work"]

_WINDOW = 8
_DEEPEST = 6


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LASTING = _words("one two three four five six seven eight nine ten several many some most a years")
"""After "for", how long somebody was something, and not for whom."""
_PASTS = _words("taught gave made came went meant kept got set saw became found left paid let grew")
_ARTICLE_BEFORE = frozenset(("a", "an"))


def speaks_of_work(mentions: Mentions, position: int) -> bool:
    """Whether the words before the noun tell of work, or of what the person is."""
    before = mentions.words[max(mentions.clause(position), position - _WINDOW) : position]
    if mentions.words[position + 1 : position + 2] in (("of",), ("for",)):
        return False
    is_told = bool(COPULAS.intersection(before) and PERSONS.intersection(before))
    return is_told or bool(WORKS.intersection(before)) or mentions.is_marked(position)


def ends_noun(mentions: Mentions, position: int) -> bool:
    """Whether no further noun follows, to which the word would belong."""
    following = mentions.word(position + 1)
    if not following or following in STOPS or following in ACTS or following in _PASTS:
        return True
    is_acting = following.endswith(("ed", "ing")) or (
        following.endswith("s") and not following.endswith("ss")
    )
    return is_acting and following not in ROLES | ADJUNCTS | WORKS


def is_named_as_work(mentions: Mentions, position: int) -> bool:
    """Whether the place is one of occupations: after "as", or where work is told of."""
    following = mentions.word(position + 1)
    is_lasting = following == "for" and mentions.word(position + 2) in _LASTING
    if following in ("of", "for") and not is_lasting:
        return False
    at = _governor(mentions, position)
    governor = mentions.word(at)
    before = mentions.words[max(0, position - _WINDOW) : position]
    if following == "to" and "from" not in before:
        # An assistant to somebody.
        return False
    if governor in COPULAS:
        subject = mentions.raw[mentions.clause(at) : at]
        lowered = {word.lower() for word in subject}
        is_of_person = not PERSONS.isdisjoint(lowered) or "who" in lowered
        return is_of_person or all(word[:1].isupper() for word in subject)
    return (
        is_lasting
        or governor == "here"
        or governor in PRESENTS
        or governor in NAMES_WORK
        or governor in ENDS
        or at < 0
        or speaks_of_work(mentions, position)
    )


def is_worked_as(mentions: Mentions, position: int) -> bool:
    """Whether somebody is said to have worked as it, whatever it is."""
    if _ARTICLE_BEFORE.isdisjoint(mentions.words[max(0, position - _WINDOW) : position]):
        return False
    following = mentions.word(position + 1)
    if following in ("of", "for", "between", "to"):
        return False
    if following and not (following in STOPS or following in ACTS or following in _PASTS):
        return False
    at = _governor(mentions, position)
    has_article = mentions.word(mentions.first_of(position) - 1) in _ARTICLE_BEFORE
    if not has_article or mentions.word(at) not in ("as", "of"):
        return False
    if mentions.word(at) == "of":
        return mentions.word(at - 1) in JOBS
    return not EMPLOYED.isdisjoint(mentions.words[max(0, at - 4) : at])


def _governor(mentions: Mentions, position: int) -> int:
    """Where the word stands that governs the noun, or the list of nouns that it is in."""
    at = mentions.first_of(position) - 1
    for _ in range(_DEEPEST):
        while at >= 0 and (mentions.words[at] in ARTICLES or mentions.words[at] in ADVERBS):
            at -= 1
        if mentions.word(at) not in CONJUNCTIONS and mentions.word(at) not in COMMAS:
            break
        at = mentions.first_of(at - 1) - 1
    return at
