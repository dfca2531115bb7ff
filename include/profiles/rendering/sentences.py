"""The sentences of several texts, each said once.

Two sentences are the same when they fold to the same letters and digits. A sentence that is the
beginning of another one (a vendor cut it) says nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from profiles.standardization.text import fold, redact_contacts, split_sentences

MAX_SENTENCE_CHARS = 1_200
_MIN_BEGINNING_CHARS = 12
"""Shorter beginnings may be sentences of their own ("Led audits" and "Led audits in Pune")."""
_OWN_WORDS = 4
"""A sentence with fewer words may rightly be said of two employers."""
_SCHEME = re.compile(r"\b(?:mailto|javascript|data|tel|skype):")
_PAY = re.compile(
    r"\b(?:e?ctc|salary|compensation|remuneration|pay|package)\b\s*(?:\([^()\n]{0,20}\)\s*)?"
    r"(?:of|is|was|[:=–-])?\s*(?:inr|usd|eur|gbp|rs\.?|[$€₹£])?\s*\d"
)
_LONG_NUMBER = re.compile(r"\d(?:[\s().\-–/]{0,3}\d){5}")
_DOMAIN_ENDING = re.compile(
    r"\.(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info|page|link|ly|cn|ru|br|es|pl|eu|us"
    r"|ca|be|to|biz)\b"
)
_SCHEME_SIGN = re.compile(rb":(?:(?<=mailto:)|(?<=javascript:)|(?<=data:)|(?<=tel:)|(?<=skype:))")
_DOMAIN_SIGN = re.compile(_DOMAIN_ENDING.pattern.encode())
_BEFORE_FIGURE = rb"\b\s*(?:[^\sa-z]|of|is|was|inr|usd|eur|gbp|rs)"
_PAY_SIGN = re.compile(rb"p(?:ay%b|ackage%b|\.a|a(?<=lpa))" % (_BEFORE_FIGURE, _BEFORE_FIGURE))
_OTHER_PAY_SIGN = re.compile(rb"c(?:tc|ompensation)" + _BEFORE_FIGURE)
_DOTTED_I, _KELVIN = "\u0130".encode(), "\u212a".encode()
"""They are small ASCII letters in lower case."""
_DIGIT_LEADS = frozenset(b"0123456789") | {0xD9, 0xDB, 0xDF, 0xE0, 0xE1, *range(0xEA, 0xF5)}
_DIGITS_ALIKE = bytes(ord("0") if code in _DIGIT_LEADS else code for code in range(256))
"""Makes one digit of all, also of the first byte of a digit that is not ASCII."""
_BETWEEN_DIGITS = bytes(
    code
    for code in range(256)
    if chr(code) in " \t\n\r\v\f\x1c\x1d\x1e\x1f().-/"
    or (code >= 0x80 and code not in _DIGIT_LEADS)
)
"""What may stand between the digits of a long number, and all of other scripts."""
_NO_NAME = re.compile(r"@|://|\bwww\.|\d[\d\s().-]{6,}\d")
_LABELS = frozenset(
    (
        *("highlights", "keyhighlights", "responsibilities", "keyresponsibilities", "achievements"),
        *("rolesandresponsibilities", "keyachievements", "description", "summary", "seeportfolio"),
    )
)
"""Lines that only announce others."""
_END_MARKS = frozenset(".!?…。！？)")
_WHOLE = re.compile(r"(?<!\d)[.!?。！？]\Z")
"""How a whole sentence ends, which may begin another whole one; "WCAG 2." is cut before a digit."""
_OTHER_STOP = re.compile("[…。！？]")
_LEFTOVER = re.compile(
    r"(?<=[a-z)%][.!?])(?:\d{1,2}\.|\s?&(?:lt?|gt?|n(?:b(?:sp?)?)?|am?p?|quo?t?)?)\Z"
    r"|&#\d{0,4}\Z"
)
"""What stays of the next list item or tag where a vendor cut: "… of weeks.3.", "… of weeks.&l"."""
_LONGEST_LEFTOVER = len("&nbsp.")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LOWER = bytes(range(256)).lower()
_DELETED = bytes(code for code in range(128) if not chr(code).isalnum())
_ASCII = bytes(range(128))
_DELETED_IN_LINE = _DELETED.replace(b"\n", b"") + bytes(range(128, 256))
_MARKS = "#>*|`~ "
"""What would make a line a heading, quote, list or fence."""


class Line(NamedTuple):
    """A sentence and the folded key that it is compared by."""

    key: str
    text: str
    is_cut: bool = False
    """The last of its text, without the full stop that the others have."""


_new_line = tuple.__new__
"""`Line(...)` at half its cost: the most often made object of all."""


def lines_by_text(texts: Iterable[str]) -> dict[str, tuple[Line, ...]]:
    """The contact-free sentences of each of the texts of a person, () for an empty one.

    All texts are searched at once: nearly nobody's hold contact data, and short searches cost
    more to start than to run.
    """
    sentences = {text: _sentences(text) for text in dict.fromkeys(texts)}
    if _has_contact_sign("\n".join(sentences)):
        for text, found in sentences.items():
            if may_hold_contact(text) and redact_contacts(text) != text:
                sentences[text] = list(map(_without_contact, found))
    keys = iter(_line_keys([sentence for found in sentences.values() for sentence in found]))
    # The keys last: zip takes from the first what is not there, and no key is lost.
    return {text: _lines(zip(found, keys, strict=False)) for text, found in sentences.items()}


def _lines(sentences_and_keys: Iterable[tuple[str, str]]) -> tuple[Line, ...]:
    found = [
        _new_line(Line, (key, text.lstrip(_MARKS) if text[0] in _MARKS else text, False))
        for text, key in sentences_and_keys
        if key and key not in _LABELS
    ]
    if not found:
        return ()
    last = found[-1].text
    if ("&" in last[-_LONGEST_LEFTOVER:] or last[-2:-1].isdigit()) and (
        leftover := _LEFTOVER.search(last)
    ):
        last = last[: leftover.start()]
        found[-1] = Line(line_key(last), last)
    if len(found) > 1 and last[-1:] not in _END_MARKS and found[-2].text[-1:] in _END_MARKS:
        found[-1] = found[-1]._replace(is_cut=True)
    return tuple(found)


def _line_keys(texts: Sequence[str]) -> list[str]:
    """The `line_key` of each of several texts without line breaks, all in one pass."""
    joined = "\n".join(texts)
    data = joined.encode("utf-8", "surrogatepass")
    if len(data) != len(joined) and any(map(str.isalnum, _not_ascii(data))):
        return [line_key(text) for text in texts]
    return data.translate(_LOWER, _DELETED_IN_LINE).decode("ascii").split("\n")


def _not_ascii(data: bytes) -> str:
    return data.translate(None, _ASCII).decode("utf-8", "surrogatepass")


def line_key(text: str) -> str:
    """Letters and digits of a sentence in lower case: what two spellings of it share."""
    if not text.isascii() and any(map(str.isalnum, _NOT_ASCII.findall(text))):
        return fold(text).replace(" ", "")
    return text.encode("ascii", "ignore").translate(_LOWER, _DELETED).decode("ascii")


def may_hold_contact(text: str) -> bool:
    """False when `redact_contacts` would leave the text alone; it costs a tenth of asking that."""
    return _has_contact_sign(text) and _may_hold_contact(text.lower())


def _has_contact_sign(text: str) -> bool:
    """False for nearly every text of which `_may_hold_contact` is false, True for all others.

    Bytes are searched several times as fast as text that is not all ASCII.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) != len(text) and (_DOTTED_I in data or _KELVIN in data):
        return True
    lower = data.lower()
    # Spelled out: this runs on every text, and a loop over the signs costs five times as much.
    return (
        b"@" in lower
        or b"://" in lower
        or b"www." in lower
        or b"dot" in lower
        or b"annum" in lower
        or b"salary" in lower
        or b"remuneration" in lower
        or _PAY_SIGN.search(lower) is not None
        or _OTHER_PAY_SIGN.search(lower) is not None
        or b"000000" in data.translate(_DIGITS_ALIKE, _BETWEEN_DIGITS)
        or _SCHEME_SIGN.search(lower) is not None
        or _DOMAIN_SIGN.search(lower) is not None
    )


