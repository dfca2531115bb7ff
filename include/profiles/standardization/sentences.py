"""Sentence boundaries: splitting, glued and wrapped lines, tails that a source cut off. Pure."""

from __future__ import annotations

import itertools
import re
from typing import Final

from profiles.standardization.words import words

_MORE: Final = re.compile(
    r"\s*(?:…|\.\.\.)?\s*[\[(]?(?:(?:see|show|read|view)\s+(?:more|less)|voir\s+plus|ver\s+m[áa]s"
    r"|mehr\s+anzeigen|ver\s+mais|mostra\s+altro)[\])]?\s*(?:…|\.\.\.)?\s*\Z|\s*(?:…|\.{3,})\s*\Z",
    re.IGNORECASE,
)
_LONGEST_TAIL: Final = 48
_CUT: Final = ("…", "...")
_MORE_WORDS: Final = ("more", "less", "plus", "más", "mas", "mais", "anzeigen", "altro")
_LONGEST_MORE: Final = max(map(len, _MORE_WORDS))
_ENDS: Final = "".join(sorted(words("sentences", "ends")))
_UP_TO_LAST_END: Final = re.compile(rf"(?s:.*)(?:[.!?](?=\s|\Z)|\n|[{_ENDS}])")
# A search for one character is twenty times as fast as the pattern, and most texts have no glue.
_MAY_BE_GLUED: Final = re.compile(r"[.!?][A-Z]")
_MAY_BE_GLUED_AT_STOP: Final = re.compile(r"\.[A-Z]")
_GLUED: Final = re.compile(r"([.!?])(?<=[a-z0-9%)].)(?=[A-Z][a-z]*(?:[ ,'’-]|\Z))")
_NO_UNSPACED_STOP: Final = bytes({*range(256)} - {end.encode()[0] for end in _ENDS})
_BOUNDARY: Final = re.compile(r"([.!?…][\"'”’)\]]*)[^\S\n]+(?=[\"'“‘(\[]*[^\W_])")
_BOUNDARY_AT_STOP: Final = re.compile(_BOUNDARY.pattern.replace("[.!?…]", r"\."))
_UNSPACED_END: Final = re.compile(rf"(?<=[{_ENDS}])")
_CLOSING: Final = "\"'”’»)]）」』 "
_ABBREVIATIONS: Final = words("sentences", "abbreviations")
_BEFORE_NUMBER: Final = words("sentences", "before_number")
_BEFORE_ORDINAL: Final = words("sentences", "before_ordinal")
_STOPPED: Final = _ABBREVIATIONS | _BEFORE_NUMBER
_OPENING: Final = "\"'“‘„«(["
_LONGEST_ORDINAL: Final = 2
_LONGEST_CUT_WORD: Final = 3


def cut_at_more(text: str) -> str:
    """`text` without a "… see more" tail, cut back to the end of its last full sentence or line.

    A text with no full sentence keeps its words.
    """
    text = text.rstrip()
    start = max(0, len(text) - _LONGEST_TAIL)
    last = text[start:].rstrip(" \n])")[-_LONGEST_MORE:].lower()
    if not text.endswith(_CUT) and not last.endswith(_MORE_WORDS):
        return text
    tail = _MORE.search(text, start)
    if tail is None:
        return text
    kept = text[: tail.start()].rstrip()
    ended = _UP_TO_LAST_END.match(kept)
    return (ended[0].rstrip() if ended else "") or kept


def unglue(text: str) -> str:
    """`text` with the space that lost line breaks took: "done.Next one" → "done. Next one"."""
    return _GLUED.sub(r"\1 ", text) if _is_glued(text) else text


def _is_glued(text: str) -> bool:
    sign = _MAY_BE_GLUED if "!" in text or "?" in text else _MAY_BE_GLUED_AT_STOP
    return sign.search(text) is not None


def split_sentences(block: str, other: bytes | None = None) -> tuple[str, ...]:
    """The sentences of a clean block in order, without bullets.

    `other` is what of the block, and perhaps of more, is not ASCII, where the caller knows it.

    >>> split_sentences("Led a team, e.g. Ops.\\n- One item\\n- Two.Three here.")
    ('Led a team, e.g. Ops.', 'One item', 'Two.', 'Three here.')
    """
    other = block.encode("utf-8", "surrogatepass") if other is None else other
    if _is_glued(block):
        block = "\n".join([unglue(line) for line in block.split("\n")])
    block = block.removeprefix("- ").replace("\n- ", "\n")
    if other.translate(None, _NO_UNSPACED_STOP):
        block = _UNSPACED_END.sub("\n", block)
    return tuple([line for found in _split_spaced(block) if (line := found.strip())])


