"""Repairs and removes characters: encoding damage, controls, invisible marks, emoji, endless runs.

Pure. Every function expects `str` and returns `str` that encodes to UTF-8. Order matters and is
fixed here: mojibake is repaired before C1 controls are dropped, because those controls are the
bytes of the damaged text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import ftfy

# UTF-8 lead bytes C2..F4 followed by a continuation byte, both as cp1252 or latin-1 show them. A
# cheap gate: ftfy takes 0.1 ms for clean text and decides by itself what is really damaged.
_MOJIBAKE_SECOND: Final = (
    "[\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d"
    "\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]"
)
_MOJIBAKE_SIGNS: Final = re.compile(f"\u00c3|[\u00c2-\u00f4]{_MOJIBAKE_SECOND}")
_MOJIBAKE: Final = re.compile(f"[\u00c2-\u00f4](?:{_MOJIBAKE_SECOND}|(?<=\u00c3) )")

# Line breaks in other clothes: vertical tab, form feed, NEL, line and paragraph separator.
_BREAKS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_SPACES: Final = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u3164\uffa0]")

# ZWNJ and ZWJ shape words in Arabic and Indic scripts, so they stay behind such a letter.
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\uffff\ud800-\udfff"
    r"\U000e0000-\U000e0fff]"
    r"|(?<![\u0600-\u06ff\u0750-\u077f\u0900-\u0dff])[\u200c\u200d]"
)

# Mathematical alphabets ("bold" LinkedIn text) and full-width ASCII; NFKC of whole texts would
# also rewrite superscripts, ligatures and half-width kana.
_STYLED: Final = re.compile("[\U0001d400-\U0001d7ff\uff01-\uff5e]+")

# One search over one set tells whether the passes above have anything to do.
_USUAL: Final = b"\n" + bytes(range(0x20, 0x7F))
_PLAIN: Final = bytes(code for code in range(0x80) if chr(code) == " " or chr(code).isalnum())
_ODD: Final = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff"
    r"\uff01-\uff5e\uffa0\ufff0-\uffff\ud800-\udfff\U0001d400-\U0001d7ff\U000e0000-\U000e0fff]"
)

# Letters, quotes, currencies, arrows and emoji that stay as they are in NFC.
_STABLE_SIGNS: Final = (
    "\u00a1-\u00ac\u00ae-\u00c1\u00f5-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff"
    "\u25a0-\u27bf\U0001f300-\U0001faff"
)
_HARMLESS: Final = re.compile(f"[{_STABLE_SIGNS}]*")
_STABLE: Final = re.compile(f"[\x80-\u02ff{_STABLE_SIGNS}]*")

_EMOJI_SET: Final = (
    "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2300-\u23ff\u25a0-\u25ff\u20e3\u3030"
    "\u303d\ue000-\uf8ff\u200d"
)
EMOJI: Final = f"(?:[0-9#*]\u20e3|[{_EMOJI_SET}])"
_EMOJI_CHARACTER: Final = re.compile(f"[{_EMOJI_SET}]")
_EMOJI_RUN: Final = re.compile(f"{EMOJI}+")
_SPACE_BEFORE_MARK: Final = re.compile(r" +(?=[,;:.!?](?:\s|\Z))")

_SPECIAL: Final = re.compile(
    r"<[|｜]|[|｜]>|<<\s*/?\s*SYS\s*>>|\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|gMASK)\]"
    r"|</?(?:s|bos|eos|pad|unk|mask|sop|eop|think|tool_call|tool_response|start_of_turn"
    r"|end_of_turn|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id)>",
    re.IGNORECASE,
)
_BRACKETS: Final = str.maketrans({"<": "‹", ">": "›", "[": "(", "]": ")", "|": None, "｜": None})


def decimal_numerals(match: re.Match[str]) -> str:
    """The digits of a number in Chinese numerals.

    >>> re.sub("[〇一二三四五六七八九十百千]{2,}", decimal_numerals, "一千二百余, 二〇二一年")
    '1200余, 2021年'
    """
    values = [int(unicodedata.numeric(char, 2)) for char in match[0]]
    if max(values) < 10:
        return "".join(map(str, values))
    total = part = 0
    for value in values:
        total, part = (total + (part or 1) * value, 0) if value >= 10 else (total, value)
    return str(total + part)


def repair_characters(text: str, signs: bytes | None = None) -> str:
    """`text` in NFC without damage, controls or invisible marks; breaks are "\\n", spaces " ".

    `signs` are those of the text, where the caller knows them.
    """
    if signs is None:
        if text.isascii() and text.isprintable():
            return text
        signs = text.encode("utf-8", "surrogatepass")
    # What is left without usual letters is short, and bytes are searched ten times as fast.
    unusual = signs.translate(None, _USUAL)
    if not unusual:
        return text
    characters = unusual.decode("utf-8", "surrogatepass")
    if unusual.isascii():
        return _without_controls(text, characters)
    if _HARMLESS.fullmatch(characters):
        return text
    if _MOJIBAKE_SIGNS.search(characters) and _MOJIBAKE.search(text):
        text = characters = ftfy.fix_encoding(text)
    if _ODD.search(characters) is not None:
        text = _without_controls(text, characters)
        text = _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return text if _STABLE.fullmatch(characters) else unicodedata.normalize("NFC", text)


def _without_controls(text: str, characters: str) -> str:
    """The text, of whose characters these are the unusual ones."""
    text = _BREAKS.sub("\n", text) if _BREAKS.search(characters) else text
    return _INVISIBLE.sub("", _SPACES.sub(" ", text) if _SPACES.search(characters) else text)


def strip_emoji(text: str) -> str:
    """`text` without emoji, dingbats and private-use glyphs; the space before them goes too."""
    if text.isascii() or not has_emoji(signs_of(text)):
        return text
    return _SPACE_BEFORE_MARK.sub("", _EMOJI_RUN.sub(" ", text))


def has_emoji(signs: bytes) -> bool:
    """Return whether a text with these signs has emoji, dingbats or private-use glyphs."""
    if signs.isascii():
        return False
    return _EMOJI_CHARACTER.search(signs.decode("utf-8", "surrogatepass")) is not None


def signs_of(text: str) -> bytes:
    """The characters of a text, in UTF-8, that are no letters and digits of ASCII and no spaces."""
    return text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)


def defuse_tokens(text: str) -> str:
    """`text` in which no tokenizer finds a chat-template special token.

    >>> defuse_tokens("Hi<|im_end|>[INST]")
    'Hi‹im_end›(INST)'
    """
    if "<" not in text and "[" not in text and "|>" not in text and "｜>" not in text:
        return text
    return _SPECIAL.sub(lambda match: match[0].translate(_BRACKETS), text)


# A pattern that begins with white space or a word tries each place of a run again, so that a run of
# a text's length would cost the square of it. No language has words half as long as the limit.
LONGEST_RUN: Final = 200
_SPACE_RUN: Final = re.compile(r"\s{33,}")
_STRIDE: Final = 8
"""A run of 33 holds four characters side by side of those so far apart, whichever is the first."""
_SPACES_ASIDE: Final = re.compile(r"\s\s\s\s")
_WORD_RUN: Final = re.compile(rf"([!-~]{{{LONGEST_RUN}}})[!-~]+|(\w{{{LONGEST_RUN}}})\w+")


def shorten_runs(text: str) -> str:
    """The text with no run of more than 32 white spaces or 200 characters of one word.

    >>> len(shorten_runs("a" * 5_000)), shorten_runs("a" + " " * 5_000 + "b")
    (200, 'a b')
    """
    if len(text) <= LONGEST_RUN:
        return text
    if _SPACES_ASIDE.search(text[::_STRIDE]) and _SPACES_ASIDE.search(text[4::_STRIDE]):
        text = _SPACE_RUN.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    return _WORD_RUN.sub(lambda run: run[1] or run[2], text) if _may_be_long(text) else text


def _may_be_long(text: str) -> bool:
    """Return whether there is no space in as many characters as a word may have."""
    start, last = 0, len(text) - LONGEST_RUN
    while start < last:
        start = text.rfind(" ", start, start + LONGEST_RUN + 1) + 1
        if not start:
            return True
    return False
