"""The elements of a raw list as objects, whatever the vendor put into it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from profiles.extraction.json_path import NOT_JSON, decode_json

WRAPPED: Final = "value"
"""Member under which an element that is no object is found: `fields: {degree: value}`."""
DEEPEST: Final = 20
"""Lists in lists are read down to this depth; no vendor nests half as deep."""


def objects(value: object) -> list[Mapping[str, object]]:
    """The elements of a raw list, JSON text decoded; what is no list is one element."""
    if isinstance(value, str):
        decoded = decode_json(value)
        value = value if decoded is NOT_JSON else decoded
    return [
        element if isinstance(element, dict) else {WRAPPED: element}
        for element in (value if isinstance(value, list) else [value])
    ]


def members(value: object) -> list[Mapping[str, object]]:
    """The objects of a raw list; nothing where there is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
