"""The skill vocabulary: one canonical name per skill, and where a text names skills.

Pure; the data comes from `profiles.storage.taxonomy.load_vocabulary`. Matching works on words, not
on one large regular expression: a text is tokenised once and every position asks a dictionary for
the longest alias that starts there.

Punctuation that tells skills apart stays in a word: C, C++, C# and .NET never meet.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from profiles.standardization.skill_words import (
    TOKEN,
    TextIndex,
    index_of,
    letter_pattern,
    shape_of,
)
from profiles.standardization.text import clean_line, fold

__all__ = ["Vocabulary"]

# What may stand between two words of one skill: "Node.js", "CI / CD", "Power-BI", "Services (AWS".
_GAP: Final = re.compile(r"(?:[ \t\u00a0]?[-&/'’(:–]?[ \t\u00a0]?|\.)\Z")
_LIST_GAP: Final = re.compile(
    r"[ \t]*(?:[,;/|•·+&]|-(?= ))?[ \t]*(?:and|or|&)?[ \t]*\Z", re.IGNORECASE
)
_LIST_LEFT: Final = re.compile(
    r"(?:\b(?:in|using|with|languages?|of|skills)|[:(])[ \t]*\Z", re.IGNORECASE
)
_NOT_NAME_RIGHT: Final = re.compile(
    r"[-–'’&.](?=\w)|\s*[-–]?\s*to\b|\s(?:live|beyond|above|ahead|level)\b"
)
_KEY_NOISE: Final = re.compile(r"[\s\-_./,:'’()®™©–]+")
_TRAILING_ASIDE: Final = re.compile(r"\s*\([^()]*\)\s*\Z")


_Span = tuple[int, int]


class _Form(NamedTuple):
    """One way to write a skill: its words after the first, its canonical name, how strictly."""

    rest: tuple[str, ...]
    canonical: str
    written: str
    is_exact: bool
    needs_list: bool


class _Found(NamedTuple):
    start: int
    end: int
    canonical: str
    needs_list: bool


def _key(name: str) -> str:
    """The comparison key of a skill name: "React.js", "ReactJS" and "react js" give one key."""
    text = name.casefold().replace(" and ", "&")
    if text.startswith(".net"):
        text = "dot" + text[1:]
    key = _KEY_NOISE.sub("", text)
    return key if key.isascii() else fold(key).replace(" ", "") or key


class Vocabulary:
    """Canonical skills and their aliases.

    Build it with `from_aliases`. `aliases` gives every form of a canonical name, itself first;
    `restricted` holds the forms that count in prose only in their own case. `version` is a
    digest of the data, part of rendering's input.
    """

    def __init__(
        self,
        *,
        canonical_by_key: Mapping[str, str],
        forms: Mapping[str, tuple[_Form, ...]],
        aliases: Mapping[str, tuple[str, ...]],
        restricted: frozenset[str],
        version: str,
    ) -> None:
        self._canonical_by_key = canonical_by_key
        self._forms = forms
        self.aliases = aliases
        self.restricted = restricted
        self.version = version

    @classmethod
    def from_aliases(
        cls,
        mapping: Mapping[str, Sequence[str]],
        *,
        list_only: Iterable[str] = (),
        exact: Iterable[str] = (),
        ambiguous: Iterable[str] = (),
    ) -> Vocabulary:
        """A vocabulary of canonical name → other ways to write it.

        `list_only` forms count only as items of a skill list (`canonical`), never in prose, since
        they are too short or too common (AP, pipeline). `exact` forms count in prose only in their
        own case (REST, Spark). `ambiguous` forms also need a neighbour that is a skill, or a word
        such as "using" before them (C, R, Go).

        Raises:
            ValueError: one alias belongs to two canonical names; the message names all three.
        """
        hidden = frozenset(list_only)
        listed = frozenset(ambiguous)
        cased = frozenset(exact) | listed
        by_key = _keys(mapping)
        forms: dict[str, list[_Form]] = {}
        for canonical, aliases in mapping.items():
            for written in dict.fromkeys((canonical, *aliases)):
                if written not in hidden:
                    _add_form(forms, written, canonical, cased=cased, listed=listed)
        digest = hashlib.sha256(
            json.dumps(
                [
                    {name: list(also) for name, also in mapping.items()},
                    sorted(hidden),
                    sorted(cased),
                    sorted(listed),
                ],
                ensure_ascii=False,
                sort_keys=True,
            ).encode()
        )
        return cls(
            canonical_by_key=by_key,
            forms={
                first: tuple(sorted(options, key=lambda form: -len(form.rest)))
                for first, options in forms.items()
            },
            aliases={name: tuple(dict.fromkeys((name, *also))) for name, also in mapping.items()},
            restricted=cased,
            version=digest.hexdigest()[:16],
        )

    def __len__(self) -> int:
        return len(self.aliases)

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._canonical_by_key

    def has_word(self, word: str) -> bool:
        """Whether the lowered word is a part of a skill's name."""
        return word in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word.lower()
            for names in self.aliases.values()
            for name in names
            for word in name.split()
        )

    def canonical(self, name: str) -> str:
        """The canonical name of one skill; an unknown one passes through cleaned.

        Idempotent. An empty or placeholder name gives "".
        """
        return self._canonical(name)

    @lru_cache(maxsize=32_768)  # noqa: B019  one vocabulary lives as long as its process
    def _canonical(self, name: str) -> str:
        known = self._canonical_by_key.get(_key(name))
        if known is not None:
            return known
        cleaned = clean_line(name)
        if cleaned is None:
            return ""
        cleaned = cleaned.strip(" ,;:•·|")
        known = self._canonical_by_key.get(_key(cleaned))
        if known is not None:
            return known
        return self._canonical_by_key.get(_key(_TRAILING_ASIDE.sub("", cleaned)), cleaned)

    def find(self, text: str) -> tuple[str, ...]:
        """The known skills that a text names, each once, in order of appearance."""
        # Spans rather than matches: thousands of live match objects would wake the collector.
        spans = [match.span() for match in TOKEN.finditer(text)]
        words = [text[start:end].lower() for start, end in spans]
        found: list[_Found] = []
        position = 0
        while position < len(words):
            options = self._forms.get(words[position])
            taken = _longest(text, spans, words, position, options) if options else None
            if taken is None:
                position += 1
                continue
            length, form = taken
            end = spans[position + length - 1][1]
            found.append(_Found(spans[position][0], end, form.canonical, form.needs_list))
            position += length
        return tuple(dict.fromkeys(item.canonical for item in _in_context(text, found)))

    def evidences(self, skill: str, text: str) -> bool:
        """Whether a text names a skill by its name, an alias, or an inflected form of either."""
        canonical = self.canonical(skill)
        forms = self.aliases.get(canonical, (canonical,))
        if skill != canonical:
            forms = (*forms, skill)
        index = index_of(text)
        return any(self._occurs(form, text, index) for form in forms)

    def _occurs(self, form: str, text: str, index: TextIndex) -> bool:
        shape = shape_of(form)
        if not shape.words:
            return False
        if len(shape.words) == 1 and len(shape.words[0]) == 1:
            return letter_pattern(shape.words[0]).search(text) is not None
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


