"""Canonical e-mail addresses for comparison, and which mailboxes identify nobody. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from profiles.standardization.characters import repair_characters
from profiles.standardization.words import word_set

__all__ = ["canonical_email", "is_nobodys", "is_personal_domain", "is_role_mailbox"]

_ADDRESS: Final = re.compile(
    r"[^\W][\w.!#$%&'*/=?^`{|}~-]{0,63}(?:\+[\w.+-]*)?@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}"
)
# As nearly all are written: nothing to repair, to search in or to fold.
_PLAIN_ADDRESS: Final = re.compile(
    r"[a-z0-9][a-z0-9._-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}"
)
_OBFUSCATED: Final = re.compile(r"\s*[\[({]\s*(at|dot)\s*[\])}]\s*", re.IGNORECASE)

_GOOGLE: Final = frozenset(("gmail.com", "googlemail.com"))
_NOBODY: Final = word_set(
    """
    null none na n/a nan undefined unknown noemail no-email noreply no-reply donotreply test
    example email mail xxx abc
    """
)

_ROLES: Final = word_set(
    """
    info careers career hr jobs job sales admin contact hello support office team help
    recruiter recruiting recruitment recruit talent talentacquisition hiring resume resumes
    cv apply applications vacancies employment people marketing billing accounts finance
    enquiries enquiry inquiries inquiry service services webmaster postmaster administrator
    root noreply no-reply mail email reception press media legal privacy security abuse
    hostmaster feedback staffing personal bewerbung kontakt karriere rh recrutement empleo
    rrhh contato vagas
    """
)
_TRAILING_DIGITS: Final = re.compile(r"[\d._-]+\Z")
_ROLE_HEAD: Final = re.compile(r"[._-]")

_PERSONAL: Final = word_set(
    """
    gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com
    mac.com aol.com proton.me protonmail.com pm.me fastmail.com zoho.com mail.com gmx.com
    gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr
    laposte.net sfr.fr libero.it virgilio.it tiscali.it qq.com 163.com 126.com foxmail.com
    sina.com naver.com hanmail.net daum.net mail.ru yandex.ru yandex.com bk.ru inbox.ru
    list.ru rambler.ru ukr.net wp.pl o2.pl onet.pl interia.pl rediffmail.com indiatimes.com
    uol.com.br bol.com.br terra.com.br comcast.net verizon.net att.net sbcglobal.net
    bellsouth.net cox.net btinternet.com sky.com ntlworld.com bigpond.com optusnet.com.au
    shaw.ca rogers.com hey.com tutanota.com tuta.io seznam.cz abv.bg walla.co.il bluewin.ch
    """
)
_PERSONAL_FAMILY: Final = re.compile(
    r"(?:yahoo|ymail|rocketmail|hotmail|outlook|live)\.[a-z.]{2,6}\Z"
)


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
    address = value if _PLAIN_ADDRESS.fullmatch(value) is not None else _found_address(value)
    if address is None:
        return None
    local, _, domain = address.rpartition("@")
    local = local.split("+", 1)[0].strip(".")
    if domain in _GOOGLE:
        local, domain = local.replace(".", ""), "gmail.com"
    if not local or local in _NOBODY:
        return None
    return f"{local}@{domain}"


def _found_address(value: str) -> str | None:
    text = repair_characters(value)
    if "@" not in text:
        text = _OBFUSCATED.sub(lambda match: "@" if match[1].lower() == "at" else ".", text)
    match = _ADDRESS.search(text.replace("mailto:", " ").replace("MAILTO:", " "))
    return None if match is None else unicodedata.normalize("NFC", match[0].casefold())


def is_nobodys(value: str) -> bool:
    """Whether `value` is an address that stands for none, such as noemail@example.com."""
    return canonical_email(value) is None and _ADDRESS.search(value) is not None


def is_role_mailbox(email: str) -> bool:
    """Whether a canonical address belongs to a function (careers@, recruiter07@), not a person."""
    local = email.partition("@")[0]
    bare = _TRAILING_DIGITS.sub("", local)
    return bare in _ROLES or local in _ROLES or _ROLE_HEAD.split(bare, maxsplit=1)[0] in _ROLES


def is_personal_domain(email: str) -> bool:
    """Whether a canonical address is at a provider of private mailboxes, not at an employer."""
    domain = email.rpartition("@")[2]
    return domain in _PERSONAL or _PERSONAL_FAMILY.match(domain) is not None