def _may_hold_contact(lower: str) -> bool:
    return bool(
        "@" in lower
        or "://" in lower
        or "www." in lower
        or "lpa" in lower
        or "annum" in lower
        or "p.a" in lower
        or "dot" in lower
        or (":" in lower and _SCHEME.search(lower))
        or _LONG_NUMBER.search(lower)
        or _DOMAIN_ENDING.search(lower)
        or _PAY.search(lower)
    )


@lru_cache(maxsize=65_536)
def contact_free_name(name: str) -> str:
    """A name of an employer, title, school or skill without contact data; "" when it was nothing
    else.

    "Booking.com" and "Socket.io" are names, so only what cannot be one is looked at.
    """
    return redact_contacts(name).strip() if _NO_NAME.search(name) else name


def _sentences(block: str) -> list[str]:
    """What `split_sentences` gives, without its search where a line can hold but one sentence."""
    sentences: list[str] = []
    for line in block.split("\n"):
        text = line.removeprefix("- ").strip()
        inner = text[:-1]
        if (
            "." in inner
            or "!" in inner
            or "?" in inner
            or not (inner.isascii() or _OTHER_STOP.search(inner) is None)
        ):
            sentences.extend(split_sentences(text))
        elif text:
            sentences.append(text)
    return sentences


def _without_contact(sentence: str) -> str:
    """The sentence without contact data; "" when little else was in it ("Reach me on … or …")."""
    rest = redact_contacts(sentence)
    if rest == sentence:
        return sentence
    return rest if rest.count(" ") >= _OWN_WORDS and 2 * len(rest) > len(sentence) else ""


