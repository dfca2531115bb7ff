"""Removes e-mail addresses, phone numbers, web addresses, handles, streets and pay from text. Pure.

Numbers that are something else stay: years and their ranges, versions, amounts, standards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from profiles.standardization.contacts.hosts import (
    EMAIL,
    has_bracketed_at,
    host_spans,
    spelt_mail_spans,
)
from profiles.standardization.contacts.pay import OF_PAY, pay_spans
from profiles.standardization.contacts.phones import phone_spans
from profiles.standardization.contacts.streets import street_spans
from profiles.standardization.words import Words, alternatives, encoded, word_set, words

_NETWORKS: Final = alternatives(words("contacts", "networks"))
_EXACT: Final = alternatives(words("contacts", "exact_networks"))
_CONTACT: Final = alternatives(words("contacts", "contact"))
_NETWORK: Final = rf"(?<![\w.])(?:(?i:{_NETWORKS})|{_EXACT})(?![A-Za-z])"
_AT_HANDLE: Final = re.compile(r"(?<![\w.@/])[@＠][A-Za-z0-9_](?:[\w.-]{0,28}[A-Za-z0-9_])?")
_BEFORE_HANDLE: Final = re.compile(
    rf"(?:{_NETWORK}[^.!?\n]{{0,24}}(?=[@＠].\Z)"
    rf"|(?<!\w)(?i:{_CONTACT})\W[^.!?\n]{{0,6}}(?=[@＠][a-z]\Z))"
)
_BEHIND_HANDLE: Final = re.compile(
    rf"\s*(?:\(\s*)?(?:on|auf|bei|sur|en|em|no|su|na|op|på|via|की|@)?\s*{_NETWORK}"
)
_LONGEST_BEFORE: Final = 48
_SIGNS: Final = {
    **{sign: re.compile(sign) for sign in ":：=号は"},
    **{sign: re.compile(rf"{sign}(?<=\b[Ii]{sign})\b") for sign in "dD"},
    "_": re.compile(r"\s(?=[A-Za-z0-9.-]*_)"),
}
"""What stands between a network and a handle, by a part of it: a pattern that begins with one
character is the fastest. A space only where the handle can be no word."""
_WORD: Final = re.compile(r"[^\W_]+")
_ABOUT_HANDLE: Final = frozenset(("i", "id", "handle", "user", "username", "name", "live"))
_SURE_NETWORKS: Final = words("contacts", "networks")
_UNSURE_NETWORKS: Final = words("contacts", "exact_networks")
_OTHER_NETWORKS: Final = tuple(name for name in _SURE_NETWORKS if not name.isascii())
_HANDLE: Final = re.compile(
    r"[\s:：=]*(?P<handle>(?=[\d.]*[A-Za-z_])[A-Za-z0-9_][\w.#-]{1,38}[A-Za-z0-9_])"
    r"(?=\s*(?:[,;.)|/、。，।]|\Z|\n)|(?<=[\d_])|\s*\Z)",
    re.ASCII,
)
_MADE_UP: Final = re.compile(r"[\d_.]")
"""Characters that a handle has, but no word."""

_GONE: Final = "\0"
"""Stands where something was removed, until the text around it is repaired."""
_LABELS: Final = alternatives(
    words("contacts", "phone")
    | words("contacts", "contact")
    | words("contacts", "address")
    | words("contacts", "networks")
    | words("contacts", "exact_networks")
)
_LABEL: Final = re.compile(
    rf"(?<!\w)(?:{_LABELS}[\s/]*)+(?:(?:id|no|nr|number|me|us|address|handle|profile)\b\.?)?\s*(?:[.:：=\-–]+\s*)?"
    rf"(?:(?:at|on|is|as|me|via)\s+)?[<(\[]?\s*(?=\0)",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"\0(?:\s*(?:,|/|\||;|·|–|-|&|\b(?:and|or|und|oder|et|ou|y|o|e|lub|i|en|of|och|eller|ve|veya|या"
    r"|और)\b)?\s*\0)+",
    re.IGNORECASE,
)
_DANGLING: Final = re.compile(
    rf"(?:(?:(?<=\s)|^){alternatives(words('contacts', 'dangling'))}[\s:,(]*)+\0"
    r"(?=\s*(?:[.,;:!?)\]|]|\Z|\n|(?:à|a|in|en|em|w)\s))",
    re.IGNORECASE | re.MULTILINE,
)
_CONJUNCTION: Final = re.compile(
    r"(^|\n|[.!?]\s)\0\s*(?:(?:and|or|und|oder|et|ou)\b)\s*", re.IGNORECASE
)
_AT_END: Final = re.compile(r"[ \t,;|/]+\0(?=\n|\Z)")
_EMPTY_PAIR: Final = re.compile(r"[(\[{<]\s*[)\]}>]")
_LEFT_OVER: Final = re.compile(
    r"(?<=[,;|/])(?:[ \t]*[,;|/])+|[ \t]*[,;|/:]+[ \t]*(?=[.!?](?:\s|\Z))"
    r"|[ \t]{2,}|[ \t]+(?=[.,;:!?])"
)
_MARKS: Final = (".", ",", ";", ":", "!", "?", "")
_EDGE: Final = re.compile(r"^(?:- )?[\s,.;|/:·•–-]*$", re.MULTILINE)
_LEADING: Final = re.compile(r"^(- )?[ \t]*(?:[,;:、，]+[ \t]*|\.[ \t]+)+", re.MULTILINE)
_BLANK_LINES: Final = re.compile(r"\n{2,}")
_NO_NAME: Final = re.compile(
    r"@|://|\bwww\.|[:：].*\d|\d[\d\s().-]{6,}\d|[\[(]\s*at\s*[\])]", re.IGNORECASE
)

_NOTHING: Final = re.compile(r"[^\d@＠:：._\[({<\u0370-\u1cff\u2e80-\uffff]*+")
_NO_SCRIPT: Final = bytes([*range(0xCD), 0xE2])
"""First bytes of Latin letters and of marks; those of Greek and all behind it are others."""
_AT_WORDS: Final = tuple(
    f" {word}"
    for word in words("contacts", "at") - {"at"}
    if not word.encode().translate(None, _NO_SCRIPT)
)
_DOT_OR_AT: Final = encoded(max(_WORD.findall(word), key=len) for word in ("dot", *_AT_WORDS))
_NETWORK_WORDS: Final = encoded(_SURE_NETWORKS | _UNSURE_NETWORKS)
# Bytes are searched at the speed of memchr: a phone number has six digits and signs between them.
_DIGITS_AS_ZERO: Final = bytes(48 if chr(code).isdecimal() else code for code in range(256))
_BETWEEN_DIGITS: Final = bytes(
    code for code in range(256) if code > 127 or not (chr(code).isalnum() or chr(code) in "_\n")
)


def redact_contacts(text: str, region: str | None = None) -> str:
    """`text` without contact data and pay; lines that held nothing else are gone.

    `region` is the country of the person (ISO 3166), which national phone numbers are read with.

    >>> redact_contacts("Reach me at a.b@mail-example.com or +91 98450 12345. Since 2019-2020.")
    'Since 2019-2020.'
    """
    return without_spans(text, private_spans(text, region))


def without_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """`text` without what stands at the spans, as a person would have written it."""
    if not spans:
        return text
    bounds = [0, *chain.from_iterable(spans), len(text)]
    kept = zip(bounds[::2], bounds[1::2], strict=True)
    return _tidy(_GONE.join([text[start:end] for start, end in kept]))


def private_spans(
    text: str, region: str | None = None, found: Words | None = None
) -> list[tuple[int, int]]:
    """Spans of contact data and pay in `text`, sorted and disjoint.

    `found` are the words of the text, and perhaps more, where the caller knows them.
    """
    if found is None:
        # A name or a headline has none of the signs that contact data and pay need.
        if _NOTHING.fullmatch(text) and not _is_spelt(text.lower()):
            return []
        found = word_set(text)
    # Each search is made only if the rarest thing that it needs is there: most texts have none.
    is_spelt = not found.isdisjoint(_DOT_OR_AT) and _is_spelt(text.lower())
    is_other = found.other.translate(None, _NO_SCRIPT) != b"" and (
        text.encode("utf-8", "surrogatepass").translate(None, _NO_SCRIPT) != b""
    )
    spans = list(host_spans(text, found))
    if is_spelt or is_other or has_bracketed_at(text):
        spans += spelt_mail_spans(text)
    if is_other or not found.isdisjoint(_NETWORK_WORDS):
        spans += _named_handles(text)
    if b"@" in found.lower or "＠".encode() in found.lower:
        spans += [match.span() for match in EMAIL.finditer(text)]
        spans += _at_handles(text)
    if is_other or b"000000" in found.lower.translate(_DIGITS_AS_ZERO, _BETWEEN_DIGITS):
        spans += phone_spans(text, region)
    spans += street_spans(text, None if is_other else found)
    if is_other or not found.isdisjoint(OF_PAY):
        spans += pay_spans(text, found)
    return _merged(spans)


def _is_spelt(lowered: str) -> bool:
    """Return whether a text may have an address with "dot", or with a word for its sign."""
    return (" dot " in lowered and " at " in lowered) or any(
        [word in lowered for word in _AT_WORDS]
    )


@lru_cache(maxsize=65_536)
def contact_free_name(name: str) -> str:
    """A name of an employer, title, school or skill without contact data; "" when it was nothing
    else.

    "Booking.com" and "Socket.io" are names, so only what cannot be one is looked at.
    """
    if name.replace(" ", "").isalpha() or not _NO_NAME.search(name):
        return name
    return redact_contacts(name).strip()


def _named_handles(text: str) -> Iterator[tuple[int, int]]:
    """Handles behind the name of a network and a sign: "Skype: ada_b"."""
    signs = [pattern.finditer(text) for sign, pattern in _SIGNS.items() if sign in text]
    for sign in chain.from_iterable(signs):
        before = text[max(0, sign.start() - _LONGEST_BEFORE) : sign.start()]
        sure, unsure = _network_at_end(before)
        if (sure or unsure) and (handle := _HANDLE.match(text, sign.end())):
            start, end = handle.span("handle")
            if before.endswith("live"):
                start = sign.start() - len("live")
            if sure or _MADE_UP.search(text, start, end):
                yield start, end


def _network_at_end(text: str) -> tuple[bool, bool]:
    """Return whether `text` ends in a network's name, and whether in one that is also a word."""
    found = _WORD.findall(text)
    while found and found[-1].lower() in _ABOUT_HANDLE:
        found.pop()
    name = found[-1] if found else ""
    sure = name.lower() in _SURE_NETWORKS or name.endswith(_OTHER_NETWORKS)
    return sure, name in _UNSURE_NETWORKS


