"""Identity keys: the normalised values by which source rows find each other.

Strong keys belong to one person as a rule; weak ones (`name`, `name_employer`, `initial`,
`career`) only say "compare these two". Role mailboxes and empty values never become keys. Values
are compared whole: nothing reads digits or letters inside a mailbox or a vanity name.

Namesakes meet at large employers: pairs of rows with one name and one employer grow with the square
of the people, and nearly all of them contradict each other there. Such a key therefore holds a mark
of the row's jobs at the employer, and the join itself (`find_pairs`) leaves those out, before
anybody reads their facts.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice, pairwise

from profiles.models import SourceRecord
from profiles.resolution.employers import Spell, heads
from profiles.resolution.facts import IdentityRecord
from profiles.resolution.names import given_initials, given_words, sound
from profiles.standardization.identifiers import is_role_mailbox
from profiles.standardization.text import bounded_key

MAX_EMPLOYERS = 5
MAX_NAME_EMPLOYERS = 3
MAX_NAME_WORDS = 2
MAX_CAREER_KEYS = 3
_BITS = 63
"""Those of a signed bigint without its sign."""
_YEAR = 12

IdentityKey = tuple[str, str]
"""(kind, value)."""

JobMark = tuple[int | None, int | None, int | None]
"""Of the jobs of a row at one employer: a bit for each word of their titles, and the first and the
last month in which they can have begun, None where a job has no date. All None for other keys."""


class KeyKind(StrEnum):
    """Kinds of identity key, strongest first."""

    MEMBER_ID = "member_id"
    LINKEDIN = "linkedin"
    EMAIL = "email"
    PHONE = "phone"
    NAME = "name"
    NAME_EMPLOYER = "name_employer"
    INITIAL = "initial"
    CAREER = "career"


# Reading an enumeration's value for each of ten keys a row is a tenth of making them.
_MEMBER_ID, _LINKEDIN, _EMAIL, _PHONE, _NAME, _NAME_EMPLOYER, _INITIAL, _CAREER = (
    kind.value for kind in KeyKind
)

WEAK_KINDS = (_NAME, _NAME_EMPLOYER, _INITIAL, _CAREER)


_UNMARKED: JobMark = (None, None, None)


def identity_keys(
    strong: Iterable[IdentityKey], words: tuple[str, ...], spells: Sequence[Spell]
) -> dict[IdentityKey, JobMark]:
    """All keys of a row, the strong ones first, with what each says of the jobs; `words` are those
    of its name in Latin letters."""
    keys = dict.fromkeys((*strong, *_name_keys(words), *_career_keys(spells)), _UNMARKED)
    if words and spells:
        keys.update(_employer_keys(words, spells))
    return keys


def strong_keys(record: IdentityRecord | SourceRecord) -> list[IdentityKey]:
    """The keys that alone point at one person, strongest kind first."""
    keys = [(_MEMBER_ID, value) for value in record.linkedin_member_ids]
    if record.linkedin_id:
        keys.append((_LINKEDIN, record.linkedin_id))
    keys += [(_EMAIL, value) for value in record.emails if not is_role_mailbox(value)]
    keys += [(_PHONE, value) for value in record.phones]
    return [(kind, bounded_key(value)) for kind, value in keys]


@lru_cache(maxsize=16_384)
def _name_keys(words: tuple[str, ...]) -> tuple[IdentityKey, ...]:
    """The sounds of the first and of each other word: finds a rare name wherever it is."""
    full = [word for word in words[1:] if len(word) > 1]
    if not full or len(words[0]) == 1:
        return ()
    # In any order: "Nguyen Thi Thanh Huong" meets "Huong Nguyen Thi Thanh".
    whole = [" ".join(sorted(map(sound, words)))] if len(full) > MAX_NAME_WORDS else []
    return tuple((_NAME, bounded_key(value)) for value in whole) + tuple(
        (_NAME, bounded_key(" ".join(sorted((given, sound(word))))))
        for word in full[-MAX_NAME_WORDS:]
        for given in given_words(words)[:MAX_NAME_WORDS]
    )


@lru_cache(maxsize=16_384)
def _name_blocks(words: tuple[str, ...]) -> tuple[str, ...]:
    """One name with the initial of the other, in either order: "Uday V." meets "Uday Venkataraman",
    "Bill Reddy" meets "Reddy William"."""
    if len(words) < 2:
        return tuple(map(sound, words))
    first, blocks = words[0], list[str]()
    for other in words[1:][-MAX_NAME_WORDS:]:
        if len(first) > 1:
            blocks.append(f"{sound(first)} {other[0]}")
        if len(other) > 1:
            blocks += [f"{sound(other)} {initial}" for initial in given_initials(first)]
    return tuple(map(bounded_key, blocks))


@lru_cache(maxsize=16_384)
def _both_names(words: tuple[str, ...]) -> str | None:
    """The sounds of the first and the last word in any order, None where one is an initial."""
    if len(words) < 2 or 1 in (len(words[0]), len(words[-1])):
        return None
    return bounded_key(" ".join(sorted((sound(words[0]), sound(words[-1])))))


def _employer_keys(words: tuple[str, ...], spells: Sequence[Spell]) -> dict[IdentityKey, JobMark]:
    """At each employer, and at the first of three words by its other heads too. Where too many rows
    hold a name with an initial, both names at the last employers still tell them apart."""
    marks: dict[str, JobMark] = {}
    own: dict[str, None] = {}
    more: tuple[str, ...] = ()
    for spell in spells:
        mark, found = _mark(spell), heads(spell.employer)
        own[found[0]] = None
        more = more or found[1:]
        for head in found:
            marks[head] = _both(marks[head], mark) if head in marks else mark
    blocks, names = _name_blocks(words), _both_names(words)
    keys = {
        (_INITIAL, f"{block}|{head}"): marks[head]
        for head in islice(own, MAX_EMPLOYERS)
        for block in blocks
    }
    if names:
        last = islice(own, MAX_NAME_EMPLOYERS)
        keys.update({(_NAME_EMPLOYER, f"{names}|{head}"): marks[head] for head in last})
    for block in blocks[:1]:
        keys.update({(_INITIAL, f"{block}|{head}"): marks[head] for head in more})
    return keys


def _mark(spell: Spell) -> JobMark:
    """A year alone may be one off."""
    words, start = title_words(spell.title), spell.start
    if start is None or spell.precise:
        return words, start, start
    return words, start - _YEAR, start + 2 * _YEAR - 1


def _both(a: JobMark, b: JobMark) -> JobMark:
    words = (a[0] or 0) | (b[0] or 0)
    if a[1] is None or a[2] is None or b[1] is None or b[2] is None:
        return words, None, None
    return words, min(a[1], b[1]), max(a[2], b[2])


@lru_cache(maxsize=65_536)
def title_words(title: str) -> int:
    """The words of a folded title as bits: of two titles that hold the same words and more, one's
    bits are among the other's."""
    bits = 0
    for word in title.split():
        bits |= 1 << zlib.crc32(word.encode()) % _BITS
    return bits


def _career_keys(spells: Sequence[Spell]) -> list[IdentityKey]:
    """Two employers in a row with their first months: finds a person whose names are written in
    scripts that cannot be compared."""
    known = {(spell.start, heads(spell.employer)[0]) for spell in spells if spell.precise}
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