def union(groups: Iterable[Sequence[Line]]) -> tuple[Line, ...]:
    """All lines of `groups` in order of first appearance, repeats and cut ones removed."""
    kept: dict[str, Line] = {}
    last: Sequence[Line] = ()
    for group in groups:
        # Vendors that copy one another share the very tuple.
        if group is not last:
            for line in group:
                kept.setdefault(line.key, line)
            last = group
    if len(kept) > 1:
        for key in _beginnings(kept):
            del kept[key]
    return tuple(kept.values())


class SaidBefore:
    """Remembers what newer jobs of a person already said.

    `jobs` are the lines of all jobs: a sentence that a vendor cut says nothing beside a whole one
    that begins alike, be it an older job's.
    """

    def __init__(self, jobs: Iterable[Sequence[Line]]) -> None:
        self._cut = _cut_beginnings(jobs)
        self._anywhere: set[str] = set()
        self._of_employer: set[tuple[str | None, str]] = set()

    def new(self, lines: Sequence[Line], employer: str | None) -> tuple[str, ...]:
        """The texts of those `lines` that no newer job said; remembers them.

        Long sentences are never repeated; short ones only for another employer.
        """
        fresh = []
        for key, text, _ in lines:
            if key in self._anywhere or (employer, key) in self._of_employer:
                continue
            if key in self._cut:
                continue
            if text.count(" ") + 1 >= _OWN_WORDS:
                self._anywhere.add(key)
            else:
                self._of_employer.add((employer, key))
            fresh.append(text)
        return tuple(fresh)

    def quotes(self, line: Line) -> bool:
        """Whether `line` repeats a job's sentence, also behind a label ("Most proud of: …")."""
        if line.key in self._anywhere:
            return True
        label, colon, rest = line.text.partition(": ")
        return bool(colon) and label.count(" ") < _OWN_WORDS and line_key(rest) in self._anywhere


def within(sentences: Sequence[str], budget: int) -> tuple[str, ...]:
    """The first sentences that fit `budget` characters; the first one always, cut if need be."""
    if sum(map(len, sentences)) + 3 * len(sentences) <= min(budget, MAX_SENTENCE_CHARS):
        return tuple(sentences)
    kept: list[str] = []
    used = 0
    for sentence in sentences:
        text = shorten(sentence)
        used += len(text) + 3
        if kept and used > budget:
            break
        kept.append(text)
    return tuple(kept)


def shorten(sentence: str) -> str:
    """An endless sentence cut at a word."""
    if len(sentence) <= MAX_SENTENCE_CHARS:
        return sentence
    return sentence[: MAX_SENTENCE_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _cut_beginnings(jobs: Iterable[Sequence[Line]]) -> frozenset[str]:
    lines = [line for job in jobs for line in job]
    cut = {line.key for line in lines if line.is_cut}
    if not cut:
        return frozenset()
    whole = {line.key for line in lines if not line.is_cut}
    cut -= whole
    ordered = sorted(cut | whole)
    return frozenset(
        key for key, following in pairwise(ordered) if key in cut and following.startswith(key)
    )


def _beginnings(kept: dict[str, Line]) -> list[str]:
    # Sorted, a key that begins another one stands right before one that it begins.
    ordered = sorted(kept)
    return [
        key
        for key, following in pairwise(ordered)
        if following.startswith(key)
        and (kept[key].is_cut or len(key) >= _MIN_BEGINNING_CHARS)
        and not _WHOLE.search(kept[key].text)
    ]
