"""Identifiers of a person or company across sources: LinkedIn ids and e-mail addresses.

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
from profiles.standardization.words import words

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
_NO_PROFILE: Final = words("identifiers", "no_profile")
_EDGES: Final = " \t,;.)(>\"'|/"

_ADDRESS: Final = re.compile(
    r"[^\W][\w.!#$%&'*/=?^`{|}~-]{0,63}(?:\+[\w.+-]*)?@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}"
)
_OBFUSCATED: Final = re.compile(r"\s*[\[({]\s*(at|dot)\s*[\])}]\s*", re.IGNORECASE)
_GOOGLE: Final = frozenset(("gmail.com", "googlemail.com"))
_NOBODY: Final = words("identifiers", "nobody")
_ROLES: Final = words("identifiers", "role")
_TRAILING_DIGITS: Final = re.compile(r"[\d._-]+\Z")
_ROLE_HEAD: Final = re.compile(r"[._-]")
_PERSONAL: Final = words("identifiers", "private")
_PERSONAL_FAMILY: Final = re.compile(
    r"(?:yahoo|ymail|rocketmail|hotmail|outlook|live)\.[a-z.]{2,6}\Z"
)


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
    slug = unicodedata.normalize("NFC", unicodedata.normalize("NFC", slug).casefold())
    if len(slug) < 2 or slug in _NO_PROFILE or not any(map(str.isalnum, slug)):
        return None
    return slug


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
    text = _readable(value)
    return None if text is None else _company_reference(text)


@lru_cache(maxsize=16_384)
def _company_reference(text: str) -> str | None:
    number = _NUMERIC.match(text) or _COMPANY_URN.match(text)
    if number is not None:
        return number[1]
    slug = _slug(_COMPANY, text) or (text if _is_bare(text.replace("-&-", "-")) else None)
    if slug is None:
        return None
    slug = unicodedata.normalize("NFC", _decode(slug).strip(_EDGES).casefold())
    return None if slug in _NO_PROFILE or not slug else slug


def canonical_email(value: object) -> str | None:
    """The address that one mailbox always gives, None when `value` holds no usable address.

    Lower case, without +tag; gmail and googlemail are one, and their dots do not count. For
    display keep the original.

    >>> canonical_email(" mailto:Mo.E.Sample+jobs@GoogleMail.com ")
    'moesample@gmail.com'
    """
    if not isinstance(value, str) or len(value) > 400:
        return None
    return _canonical(value)


@lru_cache(maxsize=16_384)
def _canonical(value: str) -> str | None:
    text = repair_characters(value)
    if "@" not in text:
        text = _OBFUSCATED.sub(lambda match: "@" if match[1].lower() == "at" else ".", text)
    found = _ADDRESS.search(text.replace("mailto:", " ").replace("MAILTO:", " "))
    if found is None:
        return None
    local, _, domain = unicodedata.normalize("NFC", found[0].casefold()).rpartition("@")
    local = local.split("+", 1)[0].strip(".")
    if domain in _GOOGLE:
        local, domain = local.replace(".", ""), "gmail.com"
    if not local or local in _NOBODY:
        return None
    return f"{local}@{domain}"


@lru_cache(maxsize=16_384)
def is_role_mailbox(email: str) -> bool:
    """Return whether a canonical address is a role's (careers@, recruiter07@), not a person's."""
    local = email.partition("@")[0]
    bare = _TRAILING_DIGITS.sub("", local)
    return bare in _ROLES or local in _ROLES or _ROLE_HEAD.split(bare, maxsplit=1)[0] in _ROLES


def is_personal_domain(email: str) -> bool:
    """Return whether a canonical address is at a personal mail provider, not at an employer."""
    domain = email.rpartition("@")[2]
    return domain in _PERSONAL or _PERSONAL_FAMILY.match(domain) is not None
