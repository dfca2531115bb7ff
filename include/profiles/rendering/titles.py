"""Job titles made comparable: one key per title, and how alike two titles are.

    title_key("Sr. Software Engineer (Full-time)") == "senior software engineer"
    title_key("SDE 2") == title_key("Software Engineer II")
    title_similarity("software engineer", "senior software engineer") < SIMILAR

Alias rows are the usual short forms of titles in job advertisements, kept by hand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from profiles.standardization.text import fold

SIMILAR: Final = 85
"""Two titles of this similarity or more name the same job."""

_WORDS: Final = {
    "sr": "senior",
    "snr": "senior",
    "jr": "junior",
    "mgr": "manager",
    "mngr": "manager",
    "engr": "engineer",
    "eng": "engineer",
    "dev": "engineer",
    "developer": "engineer",
    "programmer": "engineer",
    "asst": "assistant",
    "assoc": "associate",
    "exec": "executive",
    "dir": "director",
    "vp": "vice president",
    "svp": "senior vice president",
    "avp": "assistant vice president",
    "sde": "software engineer",
    "swe": "software engineer",
    "sse": "senior software engineer",
    "sdet": "software engineer in test",
    "ceo": "chief executive officer",
    "cto": "chief technology officer",
    "cfo": "chief financial officer",
    "coo": "chief operating officer",
    "cmo": "chief marketing officer",
    "hr": "human resources",
    "qa": "quality assurance",
    "pm": "project manager",
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
}
_LEVELS: Final = frozenset(
    (
        "senior", "junior", "lead", "principal", "staff", "intern", "trainee", "associate",
        "assistant", "head", "chief", "director", "manager", "vice", "president",
        "executive", "apprentice", "graduate", "1", "2", "3", "4", "5"
    )
)  # fmt: skip
_SHORT: Final = frozenset(_WORDS) - {"developer", "programmer", "i", "ii", "iii", "iv"}
# What vendors append to a title: kind of employment, and labels after a separator.
_EMPLOYMENT: Final = re.compile(
    r"\b(?:full ?time|part ?time|contract(?:or|ual)?|permanent|freelance|individual contributor)\b"
)
_SEPARATOR: Final = re.compile(r"\s+[-–—·|/]\s+")


@lru_cache(maxsize=65_536)
def title_key(title: str) -> str:
    """The folded title with short forms spelled out and kinds of employment removed."""
    folded = fold(title)
    stripped = _EMPLOYMENT.sub(" ", folded) or folded
    words = " ".join(_WORDS.get(word, word) for word in stripped.split())
    return words or folded


@lru_cache(maxsize=65_536)
def title_head(title: str) -> str:
    """The key of what stands before the first spaced separator: "Analyst - Team Lead" → analyst."""
    return title_key(_SEPARATOR.split(title, maxsplit=1)[0])


@lru_cache(maxsize=131_072)
def title_similarity(first: str, second: str) -> int:
    """How alike two titles are, 0 to 100; a differing level caps it below `SIMILAR`."""
    key, other = title_key(first), title_key(second)
    if key == other:
        return 100
    head, other_head = title_head(first), title_head(second)
    if head in (other_head, other) or other_head == key:
        return 95
    ratio = int(fuzz.token_sort_ratio(key, other))
    if _levels(key) != _levels(other):
        return min(ratio, SIMILAR - 20)
    return ratio


def is_abbreviated(title: str) -> bool:
    """Whether a title uses a short form such as Sr., Mgr or SDE."""
    return not _SHORT.isdisjoint(fold(title).split())


def _levels(key: str) -> frozenset[str]:
    return _LEVELS.intersection(key.split())
