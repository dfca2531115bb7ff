"""Postal addresses with a house number in running text. Pure.

Each is found from its number: what stands before or behind it names a kind of street. A town alone
is no contact data and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from profiles.standardization.words import Words, alternatives, encoded, only_letters, words

_SIGN: Final = alternatives(words("contacts", "number_sign"))
_AFTER: Final = alternatives(words("contacts", "street_after"))
_CLEAR: Final = alternatives(words("contacts", "street_clear"))
_BEFORE: Final = alternatives(words("contacts", "street_before"))
_FIRST: Final = alternatives(words("contacts", "street_first"))
_WEAK: Final = alternatives(words("contacts", "street_weak"))
_WEAK_COMPOUND: Final = alternatives(words("contacts", "street_weak_compound"))
_TURKISH: Final = alternatives(words("contacts", "street_turkish"))
_INDIAN: Final = alternatives(words("contacts", "street_indian"))
_BOX: Final = alternatives(words("contacts", "street_box"))
_COMPOUND: Final = alternatives(words("contacts", "street_compound"))
_JOINT: Final = alternatives(words("contacts", "street_joint"))
_NO_STREET: Final = words("contacts", "not_street")
_ADDRESS_LABEL: Final = alternatives(words("contacts", "address"))

_UPPER: Final = (
    "A-Z\u00c0-\u00de\u0100\u010c\u0118\u011e\u0130\u0141"
    "\u015a\u015e\u0160\u017b\u017d\u0410-\u042f"
)
_WORD: Final = rf"(?:[{_UPPER}][\w'’-]*\.?)"
_NUMBER: Final = (
    r"(?:\d{1,5}(?:\s?[a-zA-Z](?![\w':.]))?"
    r"(?:\s?[/-]\s?(?:\d{1,4}[a-z]?|[IVX]{1,4}[a-z]?|[A-Z])(?!\w))?)"
)
_END: Final = r"(?![\w%:]|[.,]\d|\s?[€$£%])"
_NO_YEAR: Final = r"(?!(?:19|20)\d\d\b)"
_ALONE: Final = r"(?:^|(?<=[,:(] )|(?<=\bin )|(?<=\n))"
_STOP: Final = r"(?=\s*(?:[,;.)\n]|\Z))"
_NAME: Final = rf"(?:(?i:{_JOINT})\s?)*{_WORD}(?:[ ](?:(?:(?i:{_JOINT})[ ]?)*{_WORD})){{0,4}}"
_TAIL: Final = rf"(?:,?\s*(?i:{_SIGN})\.?\s*:?\s*|,?\s+)"
_KANJI: Final = r"(?:(?![区市県都府郡])[\u4e00-\u9fff々ヶ])"
_TOWN: Final = r"(?:(?<=[区市県都府郡村])|(?<![\u4e00-\u9fff]))"

_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # 1420 Juniper Ridge Rd
        rf"(?<![\w.,/-]){_NO_YEAR}\d{{1,5}}[A-Za-z]?,?[ ]{_WORD}(?:[ ]{_WORD}){{0,3}}?[ ]"
        rf"(?=[A-Z])(?:(?i:{_CLEAR})\b"
        rf"(?!\s+(?:project|scheme|branch|office|site|team)|['’])"
        rf"|(?i:{_AFTER})\b(?=,\s*[{_UPPER}]))",
        # 1420 Juniper Drive; shorter numbers count something, too: a 12 Step Drive
        rf"(?<![\w.,/-]){_NO_YEAR}\d{{3,5}}[A-Za-z]?,?[ ]{_WORD}(?:[ ]{_WORD}){{0,3}}?[ ]"
        rf"(?=[A-Z])(?i:{_AFTER})\b(?=\s*[,.;)\n]|\s*\Z)",
        # 12 bis rue des Tanneurs, 45/7 đường Nguyễn Huệ
        rf"(?<![\w.,/-]){_NO_YEAR}\d{{1,4}}(?:/\d{{1,4}}|\s?(?:bis|ter|quater|[A-Da-d]))?,?[ ]"
        rf"(?i:{_FIRST})\.?[ ]{_NAME}",
        # Çınar Sokak No: 14 D: 3
        rf"{_WORD}(?:[ ](?:{_WORD}|\d{{1,4}}\.)){{0,3}}[ ](?i:{_TURKISH})\.?,?\s*"
        rf"(?:(?i:no)\s*[:.]?\s*)?{_NUMBER}"
        r"(?:,?\s*(?:D|K|Daire|Kat)\s*[:.]\s*\d{1,3})*",
        # Rua das Amendoeiras, 128
        rf"(?<!\w)(?i:{_BEFORE})\.?[ ]{_NAME}{_TAIL}{_NUMBER}{_END}",
        rf"{_ALONE}(?i:{_WEAK})\.?[ ]{_NAME}{_TAIL}{_NUMBER}{_END}{_STOP}",
        # via Roma, 5; without the comma it is English: via Docker 20
        rf"(?<!\w)via[ ]{_NAME},[ ]{_NUMBER}{_END}{_STOP}",
        # Prins Janstraat 9-II
        rf"(?:(?<!\w){_WORD}[ ])??(?<!\w)"
        rf"(?P<kind>[{_UPPER}][\w-]{{2,}}{_COMPOUND}\.?|{_WORD}[ -](?i:{_COMPOUND})\.?)"
        rf"{_TAIL}{_NUMBER}{_END}",
        rf"{_ALONE}(?P<weak>(?:{_WORD}[ ])?[{_UPPER}][\w-]{{2,}}{_WEAK_COMPOUND})"
        rf"{_TAIL}{_NUMBER}{_END}{_STOP}",
        # मकान नं. 42, गुलाब गली
        rf"(?<!\w)(?i:{_INDIAN})\.?\s*:?\s*#?\d[\w/-]{{0,8}}(?:,\s*[^,\d।\n]{{2,40}}(?=[,।\n]|\Z))?",
        rf"(?<!\w)(?i:{_BOX})\s*:?\s*\d{{1,6}}{_END}",
        # Anschrift: Am Alten Markt 3
        rf"(?<!\w)(?i:{_ADDRESS_LABEL})\s*[:：]?\s*"
        r"(?:(?:in|at|an|à|au|der|dem|en|na|no|em|via|przy|i|på|w|on)\s)*"
        rf"(?P<place>(?=[{_UPPER}\d])[^\d\n:;|]{{0,48}}?(?<![\d.]){_NUMBER}{_END})",
        # 花見町3-14-5, 花見町3丁目14番, 花园路12号, 테헤란로 123
        rf"{_TOWN}{_KANJI}{{1,6}}?\d{{1,3}}(?:[-−]\d{{1,4}}){{1,3}}(?![\d-])",
        rf"{_TOWN}{_KANJI}{{1,6}}\d{{1,2}}丁目\d{{1,3}}(?:番地?)?(?:\d{{1,3}}号?)?",
        r"[\u4e00-\u9fff]{1,6}(?:路|街|大道|巷|弄)\d{1,5}(?:号|號)(?:\d{1,4}(?:室|楼|栋))?",
        r"[\uac00-\ud7a3]{1,6}(?:로|길)\s?\d{1,4}(?:-\d{1,3})?(?![\d-]|\s?[가-힣])",
    )
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d\Z")
_FIGURE: Final = re.compile(r"\d{1,6}(?![\d%]|[.,]\d)")
_BEHIND_NAME: Final = re.compile(
    rf"[{_UPPER}][\w'’.-]*+,?\s++(?:(?=[^\W\d]|[#№])(?i:{_SIGN})\.?\s*+:?\s*+)?"
    r"(\d{1,6}+)(?![%]|[.,]\d)"
)
_BEFORE_NAME: Final = re.compile(
    rf"([0-9](?<![\w.,$€₹£+][0-9])[0-9]{{0,4}}+)(?:[A-Za-z]?,?\s[{_UPPER}]"
    rf"|[A-Za-z]?(?:/\d{{1,4}}|\s?(?:bis|ter|quater))?,?\s(?i:{_FIRST})\b)"
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_WINDOW: Final = 64
_ENDINGS: Final = tuple(
    words("contacts", "street_compound") | words("contacts", "street_weak_compound")
)
_FIRST_CJK: Final = "\u2e80"


def _signs(*sections: str) -> frozenset[str]:
    found = (word for section in sections for word in words("contacts", section))
    return frozenset(max(_LETTERS.findall(word), key=len) for word in found)


_SIGNS_BEFORE: Final = _signs(
    *("street_before", "street_weak", "street_turkish", "street_indian", "street_box", "address")
) - {"no", "c"}
_SIGNS_BEHIND: Final = _signs("street_after", "street_clear", "street_first")
_SIGNS: Final = encoded(_SIGNS_BEFORE | _SIGNS_BEHIND)
_LAST: Final = tuple(encoded(_ENDINGS))
_AROUND: Final = 280
"""Characters on each side of a street's name in which its number is, and the name before that."""


