"""Employers' names and job titles as a document shows them, and how well a source spells them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from profiles.rendering.choosing import spelling
from profiles.rendering.titles import is_abbreviated
from profiles.standardization.capitals import capitalized
from profiles.standardization.contacts import contact_free_name

_ASIDE: Final = re.compile(
    r"\s*\((?:acquired by|now|part of|a subsidiary of)\b[^)]*\)", re.IGNORECASE
)
"""Who owns an employer. What it was called before is a fact about the person's job, and stays."""
_LEGAL_FORM: Final = re.compile(
    r"(?<![,\s])[,\s]+(?:inc|llc|ltd|limited|plc|pvt|private|gmbh(?: & co\.? kg)?|ag|sas|sa|"
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
    shown = _ASIDE.sub("", contact_free_name(name)).strip()
    while (shorter := _LEGAL_FORM.sub("", shown)) != shown and len(shorter) > 1:
        shown = shorter
    return _capitalised(shown.rstrip(" ,")) or None


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
def title_quality(title: str) -> int:
    """How well a title is spelled, in full before an abbreviation."""
    return 2 * spelling(title) + (not is_abbreviated(title))


@lru_cache(maxsize=65_536)
def employer_quality(name: str) -> int:
    """How well an employer's name is spelled, with its spaces."""
    # "NorthvaleSystems" is the same name as "Northvale Systems", written worse.
    shown = display_employer(name) or ""
    return 4 * spelling(name) + min(shown.count(" "), 3)
