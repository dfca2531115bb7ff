"""Identifiers inside LinkedIn URLs: public identifier, member id, company.

Pure. Only paths `/in/<id>` hold a public identifier; `/sales/`, `/company/`, `/pub/` and search
addresses do not. An id beginning ACoAA is a case-sensitive member urn, not a public identifier.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from profiles.standardization.characters import repair_characters
from profiles.standardization.words import word_set

__all__ = ["company_reference", "member_id", "public_identifier"]

_PROFILE: Final = re.compile(
    r"\blinkedin\.[a-z.]{2,8}(?:/(?:mwlite|comm|m))?/+in/+([^/?#&\s\"<>]+)", re.IGNORECASE
)
_COMPANY: Final = re.compile(
    r"\blinkedin\.[a-z.]{2,8}(?:/mwlite)?/+(?:company(?:-beta)?|school|showcase)/+((?:[^/?#&\s\"<>]|&(?=-))+)",
    re.IGNORECASE,
)
_PATH_ONLY: Final = re.compile(r"\A/?in/([^/?#&\s\"<>]+)", re.IGNORECASE)
_URN: Final = re.compile(r"(?<![A-Za-z0-9_-])(A[A-Za-z]{1,3}AA[A-Za-z0-9_-]{10,60})")
_MEMBER_URN: Final = re.compile(r"urn:li:(?:member|fs_member|person):(\d{1,12})\Z")
_COMPANY_URN: Final = re.compile(
    r"urn:li:(?:fsd?_?(?:mini)?company|organization|company):(\d{1,12})\Z", re.I
)
_NUMERIC: Final = re.compile(r"0*([1-9]\d{0,14})(?:\.0)?\Z")
_BARE: Final = re.compile(r"[\w%’'.~-]{2,200}\Z")
_SCALAR: Final = (str, int, float)
_LONGEST: Final = 2000
"""Characters of a value; longer ones are no reference, and would fill what is remembered."""
_NOBODY: Final = word_set(
    """
    null none undefined unknown na n-a in me unavailable profile linkedin member headless
    nan
    """
)
# As nearly all are written: nothing to repair, to decode or to fold.
_PLAIN_PROFILE: Final = re.compile(
    r"(?:https?://(?:[a-z]{2,3}\.)?linkedin\.com/in/([a-z0-9-]{2,200})/?|([a-z][a-z0-9-]{1,199}))"
)
_PLAIN_COMPANY: Final = re.compile(
    r"https?://(?:[a-z]{2,3}\.)?linkedin\.com/company/([a-z][a-z0-9-]{0,199})/?"
)
_EDGES: Final = " \t,;.)(>\"'|/"


def public_identifier(value: object) -> str | None:
    """The canonical public identifier of a profile URL or bare id, None when there is none.

    Percent-decoded, NFC, casefolded; any scheme, subdomain, query, language or /details suffix.

    >>> public_identifier("HTTPS://TR.LinkedIn.com/in/%C3%87a%C4%9Fatay-zz36/?originalSubdomain=tr")
    'çağatay-zz36'
    """
    if not isinstance(value, str) or not 2 <= len(value) <= _LONGEST:
        return None
    return _public_identifier(value)


@lru_cache(maxsize=16_384)
def _public_identifier(value: str) -> str | None:
    plain = _PLAIN_PROFILE.fullmatch(value)
    slug = _found_identifier(value) if plain is None else plain[1] or plain[2]
    if slug is None or len(slug) < 2 or slug in _NOBODY or not any(map(str.isalnum, slug)):
        return None
    return slug


def _found_identifier(value: str) -> str | None:
    text = repair_characters(value).strip(_EDGES)
    slug = _slug(_PROFILE, text)
    if slug is None:
        path = _PATH_ONLY.match(text)
        slug = path[1] if path else text if _is_bare(text) else None
    if slug is None:
        return None
    slug = _decode(slug).strip(_EDGES)
    if _URN.match(slug):
        return None
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", slug).casefold())


def _is_bare(text: str) -> bool:
    if "%" in text:
        text = unquote(text)
    if text.isdecimal() or "linkedin." in text.lower() or text.lower().startswith("www."):
        return False
    return _BARE.match(unicodedata.normalize("NFC", text)) is not None


def _slug(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    if match is None and "%2F" in text.upper():
        # A login wall keeps the address it came from in its query.
        match = pattern.search(unquote(text))
    return match[1] if match else None


def _decode(slug: str) -> str:
    """Percent-decoded, also when encoded twice; invalid UTF-8 stays encoded."""
    for _ in range(2):
        if "%" not in slug:
            return slug
        decoded = unquote(slug, errors="replace")
        if "\ufffd" in decoded:
            return slug
        slug = decoded
    return slug


def _readable(value: object) -> str | None:
    """A number or a text of sane length as repaired text."""
    if isinstance(value, bool) or not isinstance(value, _SCALAR):
        return None
    text = str(value)
    return None if len(text) > _LONGEST else repair_characters(text).strip(_EDGES)


def member_id(value: object) -> str | None:
    """The member id in a number, urn or URL: digits, or ACoAA… exactly as written.

    >>> member_id("https://www.linkedin.com/sales/lead/ACwAAAx1y2z3a4b5c6,NAME_SEARCH,a1B2")
    'ACwAAAx1y2z3a4b5c6'
    """
    text = _readable(value)
    if text is None:
        return None
    number = _NUMERIC.match(text) or _MEMBER_URN.match(text)
    if number is not None:
        return number[1]
    # The search alone would try every letter of an address.
    urn = _URN.search(text) if "AA" in text else None
    return urn[1] if urn else None


def company_reference(value: object) -> str | None:
    """The numeric id or the slug of a company, from a number, urn, company URL or bare slug.

    >>> company_reference("https://in.linkedin.com/company/Veltrix-Software?trk=x")
    'veltrix-software'
    """
    if isinstance(value, bool) or not isinstance(value, _SCALAR):
        return None
    text = str(value)
    return _company_reference(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=16_384)
def _company_reference(value: str) -> str | None:
    plain = _PLAIN_COMPANY.fullmatch(value)
    if plain is not None:
        return None if plain[1] in _NOBODY else plain[1]
    text = _readable(value)
    if text is None:
        return None
    number = _NUMERIC.match(text) or _COMPANY_URN.match(text)
    if number is not None:
        return number[1]
    slug = _slug(_COMPANY, text) or (text if _is_bare(text.replace("-&-", "-")) else None)
    if slug is None:
        return None
    slug = unicodedata.normalize("NFC", _decode(slug).strip(_EDGES).casefold())
    return None if slug in _NOBODY or not slug else slug
