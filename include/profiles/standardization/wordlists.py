"""Words of natural languages that rules need, as data: `include/words/*.yaml`, read once.

These belong to the rules as their code does, and no deployment configures them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

__all__ = ["FOLDER", "in_order", "word_set", "words"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "words"


def word_set(text: str) -> frozenset[str]:
    """The whitespace-separated words of `text`."""
    return frozenset(text.split())


def words(file: str, section: str) -> frozenset[str]:
    """The words of a section, those of all its languages together."""
    return frozenset(_flat(_content(file)[section]))


def in_order(file: str, section: str) -> tuple[str, ...]:
    """The entries of a section that is one list, in their order."""
    return tuple(_flat(_content(file)[section]))


@cache
def _content(file: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((FOLDER / f"{file}.yaml").read_text(encoding="utf-8"))
    return content


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _flat(inner)
    else:
        yield from map(str, value)
