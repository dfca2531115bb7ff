"""Features of a source row that identify the person it describes, and nothing else.

Everything that decides identity is computed once per row version and kept, so that comparing two
rows never reads their records again. Two rows with equal features are interchangeable for
resolution. Imports no driver, no clock, no Airflow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from profiles.models import SourceRecord
from profiles.resolution.blocking import (
    IdentityKey,
    JobMark,
    display_name,
    identity_keys,
    strong_keys,
)
from profiles.resolution.employers import Spell, spells_of
from profiles.resolution.facts import IdentityRecord
from profiles.resolution.scripts import latin_words, scripts
from profiles.standardization.places import city_of
from profiles.standardization.text import fold, fold_once

TEXT_START = 80


class RowFeatures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The identity facts of one source row.

    `keys` are the strong identity keys (`blocking`). `schools` and `cities` are folded, sorted,
    unique. `headline` and `summary` are digests of the texts' beginnings, empty for a short or no
    text.
    """

    source: str
    source_key: str
    name: str | None
    keys: tuple[IdentityKey, ...]
    spells: tuple[Spell, ...]
    schools: tuple[str, ...]
    cities: tuple[str, ...]
    headline: str
    summary: str

    @property
    def ref(self) -> tuple[str, str]:
        """(source, source_key): the order of rows that does not depend on when they arrived."""
        return (self.source, self.source_key)


class RowIdentity(msgspec.Struct, frozen=True):
    """A row's features and all its identity keys with their marks, the strong ones first. `terms`
    are what counts by frequency, a tab between them: the words of the name and, with an @ before,
    the employers."""

    features: RowFeatures
    terms: str
    keys: Mapping[IdentityKey, JobMark]


def describe(record: IdentityRecord | SourceRecord) -> RowIdentity:
    """The identity facts of a record, the same for a whole record and for its part."""
    name = display_name(record)
    if name and record.name_beside and scripts(name) & scripts(record.name_beside):
        name = f"{name} {record.name_beside}"
    words = latin_words(name or "")
    strong = tuple(dict.fromkeys(strong_keys(record)))
    spells = spells_of(record.positions, record.emails)
    terms = {word for word in words if len(word) > 1}
    terms.update(["@" + spell.employer for spell in spells])
    features = RowFeatures(
        source=record.source,
        source_key=record.source_key,
        name=name,
        keys=strong,
        spells=spells,
        schools=_folded(study.school for study in record.education),
        cities=tuple(filter(None, [city_of(record.location)])),
        headline=_text_digest(record.headline, least=3),
        summary=_text_digest(record.summary, least=8),
    )
    return RowIdentity(features, "\t".join(sorted(terms)), identity_keys(strong, words, spells))


def encode_features(features: RowFeatures) -> str:
    """The JSON that `identity_row.features` keeps; equal facts give equal text."""
    return _encode(features).decode()


_encode = msgspec.json.Encoder().encode


def _text_digest(text: str | None, *, least: int) -> str:
    """Digest of the folded beginning of a text that has at least that many words."""
    if not text:
        return ""
    folded = fold_once(text[: 2 * TEXT_START])[:TEXT_START]
    if folded.count(" ") + 1 < least:
        return ""
    return hashlib.blake2b(folded.encode(), digest_size=8).hexdigest()


def _folded(values: Iterable[str | None]) -> tuple[str, ...]:
    found = {fold(value) for value in values if value}
    found.discard("")
    return tuple(found) if len(found) < 2 else tuple(sorted(found))
