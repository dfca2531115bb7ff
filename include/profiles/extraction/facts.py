"""Single facts out of raw values: lines, texts, places, lists of names, years.

Raw values are whatever a row held: text, numbers, lists, objects. What does not fit is nothing;
nothing here raises on data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, TypeVar

from profiles.extraction import limits
from profiles.extraction.json_path import decode_json, listed, looks_like_json
from profiles.standardization import capitals
from profiles.standardization.text import SHORT, clean_line, is_placeholder, short_line

Fact = TypeVar("Fact")
"""Type of the value that is read from a field."""
LONGEST_NAME: Final = 80
"""Characters of a skill, certificate or language; what is longer is prose, not a name."""

_JSON_REMAINS: Final = "[]{}\"'"
_NAME_MEMBERS: Final = ("name", "title", "skill", "language", "value")
_YEARS: Final = re.compile(r"(?<!\d)(\d+(?:[.,]\d+)?)\s*(?:\+\s*)?(?:y|$)", re.IGNORECASE)
_MONTHS: Final = re.compile(r"(?<!\d)(\d+)\s*(?:\+\s*)?m", re.IGNORECASE)
_NO_PLACE: Final = frozenset({"contact info", "remote", "hybrid", "on-site", "onsite"})
_WORKPLACE: Final = " · "
_HOUSE: Final = re.compile(r"\A[^,\d]*\b(?:\d{3}|\d{1,3}[A-Za-z])\b[^,\d]*,\s*(?=[^,]+,)")
_MOST_YEARS: Final = 60
_MONTHS_A_YEAR: Final = 12


def line(value: object) -> str | None:
    """One clean line of a text or number; None for anything else."""
    if isinstance(value, str):
        return short_line(value) if len(value) <= SHORT else clean_line(limits.long_line(value))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return clean_line(str(value)) if is_number else None


def country(value: object) -> str | None:
    """A country as the vendor names it. NA is Namibia's code, and a missing value elsewhere."""
    return "NA" if value == "NA" else line(value)


def said(value: object) -> object | None:
    """A raw date, None where it is no more than null, "", {} or an object of nulls."""
    if isinstance(value, str):
        return None if is_placeholder(value) else limits.within_dates(value)
    if isinstance(value, dict):
        for member in value.values():
            if member not in (None, ""):
                return value
        return None
    return value


def names(lists: Iterable[tuple[Sequence[object], bool]]) -> tuple[str, ...]:
    """Skills, each once, in order, as the vendor writes them.

    A cell such as "a, b | c" is several names. An element of a list is one, so that a comma inside
    it survives, unless it is longer than a name can be. Objects give their name or title.
    """
    found: dict[str, str] = {}
    for cells, is_element in lists:
        for part in (part for cell in cells for part in parts(cell, split=not is_element)):
            name = (short_line if len(part) <= SHORT else clean_line)(part)
            if name is None:
                continue
            for piece in [name] if len(name) <= LONGEST_NAME else listed(name):
                if len(piece) <= LONGEST_NAME:
                    found.setdefault(piece.casefold(), piece)
    return tuple(found.values())


def place(value: object) -> str | None:
    """A place without the way of working ("Pune · On-site") and the number of a house before
    district and town ("Villa 214, Fann, Dakar"); None for what only looks like one."""
    text = (line(value) or "").partition(_WORKPLACE)[0]
    text = _HOUSE.sub("", text) if "," in text else text
    return None if text.casefold() in _NO_PLACE else text or None


def years(value: object) -> float | None:
    """Years of experience from "7", "7 yrs 3 mos" or 7.4; zero means unknown."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        in_years, in_months = _YEARS.search(value), _MONTHS.search(value)
        value = float(in_years[1].replace(",", ".")) if in_years else 0.0
        value += float(in_months[1]) / _MONTHS_A_YEAR if in_months else 0.0
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


def instant(value: object) -> datetime | None:
    """UTC time of a timestamp as Postgres or JSON writes it; one without a zone is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        try:
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        except OverflowError:
            # The first or last day of the calendar, written in a zone on the far side of it.
            return None
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return None


def capitalized(text: str | None) -> str | None:
    """The name of a person or place with capitals where the vendor lower-cased all of it."""
    return capitals.capitalized_name(text) if text is not None and text.islower() else text


def spelled_out(text: str | None) -> str | None:
    """A text with the names of an API's choices as words: NATIVE_OR_BILINGUAL."""
    if text is not None and "_" in text and text.isupper():
        return text.replace("_", " ").capitalize()
    return text


def capitalized_title(text: str | None) -> str | None:
    """The same of a title, employer, school or degree."""
    return capitals.capitalized(text) if text is not None and text.islower() else text


def parts(value: object, *, split: bool, depth: int = 0) -> list[str]:
    """The raw names in a value: text, JSON text, lists of either, objects with a name."""
    if isinstance(value, str):
        if not looks_like_json(value):
            return listed(value) if split else [value]
        decoded = decode_json(value)
        if decoded is not value:
            return parts(decoded, split=False, depth=depth)
        # A list cut off in the middle is still a list of names.
        return [part.strip(_JSON_REMAINS) for part in listed(value.strip().strip(_JSON_REMAINS))]
    if isinstance(value, list) and depth < DEEPEST:
        return [part for each in value for part in parts(each, split=False, depth=depth + 1)]
    if isinstance(value, dict):
        for member in _NAME_MEMBERS:
            if isinstance(name := value.get(member), str):
                return [name]
    return []


WRAPPED: Final = "value"
"""Member under which an element that is no object is found: `fields: {degree: value}`."""
DEEPEST: Final = 20
"""Lists in lists are read down to this depth; no vendor nests half as deep."""


def objects(value: object) -> list[Mapping[str, object]]:
    """The elements of a raw list, JSON text decoded; what is no list is one element."""
    value = decode_json(value)
    return [
        element if isinstance(element, dict) else {WRAPPED: element}
        for element in (value if isinstance(value, list) else [value])
    ]


def members(value: object) -> list[Mapping[str, object]]:
    """The objects of a raw list; nothing where there is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
