"""Whether a sentence addresses whoever reads the record: a screener, a recruiter, a model.

Pure. What counts is how words combine, by language (include/taxonomy/reader_text): a request that
overrides instructions, judges this person or dictates an answer. "Trained an assistant that ranks
candidates" has the words and makes no request.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["ReaderTextDetector"]

CLASSES: Final = (
    "override", "rules", "prior", "judge", "judged", "target", "answer", "output", "reader",
    "address", "you", "must", "takeover", "starters", "mention",
)  # fmt: skip
_ACTS: Final = ("override", "judge", "judged", "answer", "takeover")
_OBJECTS: Final = ("rules", "target", "output", "reader", "takeover")

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_LEAD: Final = r"(?:\A|[.!?:;,|•·()\[\]{}<>\"“”„«»‘’—–\-/…。！？、，：；]\s*|\n)\s*"
_SCORE: Final = re.compile(
    r"\b(?:10|100|5)\s?(?:/|out of|von|sur|de|su|z|из|üzerinden)\s?(?:10|100|5)\b"
)
_LITERAL: Final = re.compile(r"\{\s*[\"“'«]")
_ROLE: Final = re.compile(
    r"\A\W*(?:system|assistant|developer|user|instruction)\s?:|\[/?inst\]", re.IGNORECASE
)
_QUOTED: Final = re.compile(
    r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|'[^']{12,}'|‘[^’]+’|「[^」]+」"
)
_ROLE_TOKENS: Final = frozenset((b"system", b"assistant", b"developer", b"user", b"inst"))
_FEWEST_WORDS_BEFORE_QUOTE: Final = 2
_NOT_A_LETTER: Final = bytes(
    code if code >= 0x80 or chr(code).isalnum() else 0x20 for code in range(256)
)
_OTHER_SCRIPT: Final = re.compile("[\u0370-\u1fff\u2c80-\ud7ff\uf900-\ufdff\ufe70-\uffef]")
"""Letters that are not Latin: such a text has no words to look up and is always read."""


@dataclass(frozen=True, slots=True)
class _Language:
    """The patterns of one language, by class; a class without words matches nothing."""

    patterns: Mapping[str, re.Pattern[str]]
    free_order: bool
    quick: re.Pattern[str]
    """Finds an object of an act, without which no rule applies."""

    def has(self, name: str, text: str) -> re.Match[str] | None:
        return self.patterns[name].search(text)

    def leads(self, name: str, text: str) -> bool:
        """Whether a clause begins with a word of the class."""
        return self.patterns[f"lead {name}"].search(text) is not None

    def requests(self, name: str, text: str, *, also: object = True) -> bool:
        """Whether the text asks for an act: in front of a clause, or with `also` anywhere where
        the order of words is free."""
        return self.leads(name, text) or bool(
            self.free_order and also and self.has(name, text) is not None
        )


class ReaderTextDetector:
    """Finds sentences that address a reader; `languages` gives the words of each by class."""

    def __init__(self, languages: Mapping[str, Mapping[str, object]]) -> None:
        self._languages = tuple(map(_language, languages.values()))
        stated = json.dumps(languages, sort_keys=True, default=str)
        self._version = hashlib.sha256(stated.encode()).hexdigest()[:8]
        self._acts = _tokens(languages.values(), _ACTS)
        self._objects = _tokens(languages.values(), _OBJECTS) | _ROLE_TOKENS

    @property
    def version(self) -> str:
        """What tells other words apart; eight hexadecimal digits."""
        return self._version

    def may_address(self, text: str) -> bool:
        """False for nearly every text without such a sentence, at a fraction of the cost."""
        if not text.isascii():
            if _OTHER_SCRIPT.search(text):
                return True
            text = text.lower()
        words = text.encode("utf-8", "surrogatepass").lower().translate(_NOT_A_LETTER).split()
        if self._acts.isdisjoint(words):
            return False
        return "{" in text or not self._objects.isdisjoint(words)

    def addresses(self, sentence: str) -> bool:
        """Whether the sentence, or the whole value of a field, addresses a reader."""
        return self.may_address(sentence) and self._read(_folded(sentence))

    def goes_on(self, sentence: str) -> bool:
        """Whether a sentence behind one that addresses a reader does so too: it makes a request of
        the same kind, or says "you"."""
        text = _folded(sentence)
        return any(
            language.leads("override", text)
            or language.leads("judge", text)
            or language.leads("answer", text)
            or (language.has("you", text) and language.has("must", text))
            for language in self._languages
        )

    def _read(self, text: str) -> bool:
        role = _ROLE.search(text) is not None
        text = self._without_mentions(text)
        for language in self._languages:
            if language.has("takeover", text):
                return True
            if role and any(language.has(name, text) for name in _ACTS):
                return True
            if (language.quick.search(text) or _LITERAL.search(text)) and _addresses(
                language, text
            ):
                return True
        return False

    def _without_mentions(self, text: str) -> str:
        """The text without quotes behind a word for attacks: who writes about them makes none."""
        quote = _QUOTED.search(text)
        if quote is None:
            return text
        before = text[: quote.start()]
        if len(before.split()) < _FEWEST_WORDS_BEFORE_QUOTE:
            return text
        if any(language.has("mention", before) for language in self._languages):
            return _QUOTED.sub(" ", text)
        return text


def _addresses(language: _Language, text: str) -> bool:
    has = language.has
    rules, target = has("rules", text), has("target", text)
    dictated = has("output", text) or _LITERAL.search(text)
    judged = has("judge", text) or has("judged", text)
    if rules and language.requests("override", text, also=has("prior", text)):
        return True
    if rules and has("override", text) and has("you", text) and has("must", text):
        return True
    if target and language.requests("judge", text):
        return True
    if (dictated or (rules and has("you", text))) and language.requests("answer", text):
        return True
    if dictated and language.requests("judge", text):
        return True
    in_front = _reader_in_front(language, text)
    must = has("must", text)
    if judged and target and (in_front or must or has("you", text)):
        return True
    if judged and _SCORE.search(text) and (in_front or has("you", text)):
        return True
    acts = judged or has("override", text) or has("answer", text)
    if not in_front or not (must or has("address", text)):
        return False
    return bool(target or (acts and (dictated or rules)))


def _reader_in_front(language: _Language, text: str) -> bool:
    """Whether a clause begins with a reader, or with an address and a reader."""
    return (
        language.patterns["lead reader"].search(text) is not None
        or language.patterns["addressed reader"].search(text) is not None
    )


def _language(words: Mapping[str, object]) -> _Language:
    spaces = bool(words.get("spaces", True))
    sources = {name: _source(_phrases(words, name), spaces=spaces) for name in CLASSES}
    starters = sources["starters"]
    lead = f"(?:{_LEAD}|{starters}\\s*)" if _phrases(words, "starters") else _LEAD
    patterns = {name: re.compile(source) for name, source in sources.items()}
    for name in ("override", "judge", "answer", "reader"):
        front = _LEAD if name == "reader" else f"{lead}(?:{starters}\\s*)*"
        patterns[f"lead {name}"] = re.compile(f"{front}{sources[name]}")
    gap = r"(?:\s*\S+){0,2}?\s*" if spaces else r".{0,4}?"
    patterns["addressed reader"] = re.compile(
        f"{_LEAD}{sources['address']}{gap}{sources['reader']}"
    )
    objects = [phrase for name in _OBJECTS for phrase in _phrases(words, name)]
    return _Language(
        patterns, bool(words.get("free_order")), re.compile(_source(objects, spaces=spaces))
    )


def _phrases(words: Mapping[str, object], name: str) -> list[str]:
    return list(map(_folded, _stated(words, name)))


def _stated(words: Mapping[str, object], name: str) -> list[str]:
    found = words.get(name) or ()
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise ValueError(f"{name} must be a list")
    return [str(phrase) for phrase in found]


def _tokens(languages: Iterable[Mapping[str, object]], names: Sequence[str]) -> frozenset[bytes]:
    """The longest word of each phrase, as written and without accents."""
    return frozenset(
        max(_letters(spelling), key=len)
        for words in languages
        for name in names
        for phrase in _stated(words, name)
        for spelling in (phrase.lower(), _folded(phrase))
        if _letters(spelling)
    )


def _letters(text: str) -> list[bytes]:
    return text.encode().translate(_NOT_A_LETTER).split()


def _source(phrases: Iterable[str], *, spaces: bool) -> str:
    escaped = sorted({re.escape(phrase) for phrase in phrases}, key=len, reverse=True)
    if not escaped:
        return r"(?!)"
    joined = "|".join(text.replace(r"\ ", r"\s+") for text in escaped)
    return rf"(?<!\w)(?:{joined})(?![\w-])" if spaces else f"(?:{joined})"


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text.lower())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", text))
