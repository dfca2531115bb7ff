"""Words of natural languages that rules need, as data: `include/words/*.csv`, read once.

A line is a section, a language or nothing, and words. They belong to the rules as their code does,
and no deployment configures them; that is why a module of the core may read them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["FOLDER", "rows", "word_set", "words"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "words"


def word_set(text: str) -> frozenset[str]:
    """The whitespace-separated words of `text`."""
    return frozenset(text.split())


def words(file: str, section: str) -> frozenset[str]:
    """The words of a section, those of all its lines together."""
    return frozenset(word for line in rows(file, section) for word in line)


def rows(file: str, section: str) -> Iterator[list[str]]:
    """The words of each line of a section, in the order of the file."""
    found = [line for name, line in _content(file) if name == section]
    if not found:
        raise KeyError(f"{file}.csv has no section '{section}'")
    yield from found


@cache
def _content(file: str) -> list[tuple[str, list[str]]]:
    with (FOLDER / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        read = csv.reader(line for line in lines if not line.startswith("#"))
        return [(line[0], line[2:]) for line in read if line]
