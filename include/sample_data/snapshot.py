"""The month all sample data is seen from, and how it writes months and times.

Months are numbers: year * 12 + month - 1. The snapshot month is fixed, so that the same seed gives
the same bytes on every day.
"""

from __future__ import annotations

from collections.abc import Callable

from sample_data.locales import LOCAL_MONTHS, MONTHS

Chance = Callable[[], float]
"""A random number in [0, 1): `random.Random.random` of one person's stream."""

Row = tuple[str | None, ...]
"""The fields of one table row as text, in COPY column order."""

TODAY = (2026, 11)
NOW = TODAY[0] * 12 + TODAY[1] - 1


def iso(month: int) -> str:
    """`2019-03`."""
    return f"{month // 12:04d}-{month % 12 + 1:02d}"


def month_year(month: int, language: str | None = None) -> str:
    """`Mar 2019`, or as LinkedIn's page in that language writes it."""
    if language not in LOCAL_MONTHS:
        return f"{MONTHS[month % 12]} {month // 12}"
    word = LOCAL_MONTHS[language][0][month % 12]
    if language in ("zh", "ja"):
        return f"{month // 12}年{word}"
    return f"{month // 12}년 {word}" if language == "ko" else f"{word} {month // 12}"


def duration(first: int, last: int) -> str:
    """`1 yr 5 mos`, both months included."""
    years, months = divmod(max(1, last - first + 1), 12)
    parts = []
    if years:
        parts.append(f"{years} yr" if years == 1 else f"{years} yrs")
    if months:
        parts.append(f"{months} mo" if months == 1 else f"{months} mos")
    return " ".join(parts)


def timestamp(month: int, chance: Chance) -> str:
    """A moment in that month, UTC."""
    day, hour = 1 + int(chance() * 27), int(chance() * 24)
    minute, second = int(chance() * 60), int(chance() * 60)
    return f"{month // 12:04d}-{month % 12 + 1:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}Z"
