"""Whether a text may hold contact data or pay, at a fraction of the cost of taking it out.

Nearly no text does, so that nearly all of them stop here. A sign too many costs a search by
`redact_contacts`; a sign too few would show a number that nobody may see.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from profiles.standardization.text import redact_contacts

_SCHEME: Final = re.compile(r"\b(?:mailto|javascript|data|tel|skype):")
_PAY: Final = re.compile(
    r"\b(?:e?ctc|salary|compensation|remuneration|pay|package)\b\s*(?:\([^()\n]{0,20}\)\s*)?"
    r"(?:of|is|was|[:=–-])?\s*(?:inr|usd|eur|gbp|rs\.?|[$€₹£])?\s*\d"
)
_LONG_NUMBER: Final = re.compile(r"\d(?:[\s().\-–/]{0,3}\d){5}")
_ENDING: Final = (
    r"(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info|page|link|ly|cn|ru|br|es|pl|eu|us"
    r"|ca|be|to|biz)\b"
)
_DOMAIN_ENDING: Final = re.compile(rf"\.{_ENDING}")

# Each pattern of bytes begins with one letter or mark, which is looked for at the speed of memchr;
# what stands before it is a lookbehind.
_SPELT_SIGN: Final = re.compile(rb"dot")
_SCHEME_SIGN: Final = re.compile(
    rb":(?://|(?<=mailto:)|(?<=javascript:)|(?<=data:)|(?<=tel:)|(?<=skype:))"
)
_DOT_SIGN: Final = re.compile(rb"\.(?:(?<=www\.)|(?=[a-z])(?:%b|(?<=p\.)a))" % _ENDING.encode())
_BEFORE_FIGURE: Final = rb"\b\s*(?:[^\sa-z]|of|is|was|inr|usd|eur|gbp|rs)"
_PAY_SIGN: Final = re.compile(rb"p(?:a(?:y%b|ckage%b|(?<=lpa)))" % (_BEFORE_FIGURE, _BEFORE_FIGURE))
_OTHER_PAY_SIGN: Final = re.compile(rb"c(?:tc|ompensation)" + _BEFORE_FIGURE)
_DOTTED_I, _KELVIN = "\u0130".encode(), "\u212a".encode()
"""They are small ASCII letters in lower case."""
_DIGIT_LEADS: Final = frozenset(b"0123456789") | {0xD9, 0xDB, 0xDF, 0xE0, 0xE1, *range(0xEA, 0xF5)}
"""Digits, and the first bytes of those that are not ASCII."""
_BETWEEN_DIGITS: Final = frozenset(b" \t\n\r\v\f\x1c\x1d\x1e\x1f().-/") | frozenset(
    range(0x80, 0x100)
)
"""What may stand between the digits of a long number, and all of other scripts."""
_DIGITS_ALIKE: Final = bytes(
    ord("0") if code in _DIGIT_LEADS else ord(" ") if code in _BETWEEN_DIGITS else ord("x")
    for code in range(256)
)
_NUMBER_SIGN: Final = re.compile(rb"0 *0 *0 *0 *0 *0")
_NO_NAME: Final = re.compile(r"@|://|\bwww\.|\d[\d\s().-]{6,}\d")


def may_hold_contact(text: str) -> bool:
    """False when `redact_contacts` would leave the text alone; it costs a tenth of asking that."""
    return has_contact_sign(text) and _may_hold_contact(text.lower())


def has_contact_sign(text: str) -> bool:
    """False for nearly every text of which `may_hold_contact` is false, True for all others.

    Bytes are searched several times as fast as text that is not all ASCII.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) != len(text) and (_DOTTED_I in data or _KELVIN in data):
        return True
    lower = data.lower()
    # Spelled out: this runs on every text, and a loop over the signs costs five times as much.
    return (
        b"@" in lower
        or (b":" in lower and _SCHEME_SIGN.search(lower) is not None)
        or _SPELT_SIGN.search(lower) is not None
        or b"annum" in lower
        or b"salary" in lower
        or b"remuneration" in lower
        or _DOT_SIGN.search(lower) is not None
        or _PAY_SIGN.search(lower) is not None
        or _OTHER_PAY_SIGN.search(lower) is not None
        or _NUMBER_SIGN.search(data.translate(_DIGITS_ALIKE)) is not None
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
