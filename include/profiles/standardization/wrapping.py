"""Joins lines that a parser or a page width broke in the middle of a sentence. Pure."""

from __future__ import annotations

import itertools
import re
from typing import Final

__all__ = ["join_wrapped"]

_MARKED: Final = re.compile(r"\s*(?:[^\w\s(\"'“‘„«]|\(?\d{1,2}[.)]\s|\(?[a-hA-H]\)\s|o\s+[A-Z])")
_ENDS: Final = tuple(".!?:;…。！？")
_SHORTEST: Final = 16
"""Characters of a line below which its end is meant: the items of a list are shorter."""
_FEWEST_WORDS: Final = 3
_NARROWEST: Final = 50
_FEWEST_LINES: Final = 3
_SLACK: Final = 14


def join_wrapped(text: str) -> str:
    """`text` with a space for each line break that only a page's width put there.

    A line goes on below when the next one begins with a small letter, or when all lines of a
    paragraph are about as wide as its page. List items and ended sentences stay lines.

    >>> join_wrapped("Built user-focused websites in\\ncollaborative teams.\\nLed four people.")
    'Built user-focused websites in collaborative teams.\\nLed four people.'
    """
    lines = text.split("\n")
    if not any(line[:1].isalnum() or line[:1].isspace() for line in lines[1:]):
        return text
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
    if not above or not line or above.endswith(_ENDS) or _MARKED.match(line):
        return False
    if line[0].islower() and len(above) >= _SHORTEST and above.count(" ") >= _FEWEST_WORDS - 1:
        return True
    return width is not None and len(above) + 1 + len(line.split(" ", 1)[0]) > width - _SLACK // 2


def _page_width(lines: list[str]) -> int | None:
    """The width at which all lines were broken; None where they are as long as they mean to be."""
    full = [len(line.rstrip()) for line in lines[:-1] if line.strip()]
    broken = [line for line in lines[:-1] if line.strip() and not line.rstrip().endswith(_ENDS)]
    if len(full) < _FEWEST_LINES - 1 or any(map(_MARKED.match, lines)):
        return None
    width = max(full)
    if width < _NARROWEST or len(broken) < _FEWEST_LINES - 1:
        return None
    return width if all(len(line.rstrip()) >= width - _SLACK for line in broken) else None
