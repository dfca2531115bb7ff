"""Names of a sentence: products, organisations, places and people must be in the record. Pure.

A name is known when the record has its words, another form of them, their abbreviation or what
they abbreviate, or when the vocabulary knows it under another name that the record has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from profiles.models import RemovalReason
from profiles.validation.claims import Claim, Sentence
from profiles.validation.evidence import sounds_of, words_of
from profiles.validation.facts import Facts
from profiles.validation.language import ENGLISH
from profiles.validation.wording import table, world_names

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["name_claims", "own_name_claims"]

_PART = r"(?:[A-ZÀ-ÖØ-ÞĀ-ſА-Я][\w&+#.'/-]*[\w+#]|[A-ZÀ-ÖØ-Þ]|[a-z]+[A-Z]\w*)"
_NAME = re.compile(rf"(?<![\w])(?<![£$€]){_PART}(?:\s+{_PART})*")
_ADDRESSED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+[A-Z]\w+")
_SHORTEST_JOINED = 5
_SHORTEST_PREFIX = 4
_FEWEST_SOUNDS = 3


def name_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """One claim for each name that is not the beginning of the sentence."""
    for match in _NAME.finditer(sentence.text):
        words = match[0].split()
        if match.start() == 0 and not _is_name_alone(words[0]):
            words = words[1:]
        words = [word for word in words if not _is_common(word)]
        if words:
            yield Claim(RemovalReason.NAME, _is_known(words, facts, vocabulary))


def own_name_claims(sentence: Sentence, facts: Facts, vocabulary: Vocabulary) -> Iterator[Claim]:
    """The person is not named, and nobody is addressed by a title."""
    del vocabulary
    if _ADDRESSED.search(sentence.text):
        yield Claim(RemovalReason.PERSON, False)
    for match in _NAME.finditer(sentence.text):
        own = [word for word in words_of(match[0]) if word in facts.name and len(word) > 2]
        if own and not any(word in facts.body for word in own):
            yield Claim(RemovalReason.PERSON, False)


def _is_name_alone(word: str) -> bool:
    """Whether the first word of a sentence is a name by its letters: "SAP", "GitHub", "C++"."""
    return sum(map(str.isupper, word)) > 1 or any(char in "+#" or char.isdigit() for char in word)


def _is_common(word: str) -> bool:
    bare = word.lower().removesuffix("'s").strip(".'/")
    names, places = table("common_names"), table("places")
    parts = re.split(r"[/&-]", bare)
    return all(
        part in names["role"] or part in names["umbrella"] or part in ENGLISH
        or part in places["wide"] or part in places["demonym"] or len(part) < 2
        for part in (parts if bare not in names["umbrella"] else [bare])
    )  # fmt: skip


def _is_known(words: list[str], facts: Facts, vocabulary: Vocabulary) -> bool | None:
    unknown = [word for word in words if not _has(word, facts, vocabulary)]
    if not unknown:
        return True
    text = " ".join(words)
    if vocabulary.evidences(text, facts.text) or _abbreviates(words, facts):
        return True
    technologies = [
        skill for word in (text, *unknown) for skill in vocabulary.find(word)
        if not vocabulary.evidences(skill, facts.text)
    ]  # fmt: skip
    if technologies:
        return False
    if facts.is_foreign:
        return _is_like_one(unknown, facts)
    return 2 * len(unknown) < len(words) or None if len(words) > 2 else False


def _is_like_one(words: list[str], facts: Facts) -> bool | None:
    """Whether a record in another language may have the names: in its own letters, in its own
    form. Countries, languages and what is written without an alphabet stay undecided."""
    if not facts.evidence.is_spelt:
        return None
    for word in words:
        parts = [part for part in words_of(word) if part not in _translated()]
        sounds = [sounds_of(part) for part in parts]
        if any(
            len(own) >= _FEWEST_SOUNDS and not facts.evidence.sounds_like(own) for own in sounds
        ):
            return False
    return None


@lru_cache(maxsize=1)
def _translated() -> frozenset[str]:
    organisations = table("organisations")
    return world_names() | organisations["generic"] | organisations["legal"]


def _has(word: str, facts: Facts, vocabulary: Vocabulary) -> bool:
    capital = [piece for piece in re.split(r"[/-]", word) if not piece.islower()]
    parts = [part for part in words_of(" ".join(capital)) if len(part) > 1]
    evidence = facts.evidence
    if all(evidence.has_word(part) or part in ENGLISH for part in parts):
        return True
    bare = "".join(parts)
    if len(bare) >= _SHORTEST_JOINED and evidence.has_joined(bare):
        return True
    if len(bare) >= _SHORTEST_PREFIX and any(own.startswith(bare) for own in evidence.words):
        return True
    if word.isupper() and 2 <= len(bare) <= 6 and evidence.has_initials(bare):
        return True
    return vocabulary.evidences(word, facts.text)


def _abbreviates(words: list[str], facts: Facts) -> bool:
    """Whether the record has the initials as a word: "Site Reliability Engineer" for SRE."""
    initials = "".join(next(words_of(word), " ")[0] for word in words)
    return len(initials) > 1 and initials in facts.evidence.words
