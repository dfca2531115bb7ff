"""The ways to write each skill, where running text has them, and what evidence looks in. Pure.

A text is tokenised once and every position asks a dictionary for the longest form that starts
there; that form owns its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from profiles.standardization.text import fold

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
    is_short: bool


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
        is_short(form),
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


# What may stand between two words of one skill: "Node.js", "CI / CD", "Power-BI", "Services (AWS".
_GAP: Final = re.compile(r"(?:[ \t\u00a0]?[-&/'’(:–]?[ \t\u00a0]?|\.)\Z")
_LIST_GAP: Final = re.compile(
    r"[ \t]*(?:[,;/|•·+&、・]|-(?= ))?[ \t]*(?:and|or|&)?[ \t]*\Z", re.IGNORECASE
)
_LIST_LEFT: Final = re.compile(
    r"(?:\b(?:in|using|with|languages?|of|skills)|[:(])[ \t]*\Z", re.IGNORECASE
)
_NOT_NAME_RIGHT: Final = re.compile(
    r"[-–'’&.](?=\w)|\s*[-–]?\s*to\b|\s(?:live|beyond|above|ahead|level|sharp|minor|major)\b"
)
_NAME_BEFORE: Final = re.compile(r"[^\s.!?:,;(\"'“-] ?\b([A-Z][\w'’-]*) \Z")
_SENTENCE_START: Final = re.compile(r"(?:\A|\n|\n- |[.!?] )\Z")
_WORD_AFTER: Final = re.compile(r" (?!and\b|or\b)[a-z]")
_NAME_AFTER: Final = re.compile(r" [A-Z][a-z]")

_Span = tuple[int, int]


class Prose(NamedTuple):
    """Strictness by which forms count in running text; see the header of `skills.yaml`."""

    never: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    ambiguous: frozenset[str] = frozenset()
    english: frozenset[str] = frozenset()


class Form(NamedTuple):
    """One way to write a skill: its words after the first, its canonical name, how strictly."""

    rest: tuple[str, ...]
    canonical: str
    written: str
    is_exact: bool
    needs_list: bool
    is_word: bool
    """Also an ordinary word in that case: counts outside longer names of capitalised words only."""
    is_english: bool
    """Counts on English lines only."""


class _Found(NamedTuple):
    start: int
    end: int
    form: Form


def form_table(mapping: Mapping[str, Sequence[str]], prose: Prose) -> dict[str, tuple[Form, ...]]:
    """The forms that count in prose by their first lowered word, the longest first."""
    forms: dict[str, list[Form]] = {}
    for canonical, aliases in mapping.items():
        for written in dict.fromkeys((canonical, *aliases)):
            if written in prose.never:
                continue
            for first, form in _variants(written, canonical, prose):
                forms.setdefault(first, []).append(form)
    return {
        first: tuple(sorted(options, key=lambda form: -len(form.rest)))
        for first, options in forms.items()
    }


def _variants(written: str, canonical: str, prose: Prose) -> Iterable[tuple[str, Form]]:
    words = TOKEN.findall(written)
    if not words:
        return
    is_cased = written in prose.exact or written in prose.ambiguous
    is_exact = is_cased or is_short(written)
    variants = {tuple(word.lower() for word in words)}
    if not is_exact and len(words) > 1:
        variants.add(("".join(words).lower(),))
    for variant in variants:
        yield (
            variant[0],
            Form(
                rest=variant[1:],
                canonical=canonical,
                written=written,
                is_exact=is_exact,
                needs_list=written in prose.ambiguous,
                is_word=is_cased and not written.isupper(),
                is_english=written in prose.english,
            ),
        )


def find_forms(
    text: str, forms: Mapping[str, tuple[Form, ...]], *, is_english: bool = True
) -> list[str]:
    """The canonical names of the forms in a text, in order, repeated as there."""
    # Spans rather than matches: thousands of live match objects would wake the collector.
    spans = [match.span() for match in TOKEN.finditer(text)]
    words = [text[start:end].lower() for start, end in spans]
    found: list[_Found] = []
    position = 0
    for index, word in enumerate(words):
        if index < position or word not in forms:
            continue
        taken = _longest(text, spans, words, index, forms[word])
        if taken is None or (taken[1].is_english and not is_english):
            continue
        position = index + taken[0]
        found.append(_Found(spans[index][0], spans[position - 1][1], taken[1]))
    return [item.form.canonical for item in _in_context(text, found, is_english=is_english)]


def _longest(
    text: str, spans: list[_Span], words: list[str], position: int, options: tuple[Form, ...]
) -> tuple[int, Form] | None:
    for form in options:
        length = 1 + len(form.rest)
        if form.rest and tuple(words[position + 1 : position + length]) != form.rest:
            continue
        group = spans[position : position + length]
        if form.rest and not all(
            _GAP.match(text[left[1] : right[0]]) for left, right in pairwise(group)
        ):
            continue
        if form.is_exact and not _is_as_written(text, group[0][0], group[-1][1], form.written):
            continue
        return length, form
    return None


def _is_as_written(text: str, start: int, end: int, written: str) -> bool:
    # A piece of R&D or of AT&T is none.
    return text[start:end] == written and "&" not in (text[start - 1 : start], text[end : end + 1])


def _in_context(text: str, found: list[_Found], *, is_english: bool) -> list[_Found]:
    """`found` without ambiguous forms outside any list of skills, and parts of other names."""
    kept: list[_Found] = []
    for index, item in enumerate(found):
        before = kept[-1] if kept else None
        after = found[index + 1] if index + 1 < len(found) else None
        if item.form.needs_list and not _is_listed(text, item, before, after):
            continue
        if is_english and item.form.is_word and _is_in_name(text, item, before, after):
            continue
        kept.append(item)
    return kept


def _is_listed(text: str, item: _Found, before: _Found | None, after: _Found | None) -> bool:
    if _NOT_NAME_RIGHT.match(text, item.end) or text[item.start - 1 : item.start] in (".", "-"):
        return False
    return bool(
        (before is not None and _LIST_GAP.match(text[before.end : item.start]))
        or (after is not None and _LIST_GAP.match(text[item.end : after.start]))
        or _LIST_LEFT.search(text, max(0, item.start - 12), item.start)
    )


def _is_in_name(text: str, item: _Found, before: _Found | None, after: _Found | None) -> bool:
    """Part of a longer name (Key Vault), or an ordinary word that begins a sentence (Rust on).

    Titles are capitalised throughout.
    """
    line = text.rfind("\n", 0, item.start) + 1
    if text.startswith("#", line):
        return False
    if _SENTENCE_START.search(text, max(line - 1, item.start - 3, 0), item.start) and (
        _WORD_AFTER.match(text, item.end)
    ):
        return True
    if _NAME_AFTER.match(text, item.end) and (after is None or after.start > item.end + 1):
        return True
    if before is not None and before.end >= item.start - 1:
        return False
    return _NAME_BEFORE.search(text, max(line, item.start - 40), item.start) is not None
