"""Single facts out of raw values: lines, texts, places, lists of names, years.

Raw values are whatever a row held: text, numbers, lists, objects. What does not fit is nothing;
nothing here raises on data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final, TypeVar

from profiles.extraction.json_path import NOT_JSON, decode_json, looks_like_json
from profiles.extraction.paths import Getter, Paths, Root
from profiles.extraction.unread import Unread, note_no_block, note_no_line, note_value
from profiles.standardization.text import clean_block, clean_line, is_placeholder

Fact = TypeVar("Fact")
Read = Callable[[Root, Unread], Fact | None]
"""Reads one fact of a row, or of one of its jobs or studies; what it cannot read is counted."""
Note = Callable[[str, object, Unread], None]
"""Counts a value of a field of which its reader made nothing."""

LONGEST_NAME: Final = 80
"""Characters of a skill, certificate or language; what is longer is prose, not a name."""

TOO_LONG: Final = "too_long"
"""Why such a name was not read."""

_LONGEST_REMEMBERED: Final = 80

_SEPARATOR = re.compile(r"\s*[,;|•·\n]\s*")
_JSON_REMAINS = "[]{}\"'"
_NAME_MEMBERS = ("name", "title", "skill", "language", "value")
_YEARS = re.compile(r"(\d+(?:[.,]\d+)?)\s*\+?\s*(?:y|$)", re.IGNORECASE)
_WORDS = re.compile(r"\d+|[^\W\d_]+")
_UNITS = frozenset(
    ("0", "00", "y", "yr", "yrs", "year", "years", "m", "mo", "mos", "month", "months")
)
_MONTHS = re.compile(r"(\d+)\s*\+?\s*m", re.IGNORECASE)
_NO_PLACE = frozenset({"contact info", "remote", "hybrid", "on-site", "onsite"})
_WORKPLACE = " · "
_MOST_YEARS: Final = 60
_MONTHS_A_YEAR: Final = 12


def line(value: object) -> str | None:
    """One clean line of a text or number; None for anything else."""
    if isinstance(value, str):
        return _clean_line(value) if len(value) <= _LONGEST_REMEMBERED else clean_line(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return clean_line(str(value))


# Titles, employers, places, degrees and skills come again and again.
_clean_line = lru_cache(maxsize=16_384)(clean_line)


def first(
    found: Iterable[object],
    convert: Callable[[object], Fact | None],
    note: Callable[[object, Unread], None],
    unread: Unread,
) -> Fact | None:
    """The first usable value; those before it are counted."""
    for value in found:
        if value is not None:
            fact = convert(value)
            if fact is not None:
                return fact
            note(value, unread)
    return None


def all_of(found: Iterable[object], convert: Callable[[object], str | None]) -> tuple[str, ...]:
    """Every usable value once, in order."""
    facts = (convert(value) for value in found)
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


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
    if len(getters) == 1:
        return _reader_of_one(getters[0], convert, count)

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


def _reader_of_one(
    get: Getter, convert: Callable[[object], Fact | None], count: Callable[[object, Unread], None]
) -> Read[Fact]:
    def read(root: Root, unread: Unread) -> Fact | None:
        value = get(root)
        if value is None:
            return None
        fact = convert(value)
        if fact is None:
            count(value, unread)
        return fact

    return read


def line_reader(paths: Paths | None, name: str) -> Read[str]:
    """Reads a field of one line. Joined values are put together with commas."""
    if paths is None or not paths.join:
        return first_reader(paths, line, name, note_no_line)

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


def said(value: object) -> object | None:
    """A raw date, None where it is no more than null, "", {} or an object of nulls."""
    if isinstance(value, str):
        return None if _is_placeholder_text(value) else value
    if isinstance(value, dict):
        return value if any(member not in (None, "") for member in value.values()) else None
    return value


def _nothing(_root: Root, _unread: Unread) -> None:
    return None


def _block(value: object) -> str | None:
    return clean_block(value) if isinstance(value, str) and value else None


_is_placeholder_text = lru_cache(maxsize=16_384)(is_placeholder)


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


def names(paths: Paths | None, root: Root, *, split: bool, too_long: set[str]) -> tuple[str, ...]:
    """Skills, certificates or languages, each once, in order.

    With `split` a cell such as "a, b | c" is several names. An element of a list is always one,
    so that a comma inside it survives. Objects give their name or title. Names longer
    than `LONGEST_NAME` are no names and go to `too_long`.
    """
    if paths is None:
        return ()
    found: dict[str, str] = {}
    for cell, is_element in paths.cells(root):
        split_cell = split and not is_element
        if isinstance(cell, str) and not split_cell and not looks_like_json(cell):
            found_parts: Iterable[str] = (cell,)
        else:
            found_parts = parts(cell, split=split_cell)
        for part in found_parts:
            name = line(part)
            if name is None:
                continue
            if len(name) <= LONGEST_NAME:
                found.setdefault(name.casefold(), name)
            else:
                too_long.add(name)
    return tuple(found.values())


def place(value: object) -> str | None:
    """A place without the way of working ("Pune · On-site"); None for what only looks like one."""
    text = line(value)
    return None if text is None else _place(text)


@lru_cache(maxsize=16_384)
def _place(text: str) -> str | None:
    text = text.partition(_WORKPLACE)[0]
    return None if text.casefold() in _NO_PLACE else text


def years(value: object) -> float | None:
    """Years of experience from "7", "7 yrs 3 mos" or 7.4; zero means unknown."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = _years_of_text(value)
    if not isinstance(value, int | float):
        return None
    # The bound goes first: no float holds an integer of hundreds of digits.
    return round(float(value), 2) if 0 < value <= _MOST_YEARS else None


