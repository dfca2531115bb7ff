"""E-mail addresses and web addresses in running text, also spelled out. Pure.

The public suffix list tells hosts under every top-level domain from words with a full stop. It is
the copy that comes with its library: nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final

import tldextract

from profiles.standardization.words import Words, alternatives, words

EMAIL: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}[@＠][\w-]+(?:\.[\w-]+)+")
_AT: Final = alternatives(words("contacts", "at"))
_DOT: Final = alternatives(words("contacts", "dot"))
_SPELT_AT: Final = re.compile(
    rf"(?P<bracket>\s*[\[({{<]\s*(?:{_AT}|@)\s*[\])}}>]\s*)|\s(?P<word>{_AT})\s+", re.IGNORECASE
)
# A pattern that begins with one character is searched for at a tenth of the cost of a set.
_BRACKETED_AT: Final = {
    bracket: re.compile(rf"{re.escape(bracket)}\s*(?:{_AT}|@)\s*[\])}}>]", re.IGNORECASE)
    for bracket in "[({<"
}
_SPELT_DOT: Final = rf"(?:\s*[\[({{<]\s*(?:{_DOT}|\.)\s*[\])}}>]\s*|\s+{_DOT}\s+)"
_LOCAL: Final = re.compile(rf"(?<![\w.+-])[\w.+-]+(?:{_SPELT_DOT}[\w+-]+){{0,4}}\Z", re.IGNORECASE)
_LONGEST_LOCAL: Final = 64
_SPELT_HOST: Final = re.compile(
    rf"[\w-]{{1,63}}(?:(?:\.|{_SPELT_DOT})[\w-]{{1,63}}){{1,4}}", re.IGNORECASE
)
_ANY_SPELT_DOT: Final = re.compile(_SPELT_DOT, re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"\b(?:(?:https?|ftps?|hxxps?)\s?://|(?:mailto|javascript|data|tel|skype):|www\.)[^\s<>\"')\]、。，；]*[^\s<>\"')\]、。，；.,;:!?]",
    re.IGNORECASE,
)
_SCHEMES: Final = frozenset((b"mailto", b"javascript", b"data", b"tel", b"skype"))
_DOT_IN_WORD: Final = re.compile(r"\.(?<=\w\.)[^\W\d_]{2}")
_MAILBOX_BEFORE: Final = re.compile(r"(?<![\w.+-])([\w.+-]+)\s+at\s+\Z", re.IGNORECASE)
_LONGEST_NAME, _LONGEST_PATH = 64, 256
_LETTER: Final = "a-z0-9\u00df-\u024f\u0400-\u04ff"
_HOST: Final = re.compile(
    rf"(?<![{_LETTER}@._/\\-])(?:[{_LETTER}](?:[{_LETTER}-]{{0,61}}[{_LETTER}])?\.)+"
    rf"[a-z\u0430-\u044f]{{2,18}}(?![{_LETTER}_@]|-[{_LETTER}]|\.[{_LETTER}]|\()"
    r"(?:(?::\d{2,5})?/(?:[^\s<>\"')\]、。，；]*[\w/#=&~-])?)?",
    re.IGNORECASE,
)
_WEB_LABEL: Final = re.compile(
    rf"(?<!\w){alternatives(words('contacts', 'contact'))}\W{{1,4}}"
    r"(?:(?:at|is|on|me|via|em|auf|su|på)\W+)?\Z",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"\s*(?:[.,;:!?)\]|、。।]|\Z|\n)")
_WORD_DOMAINS: Final = words("contacts", "word_domains")
_NAMES: Final = words("contacts", "host_names")
_LONGEST_LABEL: Final = 32


def has_bracketed_at(text: str) -> bool:
    """Return whether `text` contains `(at)`, `[@]` or the like."""
    return any([each.search(text) for sign, each in _BRACKETED_AT.items() if sign in text])


def spelt_mail_spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of e-mail addresses with `(at)`, "arroba" or "dot" in `text`."""
    for match in _SPELT_AT.finditer(text):
        local = _LOCAL.search(text, max(0, match.start() - _LONGEST_LOCAL), match.start())
        host = _SPELT_HOST.match(text, match.end())
        while local and host and not _is_mail(match, local[0], host[0]):
            # A word behind the address was taken for its end.
            dots = [match.start() for match in _ANY_SPELT_DOT.finditer(host[0])]
            shorter = max(0, host[0].rfind("."), *dots)
            host = _SPELT_HOST.fullmatch(text, match.end(), match.end() + shorter)
        if local and host:
            yield local.start(), host.end()


