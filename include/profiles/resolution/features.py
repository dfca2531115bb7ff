"""What a source row says about *who* it describes, and nothing else.

Everything that decides identity is computed once per row version and kept, so that comparing two
rows never reads their records again. Two rows with equal features are interchangeable for
resolution. Imports no driver, no clock, no Airflow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from profiles.models import Position, SourceRecord
from profiles.resolution.blocking import (
    WEAK_KINDS,
    IdentityKey,
    block_name,
    display_name,
    identity_keys,
    position_employers,
)
from profiles.resolution.facts import IdentityPosition, IdentityRecord
from profiles.standardization.text import fold, fold_once

MAX_SPELLS = 24
TEXT_START = 80
_TITLE_WORDS = {
    "sr": "senior",
    "jr": "junior",
    "mgr": "manager",
    "eng": "engineer",
    "vp": "vice president",
}

# Places that vendors write in more than one way; both sides are folded. Source: the official
# renamings of Indian cities and the English names of cities that keep a local one.
_CITY_ALIASES = {
    "bangalore": "bengaluru",
    "blr": "bengaluru",
    "bombay": "mumbai",
    "gurgaon": "gurugram",
    "nyc": "new york",
    "munich": "munchen",
    "vienna": "wien",
    "zurich": "zurich",
    "warsaw": "warszawa",
    "brussels": "bruxelles",
    "lisbon": "lisboa",
    "calcutta": "kolkata",
    "madras": "chennai",
}
_CITY_FILLER = frozenset(
    ["greater", "area", "metropolitan", "urban", "region", "city", "bay", "sf"]
)


class Spell(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One job: normalised employer, first month of its start (months since year 0), folded title.

    `precise` tells a known month from a known year.
    """

    employer: str
    start: int | None
    precise: bool
    title: str


class RowFeatures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The identity facts of one source row.

    `keys` are the strong identity keys (`blocking`), `block` the order- and accent-free name
    that blocking uses, empty without a name. `schools` and `cities` are folded, sorted, unique.
    `headline` and `summary` are digests of the texts' beginnings, empty for a short or no text.
    """

    source: str
    source_key: str
    name: str | None
    block: str
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
    """A row's features and all its identity keys, weak ones included."""

    features: RowFeatures
    keys: tuple[IdentityKey, ...]


def describe(record: IdentityRecord | SourceRecord) -> RowIdentity:
    """The identity facts of a record, the same for a whole record and for its part."""
    employers = position_employers(record)
    keys = identity_keys(record, employers)
    name = display_name(record)
    features = RowFeatures(
        source=record.source,
        source_key=record.source_key,
        name=name,
        block=block_name(name),
        keys=tuple([key for key in keys if key[0] not in WEAK_KINDS]),
        spells=_spells(record.positions, employers),
        schools=_folded(study.school for study in record.education),
        cities=_cities(record.location),
        headline=_text_digest(record.headline, words=3),
        summary=_text_digest(record.summary, words=8),
    )
    return RowIdentity(features, keys)


def _spells(
    positions: Sequence[IdentityPosition | Position], employers: Sequence[str | None]
) -> tuple[Spell, ...]:
    spells = {
        Spell(
            employer,
            None if (start := position.start) is None else start.first_month,
            start is not None and start.month is not None,
            _title(position.title),
        )
        for position, employer in zip(positions, employers, strict=True)
        if employer
    }
    if len(spells) < 2:
        return tuple(spells)
    return tuple(sorted(spells, key=_newest_first)[:MAX_SPELLS])


def _newest_first(spell: Spell) -> tuple[int, str, bool, str]:
    return (-(spell.start or 0), spell.employer, spell.precise, spell.title)


@lru_cache(maxsize=65_536)
def _title(title: str | None) -> str:
    """Folded words with the usual short forms written out."""
    if not title:
        return ""
    return " ".join(_TITLE_WORDS.get(word, word) for word in fold(title).split())


def _text_digest(text: str | None, *, words: int) -> str:
    """Digest of the folded beginning of a text that has at least that many words."""
    if not text:
        return ""
    folded = fold_once(text[: 2 * TEXT_START])[:TEXT_START]
    if folded.count(" ") + 1 < words:
        return ""
    return hashlib.blake2b(folded.encode(), digest_size=8).hexdigest()


def _folded(values: Iterable[str | None]) -> tuple[str, ...]:
    found = {fold(value) for value in values if value}
    found.discard("")
    return tuple(found) if len(found) < 2 else tuple(sorted(found))


@lru_cache(maxsize=16_384)
def _cities(location: str | None) -> tuple[str, ...]:
    """Words of the place before the first comma: "Greater Bengaluru Area" → ("bengaluru",)."""
    if not location:
        return ()
    city = fold(location.split(",", 1)[0])
    city = _CITY_ALIASES.get(city, city)
    words = {_CITY_ALIASES.get(word, word) for word in city.split()}
    return tuple(sorted(words - _CITY_FILLER)) or ((city,) if city else ())
