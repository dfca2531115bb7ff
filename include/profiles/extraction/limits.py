"""Limits on how much of a row is read, so that no row delays a run; the excess is cut and counted.

The counts are of the row that is read now: `start` forgets those of the row before.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from profiles.extraction.json_path import decode_json
from profiles.standardization.characters import shorten_runs

LONGEST_LINE: Final = 500
LONGEST_DATE: Final = 100
LONGEST_TEXT: Final = 20_000
MOST_ITEMS: Final = 500
MOST_CHARACTERS: Final = 200_000
"""Of all long texts of a row together."""

_cuts: list[str] = []


def start() -> None:
    """A new row: nothing of it was cut yet."""
    _cuts.clear()


def cuts() -> tuple[str, ...]:
    """Reasons for unread parts of the row: `long_line`, `long_text`, `long_list`, …"""
    return tuple(_cuts)


def long_line(text: str) -> str:
    """The beginning of a line, a name or an address that is too long to be one."""
    if len(text) <= LONGEST_LINE:
        return text
    _cuts.append("long_line")
    return text[:LONGEST_LINE]


def within_dates(text: str) -> str | None:
    """The text of a date; None when it is too long to be one."""
    if len(text) <= LONGEST_DATE:
        return text
    _cuts.append("long_date")
    return None


def bounded(value: object) -> object:
    """A large cell with its texts and lists cut; JSON inside a text is opened first, so that it
    stays JSON."""
    return _bounded(value, [MOST_CHARACTERS])


def _bounded(value: object, left: list[int]) -> object:
    if isinstance(value, str):
        decoded = decode_json(value) if len(value) > LONGEST_TEXT else value
        return _text(value, left) if decoded is value else _bounded(decoded, left)
    if isinstance(value, list):
        if len(value) > MOST_ITEMS:
            _cuts.append("long_list")
        return [_bounded(each, left) for each in value[:MOST_ITEMS]]
    if isinstance(value, dict):
        if len(value) > MOST_ITEMS:
            _cuts.append("long_list")
        return {name: _bounded(value[name], left) for name in islice(value, MOST_ITEMS)}
    return value


def _text(written: str, left: list[int]) -> str:
    text = shorten_runs(written)
    if len(text) < len(written):
        _cuts.append("long_run")
    if len(text) > LONGEST_TEXT:
        _cuts.append("long_text")
        text = text[:LONGEST_TEXT]
    if len(text) > left[0]:
        _cuts.append("large_row")
        text = text[: left[0]]
    left[0] -= len(text)
    return text
