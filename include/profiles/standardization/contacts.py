"""Removes e-mail addresses, phone numbers, URLs and pay from text. Pure.

Numbers that are something else stay: years and their ranges, versions, amounts, shares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["redact_contacts"]

# Looked for behind a contact that was found: as an optional beginning of every pattern it would be
# tried at each character of every text.
_LABEL: Final = re.compile(
    r"\b(?:e-?mails?|mail|tel(?:ephone)?|phone|mob(?:ile)?|cell|whats ?app|fax|contact|call|website"
    r"|web|url|portfolio|linkedin|github|skype|reach me|ph)"
    r"(?:\s+(?:id|no|number|me|us|address))?\s*[.:=\-–]?\s*(?:(?:at|on|is)\s+)?[<(\[]?\Z",
    re.IGNORECASE,
)
_LONGEST_LABEL: Final = 40

_EMAIL: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_SPELT_EMAIL: Final = re.compile(
    r"\b[\w.+-]{1,64}\s*(?:[\[({]\s*at\s*[\])}]|\s+at\s+)\s*[\w-]{1,63}"
    r"\s*(?:[\[({]\s*dot\s*[\])}]|\s+dot\s+)\s*[a-z]{2,10}\b",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    r"\b(?:(?:https?|ftps?|hxxps?)\s?://|(?:mailto|javascript|data|tel|skype):|www\.)[^\s<>\"')\]]+",
    re.IGNORECASE,
)
# A host with a path, with two dots, or with a hyphen or digit is an address in any case; a bare
# lower-case domain is one too, while `Salesforce.com` with a capital is a company.
_TOP_LEVEL: Final = re.compile(
    r"\.(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info|biz|page|link|ly|cn|ru|br|es|pl|eu|us|ca"
    r"|be|to)\b",
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info|page|link|ly|cn|ru|br|es"
    r"|pl|eu|us|ca|be|to)/[^\s<>\"')\]]*"
    r"|\b(?:[a-z0-9-]+\.){2,}(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info)\b"
    r"|\b[a-z0-9]+-[a-z0-9-]*\.(?:com|org|net|co|in|dev|me|info)\b"
    r"|\b[a-z]+\d[a-z0-9]*\.(?:com|org|net|co|in|dev|me|info)\b",
    re.IGNORECASE,
)
_BARE_DOMAIN: Final = re.compile(
    r"(?<![\w.@/-])[a-z0-9]{4,}\.(?:com|org|dev|me|info|biz)\b(?!\.\w)"
)
_KNOWN_SITES: Final = frozenset(("salesforce.com", "booking.com", "monday.com", "amazon.com"))

_PHONE: Final = re.compile(
    r"(?:\+\s?|\(\+?)?\d(?:[\s().\-–/]{0,3}\d){5,16}(?![\w%])(?:\s*(?:x|ext\.?|extension)\s*\d{1,5})?",
    re.IGNORECASE,
)
_PHONE_LABEL: Final = re.compile(
    r"\b(?:tel(?:ephone)?|phone|mob(?:ile)?|cell|whats ?app|fax|contact|call|ph)\b[^\w]*"
    r"(?:(?:no|number|me|us|at|on)\b[^\w]*)*\Z",
    re.IGNORECASE,
)
_NOT_DIGIT: Final = re.compile(r"\D+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d\Z")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:[ .]\d{3})+\Z")
_DOTTED: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,4}\Z")

_AMOUNT: Final = (
    r"(?:(?:INR|USD|EUR|GBP|Rs\.?|[$€₹£])\s*)?\d[\d,.]*\s*(?:k|m|lpa|lakhs?|lacs?|cr(?:ores?)?)?\b"
    r"(?:\s*(?:-|–|to)\s*(?:[$€₹£]\s*)?\d[\d,.]*\s*(?:k|lpa|lakhs?|lacs?)?)?"
    r"(?:\s*(?:per annum|p\.?a\.?|per year|a year|/\s?(?:yr|year|annum|month)|lpa))?"
)
_PAY: Final = re.compile(
    r"\b(?:(?:current|expected|fixed|present|last|drawn|annual)\s+)*(?:e?ctc|salary|compensation"
    r"|remuneration|pay|package)\b\s*(?:\([^()\n]{0,20}\)\s*)?(?:of|is|was|:|=|-|–)?\s*"
    + _AMOUNT
    + r"|(?:(?:INR|Rs\.?|₹)\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_PAY_WORDS: Final = (
    "ctc",
    "salary",
    "compensation",
    "remuneration",
    "pay",
    "package",
    "lpa",
    "annum",
    "p.a",
)
_EMPTY_PAIR: Final = re.compile(r"[(\[{<]\s*[)\]}>]")
_LEFT_OVER: Final = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,;:!?])|(?<=[,;|/])(?:\s*[,;|/])+")
_MARKS: Final = (".", ",", ";", ":", "!", "?", "")
_EDGE: Final = re.compile(r"^(?:- )?[\s,;|/:·•–-]*$", re.MULTILINE)
_LEADING: Final = re.compile(r"^(- )?(?:[ \t]*[,;:]+[ \t]*|\.[ \t]+)+", re.MULTILINE)
_BLANK_LINES: Final = re.compile(r"\n{2,}")


def redact_contacts(text: str) -> str:
    """`text` without contact data and pay; lines that held nothing else are gone.

    >>> redact_contacts("Reach me at a.b@mail-example.com or +91 98450 12345. Since 2019-2020.")
    'or. Since 2019-2020.'
    """
    kept = _without_addresses(text)
    lowered = kept.lower()
    if any(word in lowered for word in _PAY_WORDS):
        kept = _PAY.sub("", kept)
    kept = _remove(_PHONE, kept, _is_phone)
    return text if kept == text else _tidy(kept)


def _without_addresses(text: str) -> str:
    if "@" in text:
        text = _remove(_EMAIL, text)
    if " dot " in text or "dot" in text.lower():
        text = _remove(_SPELT_EMAIL, text)
    if ":" in text or "www." in text.lower():
        text = _remove(_ADDRESS, text)
    if "." in text and _TOP_LEVEL.search(text) is not None:
        text = _remove(_HOST, text)
        text = _remove(_BARE_DOMAIN, text, _is_no_known_site)
    return text


def _remove(
    pattern: re.Pattern[str],
    text: str,
    is_contact: Callable[[re.Match[str]], bool] = bool,
) -> str:
    """`text` without the matches that are contacts, and without the labels before them."""
    pieces: list[str] = []
    position = 0
    for match in pattern.finditer(text):
        if not is_contact(match):
            continue
        label = _LABEL.search(text, max(position, match.start() - _LONGEST_LABEL), match.start())
        pieces.append(text[position : label.start() if label else match.start()])
        position = match.end()
    return "".join((*pieces, text[position:])) if pieces else text


def _is_no_known_site(match: re.Match[str]) -> bool:
    return match[0] not in _KNOWN_SITES


def _is_phone(match: re.Match[str]) -> bool:
    """Whether a digit run is a phone number and no date, amount, version or identifier."""
    number, text, start = match[0], match.string, match.start()
    if start and (text[start - 1].isalnum() or text[start - 1] in "_.,/-$€₹£#"):
        return False
    groups = [group for group in _NOT_DIGIT.split(number) if group]
    digits = sum(map(len, groups))
    if number[0] == "+" or (number[0] == "(" and digits >= 10):
        return digits >= 7
    if all(len(group) <= 2 or _YEAR.match(group) for group in groups):
        return False
    if _PHONE_LABEL.search(text, max(0, start - _LONGEST_LABEL), start):
        return True
    if len(groups) == 1:
        return digits >= 10
    if _THOUSANDS.match(number) or _DOTTED.match(number):
        return False
    return digits >= 9


def _tidy(text: str) -> str:
    text = _EMPTY_PAIR.sub("", text)
    text = _LEFT_OVER.sub(_joint, text)
    text = _LEADING.sub(lambda match: match[1] or "", text)
    return _BLANK_LINES.sub("\n", _EDGE.sub("", text)).strip()


def _joint(match: re.Match[str]) -> str:
    """One space for a run of spaces, nothing for what stands before a punctuation mark."""
    is_run = match[0].isspace() and match.string[match.end() : match.end() + 1] not in _MARKS
    return " " if is_run else ""
