"""Skills out of what lists of skills hold: parts in parentheses, headings, levels, years.

"AWS (EC2, Lambda)"     AWS, EC2 and Lambda
"Python - Expert"       Python, at level "Expert"
"Good knowledge of:"    nothing: the name of a group
"Web Development:"      Web Development, a group that is a skill too
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import Final, NamedTuple

from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import fold
from profiles.standardization.words import words

_ASIDE: Final = re.compile(r"\A(?P<head>.*\S)\s*[(\[](?P<inside>[^()\[\]]*)[)\]]\s*(?P<rest>.*)\Z")
_SUFFIX: Final = re.compile(r"\A(?P<head>.*?\S)\s*(?:\s[-–—|]|:)\s*(?P<rest>[^:]*)\Z")
_BEHIND: Final = re.compile(
    r"\A(?P<head>.*?[^\W\d_][+#]*)\s+(?P<rest>\d+(?:[.,]\d+)?\s*\+?\s*[^\W\d_]+\.?)\Z"
)
_PARTS: Final = re.compile(r"\s*(?:[,;|•·]|\s/\s|\s(?:and|und|et|y|e)\s)\s*")
_LIST: Final = re.compile(r"\s*[,;|•·]\s*")
_SCORE: Final = re.compile(r"\A(?:\d+(?:[.,]\d+)?\s*(?:/|of|von|de)\s*\d+|\d{1,3}\s?%|[★☆●○*+]+)\Z")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?\+?")
_WORDS: Final = re.compile(r"[^\W_]+")
_LONGEST_LEAD: Final = 6
_LEVEL: Final = frozenset(map(fold, words("skills", "level")))
_DURATION: Final = frozenset(map(fold, words("skills", "duration")))
_HEADING: Final = frozenset(map(fold, words("skills", "heading")))
_OPEN_END: Final = frozenset(map(fold, words("skills", "open_end")))
_LEAD: Final = frozenset(map(fold, words("skills", "lead")))
_GENERIC: Final = frozenset(map(fold, words("skills", "generic")))


class Forms(NamedTuple):
    """The skills that one element of a list names, and the level stated of the first."""

    names: tuple[str, ...]
    level: str | None = None


@lru_cache(maxsize=65_536)
def forms(value: str, vocabulary: Vocabulary) -> Forms:
    """The skills of one element of a list, in which the vocabulary's names stay whole."""
    if value in vocabulary:
        return Forms((value,))
    if value.endswith(":"):
        name = value.rstrip(": ")
        return Forms(() if _is_heading(name, vocabulary) else (name,))
    if fold(value) in _GENERIC:
        return Forms(())
    value = _without_lead(value)
    aside = _ASIDE.match(value)
    if aside is not None:
        return _with_aside(aside, vocabulary)
    for pattern in (_SUFFIX, _BEHIND):
        found = pattern.match(value)
        if found is not None and is_level(found["rest"]):
            return Forms((found["head"],), found["rest"].strip())
    label, colon, rest = value.partition(": ")
    if colon and rest.strip():
        parts = tuple(filter(None, _LIST.split(rest)))
        return Forms(parts if _is_heading(label, vocabulary) else (label, *parts))
    return Forms((value,))


def is_level(text: str) -> bool:
    """Return whether a text is a level or a duration, nothing else: "Expert", "5+ years", "4/5"."""
    text = text.strip()
    if _SCORE.match(text):
        return True
    found = _WORDS.findall(text.casefold())
    folded = [fold(word) for word in found if not word.isdecimal()]
    if not folded:
        return False
    has_number = len(folded) < len(found)
    return all(
        word in _LEVEL or (has_number and not _DURATION.isdisjoint((word, _NUMBER.sub("", word))))
        for word in folded
    )


def _with_aside(aside: re.Match[str], vocabulary: Vocabulary) -> Forms:
    head, inside = aside["head"], aside["inside"]
    if "(" in head:
        # Parentheses in parentheses: every part is a name.
        parts = [part.strip(" ()") for part in _LIST.split(f"{head},{inside}".replace("(", ","))]
        return Forms(tuple(filter(None, parts)))
    behind = aside["rest"].lstrip(" -–—|:")
    level = behind if behind and is_level(behind) else None
    if is_level(inside):
        return Forms((head,), inside.strip())
    parts = [part for part in _PARTS.split(inside) if any(map(str.isalpha, part))]
    if len(parts) == 1 and parts[0] not in vocabulary and _explains(parts[0], head):
        return Forms((f"{head} ({inside})",))
    known = forms(head, vocabulary)
    levels = [part for part in parts if is_level(part)]
    return Forms(
        (*known.names, *(part for part in parts if part not in levels)),
        next(iter(levels), level or known.level),
    )


def _explains(aside: str, name: str) -> bool:
    """Return whether an aside is no skill of its own: initials of the name, or words about it."""
    if " " in aside:
        return aside[:1].islower()
    letters = iter(name.casefold())
    return aside.isupper() and all(letter in letters for letter in aside.casefold())


def _is_heading(name: str, vocabulary: Vocabulary) -> bool:
    """Return whether the label of a list names a group: by its last word, or as a plural that names
    no skill ("Engines: Unity, Godot")."""
    *before, last = fold(name).split() or [""]
    if last in _HEADING or last in _OPEN_END:
        return True
    return not before and last[-1:] == "s" != last[-2:-1] and name not in vocabulary


def _without_lead(value: str) -> str:
    """ "Redis" of "Good knowledge of Redis"."""
    found = list(_WORDS.finditer(value))[:_LONGEST_LEAD]
    for before, link in itertools.pairwise(found):
        if fold(before[0]) in _LEAD and fold(link[0]) in _OPEN_END:
            return value[link.end() :].strip() or value
    return value
