"""The skill vocabulary: one canonical name per skill, and which skills a text or document states.

Pure; the data comes from `profiles.storage.taxonomy.load_vocabulary`.

Punctuation that tells skills apart stays in a word: C, C++, C# and .NET never meet.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from profiles.standardization.skills.forms import (
    UNSPACED,
    Form,
    Prose,
    TextIndex,
    find_forms,
    form_table,
    index_of,
    is_short,
    shape_of,
    short_pattern,
)
from profiles.standardization.skills.lines import Labels, language_of, skill_text
from profiles.standardization.text import clean_line, fold

_KEY_NOISE: Final = re.compile(r"[\s\-_./,:'’()®™©–]+")
_TRAILING_ASIDE: Final = re.compile(r"\s*\([^()]*\)\s*\Z")
_ENGLISH: Final = "en"
_FEWEST_FOREIGN: Final = 4
"""Distinct small words of another language that make a document a mixed one."""


@lru_cache(maxsize=32_768)
def _key(name: str) -> str:
    """The comparison key of a skill name: "React.js", "ReactJS" and "react js" give one key."""
    text = name.casefold().replace(" and ", "&")
    if text.startswith(".net"):
        text = "dot" + text[1:]
    key = _KEY_NOISE.sub("", text)
    return key if key.isascii() else fold(key).replace(" ", "") or key


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """Canonical skills and their aliases.

    Build it with `from_aliases`. `aliases` gives every form of a canonical name, itself first;
    `restricted` holds the forms that count in prose only in their own case. `version` is a
    digest of the data, part of rendering's input.
    """

    canonical_by_key: Mapping[str, str]
    forms: Mapping[str, tuple[Form, ...]]
    aliases: Mapping[str, tuple[str, ...]]
    restricted: frozenset[str]
    labels: Labels
    not_skills: Mapping[str, frozenset[str]]
    version: str

    @classmethod
    def from_aliases(
        cls,
        mapping: Mapping[str, Sequence[str]],
        *,
        list_only: Iterable[str] = (),
        exact: Iterable[str] = (),
        ambiguous: Iterable[str] = (),
        english: Iterable[str] = (),
        labels: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        small_words: Mapping[str, frozenset[str]] | None = None,
        not_skills: Mapping[str, frozenset[str]] | None = None,
    ) -> Vocabulary:
        """A vocabulary of canonical name → other ways to write it.

        How `exact`, `ambiguous` and `english` forms count in prose, and `list_only` ones do not, is
        in the header of `skills.yaml`. `labels` are names in other languages, by language, and
        `small_words` tell the language of a line. ValueError where two skills have one alias, or a
        label's skill is unknown.
        """
        prose = Prose(*map(frozenset, (list_only, exact, ambiguous, english)))
        by_key = _keys(mapping)
        translated = Labels(labels or {}, small_words or {})
        for name, canonical in translated.names.items():
            if canonical not in mapping:
                raise ValueError(f"label {name!r} belongs to unknown skill {canonical!r}")
            by_key.setdefault(_key(name), canonical)
        data = [
            {name: list(also) for name, also in mapping.items()},
            *map(sorted, prose),
            {language: sorted(names) for language, names in (labels or {}).items()},
            {language: sorted(words) for language, words in (small_words or {}).items()},
            {group: sorted(words) for group, words in (not_skills or {}).items()},
        ]
        digest = hashlib.sha256(json.dumps(data, ensure_ascii=False, sort_keys=True).encode())
        return cls(
            canonical_by_key=by_key,
            forms=form_table(mapping, prose),
            aliases={name: tuple(dict.fromkeys((name, *also))) for name, also in mapping.items()},
            restricted=prose.exact | prose.ambiguous,
            labels=translated,
            not_skills=not_skills or {},
            version=digest.hexdigest()[:16],
        )

    def __len__(self) -> int:
        return len(self.aliases)

    def __contains__(self, name: str) -> bool:
        return _key(name) in self.canonical_by_key

    def has_word(self, word: str) -> bool:
        """Return whether the lower-case word is part of a skill's name."""
        return word in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word.lower()
            for names in self.aliases.values()
            for name in names
            for word in name.split()
        )

    @cached_property
    def _labelled(self) -> frozenset[str]:
        return frozenset(self.labels.names.values())

    @lru_cache(maxsize=32_768)  # noqa: B019  one vocabulary lives as long as its process
    def canonical(self, name: str) -> str:
        """The canonical name of one skill; an unknown one passes through cleaned.

        Idempotent. An empty or placeholder name gives "".
        """
        cleaned = (clean_line(name) or "").strip(" ,;:•·|")
        for each in (name, cleaned, _TRAILING_ASIDE.sub("", cleaned)):
            if known := self.canonical_by_key.get(_key(each)):
                return known
        return cleaned

    def translations(self, canonical: str) -> tuple[str, ...]:
        """The names of one skill in other languages than English."""
        return tuple(name for name, own in self.labels.names.items() if own == canonical)

    def find(self, text: str) -> tuple[str, ...]:
        """The known skills that a text names, each once, in order of appearance."""
        return tuple(dict.fromkeys(self._find(text)))

    @lru_cache(maxsize=8)  # noqa: B019  one vocabulary lives as long as its process
    def stated(self, document: str) -> tuple[str, ...]:
        """The known skills that a profile document states, each once.

        Employers, schools, people and places state none.
        """
        text = skill_text(document)
        names = [*text.items, *(field for field in text.fields if not is_short(field))]
        known = (self.canonical_by_key.get(_key(name)) for name in names)
        return tuple(dict.fromkeys((*self._find(text.prose), *filter(None, known))))

    def _find(self, text: str) -> list[str]:
        small = self.labels.small_words
        words = frozenset(text.lower().split())
        main = language_of(words, small, default=_ENGLISH)
        is_plain = main == _ENGLISH and (text.isascii() or not UNSPACED.search(text))
        if is_plain and all(
            len(words & known - small[_ENGLISH]) < _FEWEST_FOREIGN
            for language, known in small.items()
            if language != _ENGLISH
        ):
            return find_forms(text, self.forms)
        found: list[str] = []
        for line in text.split("\n"):
            own = language_of(frozenset(line.lower().split()), small, default=main)
            found += find_forms(line, self.forms, is_english=own == _ENGLISH)
            found += self.labels.find(line, own)
        return found

    def evidences(self, skill: str, text: str) -> bool:
        """Return whether a text names a skill by name, alias, or an inflected form of either."""
        canonical = self.canonical(skill)
        forms = self.aliases.get(canonical, (canonical,))
        if skill != canonical:
            forms = (*forms, skill)
        index = index_of(text)
        return any(self._occurs(form, text, index) for form in forms) or (
            canonical in self._labelled and canonical in self.stated(text)
        )

    def _occurs(self, form: str, text: str, index: TextIndex) -> bool:
        shape = shape_of(form)
        if not shape.words:
            return False
        if shape.is_short:
            return form in text and short_pattern(form).search(text) is not None
        if form in self.restricted:
            return shape.words[0] in index.words and f" {' '.join(shape.words)} " in index.raw
        if shape.first_stem in index.stems and f" {shape.stems} " in index.folded:
            return True
        return len(shape.words) > 1 and shape.glued in index.stems


def _keys(mapping: Mapping[str, Sequence[str]]) -> dict[str, str]:
    by_key: dict[str, str] = {}
    for canonical, aliases in mapping.items():
        for written in (canonical, *aliases):
            owner = by_key.setdefault(_key(written), canonical)
            if owner != canonical:
                raise ValueError(f"alias {written!r} belongs to both {owner!r} and {canonical!r}")
    return by_key
