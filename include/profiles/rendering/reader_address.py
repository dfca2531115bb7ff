"""Detection of sentences that address the reader of a record: a screener, a recruiter, a model.

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

from profiles.standardization.words import Words, word_set

CLASSES: Final = (
    "override", "rules", "prior", "judge", "judged", "target", "answer", "output", "reader",
    "address", "you", "must", "takeover", "starters", "mention",
)  # fmt: skip
_ACTS: Final = ("override", "judge", "judged", "answer", "takeover")
_OBJECTS: Final = ("rules", "target", "output", "takeover")
_PARTS: Final = {"act": _ACTS, "object": _OBJECTS, "reader": ("reader",), "address": ("address",)}
"""Classes of words that a sentence needs at least: an act and an object, or a reader and an
address."""

_LEAD: Final = r"(?:\A|[.!?:;,|•·()\[\]{}<>\"“”„«»‘’—–\-/…。！？、，：；]\s*|\n)\s*"
_SCORE: Final = re.compile(
    r"\b(?:10|100|5)\s?(?:/|out of|von|sur|de|su|z|из|üzerinden)\s?(?:10|100|5)\b"
)
_LITERAL: Final = re.compile(r"\{\s*[\"“'«]")
_ROLE: Final = re.compile(
    r"\A\W*(?:system|assistant|developer|user|instruction)\s?:|\[/?(?:inst|system)\]", re.IGNORECASE
)
_QUOTED: Final = re.compile(
    r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|'[^']{12,}'|‘[^’]+’|「[^」]+」"
)
_FEWEST_WORDS_BEFORE_QUOTE: Final = 2
_SIGNS: Final = {
    b"10": (b"10/10",), b"100": (b"100/100",), b"system": (b"system:", b"system]"),
    b"assistant": (b"assistant:",), b"user": (b"user:",), b"inst": (b"inst]",),
}  # fmt: skip
"""Signs other than words that an act can go with, by the word in them."""
_ANYWHERE: Final = "…".encode()
_SPACED_SCRIPTS: Final = bytes({*range(256)} - {0xE0, *range(0xE3, 0xEE)})
"""First bytes of letters outside the languages that the vocabulary lists without `spaces`."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]")


def folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text.lower())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", text))