def _is_mail(at: re.Match[str], local: str, host: str) -> bool:
    plain = _ANY_SPELT_DOT.sub(".", host)
    if not _suffix(plain.lower()):
        return False
    if at["bracket"] or plain != host or at["word"].lower() != "at":
        return True
    return _is_mailbox(local) and host.lower() not in _NAMES


def _is_mailbox(local: str) -> bool:
    """Return whether text before "at" is a mailbox; "at" is also a word ("cook at quay.com")."""
    return local.islower() and any(mark in local for mark in "._+")


def host_spans(text: str, found: Words) -> Iterator[tuple[int, int]]:
    """Spans of web addresses: with a scheme, and bare hosts that are no company's name.

    With "ada.b at quay.com" what stands before is part of it. `found` are the words of the text.
    """
    schemes = [scheme for scheme in _SCHEMES & found if scheme + b":" in found.lower]
    if "://" in text or b"www" in found or schemes:
        yield from (match.span() for match in _ADDRESS.finditer(text))
    position = 0
    for dot in _DOT_IN_WORD.finditer(text):
        if dot.start() < position:
            continue
        begin = max(position, dot.start() - _LONGEST_NAME)
        begin = max(begin, text.rfind(" ", begin, dot.start()) + 1)
        match = _HOST.search(text, begin, dot.end() + _LONGEST_PATH)
        if match is None:
            continue
        position = match.end()
        begin = max(0, match.start() - _LONGEST_LOCAL)
        is_behind_at = text[begin : match.start()].rstrip().lower().endswith("at")
        mailbox = is_behind_at and _MAILBOX_BEFORE.search(text, begin, match.start())
        if (
            mailbox
            and _is_mailbox(mailbox[1])
            and _suffix(match[0].lower())
            and match[0].lower() not in _NAMES
        ):
            yield mailbox.start(1), match.end()
        elif _is_host(match):
            yield match.span()


def _is_host(match: re.Match[str]) -> bool:
    """A host with a path, or in lower case: `Salesforce.com` with a capital is a company."""
    host, _, path = match[0].partition("/")
    ending = host.rpartition(".")[2]
    if not _suffix(host.lower()) or not ending.islower() or host.lower() in _NAMES:
        return False
    if path and (host.islower() or not path[:1].isupper()):
        return True
    text, start = match.string, match.start()
    if _WEB_LABEL.search(text[max(0, start - _LONGEST_LABEL) : start]):
        return True
    if host != host.lower():
        return False
    labels = host.split(".")[:-1]
    # Packages are written the other way round: com.example.app.
    if max(map(len, labels)) < 3 or labels[0] in ("com", "org", "net"):
        return False
    is_whole = "." in _suffix(host) or ending not in _WORD_DOMAINS
    if is_whole or not all(map(str.isalpha, labels)):
        return True
    return ending not in ("py", "rs", "sh", "md") and _ENDS.match(text, match.end()) is not None


@lru_cache(maxsize=16_384)
def _suffix(host: str) -> str:
    """The public suffix of a host, "" of what is no name under one."""
    found = _public_suffixes()(host)
    return found.suffix if found.domain else ""


@lru_cache(maxsize=16_384)
def site_name(host: str) -> str:
    """The name that a host is registered under: "veltrix" of mail.veltrix.co.uk, "" for none."""
    return _public_suffixes()(host).domain


@cache
def _public_suffixes() -> Callable[[str], tldextract.ExtractResult]:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
