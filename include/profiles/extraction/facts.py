"""Single facts out of raw values: lines, texts, places, lists of names, years.

Raw values are whatever a row held: text, numbers, lists, objects. What does not fit is nothing;
nothing here raises on data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from profiles.extraction.json_path import NOT_JSON, decode_json, looks_like_json
from profiles.extraction.paths import Paths, Root
from profiles.standardization.text import clean_block, clean_line, is_placeholder

Fact = TypeVar("Fact")
Read = Callable[[Root], Fact | None]
"""Reads one fact of a row, or of one of its jobs or studies."""

LONGEST_NAME: Final = 80
"""Characters of a skill, certificate or language; what is longer is prose, not a name."""

TOO_LONG: Final = "too_long"
"""Why such a name was not read."""

_LONGEST_REMEMBERED: Final = 80

_SEPARATOR = re.compile(r"\s*[,;|•·\n]\s*")
_JSON_REMAINS = "[]{}\"'"
_NAME_MEMBERS = ("name", "title", "skill", "language", "value")
_YEARS = re.compile(r"(\d+(?:[.,]\d+)?)\s*\+?\s*(?:y|$)", re.IGNORECASE)
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


def first(found: Iterable[object], convert: Callable[[object], Fact | None]) -> Fact | None:
    """The first usable value."""
    for value in found:
        if value is not None:
            fact = convert(value)
            if fact is not None:
                return fact
    return None


def all_of(found: Iterable[object], convert: Callable[[object], str | None]) -> tuple[str, ...]:
    """Every usable value once, in order."""
    facts = (convert(value) for value in found)
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def first_reader(paths: Paths | None, convert: Callable[[object], Fact | None]) -> Read[Fact]:
    """Reads the first usable value of a field; nothing where the mapping has no such field."""
    if paths is None:
        return _nothing
    getters = paths.getters
    if getters is None:
        return lambda root: first(paths.all(root), convert)
    if len(getters) == 1:
        get = getters[0]

        def read_one(root: Root) -> Fact | None:
            value = get(root)
            return None if value is None else convert(value)

        return read_one

    def read(root: Root) -> Fact | None:
        for get in getters:
            value = get(root)
            if value is not None:
                fact = convert(value)
                if fact is not None:
                    return fact
        return None

    return read


def line_reader(paths: Paths | None) -> Read[str]:
    """Reads a field of one line. Joined values are put together with commas."""
    if paths is not None and paths.join:
        return lambda root: ", ".join(all_of(paths.all(root), line)) or None
    return first_reader(paths, line)


def block_reader(paths: Paths | None) -> Read[str]:
    """Reads a field of several lines."""
    if paths is None:
        return _nothing
    if paths.getters is not None:
        return first_reader(paths, _block)
    return lambda root: _block_of_values(paths, root)


def said(value: object) -> object | None:
    """A raw date, None where it is no more than null, "", {} or an object of nulls."""
    if isinstance(value, str):
        return None if _is_placeholder_text(value) else value
    if isinstance(value, dict):
        return value if any(member not in (None, "") for member in value.values()) else None
    return value


def _nothing(_: Root) -> None:
    return None


def _block(value: object) -> str | None:
    return clean_block(value) if isinstance(value, str) and value else None


_is_placeholder_text = lru_cache(maxsize=16_384)(is_placeholder)


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
