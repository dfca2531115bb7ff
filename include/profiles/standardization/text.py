"""Clean text from untrusted vendor values: one line, a block with lines, sentences, comparisons.

Pure, and on the hot path of every field of every row. Nothing here looks at what the text means;
dates, names and contacts have modules of their own.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from functools import lru_cache
from typing import Final

from profiles.standardization.characters import (
    defuse_tokens,
    repair_characters,
    shorten_runs,
    signs_of,
    strip_emoji,
)
from profiles.standardization.markup import plain_lines, strip_html, strip_inline_markdown
from profiles.standardization.sentences import cut_at_more, join_wrapped, unglue
from profiles.standardization.words import words

SHORT: Final = 80
_LEADING_MARK: Final = re.compile(r"^(?:#{1,6}\s+|>+\s*|[•▪●‣◦·∙➤►]\s*)+")

_PLACEHOLDERS: Final = words("placeholders", "any") | {""}
_EXACT_PLACEHOLDERS: Final = words("placeholders", "exact")
_LONGEST_PLACEHOLDER: Final = max(map(len, _PLACEHOLDERS))

# NFKD leaves these letters alone.
_LETTERS: Final = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae", "Æ": "AE",
     "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ħ": "h", "Ħ": "H", "ŋ": "n"}
)  # fmt: skip
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_FOLDED: Final = bytes(
    ord(chr(code).lower()) if code < 0x80 and chr(code).isalnum() else 0x20 for code in range(256)
)


def is_placeholder(value: object) -> bool:
    """Return whether a value is a placeholder for no value: None, "", "N/A", "-", 0, [], {}."""
    if value is None:
        return True
    if isinstance(value, str):
        return (_says_nothing if len(value) <= SHORT else _says_nothing.__wrapped__)(value)
    if isinstance(value, float) and math.isnan(value):
        return True
    return not value


@lru_cache(maxsize=32_768)
def _says_nothing(value: str) -> bool:
    text = value.strip()
    return _is_placeholder_text(text) or not any(map(str.isalnum, text))


def _is_placeholder_text(text: str) -> bool:
    if len(text) > _LONGEST_PLACEHOLDER:
        return False
    return text in _EXACT_PLACEHOLDERS or text.casefold() in _PLACEHOLDERS


def clean_line(value: object) -> str | None:
    """One clean line, or None when the value says nothing.

    Numbers become their shortest text; containers and booleans are not text and give None.

    >>> clean_line("  R&amp;amp;D \\u200bLead ✨"), clean_line("N/A")
    ('R&D Lead', None)
    """
    text = _scalar_text(value)
    if text is None:
        return None
    return short_line(text) if len(text) <= SHORT else _clean_line(text)


def _clean_line(text: str) -> str | None:
    text = strip_emoji(strip_inline_markdown(_repair(text, block=False)).replace("`", ""))
    text = " ".join(text.split())
    text = defuse_tokens(text if text[:1].isalnum() else _LEADING_MARK.sub("", text))
    return text if any(map(str.isalnum, text)) and not _is_placeholder_text(text) else None


short_line = lru_cache(maxsize=32_768)(_clean_line)
"""Cleans a line of at most `SHORT` characters: titles, employers, degrees come again and again."""


def _repair(text: str, *, block: bool, signs: bytes | None = None) -> str:
    text = repair_characters(text, signs)
    if "<" in text or "&" in text:
        had_entities = "&" in text
        text = strip_html(text, block=block)
        if had_entities:
            text = repair_characters(text)
    return text


def clean_block(value: object) -> str | None:
    """Clean text that keeps its lines, or None when the value says nothing.

    List items start with "- ". A tail that the source cut ("… see more") ends at its last full
    sentence. No line starts a heading, quote, fence, rule or table.

    >>> clean_block("<p>Led <b>R&amp;D</b></p><ul><li>One</li><li>Two</li></ul>")
    'Led R&D\\n- One\\n- Two'
    """
    text = _scalar_text(value)
    if text is None:
        return None
    return _short_block(text) if len(text) <= SHORT else _clean_block(text)


def _clean_block(text: str) -> str | None:
    text = join_wrapped(shorten_runs(text))
    signs = signs_of(text)
    repaired = _repair(text, block=True, signs=signs)
    if repaired is not text:
        signs = signs_of(repaired)
    text = cut_at_more(repaired)
    if b"*" in signs or b"_" in signs or b"~" in signs or b"[" in signs:
        text = strip_inline_markdown(text)
    text = unglue(plain_lines(text, signs))
    if b"<" in signs or b"[" in signs or b">" in signs:
        text = defuse_tokens(text)
    return text if any(map(str.isalnum, text)) and not _is_placeholder_text(text) else None


_short_block = lru_cache(maxsize=16_384)(_clean_block)


def _scalar_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(int(value) if value == int(value) else value)


LONGEST_KEY: Final = 200


def bounded_key(text: str) -> str:
    """The text, or its beginning and a digest of all of it: an index takes 2,704 bytes of a key.

    >>> len(bounded_key("x" * 5_000)), bounded_key("acme")
    (200, 'acme')
    """
    if len(text) <= LONGEST_KEY:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{text[: LONGEST_KEY - 1 - len(digest)]}~{digest}"


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """`text` for comparisons: accents off, casefolded, letters and digits, single spaces.

    Scripts other than Latin keep their letters and vowel signs.

    >>> fold("Müllenbach-Straße  Nº 5")
    'mullenbach strasse no 5'
    """
    return fold_once(text)


def fold_once(text: str) -> str:
    """`fold` of a text that hardly comes again, so that it takes no room among those that do."""
    if text.isascii():
        return b" ".join(text.encode().translate(_FOLDED).split()).decode()
    text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", text)).casefold()
    return " ".join("".join(map(_kept, text)).split())


@lru_cache(maxsize=4096)
def _kept(char: str) -> str:
    return char if unicodedata.category(char)[0] in "LNM" else " "
