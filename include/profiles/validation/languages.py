"""Check of language levels: no better than the record states. Pure.

Names of languages come from CLDR, words of levels and the codes of the European framework from
`levels.csv`. A language without a level is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from babel import Locale

from profiles.models import RemovalReason
from profiles.standardization.text import fold
from profiles.standardization.words import words as listed
from profiles.validation.claims import Claim, Sentence
from profiles.validation.document import Document
from profiles.validation.words import valued, words_of

_ITEM_END = re.compile(r"[,;·|•、]|\n|\s-\s(?=\w+\s*[(:])")
_JOINED = {"and", "both"}
_SPOKEN = re.compile(r"\b(?:speak|speaks|speaking|languages (?:are|include))\b")
_LEVELS = {fold(word): value for word, value in valued("levels")["level"].items()}
_RAISED = 1.0
"""A claimed level that is so much above the recorded one is a fault: B2 may be called fluent."""


def language_claims(sentence: Sentence) -> Iterator[Claim]:
    """One claim for each language with a level."""
    document = sentence.document
    is_named = not _names(is_foreign=False).keys().isdisjoint(sentence.bag)
    claimed = list(_claimed(sentence.text)) if is_named else []
    recorded, is_closed = _recorded_levels(document) if claimed else ({}, False)
    for code, level in claimed if recorded else ():
        if code in recorded:
            known = recorded[code]
            is_supported = None if known is None else level < known + _RAISED
            yield Claim(RemovalReason.EDUCATION, is_supported)
        else:
            is_told = document.evidence.has_word(Locale("en").languages[code].lower())
            is_open = is_told or (document.is_foreign and not is_closed)
            yield Claim(RemovalReason.EDUCATION, None if is_open else False)


def _claimed(text: str) -> Iterator[tuple[str, float]]:
    """The languages of a sentence with the nearest level between the same commas; one that is named
    of the first name of a list is that of all: "fluent in Greek, Thai and Dutch". Without a level
    a language that the person speaks has the lowest."""
    names, levels = _names(is_foreign=False), _LEVELS
    last: float | None = None
    is_spoken = _SPOKEN.search(text) is not None
    for part in re.split("[,;]", text):
        words = list(words_of(part))
        levels_at = [place for place, word in enumerate(words) if word in levels]
        if not levels_at and not (names.keys() | _JOINED).issuperset(words):
            last = None
        for place, word in enumerate(words):
            if word in names:
                near = min(levels_at, key=lambda other: (abs(other - place), -other), default=None)
                last = last if near is None else levels[words[near]]
                if last is not None or is_spoken:
                    yield names[word], last or 0.0


def _recorded_levels(document: Document) -> tuple[dict[str, float | None], bool]:
    """The languages of the record, with their levels where it tells them, and whether it has
    a list of nothing else."""
    names, levels = _names(document.is_foreign), _LEVELS
    found: dict[str, float | None] = {}
    listed: list[bool] = []
    for line in document.lines:
        if line.job is not None or line.section in ("", "Summary", "Skills"):
            continue
        items = [list(words_of(item)) for item in _ITEM_END.split(line.text)]
        is_list = any(words[0] in names for words in items if words)
        for words in items if is_list else ():
            codes = [names[word] for word in words if word in names]
            level = max((levels[word] for word in words if word in levels), default=None)
            found.update((code, level) for code in codes)
        if line.section == "Languages":
            known = names.keys() | levels.keys()
            listed.append(is_list and all(len(word) < 3 or word in known for word in line.words))
    return found, bool(listed) and all(listed)


@lru_cache(maxsize=2)
def _names(is_foreign: bool) -> dict[str, str]:
    """The folded names of languages, in English or in all languages, and their codes."""
    codes = ("en", *sorted(listed("numbers", "locales")))
    english = {code: name for code, name in Locale("en").languages.items() if code.isalpha()}
    others = (Locale.parse(code).languages for code in codes) if is_foreign else ()
    named = [(own[code], code) for own in others for code in codes if code in own]
    named += [(name, code) for code, name in english.items()]
    folded = ((fold(name), code) for name, code in named)
    return {name: code for name, code in folded if name and " " not in name}
