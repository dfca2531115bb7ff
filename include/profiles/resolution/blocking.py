"""Identity keys: the normalised values by which source rows find each other.

Strong keys belong to one person as a rule; weak ones (`name_employer`, `career`) only say "compare
these two". Role mailboxes and empty values never become keys. Values are compared whole: nothing
reads digits or letters inside a mailbox or a vanity name.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations, islice, pairwise

from profiles.models import SourceRecord
from profiles.resolution.employers import Spell, heads
from profiles.resolution.facts import IdentityRecord
from profiles.resolution.names import given_initials, given_words, latin_words, sound
from profiles.standardization.identifiers import is_role_mailbox
from profiles.standardization.text import bounded_key

MAX_EMPLOYERS = 12
MAX_NAME_WORDS = 2
MAX_CAREER_KEYS = 3
MAX_DRAWN = 3
"""Employers of a row of which two go into a key with a name."""

IdentityKey = tuple[str, str]
"""(kind, value)."""


class KeyKind(StrEnum):
    """Kinds of identity key, strongest first."""

    MEMBER_ID = "member_id"
    LINKEDIN = "linkedin"
    EMAIL = "email"
    PHONE = "phone"
    NAME = "name"
    NAME_EMPLOYER = "name_employer"
    CAREER = "career"


# Reading an enumeration's value for each of ten keys a row is a tenth of making them.
_MEMBER_ID, _LINKEDIN, _EMAIL, _PHONE, _NAME, _NAME_EMPLOYER, _CAREER = (
    kind.value for kind in KeyKind
)

WEAK_KINDS = (KeyKind.NAME.value, KeyKind.NAME_EMPLOYER.value, KeyKind.CAREER.value)


def identity_keys(
    record: IdentityRecord | SourceRecord, name: str | None, spells: Sequence[Spell]
) -> tuple[IdentityKey, ...]:
    """All keys of a record, strong kinds first, each once."""
    words = latin_words(name) if name else ()
    blocks = _name_blocks(words)
    keys = [
        *strong_keys(record),
        *_name_keys(words),
        *_name_employer_keys(blocks, spells),
        *_two_employer_keys(blocks, spells),
        *_career_keys(spells),
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


def _name_keys(words: Sequence[str]) -> list[IdentityKey]:
    """The sounds of the first and of each other word: finds a rare name wherever it is."""
    full = [word for word in words[1:] if len(word) > 1]
    if not full or len(words[0]) == 1:
        return []
    return [
        (_NAME, " ".join(sorted((given, sound(word)))))
        for word in full[-MAX_NAME_WORDS:]
        for given in given_words(words)[:MAX_NAME_WORDS]
    ]


def _name_blocks(words: Sequence[str]) -> list[str]:
    """One name with the initial of the other, in either order: "Uday V." meets "Uday Venkataraman",
    "Bill Reddy" meets "Reddy William"."""
    if len(words) < 2:
        return [sound(word) for word in words]
    first, blocks = words[0], []
    for other in words[1:][-MAX_NAME_WORDS:]:
        if len(first) > 1:
            blocks.append(f"{sound(first)} {other[0]}")
        if len(other) > 1:
            blocks += [f"{sound(other)} {initial}" for initial in given_initials(first)]
    return blocks


def _name_employer_keys(blocks: Sequence[str], spells: Sequence[Spell]) -> list[IdentityKey]:
    employers = dict.fromkeys(head for spell in spells for head in heads(spell.employer))
    return [
        (_NAME_EMPLOYER, f"{block}|{employer}")
        for employer in islice(employers, MAX_EMPLOYERS)
        for block in blocks
    ]


def _two_employer_keys(blocks: Sequence[str], spells: Sequence[Spell]) -> list[IdentityKey]:
    """A name with two employers finds rows that title or date their jobs in other ways. Which two
    depends on their names alone, so that rows choose the same."""
    employers = {heads(spell.employer)[0] for spell in spells}
    chosen = sorted(sorted(employers, key=_drawn)[:MAX_DRAWN])
    return [
        (_CAREER, f"{block}|{first}|{second}")
        for first, second in combinations(chosen, 2)
        for block in blocks
    ]


def _drawn(employer: str) -> int:
    return zlib.crc32(employer.encode())


def _career_keys(spells: Sequence[Spell]) -> list[IdentityKey]:
    """Two employers in a row with their first months: finds a person whose names are written in
    scripts that cannot be compared."""
    known = {
        (spell.start, heads(spell.employer)[0])
        for spell in spells
        if spell.start is not None and spell.precise
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
