"""Identity keys: the normalised values by which source rows find each other.

Strong keys belong to one person as a rule; `name_employer` only says "compare these two". Role
mailboxes and empty values never become keys. Values are compared whole: nothing reads digits or
letters inside a mailbox or a vanity name.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from profiles.models import SourceRecord
from profiles.standardization.companies import employer_key
from profiles.standardization.emails import is_role_mailbox
from profiles.standardization.names import name_key

MAX_EMPLOYERS = 12

IdentityKey = tuple[str, str]
"""(kind, value)."""


class KeyKind(StrEnum):
    """Kinds of identity key, strongest first."""

    MEMBER_ID = "member_id"
    LINKEDIN = "linkedin"
    EMAIL = "email"
    PHONE = "phone"
    NAME_EMPLOYER = "name_employer"


def is_strong(key: IdentityKey) -> bool:
    """Whether the key alone points at one person."""
    return key[0] != KeyKind.NAME_EMPLOYER


def identity_keys(record: SourceRecord) -> tuple[IdentityKey, ...]:
    """All keys of a record, strong kinds first, each once."""
    keys = [(KeyKind.MEMBER_ID.value, value) for value in record.linkedin_member_ids]
    if record.linkedin_id:
        keys.append((KeyKind.LINKEDIN.value, record.linkedin_id))
    keys += [(KeyKind.EMAIL.value, value) for value in record.emails if not is_role_mailbox(value)]
    keys += [(KeyKind.PHONE.value, value) for value in record.phones]
    keys += _name_employer_keys(record)
    return tuple(dict.fromkeys(key for key in keys if key[1]))


def _name_employer_keys(record: SourceRecord) -> list[IdentityKey]:
    block = block_name(display_name(record))
    if not block:
        return []
    employers = dict.fromkeys(
        employer for position in record.positions if (employer := employer_key(position.company))
    )
    return [
        (KeyKind.NAME_EMPLOYER.value, f"{block}|{employer}")
        for employer in list(employers)[:MAX_EMPLOYERS]
    ]


def display_name(record: SourceRecord) -> str | None:
    """The record's name: the full one, else given and family joined."""
    if record.full_name:
        return record.full_name
    parts = [part for part in (record.given_name, record.family_name) if part]
    return " ".join(parts) or None


@lru_cache(maxsize=65_536)
def block_name(name: str | None) -> str:
    """The name without order, accents, initials and the two ways of writing an umlaut.

    A name with a single long word keeps its initials: "Priya K" must not meet every Priya.
    """
    if not name:
        return ""
    words = name_key(name).split()
    long_words = [word for word in words if len(word) > 1 or not word.isascii()]
    kept = long_words if len(long_words) > 1 else words
    return " ".join(sorted(_without_umlaut_e(word) for word in kept))


def _without_umlaut_e(word: str) -> str:
    """ "mueller" and "muller" alike; applied to both sides, so a real "ue" does no harm."""
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
