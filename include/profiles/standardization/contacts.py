"""Removes e-mail addresses, phone numbers, URLs and pay from text. Pure.

Numbers that are something else stay: years and their ranges, versions, amounts, shares.
"""

from __future__ import annotations

import re

__all__ = ["redact_contacts"]

_LABEL = (
    r"(?:\b(?:e-?mails?|mail|tel(?:ephone)?|phone|mob(?:ile)?|cell|whats ?app|fax|contact|call"
    r"|website|web|url|portfolio|linkedin|github|skype|reach me (?:at|on)|ph)\b"
    r"(?:\s+(?:id|no|number|me|us|address))?\s*[.:=\-–]?\s*(?:(?:at|on|is)\s+)?)?"
)
_EMAIL = re.compile(
    _LABEL + r"(?:mailto:)?[<(\[]?[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+[>)\]]?",
    re.IGNORECASE,
)
_SPELT_EMAIL = re.compile(
    _LABEL + r"[\w.+-]{1,64}\s*(?:[\[({]\s*at\s*[\])}]|\s+at\s+)\s*[\w-]{1,63}"
    r"\s*(?:[\[({]\s*dot\s*[\])}]|\s+dot\s+)\s*[a-z]{2,10}\b",
    re.IGNORECASE,
)
_URL = re.compile(
    _LABEL + r"[<(\[]?(?:\b(?:https?|ftps?|hxxps?)\s?://[^\s<>\"')\]]+"
    r"|\b(?:mailto|javascript|data|tel|skype):[^\s<>\"')\]]+"
    r"|\bwww\.[^\s<>\"')\]]+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info|page|link|ly"
    r"|cn|ru|br|es|pl|eu|us|ca|be|to)/[^\s<>\"')\]]*"
    r"|\b(?:[a-z0-9-]+\.){2,}(?:com|org|net|io|dev|me|co|in|uk|de|fr|ai|app|edu|info)\b"
    r"|\b[a-z0-9-]*(?:-|\d)[a-z0-9-]*\.(?:com|org|net|co|in|dev|me|info)\b)[>)\]]?",
    re.IGNORECASE,
)
# A bare lower-case domain is an address; `Salesforce.com` with a capital is a company.
_BARE_DOMAIN = re.compile(r"(?<![\w.@/-])[a-z0-9]{4,}\.(?:com|org|dev|me|info|biz)\b(?!\.\w)")
_KNOWN_SITES = frozenset(("salesforce.com", "booking.com", "monday.com", "amazon.com"))

_PHONE = re.compile(
    r"(?P<label>\b(?:tel(?:ephone)?|phone|mob(?:ile)?|cell|whats ?app|fax|contact|call|ph)\b"
    r"(?:\s+(?:no|number|me|us|at|on))*\s*[.:=\-–]?\s*)?"
    r"(?<![\w.,/-])(?P<number>(?:\+|\(\+?|00)?\d(?:[\s().\-–/]{0,3}\d){5,16})(?![\w%])"
    r"(?:\s*(?:x|ext\.?|extension)\s*\d{1,5})?",
    re.IGNORECASE,
)
_NOT_DIGIT = re.compile(r"\D+")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ .]\d{3})+\Z")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,4}\Z")

_AMOUNT = (
    r"(?:(?:INR|USD|EUR|GBP|Rs\.?|[$€₹£])\s*)?\d[\d,.]*\s*(?:k|m|lpa|lakhs?|lacs?|cr(?:ores?)?)?\b"
    r"(?:\s*(?:-|–|to)\s*(?:[$€₹£]\s*)?\d[\d,.]*\s*(?:k|lpa|lakhs?|lacs?)?)?"
    r"(?:\s*(?:per annum|p\.?a\.?|per year|a year|/\s?(?:yr|year|annum|month)|lpa))?"
)
_PAY = re.compile(
    r"\b(?:(?:current|expected|fixed|present|last|drawn|annual)\s+)*(?:e?ctc|salary|compensation"
    r"|remuneration|pay|package)\b\s*(?:\([^()\n]{0,20}\)\s*)?(?:of|is|was|:|=|-|–)?\s*"
    + _AMOUNT
    + r"|(?:(?:INR|Rs\.?|₹)\s*)?\d[\d,.]*(?:\s*(?:-|–|to)\s*\d[\d,.]*)?\s*"
    r"(?:lpa\b|(?:lakhs?|lacs?)\s+(?:per annum|p\.?a\b\.?))(?:\s*ctc\b)?",
    re.IGNORECASE,
)
_PAY_WORD = re.compile(
    r"ctc|salary|compensation|remuneration|\bpay\b|package|lpa|annum|\bp\.a", re.I
)
_EMPTY_PAIR = re.compile(r"[(\[{<]\s*[)\]}>]")
_LEFT_OVER = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,;:!?])|(?<=[,;|/])(?:\s*[,;|/])+")
_EDGE = re.compile(r"^(?:- )?[\s,;|/:·•–-]*$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{2,}")


def redact_contacts(text: str) -> str:
    """`text` without contact data and pay; lines that held nothing else are gone.

    >>> redact_contacts("Reach me at a.b@mail-example.com or +91 98450 12345. Since 2019-2020.")
    'or. Since 2019-2020.'
    """
    before = text
    if "@" in text:
        text = _EMAIL.sub("", text)
    if "dot" in text:
        text = _SPELT_EMAIL.sub("", text)
    if "." in text or ":" in text:
        text = _URL.sub("", text)
        text = _BARE_DOMAIN.sub(_keep_known_site, text)
    if _PAY_WORD.search(text):
        text = _PAY.sub("", text)
    text = _PHONE.sub(_keep_number, text)
    return text if text == before else _tidy(text)


def _keep_known_site(match: re.Match[str]) -> str:
    return match[0] if match[0] in _KNOWN_SITES else ""


def _keep_number(match: re.Match[str]) -> str:
    number = match["number"]
    return "" if _is_phone(number, labelled=match["label"] is not None) else match[0]


def _is_phone(number: str, *, labelled: bool) -> bool:
    """Whether a digit run is a phone number and no date, amount, version or identifier."""
    groups = [group for group in _NOT_DIGIT.split(number) if group]
    digits = sum(map(len, groups))
    if number[0] in "+(":
        return digits >= 7
    if all(len(group) <= 2 or _YEAR.match(group) for group in groups):
        return False
    if labelled:
        return True
    if len(groups) == 1:
        return digits >= 10
    if _THOUSANDS.match(number) or _DOTTED.match(number):
        return False
    return digits >= 9


def _tidy(text: str) -> str:
    text = _EMPTY_PAIR.sub("", text)
    text = _LEFT_OVER.sub(
        lambda match: " " if match[0].isspace() and len(match[0]) > 1 else "", text
    )
    return _BLANK_LINES.sub("\n", _EDGE.sub("", text)).strip()