def street_spans(text: str, found: Words | None = None) -> Iterator[tuple[int, int]]:
    """Spans of streets with house numbers in `text`.

    With `found`, its words, only those beside names: in scripts with spaces all have one.
    """
    known: set[tuple[int, int]] = set()
    for start, end in _figures(text, found):
        known = {span for span in known if span[1] > start}
        # Each window has the addresses around its own; the patterns cost far more than all else.
        if any(first <= start for first, _ in known) or not _is_near_street(text, start, end):
            continue
        around = max(0, start - _WINDOW), end + _WINDOW
        for pattern in _PATTERNS:
            for match in pattern.finditer(text, *around):
                group = match.lastgroup or 0
                if match[group].lower() not in _NO_STREET and not _YEAR.search(match[0]):
                    known.add(match.span("place" if group == "place" else 0))
        yield from known


def _figures(text: str, found: Words | None) -> Iterator[tuple[int, int]]:
    if found is None:
        yield from (match.span() for match in _FIGURE.finditer(text))
        return
    signs = (_SIGNS & found).union([word for word in found.rare if word.endswith(_LAST)])
    # A pattern that begins with a set of characters is slow: it sees only what is near a sign.
    for start, end in _around(text, signs) if signs else ():
        for pattern in (_BEHIND_NAME, _BEFORE_NAME):
            yield from (match.span(1) for match in pattern.finditer(text, start, end))


def _around(text: str, found: Iterable[bytes]) -> list[tuple[int, int]]:
    """The parts of a text around words, which `word_set` gave, each part once."""
    letters = only_letters(text)
    parts: list[tuple[int, int]] = []
    for place in sorted(_places(letters, {only_letters(word.decode()) for word in found})):
        start = max(0, place - _AROUND)
        if parts and start <= parts[-1][1]:
            start, _ = parts.pop()
        parts.append((start, place + _AROUND))
    return parts


def _places(text: bytes, found: Iterable[bytes]) -> Iterator[int]:
    for word in found:
        at = text.find(word)
        while at >= 0:
            yield at
            at = text.find(word, at + 1)


def _is_near_street(text: str, start: int, end: int) -> bool:
    """Return whether a word for a street is near a number: the patterns cost far more to try."""
    before = _LETTERS.findall(text[max(0, start - _WINDOW) : start].lower())
    return (
        not _SIGNS_BEFORE.isdisjoint(before)
        or any(word.endswith(_ENDINGS) for word in before[-2:])
        or not _SIGNS_BEHIND.isdisjoint(_LETTERS.findall(text[end : end + _WINDOW].lower())[:6])
        or max(text[max(0, start - 2) : start], default="") >= _FIRST_CJK
    )
