"""Single facts out of raw values: lines, texts, places, lists of names, years.

Raw values are whatever a row held: text, numbers, lists, objects. What does not fit is nothing;
nothing here raises on data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from profiles.extraction.json_path import NOT_JSON, decode_json, looks_like_json
from profiles.extraction.plan import Paths
from profiles.standardization.text import clean_block, clean_line

Fact = TypeVar("Fact")

LONGEST_NAME: Final = 80
"""Characters of a skill, certificate or language; what is longer is prose, not a name."""

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
        return clean_line(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return clean_line(str(value))


def first(found: Iterable[object], convert: Callable[[object], Fact | None]) -> Fact | None:
    """The first usable value."""
    for value in found:
        fact = convert(value)
        if fact is not None:
            return fact
    return None


def all_of(found: Iterable[object], convert: Callable[[object], str | None]) -> tuple[str, ...]:
    """Every usable value once, in order."""
    facts = (convert(value) for value in found)
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def text_line(paths: Paths | None, root: Mapping[str, object]) -> str | None:
    """A field of one line. Joined values are put together with commas."""
    if paths is None:
        return None
    if paths.join:
        return ", ".join(all_of(paths.all(root), line)) or None
    return first(paths.all(root), line)


def text_block(paths: Paths | None, root: Mapping[str, object]) -> str | None:
    """A field of several lines: the first path that has text; several values become bullets."""
    if paths is None:
        return None
    for group in paths.groups(root):
        parts = [part for part in group if isinstance(part, str) and part]
        if len(parts) > 1:
            parts = [part if "\n" in part else f"- {part}" for part in parts]
        block = clean_block("\n".join(parts)) if parts else None
        if block is not None:
            return block
    return None


def names(paths: Paths | None, root: Mapping[str, object], *, split: bool) -> tuple[str, ...]:
    """Skills, certificates or languages, each once, in order.

    With `split` a cell such as "a, b | c" is several names. An element of a list is always one,
    so that a comma inside it survives. Objects give their name or title.
    """
    if paths is None:
        return ()
    found: dict[str, str] = {}
    for cell, is_element in paths.cells(root):
        for part in _parts(cell, split=split and not is_element):
            name = clean_line(part)
            if name is not None and len(name) <= LONGEST_NAME:
                found.setdefault(name.casefold(), name)
    return tuple(found.values())


def place(value: object) -> str | None:
    """A place without the way of working ("Pune · On-site"); None for what only looks like one."""
    text = line(value)
    if text is None:
        return None
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


def _parts(value: object, *, split: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield from _parts_of_text(value, split=split)
    elif isinstance(value, list):
        for element in value:
            yield from _parts(element, split=False)
    elif isinstance(value, dict):
        name = next((value[m] for m in _NAME_MEMBERS if isinstance(value.get(m), str)), None)
        if name is not None:
            yield name


def _parts_of_text(text: str, *, split: bool) -> Iterator[str]:
    if looks_like_json(text):
        decoded = decode_json(text)
        if decoded is not NOT_JSON:
            yield from _parts(decoded, split=False)
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