def _at_handles(text: str) -> Iterator[tuple[int, int]]:
    """Handles behind the name of a network, or made up behind a label: "@Transactional" is none."""
    for match in _AT_HANDLE.finditer(text):
        start, end = match.span()
        if (
            (_MADE_UP.search(match[0]) and text[:start].rstrip().endswith((":", "：")))
            or _BEFORE_HANDLE.search(text, max(0, start - _LONGEST_BEFORE), start + 2)
            or _BEHIND_HANDLE.match(text, end)
        ):
            yield start, end


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _tidy(text: str) -> str:
    """The text around what was removed as a person would have written it."""
    text = _JOINED.sub(_GONE, _LABEL.sub("", text))
    text = _CONJUNCTION.sub(r"\1", _DANGLING.sub("", _AT_END.sub(_GONE, text)))
    text = _AT_END.sub("", text).replace(_GONE, "")
    text = _LEFT_OVER.sub(_joint, _EMPTY_PAIR.sub("", text))
    text = _LEADING.sub(lambda match: match[1] or "", text)
    return _BLANK_LINES.sub("\n", _EDGE.sub("", text)).strip()


def _joint(match: re.Match[str]) -> str:
    """One space for a run of spaces, nothing for what stands before a punctuation mark."""
    is_run = match[0].isspace() and match.string[match.end() : match.end() + 1] not in _MARKS
    return " " if is_run else ""
