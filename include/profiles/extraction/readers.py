"""Readers of single fields, made once a mapping: from a row, or one of its items, to a fact.

Nearly every field of an item is one member of it that holds text or nothing. Such a field is read
without a call of Python code but its own; the general way is for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from profiles.extraction.facts import (
    LONGEST_REMEMBERED,
    Fact,
    all_of,
    first,
    is_placeholder_text,
    line,
    said,
    short_line,
)
from profiles.extraction.paths import Paths, Root
from profiles.extraction.unread import Unread, note_no_block, note_no_line
from profiles.standardization.text import clean_block, clean_line

Read = Callable[[Root, Unread], Fact | None]
"""Reads one fact of a row, or of one of its jobs or studies; what it cannot read is counted."""
Note = Callable[[str, object, Unread], None]
"""Counts a value of a field of which its reader made nothing."""


def first_reader(
    paths: Paths | None, convert: Callable[[object], Fact | None], name: str, note: Note
) -> Read[Fact]:
    """Reads the first usable value of a field; nothing where the mapping has no such field."""
    if paths is None:
        return _nothing
    count = partial(note, name)
    getters = paths.getters
    if getters is None:
        return lambda root, unread: first(paths.all(root), convert, count, unread)
    member = paths.member
    if member is not None:
        return _reader_of_member(member, convert, count)

    def read(root: Root, unread: Unread) -> Fact | None:
        for get in getters:
            value = get(root)
            if value is not None:
                fact = convert(value)
                if fact is not None:
                    return fact
                count(value, unread)
        return None

    return read


def line_reader(paths: Paths | None, name: str) -> Read[str]:
    """Reads a field of one line. Joined values are put together with commas."""
    if paths is None or not paths.join:
        general = first_reader(paths, line, name, note_no_line)
        return general if paths is None else _line_of_member(paths.member, general)

    def read_joined(root: Root, unread: Unread) -> str | None:
        found = paths.all(root)
        for value in found:
            if value.__class__ is not str and line(value) is None:
                note_no_line(name, value, unread)
        return ", ".join(all_of(found, line)) or None

    return read_joined


def block_reader(paths: Paths | None, name: str) -> Read[str]:
    """Reads a field of several lines."""
    if paths is None:
        return _nothing
    if paths.getters is not None:
        return first_reader(paths, _block, name, note_no_block)
    return lambda root, unread: _block_of_values(paths, root, name, unread)


def date_reader(paths: Paths | None) -> Read[object]:
    """Reads a raw date. Those that say nothing are not counted, and `items` counts the others."""
    general = first_reader(paths, said, "", _note_nothing)
    member = None if paths is None else paths.member
    if member is None:
        return general

    def read(root: Root, unread: Unread) -> object | None:
        value = root.get(member)
        if value.__class__ is str:
            return None if is_placeholder_text(value) else value
        return None if value is None else said(value)

    return read


def _nothing(_root: Root, _unread: Unread) -> None:
    return None


def _note_nothing(_field: str, _value: object, _unread: Unread) -> None:
    """Of a reader that gives nothing only for what says nothing."""


def _reader_of_member(
    member: str,
    convert: Callable[[object], Fact | None],
    count: Callable[[object, Unread], None],
) -> Read[Fact]:
    def read(root: Root, unread: Unread) -> Fact | None:
        value = root.get(member)
        if value is None:
            return None
        fact = convert(value)
        if fact is None:
            count(value, unread)
        return fact

    return read


def _line_of_member(member: str | None, general: Read[str]) -> Read[str]:
    """`general` with a short way to text, which is no line only when it is empty once clean."""
    if member is None:
        return general

    def read(root: Root, unread: Unread) -> str | None:
        value = root.get(member)
        if value.__class__ is str:
            return short_line(value) if len(value) <= LONGEST_REMEMBERED else clean_line(value)
        return None if value is None else general(root, unread)

    return read


def _block(value: object) -> str | None:
    return clean_block(value) if isinstance(value, str) and value else None


def _block_of_values(paths: Paths, root: Root, name: str, unread: Unread) -> str | None:
    """The first path that has text; several values become bullets."""
    for group in paths.groups(root):
        parts = [part for part in group if isinstance(part, str) and part]
        if len(parts) < len(group):
            for value in group:
                note_no_block(name, value, unread)
        if len(parts) > 1:
            parts = [part if "\n" in part else f"- {part}" for part in parts]
        block = clean_block("\n".join(parts)) if parts else None
        if block is not None:
            return block
    return None