def _add_form(
    forms: dict[str, list[_Form]],
    written: str,
    canonical: str,
    *,
    cased: frozenset[str],
    listed: frozenset[str],
) -> None:
    words = TOKEN.findall(written)
    if not words:
        return
    variants = {tuple(word.lower() for word in words)}
    if written not in cased and len(words) > 1:
        variants.add(("".join(words).lower(),))
    for variant in variants:
        forms.setdefault(variant[0], []).append(
            _Form(variant[1:], canonical, written, written in cased, written in listed)
        )


def _longest(
    text: str,
    spans: list[_Span],
    words: list[str],
    position: int,
    options: tuple[_Form, ...],
) -> tuple[int, _Form] | None:
    for form in options:
        length = 1 + len(form.rest)
        if form.rest and tuple(words[position + 1 : position + length]) != form.rest:
            continue
        group = spans[position : position + length]
        if form.rest and not _is_joined(text, group):
            continue
        if form.is_exact and text[group[0][0] : group[-1][1]] != form.written:
            continue
        return length, form
    return None


def _is_joined(text: str, group: list[_Span]) -> bool:
    return all(_GAP.match(text[left[1] : right[0]]) for left, right in pairwise(group))


def _in_context(text: str, found: list[_Found]) -> list[_Found]:
    """`found` without ambiguous forms that stand outside any list of skills."""
    if not any(item.needs_list for item in found):
        return found
    kept: list[_Found] = []
    for index, item in enumerate(found):
        if not item.needs_list:
            kept.append(item)
            continue
        if _NOT_NAME_RIGHT.match(text, item.end) or text[item.start - 1 : item.start] in (
            ".",
            "&",
            "-",
        ):
            continue
        before, after = (
            kept[-1] if kept else None,
            found[index + 1] if index + 1 < len(found) else None,
        )
        if (
            (before is not None and _LIST_GAP.match(text[before.end : item.start]))
            or (after is not None and _LIST_GAP.match(text[item.end : after.start]))
            or _LIST_LEFT.search(text, max(0, item.start - 12), item.start)
        ):
            kept.append(item)
    return kept
