"""Formats of figures for people: one dash for what is not known, thin groups of digits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

_DASH = "–"
_MINUTE, _HOUR = 60, 3600


def number(value: float | None, digits: int = 0) -> str:
    """A figure with grouped digits.

    >>> number(475000), number(3.14159, 2), number(None)
    ('475,000', '3.14', '–')
    """
    return _DASH if value is None else f"{value:,.{digits}f}"


def share(value: float | None, digits: int = 1) -> str:
    """A share as a percentage.

    >>> share(0.1234), share(None)
    ('12.3 %', '–')
    """
    return _DASH if value is None else f"{value * 100:.{digits}f} %"


def duration(seconds: float | None) -> str:
    """A length of time in its two largest units.

    >>> duration(0.42), duration(75), duration(30000), duration(None)
    ('0.4 s', '1 min 15 s', '8 h 20 min', '–')
    """
    if seconds is None:
        return _DASH
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min {int(seconds % _MINUTE)} s"
    return f"{int(seconds // _HOUR)} h {int(seconds % _HOUR // _MINUTE)} min"


def moment(value: str | None) -> str:
    """A time as written in the report's JSON, to the minute and in its own zone.

    >>> moment("2026-03-01T22:00:05.123+00:00"), moment(None)
    ('2026-03-01 22:00 UTC', '–')
    """
    if value is None:
        return _DASH
    read = datetime.fromisoformat(value)
    zone = read.strftime("%Z") or ""
    return f"{read:%Y-%m-%d %H:%M} {zone}".strip()


def text(value: Any) -> str:
    """A setting, Param or count as a person reads it.

    >>> text(None), text([]), text(["a", "b"]), text(True), text({"rows": 3, "b": None})
    ('–', '–', 'a, b', 'yes', 'rows 3, b –')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return _DASH
    if isinstance(value, dict):
        return ", ".join(f"{name} {text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(text, value))
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def above_zero(counts: dict[str, Any]) -> dict[str, Any]:
    """The counts of a stage that are not zero; one whose name holds a text is shown elsewhere.

    >>> above_zero({"rows": 3, "gone": 0, "linkedin.unread: raw.poems": 0.3})
    {'rows': 3}
    """
    return {name: value for name, value in counts.items() if value and ": " not in name}


FILTERS: dict[str, Callable[..., Any]] = {
    "above_zero": above_zero,
    "number": number,
    "share": share,
    "duration": duration,
    "moment": moment,
    "show": text,
}
