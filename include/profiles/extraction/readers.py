"""Readers of single fields, made once a mapping: from a row, or one of its items, to a fact."""

from __future__ import annotations

from collections.abc import Callable

from profiles.extraction.facts import Fact, all_of, country, first, line, place, said
from profiles.extraction.paths import Paths, Root
from profiles.standardization.text import clean_block

Read = Callable[[Root], Fact | None]
"""Reads one fact of a row, or of one of its items."""


def first_reader(paths: Paths | None, convert: Callable[[object], Fact | None]) -> Read[Fact]:
    """Reads the first usable value of a field; nothing where the mapping has no such field."""
    if paths is None:
        return _nothing
    getters = paths.getters
    if getters is None:
        return lambda root: first(paths.all(root), convert)
    member = paths.member
    if member is not None:

        def read_member(root: Root) -> Fact | None:
            value = root.get(member)
            return None if value is None else convert(value)

        return read_member

    def read(root: Root) -> Fact | None:
        for get in getters:
            value = get(root)
            if value is not None and (fact := convert(value)) is not None:
                return fact
        return None

    return read


def line_reader(paths: Paths | None) -> Read[str]:
    """Reads a field of one line. Joined values are put together with commas."""
    if paths is None or not paths.join:
        return first_reader(paths, line)
    return lambda root: ", ".join(all_of(paths.all(root), line)) or None


def country_reader(paths: Paths | None) -> Read[str]:
    """Reads a country, of which NA is a code."""
    if paths is None or paths.join:
        return line_reader(paths)
    return first_reader(paths, country)


def place_reader(paths: Paths | None) -> Read[str]:
    """Reads a place. Joined values are put together with commas."""
    if paths is None or not paths.join:
        return first_reader(paths, place)
    joined = line_reader(paths)
    return lambda root: place(joined(root))


def block_reader(paths: Paths | None) -> Read[str]:
    """Reads a field of several lines."""
    if paths is None:
        return _nothing
    if paths.getters is not None:
        return first_reader(paths, _block)
    return lambda root: _block_of_values(paths, root)


def date_reader(paths: Paths | None) -> Read[object]:
    """Reads a raw date."""
    return first_reader(paths, said)


def _nothing(_root: Root) -> None:
    return None


def _block(value: object) -> str | None:
    return clean_block(value) if isinstance(value, str) and value else None


def _block_of_values(paths: Paths, root: Root) -> str | None:
    """The first path that has text; several values become bullets."""
    for group in paths.groups(root):
        parts = [part for part in group if isinstance(part, str) and part]
        if len(parts) > 1:
            parts = [part if "\n" in part else f"- {part}" for part in parts]
        block = clean_block("\n".join(parts)) if parts else None
        if block is not None:
            return block
    return None