def note_no_years(field: str, value: object, unread: Unread) -> None:
    """Counts what states no length of experience. "0 years" states that it is unknown."""
    if not (isinstance(value, str) and _says_zero(value)):
        note_value(field, value, unread)


def _says_zero(text: str) -> bool:
    words = _WORDS.findall(text.casefold())
    return bool(words) and "0" in words and _UNITS.issuperset(words)


def years_of_months(value: object) -> float | None:
    """Years of experience from a number of months."""
    if isinstance(value, str) and value.strip().isdecimal():
        # Not `int`, which refuses text of thousands of digits.
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    is_usable = 0 < value <= _MOST_YEARS * _MONTHS_A_YEAR
    return years(value / _MONTHS_A_YEAR) if is_usable else None


def flag(value: object) -> bool | None:
    """True or false where the row says so."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "t": True, "yes": True, "1": True}.get(
            value.strip().lower(), False if value.strip() else None
        )
    return None


def capitalized(text: str | None) -> str | None:
    """Words with a capital where the vendor lower-cased all of them."""
    return text.title() if text is not None and text.islower() else text


def parts(value: object, *, split: bool) -> Iterator[str]:
    """The raw names in a value: text, JSON text, lists of either, objects with a name."""
    if isinstance(value, str):
        yield from _parts_of_text(value, split=split)
    elif isinstance(value, list):
        for element in value:
            yield from parts(element, split=False)
    elif isinstance(value, dict):
        name = name_member(value)
        if name is not None:
            yield name


def name_member(value: Mapping[str, object]) -> str | None:
    """The name of an object in a list of names; None when it has none."""
    for member in _NAME_MEMBERS:
        name = value.get(member)
        if isinstance(name, str):
            return name
    return None


def _parts_of_text(text: str, *, split: bool) -> Iterator[str]:
    if looks_like_json(text):
        decoded = decode_json(text)
        if decoded is not NOT_JSON:
            yield from parts(decoded, split=False)
            return
        # A list cut off in the middle is still a list of names.
        text = text.strip().strip(_JSON_REMAINS)
        yield from (part.strip(_JSON_REMAINS) for part in _SEPARATOR.split(text))
    elif split:
        yield from _SEPARATOR.split(text)
    else:
        yield text


def _years_of_text(text: str) -> float:
    found_years = _YEARS.search(text)
    found_months = _MONTHS.search(text)
    count = float(found_years[1].replace(",", ".")) if found_years is not None else 0.0
    return count + (float(found_months[1]) / _MONTHS_A_YEAR if found_months is not None else 0.0)