def is_ended(sentence: str) -> bool:
    """Return whether a sentence has an end mark, in any script."""
    return sentence.rstrip(_CLOSING).endswith((".", "!", "?", "…", *_ENDS))


def _split_spaced(lines: str) -> list[str]:
    """The sentences, and empty lines, of lines whose marks have a space behind them."""
    has_mark = "!" in lines or "?" in lines or "…" in lines
    pieces = (_BOUNDARY if has_mark else _BOUNDARY_AT_STOP).split(lines)
    parts: list[str] = []
    begun = ""
    for n in range(0, len(pieces) - 1, 2):
        text, marks, following = pieces[n : n + 3]
        begun += text
        if marks[0] == "." and _goes_on(begun[begun.rfind("\n") + 1 :].lstrip(), following):
            begun += f"{marks} "
        else:
            parts.append(begun + marks)
            begun = ""
    parts.append(begun + pieces[-1])
    return "\n".join(parts).split("\n")


def _goes_on(text: str, following: str) -> bool:
    """Return whether a full stop after `text` ends no sentence: an abbreviation, or an ordinal
    ("im 3. Quartal")."""
    last = text[text.rfind(" ") + 1 :]
    if len(last) > _LONGEST_CUT_WORD and last.isalpha() and last.lower() not in _STOPPED:
        return False
    *before, word = [part.lower() for part in text.rsplit(None, 2)[-2:]] or [""]
    word = word.lstrip(_OPENING)
    following = following.lstrip(_OPENING)
    if word.isdecimal():
        is_ordinal = not before or before[0] in _BEFORE_ORDINAL or following[:1].islower()
        return len(word) <= _LONGEST_ORDINAL and is_ordinal
    if word in _BEFORE_NUMBER:
        return following[:1].isdecimal()
    if len(word) == 1 and word.isalpha():
        # An initial ("J. Doe").
        return word != "i"
    # In a text with capitals no sentence begins with a small letter: whatever it is, it is cut.
    is_cut = len(word) <= _LONGEST_CUT_WORD and following[:1].islower() and text[:1].isupper()
    return word in _ABBREVIATIONS or (is_cut and word.isalpha())


_MARKED: Final = re.compile(r"\s*(?:[^\w\s(\"'“‘„«]|\(?\d{1,2}[.)]\s|\(?[a-hA-H]\)\s|o\s+[A-Z])")
_PLAIN_START: Final = re.compile(r"\n(?:[^\W_]|[^\S\n])")
_LINE_ENDS: Final = tuple(".!?:;…。！？")
_SHORTEST: Final = 16
"""Characters of a line below which its end is meant: the items of a list are shorter."""
_FEWEST_WORDS: Final = 3
_NARROWEST: Final = 50
_FEWEST_BROKEN: Final = 2
_SLACK: Final = 14


def join_wrapped(text: str) -> str:
    """`text` with a space for each line break that only a page's width put there.

    A line goes on below when the next one begins with a small letter, or when all lines of a
    paragraph are about as wide as its page. List items and ended sentences stay lines.

    >>> join_wrapped("Built user-focused websites in\\ncollaborative teams.\\nLed four people.")
    'Built user-focused websites in collaborative teams.\\nLed four people.'
    """
    if _PLAIN_START.search(text) is None:
        return text
    lines = text.split("\n")
    width = _page_width(lines)
    text = lines[0]
    for above, line in itertools.pairwise(lines):
        if _is_wrapped(above.rstrip(), line.strip(), width):
            text = text.rstrip()
            # A hyphen at the end of a line is part of the word or of the page; it stays.
            text += line.strip() if text.endswith("-") else f" {line.strip()}"
        else:
            text += f"\n{line}"
    return text


def _is_wrapped(above: str, line: str, width: int | None) -> bool:
    if not above or not line or above.endswith(_LINE_ENDS) or _MARKED.match(line):
        return False
    if line[0].islower() and len(above) >= _SHORTEST and above.count(" ") >= _FEWEST_WORDS - 1:
        return True
    return width is not None and len(above) + 1 + len(line.split(" ", 1)[0]) > width - _SLACK // 2


def _page_width(lines: list[str]) -> int | None:
    """The width at which all lines were broken; None where they are as long as they mean to be."""
    full = [line.rstrip() for line in lines[:-1] if line.strip()]
    broken = [len(line) for line in full if not line.endswith(_LINE_ENDS)]
    if len(broken) < _FEWEST_BROKEN or any(map(_MARKED.match, lines)):
        return None
    width = max(map(len, full))
    return width if width >= _NARROWEST and min(broken) >= width - _SLACK else None
