"""Counts of words in any script. Pure.

Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces: there a run of letters
counts as so many words as its length makes up on average.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["count_unspaced", "count_words"]

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uff66-\uff9f]+")
_THAI: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u17ff\u3040-\u9fff\uff66-\uff9f]")
_HAN_LETTERS: Final = 2
_THAI_LETTERS: Final = 5


def count_words(text: str) -> int:
    """Words with a letter or digit; those of scripts without spaces by their letters.

    >>> count_words("Leads 3 teams ."), count_words("経理部長として勤務")
    (3, 5)
    """
    words = sum(1 for word in text.split() if any(map(str.isalnum, word)))
    return words + count_unspaced(text)


def count_unspaced(text: str) -> int:
    """Words that a count of spaces misses."""
    if text.isascii() or _UNSPACED.search(text) is None:
        return 0
    missed = 0
    for pattern, letters in ((_HAN, _HAN_LETTERS), (_THAI, _THAI_LETTERS)):
        for match in pattern.finditer(text):
            missed += max(0, -(-len(match[0]) // letters) - 1)
    return missed
