"""The part of a `SourceRecord` that decides who it describes: what resolution reads of a record.

Job descriptions and skills are four fifths of a record's bytes and no evidence here, so they are
never made into objects.
"""

from __future__ import annotations

import msgspec

from profiles.models import PartialDate


class IdentityPosition(msgspec.Struct, frozen=True, gc=False):
    """One job: employer, title and start."""

    title: str | None = None
    company: str | None = None
    start: PartialDate | None = None


class IdentityEducation(msgspec.Struct, frozen=True, gc=False):
    """One school."""

    school: str | None = None


class IdentityRecord(msgspec.Struct, frozen=True, gc=False):
    """A `SourceRecord` without what says nothing about identity; fields as there."""

    source: str
    source_key: str
    full_name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    linkedin_id: str | None = None
    linkedin_member_ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    headline: str | None = None
    summary: str | None = None
    location: str | None = None
    positions: tuple[IdentityPosition, ...] = ()
    education: tuple[IdentityEducation, ...] = ()
    name_beside: str | None = None


def decode_or_none(value: bytes | str) -> IdentityRecord | None:
    """The facts in the JSON of a record, None when another version of the package wrote it.

    Such a row waits until extract has read it again.
    """
    try:
        return _decode(value)
    except msgspec.ValidationError:
        return None


_decode = msgspec.json.Decoder(IdentityRecord).decode
