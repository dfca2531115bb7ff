"""Runs of white space and words without end, shortened before any pattern reads a text.

A pattern that begins with white space or a word tries each place of a run again, so that a run of a
text's length would cost the square of it. No language has words half as long as the limit.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LONGEST_RUN", "shorten_runs"]

LONGEST_RUN: Final = 200
_SPACES: Final = re.compile(r"\s{33,}")
_WORDS: Final = re.compile(rf"([!-~]{{{LONGEST_RUN}}})[!-~]+|(\w{{{LONGEST_RUN}}})\w+")


def shorten_runs(text: str) -> str:
    """The text with no run of more than 32 white spaces or 200 characters of one word.

    >>> len(shorten_runs("a" * 5_000)), shorten_runs("a" + " " * 5_000 + "b")
    (200, 'a b')
    """
    if len(text) <= LONGEST_RUN:
        return text
    if _SPACES.search(text) is not None:
        text = _SPACES.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    if max(map(len, text.split()), default=0) > LONGEST_RUN:
        text = _WORDS.sub(lambda run: run[1] or run[2], text)
    return text
