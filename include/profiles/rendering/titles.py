"""Job titles made comparable: one key per title, and how alike two titles are.

    title_key("Sr. Software Engineer (Full-time)") == "senior software engineer"
    title_key("SDE 2") == title_key("Software Engineer II")
    title_similarity("software engineer", "senior software engineer") < SIMILAR

The short forms are in `include/words/titles.csv`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from profiles.rendering.choosing import spelling
from profiles.standardization.capitals import capitalized
from profiles.standardization.contacts import contact_free_name
from profiles.standardization.text import fold
from profiles.standardization.words import labels, words

SIMILAR: Final = 85
"""Two titles of this similarity or more name the same job."""

_WORDS: Final = labels("titles", "long")
_LEVELS: Final = words("titles", "level")
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
    return " ".join(_WORDS.get(word, word) for word in stripped.split()) or folded


@lru_cache(maxsize=65_536)
def title_head(title: str) -> str:
    """The key of what stands before the first spaced separator: "Analyst - Team Lead" → analyst."""
    return title_key(_SEPARATOR.split(title, maxsplit=1)[0])


@lru_cache(maxsize=131_072)
def title_similarity(first: str, second: str) -> int:
    """Similarity of two titles, 0 to 100; a differing level caps it below `SIMILAR`."""
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


def _levels(key: str) -> frozenset[str]:
    return _LEVELS.intersection(key.split())


_ASIDE: Final = re.compile(
    r"\s*\((?:acquired by|now|part of|a subsidiary of)\b[^)]*\)", re.IGNORECASE
)
"""Owner of an employer. Its former name is a fact about the person's job, and stays."""
_LEGAL_FORM: Final = re.compile(
    r"[,\s](?:inc|llc|ltd|limited|plc|pvt|private|gmbh(?: & co\.? kg)?|ag|sas|sa|"
    r"s\.l|s\.a|ltda|corp|b\.v|pte)\.?$",
    re.IGNORECASE,
)
_KIND: Final = re.compile(
    r"\s*(?:\((?:full|part)[ -]?time\)|[·|/–-]\s*(?:full[ -]?time|part[ -]?time|contract|"
    r"permanent|individual contributor))\s*$",
    re.IGNORECASE,
)


_SPELLED_OUT: Final = {"Sr": "Senior", "Jr": "Junior", "Mgr": "Manager", "Asst": "Assistant"}
_LONGEST_ACRONYM: Final = 4
_SHORT_WORD: Final = re.compile(r"\b(Sr|Jr|Mgr|Asst)\b\.?")


@lru_cache(maxsize=65_536)
def display_employer(name: str) -> str | None:
    """An employer's name without legal form and owner: "Veltrix Pvt. Ltd." → "Veltrix"."""
    shown = contact_free_name(name)
    shown = (_ASIDE.sub("", shown).strip() if "(" in shown else shown).rstrip(" ,")
    while (shorter := _LEGAL_FORM.sub("", shown).rstrip(" ,")) != shown and len(shorter) > 1:
        shown = shorter
    return _capitalised(shown) or None


@lru_cache(maxsize=65_536)
def display_title(title: str) -> str | None:
    """A title spelled out, without the kind of employment behind it.

    >>> display_title("Sr. Engineering Mgr (Full-time)")
    'Senior Engineering Manager'
    """
    plain = contact_free_name(title)
    shown = _capitalised(_KIND.sub("", plain).strip() or plain)
    return _SHORT_WORD.sub(lambda match: _SPELLED_OUT[match[1]], shown) or None


def _capitalised(name: str) -> str:
    """Two and more words that no source wrote with normal capitals, written so."""
    if spelling(name) or " " not in name:
        return name
    # Short words in capitals are as likely to be a name ("HSBC UK") as to be shouted.
    if name.isupper() and max(map(len, name.split())) <= _LONGEST_ACRONYM:
        return name
    return capitalized(name)


@lru_cache(maxsize=65_536)
def title_quality(title: str, beside: frozenset[str] = frozenset()) -> int:
    """Spelling score of a title; a full form ranks above an abbreviation (Sr., Mgr, SDE), and
    "Physics Teacher" above a "Teacher" beside it."""
    own = 2 * spelling(title) + _SHORT.isdisjoint(fold(title).split())
    return own + 4 * sum(adds_to(title, other) for other in beside)


@lru_cache(maxsize=65_536)
def adds_to(title: str, other: str) -> bool:
    """Return whether a title says more of one job: other words too, at the same level. What stands
    behind a separator is often no title."""
    key, less = title_key(title), title_key(other)
    is_more = set(key.split()) > set(less.split()) and title_head(title) == key
    return is_more and _levels(key) == _levels(less)


@lru_cache(maxsize=65_536)
def employer_quality(name: str) -> int:
    """Spelling score of an employer's name, which includes its spaces."""
    # "NorthvaleSystems" is the same name as "Northvale Systems", written worse.
    shown = display_employer(name) or ""
    return 4 * spelling(name) + min(shown.count(" "), 3)
