"""A `SourceRecord` as the JSON of `synthesis.source_record.record`, and back.

Encoding is byte-for-byte stable, so its digest tells whether a row that was read again says
anything new. Postgres refuses NUL in jsonb and UTF-8 refuses lone surrogates: text that still
holds one is scrubbed here, because a record that cannot be stored would be a lost row.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import msgspec
import orjson

from profiles.models import SourceRecord

_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")
_NUL_ESCAPE: Final = b"\\u0000"


def encode(record: SourceRecord) -> bytes:
    """UTF-8 JSON of the record: field names as keys, tuples as lists, dates as objects."""
    try:
        encoded = _ENCODER.encode(record)
    except UnicodeEncodeError:
        encoded = _NUL_ESCAPE
    return (
        orjson.dumps(_scrubbed(msgspec.to_builtins(record))) if _NUL_ESCAPE in encoded else encoded
    )


def decode(value: bytes | str) -> SourceRecord | None:
    """The record, or None when another version of the package wrote it.

    Such a row waits until extract has read it again.
    """
    try:
        return _DECODER.decode(value)
    except msgspec.ValidationError:
        return None


def digest(encoded: bytes) -> str:
    """The record hash: 32 hexadecimal digits."""
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(SourceRecord)


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, dict):
        return {key: _scrubbed(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_scrubbed(member) for member in value]
    return value