class _Patterns(dict[str, re.Pattern[str]]):
    """Patterns by name, compiled where one is used: most texts need none of most languages."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        super().__init__()
        self._sources = sources

    def __missing__(self, name: str) -> re.Pattern[str]:
        return self.setdefault(name, re.compile(self._sources[name]))


@dataclass(frozen=True, slots=True)
class _Language:
    """The patterns of one language, by class; a class without words matches nothing."""

    patterns: _Patterns
    free_order: bool
    spaces: bool

    def has(self, name: str, text: str) -> re.Match[str] | None:
        return self.patterns[name].search(text)

    def leads(self, name: str, text: str) -> bool:
        """Return whether a clause begins with a word of the class."""
        return self.patterns[f"lead {name}"].search(text) is not None

    def requests(self, name: str, text: str, *, also: object = True) -> bool:
        """Return whether the text requests an act: at the start of a clause, or with `also`
        anywhere if the order of words is free."""
        if self.has(name, text) is None:
            return False
        return bool(self.free_order and also) or self.leads(name, text)


class ReaderTextDetector:
    """Finds sentences that address a reader; `languages` gives the words of each by class, of which
    `version` is a digest."""

    def __init__(self, languages: Mapping[str, Mapping[str, object]]) -> None:
        self._languages = tuple(map(_language, languages.values()))
        stated = json.dumps(languages, sort_keys=True, default=str)
        self.version: Final = hashlib.sha256(stated.encode()).hexdigest()[:8]
        self._unspaced = [n for n, language in enumerate(self._languages) if not language.spaces]
        self._phrases: dict[bytes, list[tuple[frozenset[bytes], int, str]]] = {}
        for n, words in enumerate(languages.values()):
            if not self._languages[n].spaces:
                continue
            for part, names in _PARTS.items():
                for phrase in (phrase for name in names for phrase in _stated(words, name)):
                    for spelled in map(word_set, {phrase, folded(phrase)}):
                        longest = max(sorted(spelled), key=len)
                        self._phrases.setdefault(longest, []).append((frozenset(spelled), n, part))
        every = (phrase for found in self._phrases.values() for phrase, _, _ in found)
        self._words = frozenset[bytes]().union(*every)

    def triggers(self, text: str, found: Words | None = None) -> tuple[frozenset[bytes], ...]:
        """Groups of words: a part of the text that addresses a reader has one of each, for
        `has_one_of_each`. No groups for nearly every text without such a part.

        `found` are the words of the text, where the caller knows them.
        """
        groups = zip(*self._possible(text, found).values(), strict=True)
        # Accents would have to be lowered: a word that has one is sought nowhere and everywhere.
        spaced = [
            {b" %b " % word if word.isalpha() else b" " for words in group for word in words}
            for group in groups
        ]
        return tuple(sorted(map(frozenset, spaced), key=len))

    def addresses(self, sentence: str) -> bool:
        """Return whether the sentence, or the whole value of a field, addresses a reader."""
        possible = self._possible(sentence)
        return bool(possible) and self._read(folded(sentence), possible)

    def _possible(
        self, text: str, found: Words | None = None
    ) -> dict[int, tuple[list[bytes], list[bytes]]]:
        """The languages of whose words the text has enough, with the words: acts and readers, and
        the objects and addresses that they need."""
        found = word_set(text) if found is None else found
        words = self._words & found
        parts: dict[int, dict[str, list[bytes]]] = {}
        for word in self._phrases.keys() & words:
            for phrase, language, part in self._phrases[word]:
                if phrase <= words:
                    parts.setdefault(language, {}).setdefault(part, []).append(word)
        possible: dict[int, tuple[list[bytes], list[bytes]]] = {}
        has_sign = any(["act" in stated for stated in parts.values()]) and _has_sign(found)
        for language, stated in parts.items():
            first, second = [], []
            if "act" in stated and ("object" in stated or has_sign):
                first += stated["act"]
                second += [_ANYWHERE] if has_sign else stated["object"]
            if "reader" in stated and "address" in stated:
                first += stated["reader"]
                second += stated["address"]
            if first:
                possible[language] = first, second
        other = _other_lines(text) if found.other.translate(None, _SPACED_SCRIPTS) else ""
        if other and any(
            self._languages[n].has("acts", other) and self._languages[n].has("objects", other)
            for n in self._unspaced
        ):
            possible.update({n: ([_ANYWHERE], [_ANYWHERE]) for n in self._unspaced})
        return possible

    def goes_on(self, sentence: str) -> bool:
        """Return whether a sentence after one that addresses a reader does so too: it makes a
        request of the same kind, or contains "you"."""
        text = folded(sentence)
        return any(
            language.leads("override", text)
            or language.leads("judge", text)
            or language.leads("answer", text)
            or (language.has("you", text) and language.has("must", text))
            for language in self._languages
        )

    def _read(self, text: str, possible: Iterable[int]) -> bool:
        role = _ROLE.search(text) is not None
        text = self._without_mentions(text)
        return any(
            language.has("takeover", text) is not None
            or (role and any(language.has(name, text) for name in _ACTS))
            or _addresses(language, text)
            for language in map(self._languages.__getitem__, possible)
        )

    def _without_mentions(self, text: str) -> str:
        """The text without quotes behind a word for attacks: who writes about them makes none."""
        quote = _QUOTED.search(text)
        before = text[: quote.start()] if quote else ""
        is_mention = len(before.split()) >= _FEWEST_WORDS_BEFORE_QUOTE and any(
            language.has("mention", before) for language in self._languages
        )
        return _QUOTED.sub(" ", text) if is_mention else text


def _other_lines(text: str) -> str:
    """The folded lines of a text that may be in a language without spaces."""
    data = text.encode("utf-8", "surrogatepass")
    lines = [line for line in data.split(b"\n") if line.translate(None, _SPACED_SCRIPTS)]
    return folded(b"\n".join(lines).decode("utf-8", "surrogatepass"))


def _has_sign(found: Words) -> bool:
    signs = [sign for word, of_word in _SIGNS.items() if word in found for sign in of_word]
    signs += [b'{"', b'{ "'] if b"{" in found.lower else []
    return any([sign in found.lower for sign in signs])


def _addresses(language: _Language, text: str) -> bool:
    has = language.has
    rules, target = has("rules", text), has("target", text)
    dictated = has("output", text) or _LITERAL.search(text)
    judged = has("judge", text) or has("judged", text)
    if rules and language.requests("override", text, also=has("prior", text)):
        return True
    if rules and has("override", text) and has("you", text) and has("must", text):
        return True
    if (target or dictated) and language.requests("judge", text):
        return True
    if (dictated or (rules and has("you", text))) and language.requests("answer", text):
        return True
    reader = has("reader", text)
    addressed = reader and has("address", text) and has("addressed reader", text)
    if addressed and (
        has("told reader", text)
        or has("override", text)
        or language.requests("judge", text)
        or language.requests("answer", text)
    ):
        return True
    in_front = addressed or (reader and has("lead reader", text))
    must = has("must", text)
    if judged and target and (in_front or must or has("you", text)):
        return True
    if judged and _SCORE.search(text) and (in_front or has("you", text)):
        return True
    acts = judged or has("override", text) or has("answer", text)
    if not in_front or not (must or has("address", text)):
        return False
    return bool(target or (acts and (dictated or rules)))


def _language(words: Mapping[str, object]) -> _Language:
    spaces = bool(words.get("spaces", True))
    sources = {name: _source(_phrases(words, name), spaces=spaces) for name in CLASSES}
    starters = sources["starters"]
    lead = f"(?:{_LEAD}|{starters}\\s*)" if _phrases(words, "starters") else _LEAD
    for name in ("override", "judge", "answer", "reader"):
        sources[f"lead {name}"] = f"{_LEAD if name == 'reader' else lead}{sources[name]}"
    gap = r"(?:\s*\S+){0,2}?\s*" if spaces else r".{0,4}?"
    sources["addressed reader"] = f"{_LEAD}{sources['address']}{gap}{sources['reader']}"
    sources["told reader"] = f"{sources['addressed reader']}{gap if spaces else ''}\\s*[:：]"
    sources["acts"] = "|".join(sources[name] for name in _ACTS)
    sources["objects"] = "|".join(sources[name] for name in _OBJECTS)
    return _Language(_Patterns(sources), bool(words.get("free_order")), spaces)


def _phrases(words: Mapping[str, object], name: str) -> list[str]:
    return list(map(folded, _stated(words, name)))


def _stated(words: Mapping[str, object], name: str) -> list[str]:
    found = words.get(name) or ()
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise ValueError(f"{name} must be a list")  # noqa: TRY004 - a fault of the file
    return [str(phrase) for phrase in found]


def _source(phrases: Iterable[str], *, spaces: bool) -> str:
    escaped = sorted({re.escape(phrase) for phrase in phrases}, key=len, reverse=True)
    if not escaped:
        return r"(?!)"
    joined = "|".join(text.replace(r"\ ", r"\s+") for text in escaped)
    return rf"(?<!\w)(?:{joined})(?![\w-])" if spaces else f"(?:{joined})"
