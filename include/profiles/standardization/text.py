"""Clean text from untrusted vendor values: one line, a block with lines, sentences, comparisons.

Pure, and on the hot path of every field of every row: plain ASCII passes through one regex
search. Nothing here looks at what the text means; dates, names and contacts have modules of
their own.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from functools import lru_cache
from typing import Final

from profiles.standardization.characters import defuse_tokens, repair_characters, strip_emoji
from profiles.standardization.contacts import redact_contacts
from profiles.standardization.markup import lines_of, strip_html, strip_inline_markdown
from profiles.standardization.ordinary import clean_ordinary
from profiles.standardization.runs import shorten_runs
from profiles.standardization.sentences import cut_at_more, split_sentences, unglue
from profiles.standardization.wrapping import join_wrapped

__all__ = [
    "clean_block",
    "clean_line",
    "defuse_tokens",
    "fold",
    "fold_once",
    "is_placeholder",
    "redact_contacts",
    "split_sentences",
]

# Text of these characters alone is plain, apart from the pairs below: printable ASCII without `&`,
# `<`, `[`, "`". One repeated set is searched ten times as fast as a list of alternatives.
_PLAIN: Final = re.compile(r"[ -%'-;=-Z\\-_a-~]*")
_MARKS_OF_LINE: Final = frozenset("#>")
_MARKS_OF_BLOCK: Final = frozenset("#>*+=|-")
_NUMBERED: Final = re.compile(r"\(?\d{1,2}[.)]")
_GLUED: Final = re.compile(r"[.!?](?<=[a-z0-9%)].)[A-Z]")
_CUT: Final = re.compile(r"\b(?:more|less)\Z")
_LONGEST_CUT: Final = 5
"""Characters of "more" or "less" and the one before."""
_SPACE_RUN: Final = re.compile(r"\s+")
_LEADING_MARK: Final = re.compile(r"^(?:#{1,6}\s+|>+\s*|[•▪●‣◦·∙➤►]\s*)+")

_PLACEHOLDERS: Final = frozenset(
    (
        "", "null", "none", "n/a", "n.a.", "n.a", "#n/a", "n\\a", "undefined", "unknown", "(null)",
        "[null]", "<null>", "(none)", "[none]", "none.", "null.", "not available",
        "not applicable", "not specified", "not provided", "not disclosed", "not mentioned",
        "no data", "no value", "missing", "(blank)", "blank", "tbd", "[]", "{}", "[object object]",
        "0", "0.0",
    )
)  # fmt: skip
# Also names of people in another case (Na, Nan, Nil), so these count only as written.
_EXACT_PLACEHOLDERS: Final = frozenset(("NA", "na", "nan", "NaN", "NAN", "nil", "NIL"))
_LONGEST_PLACEHOLDER: Final = max(map(len, _PLACEHOLDERS))

# NFKD leaves these letters alone.
_LETTERS: Final = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae", "Æ": "AE",
     "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ħ": "h", "Ħ": "H", "ŋ": "n"}
)  # fmt: skip
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_NOT_ALNUM: Final = re.compile("[^a-z0-9]+")


def is_placeholder(value: object) -> bool:
    """Whether a value only stands in for a missing one: None, "", "N/A", "-", 0, [], {}."""
    if value is None:
        return True
    if isinstance(value, str):
        text = value.strip()
        return _is_placeholder_text(text) or not any(map(str.isalnum, text))
    if isinstance(value, float) and math.isnan(value):
        return True
    return not value


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
    if value.__class__ is not str:
        value = _scalar_text(value)
        if value is None:
            return None
    text: str = value
    if not _is_plain(text) or text[:1] in _MARKS_OF_LINE:
        text = _clean_suspect_line(text)
    if len(text) <= _LONGEST_PLACEHOLDER and (
        text in _EXACT_PLACEHOLDERS or text.casefold() in _PLACEHOLDERS
    ):
        return None
    return text if text[0].isalnum() or any(map(str.isalnum, text)) else None


def _is_plain(text: str) -> bool:
    """Whether a line has nothing to repair; what it may begin with is the caller's to know."""
    return not (
        _PLAIN.fullmatch(text) is None
        or text[:1] == " "
        or text[-1:] == " "
        or "  " in text
        or "**" in text
        or "__" in text
        or "~~" in text
        or "|>" in text
    )


def _is_plain_block(text: str) -> bool:
    return _is_plain(text) and not (
        text[:1] in _MARKS_OF_BLOCK
        or "..." in text
        or _NUMBERED.match(text) is not None
        or _GLUED.search(text) is not None
        or _CUT.search(text, max(0, len(text) - _LONGEST_CUT)) is not None
    )


def _clean_suspect_line(text: str) -> str:
    text = _repair(text, block=False)
    text = strip_emoji(strip_inline_markdown(text).replace("`", ""))
    text = _SPACE_RUN.sub(" ", text).strip()
    return defuse_tokens(_LEADING_MARK.sub("", text))


def _repair(text: str, *, block: bool) -> str:
    text = repair_characters(text)
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
    if value.__class__ is not str:
        value = _scalar_text(value)
        if value is None:
            return None
    text: str = shorten_runs(value)
    if "\n" in text:
        text = join_wrapped(text)
    # A plain text has one line; most blocks have several.
    if "\n" in text or not _is_plain_block(text):
        text = clean_ordinary(text) or _clean_suspect_block(text)
    if not text or _is_placeholder_text(text):
        return None
    return text if text[0].isalnum() or any(map(str.isalnum, text)) else None


def _clean_suspect_block(text: str) -> str:
    repaired = _repair(text, block=True)
    if repaired != text:
        ordinary = clean_ordinary(repaired.strip())
        if ordinary is not None:
            return ordinary
    text = cut_at_more(repaired)
    text = unglue("\n".join(lines_of(strip_inline_markdown(text))))
    return defuse_tokens(text)


def _scalar_text(value: object) -> str | None:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() else str(value)
    return str(value)


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
        return _NOT_ALNUM.sub(" ", text.lower()).strip()
    text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", text)).casefold()
    return _SPACE_RUN.sub(" ", "".join(map(_kept, text))).strip()


@lru_cache(maxsize=4096)
def _kept(char: str) -> str:
    return char if unicodedata.category(char)[0] in "LNM" else " "
