"""Keys of employers: the same company written differently gives the same key. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from profiles.standardization.text import bounded_key, fold, is_placeholder
from profiles.standardization.words import words

_ASIDE: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_TAIL: Final = re.compile(
    r" (?:[-–—|·•] |(?:formerly|f/?k/?a|now part of|an? \w+ company|acquired by|d/?b/?a)\b).*",
    re.IGNORECASE,
)
_FORMER: Final = re.compile(
    r"\b(?:formerly|previously|f/?k/?a|fka|ex)\b[ .:-]*(?:known as )?([^()\[\],;|]{2,80})",
    re.IGNORECASE,
)
_DOTS: Final = re.compile(r"(?<=\b[A-Z])[./](?=[A-Z]\b)")
_SITE_SUFFIX: Final = re.compile(r"\.(?:com|io|ai|co|org|net)\b", re.IGNORECASE)

_LEGAL: Final = words("companies", "legal")
_SPACED: Final[dict[str, list[list[str]]]] = {}
for _form in words("companies", "spaced"):
    _SPACED.setdefault(_form.split()[-1], []).append(_form.split())
_CJK_LEGAL: Final = re.compile(
    "(?:股份)?有限公司|有限责任公司|株式会社|合同会社|주식회사|\\(주\\)|㈱|（株）"
)

_NO_EMPLOYER: Final = words("companies", "no_employer")
_SHARED_HOSTS: Final = words("hosts", "shared")
_HOST: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?(?://)?(?:[^/@\s]*@)?([^/:?#\s@]+)", re.IGNORECASE
)
_DOMAIN: Final = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}\Z")


@lru_cache(maxsize=65_536)
def employer_key(name: str | None) -> str | None:
    """The comparison key of a clean name, None for no or no real employer (self-employed).

    Legal forms, asides and spaces do not count; accents and case neither.

    >>> employer_key("Northvale Systems Pvt. Ltd. (acquired by Halden Group)")
    'northvalesystems'
    """
    if name is None or is_placeholder(name):
        return None
    return bounded_key("".join(employer_words(name))) or None


def employer_words(name: str) -> tuple[str, ...]:
    """The words of a clean name without legal forms and asides, none for no real employer.

    >>> employer_words("Tata Consultancy Services Ltd. (Mumbai)")
    ('tata', 'consultancy', 'services')
    """
    plain = _ASIDE.sub(" ", name) if "(" in name or "[" in name else name
    text = _TAIL.sub("", plain) or name
    if "." in text:
        text = _SITE_SUFFIX.sub("", text)
    if not text.isascii():
        text = _CJK_LEGAL.sub(" ", text)
    if "." in text or "/" in text:
        text = _DOTS.sub("", text).replace(".", " ")
    folded = fold(text.replace("'", ""))
    found = _without_legal_form([word for word in folded.split() if word != "and"])
    return () if "".join(found) in _NO_EMPLOYER else tuple(found)


def former_name(name: str) -> str | None:
    """The name that a company had before, where its name says so.

    >>> former_name("Northvale Systems (formerly Halden Group)")
    'Halden Group'
    """
    found = _FORMER.search(name)
    return found[1].strip() if found else None


def _without_legal_form(name: list[str]) -> list[str]:
    if len(name) > 1 and name[0] == "the":
        name = name[1:]
    while len(name) > 1:
        forms = _SPACED.get(name[-1], ())
        ends = (len(form) for form in forms if name[-len(form) :] == form != name)
        if spaced := max(ends, default=0):
            name = name[:-spaced]
        elif name[-1] == "de" or name[-1] in _LEGAL:
            name = name[:-1]
        else:
            break
    return name


def employers_agree(first: str | None, second: str | None) -> bool:
    """Return whether two employer keys may name one company: equal, or one begins with the other.

    >>> employers_agree("veltrix", "veltrixsoftware"), employers_agree("ab", "abacus")
    (True, False)
    """
    if first is None or second is None:
        return False
    shorter, longer = sorted((first, second), key=len)
    return shorter == longer or (len(shorter) >= 5 and longer.startswith(shorter))


def domain_key(value: object) -> str | None:
    """The bare host of a company's website, domain or e-mail, lower case without `www.`.

    >>> domain_key("https://www.Veltrix-Example.com/about"), domain_key("n/a")
    ('veltrix-example.com', None)
    """
    return _domain_key(value) if isinstance(value, str) and "." in value else None


@lru_cache(maxsize=16_384)
def _domain_key(value: str) -> str | None:
    match = _HOST.match(value.strip())
    if match is None:
        return None
    host = match[1].casefold().strip(".")
    host = host.removeprefix("www.").removeprefix("m.")
    labels = host.split(".")
    ends = {".".join(labels[start:]) for start in range(len(labels))}
    if _DOMAIN.match(host) is None or not _SHARED_HOSTS.isdisjoint(ends):
        return None
    return host
