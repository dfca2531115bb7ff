"""Identity facts of a record as text, from the step that reads rows to the one that resolves."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from profiles.models import SourceRecord
from profiles.resolution.features import RowFeatures, describe

_encode = msgspec.json.Encoder().encode


class Described(NamedTuple):
    """A row's name, its features as JSON, and its keys, one a line: kind, space, value."""

    name: str | None
    features: str
    keys: str


def described(record: SourceRecord) -> Described | None:
    """The facts of a record; None when a key holds a line break, so that lines cannot part keys."""
    found = describe(record)
    keys = "\n".join(f"{kind} {value}" for kind, value in found.keys)
    if found.keys and keys.count("\n") != len(found.keys) - 1:
        return None
    return Described(found.features.name, encode_features(found.features), keys)


def encode_features(features: RowFeatures) -> str:
    """The JSON that `identity_row.features` keeps; equal facts give equal text."""
    return _encode(features).decode()
