"""Identity keys: the normalised values by which source rows find each other.

Strong keys belong to one person as a rule; weak ones (`name_employer`, `career`) only say "compare
these two". Role mailboxes and empty values never become keys. Values are compared whole: nothing
reads digits or letters inside a mailbox or a vanity name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice, pairwise

from profiles.models import SourceRecord
from profiles.resolution.facts import IdentityRecord
from profiles.standardization.companies import employer_key
from profiles.standardization.emails import is_role_mailbox
from profiles.standardization.text import bounded_key, fold

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

MAX_EMPLOYERS = 12
MAX_CAREER_KEYS = 3

IdentityKey = tuple[str, str]
"""(kind, value)."""


class KeyKind(StrEnum):
    """Kinds of identity key, strongest first."""

    MEMBER_ID = "member_id"
    LINKEDIN = "linkedin"
    EMAIL = "email"
    PHONE = "phone"
    NAME_EMPLOYER = "name_employer"
    CAREER = "career"


# Reading an enumeration's value for each of ten keys a row is a tenth of making them.
_MEMBER_ID, _LINKEDIN, _EMAIL, _PHONE, _NAME_EMPLOYER, _CAREER = (kind.value for kind in KeyKind)

WEAK_KINDS = (KeyKind.NAME_EMPLOYER.value, KeyKind.CAREER.value)


def is_strong(key: IdentityKey) -> bool:
    """Whether the key alone points at one person."""
    return key[0] not in WEAK_KINDS


def identity_keys(
    record: IdentityRecord | SourceRecord, employers: Sequence[str | None] | None = None
) -> tuple[IdentityKey, ...]:
    """All keys of a record, strong kinds first, each once.

    `employers` are the employer keys of its positions, for a caller that has them.
    """
    if employers is None:
        employers = position_employers(record)
    keys = [
        *strong_keys(record),
        *_name_employer_keys(record, employers),
        *_career_keys(record, employers),
    ]
    return tuple(dict.fromkeys((kind, bounded_key(value)) for kind, value in keys if value))


def strong_keys(record: IdentityRecord | SourceRecord) -> list[IdentityKey]:
    """The keys that alone point at one person, strongest kind first."""
    keys = [(_MEMBER_ID, value) for value in record.linkedin_member_ids]
    if record.linkedin_id:
        keys.append((_LINKEDIN, record.linkedin_id))
    keys += [(_EMAIL, value) for value in record.emails if not is_role_mailbox(value)]
    keys += [(_PHONE, value) for value in record.phones]
    return [(kind, bounded_key(value)) for kind, value in keys]


def position_employers(record: IdentityRecord | SourceRecord) -> list[str | None]:
    """The employer key of each position, None where it names no real employer."""
    return [employer_key(position.company) for position in record.positions]


def _name_employer_keys(
    record: IdentityRecord | SourceRecord, employers: Sequence[str | None]
) -> list[IdentityKey]:
    """First name, last initial and employer: "Uday V." meets "Uday Venkataraman"."""
    name = display_name(record)
    words = folded_words(name)
    if not words:
        return []
    block = block_name(name) if len(words) == 1 else f"{words[0]} {words[-1][0]}"
    named = dict.fromkeys(filter(None, employers))
    return [(_NAME_EMPLOYER, f"{block}|{employer}") for employer in islice(named, MAX_EMPLOYERS)]


def _career_keys(
    record: IdentityRecord | SourceRecord, employers: Sequence[str | None]
) -> list[IdentityKey]:
    """Two employers in a row with their first months: finds a person whose names are written in
    scripts that cannot be compared."""
    begun = [position.start for position in record.positions]
    known = {
        (start.first_month, employer)
        for start, employer in zip(begun, employers, strict=True)
        if employer and start is not None and start.month is not None
    }
    if len(known) < 2:
        return []
    starts = sorted(known, reverse=True)
    return [
        (_CAREER, f"{employer}:{month}|{before}:{month_before}")
        for (month, employer), (month_before, before) in islice(pairwise(starts), MAX_CAREER_KEYS)
    ]


def display_name(record: IdentityRecord | SourceRecord) -> str | None:
    """The record's name: the full one, else given and family joined."""
    if record.full_name:
        return record.full_name
    parts = [part for part in (record.given_name, record.family_name) if part]
    return " ".join(parts) or None


@lru_cache(maxsize=65_536)
def block_name(name: str | None) -> str:
    """The name without order, accents, initials and the two ways of writing an umlaut.

    A name with a single long word keeps its initials: "Priya K" is not every Priya. East Asian
    names are one word of sorted characters, because sources differ in order and spacing.
    """
    words = folded_words(name)
    long_words = [word for word in words if len(word) > 1 or not word.isascii()]
    return " ".join(sorted(long_words if len(long_words) > 1 else words))


@lru_cache(maxsize=65_536)
def folded_words(name: str | None) -> tuple[str, ...]:
    """Folded words of a name in its own order, "mueller" and "muller" alike.

    Applied to both sides, so a real "ue" does no harm.
    """
    if not name:
        return ()
    folded = fold(name)
    if _EAST_ASIAN.search(folded):
        return ("".join(sorted(folded.replace(" ", ""))),)
    return tuple(
        word.replace("ae", "a").replace("oe", "o").replace("ue", "u") for word in folded.split()
    )
