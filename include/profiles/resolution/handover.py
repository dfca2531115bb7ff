"""Identity facts of a record as text, from the step that reads rows to the one that resolves."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from profiles.models import SourceRecord
from profiles.resolution.features import RowFeatures, describe
from profiles.resolution.job_marks import MarkedKey, marked_keys

_encode = msgspec.json.Encoder().encode


class Described(NamedTuple):
    """A row's name, its features as JSON, and its keys, one a line: kind, space, value, and where
    there is a mark its three numbers, each after a tab."""

    name: str | None
    features: str
    keys: str


def described(record: SourceRecord) -> Described | None:
    """The facts of a record; None when a key holds a tab or a line break, which part keys."""
    found = describe(record)
    values = "".join([value for _, value in found.keys])
    if "\n" in values or "\t" in values:
        return None
    keys = "\n".join([_line(key) for key in marked_keys(found)])
    return Described(found.features.name, encode_features(found.features), keys)


def _line(key: MarkedKey) -> str:
    kind, value, title_words, first_start, last_start = key
    if title_words is None:
        return f"{kind} {value}"
    first = "" if first_start is None else first_start
    last = "" if last_start is None else last_start
    return f"{kind} {value}\t{title_words}\t{first}\t{last}"


def encode_features(features: RowFeatures) -> str:
    """The JSON that `identity_row.features` keeps; equal facts give equal text."""
    return _encode(features).decode()
