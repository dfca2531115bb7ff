"""Printed parts of a resume: contact lines and dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from sample_data.locales import LONG_MONTHS, MONTHS
from sample_data.noise import Spell, View
from sample_data.people import Person
from sample_data.snapshot import Chance

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contact:
    """The contact lines printed on a resume; `vanity` is the profile its LinkedIn link names."""

    email: str | None
    second_email: str | None
    phone: str | None
    url: str | None
    vanity: str


Maker = Callable[[Person, Random, View, Contact], Json]


_PRESENT = ("Present", "present", "Current", "till date", "Now", "to date", "PRESENT")


def printed_date(month: int | None, precision: str, style: int) -> str | None:
    """A date in one of the seven styles of printed resumes; year precision is the year alone."""
    if month is None:
        return None
    year, number = month // 12, month % 12 + 1
    if precision == "y":
        return str(year)
    return (
        f"{MONTHS[number - 1]} {year}",
        f"{number:02d}/{year}",
        f"{LONG_MONTHS[number - 1]} {year}",
        f"{MONTHS[number - 1]} '{year % 100:02d}",
        f"{year}/{number:02d}",
        f"{number:02d}.{year}",
        f"{'Sept' if number == 9 else MONTHS[number - 1]}, {year}",
    )[style]


def printed_range(spell: Spell, style: int, chance: Chance) -> str:
    """First and last date of a spell, as some resume joins them."""
    first = printed_date(spell.start, spell.precision, style)
    last = (
        _PRESENT[int(chance() * 7)]
        if spell.end is None
        else printed_date(spell.end, spell.precision, style)
    )
    if first is None:
        return last or ""
    return first + (" - ", " – ", "-", " to ", " — ")[int(chance() * 5)] + (last or "")
