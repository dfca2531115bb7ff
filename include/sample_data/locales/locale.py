"""A person's place of origin, and the format of its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

NamePart = tuple[str, str]
"""Native spelling, Latin spelling."""


City = tuple[str, str, str]
"""City, region (may be empty), country."""


@dataclass(frozen=True, slots=True)
class Locale:
    """A person's place of origin.

    `language` is that of localised pages, `dial` makes an E.164 number from any integer.
    """

    weight: int
    country: str
    given: tuple[NamePart, ...]
    family: tuple[NamePart, ...]
    cities: tuple[City, ...]
    dial: Callable[[int], str]
    language: str
    family_first: bool = False


def words(text: str) -> tuple[str, ...]:
    """Words parted by white space."""
    return tuple(text.split())


def pairs(text: str) -> tuple[NamePart, ...]:
    """`native|latin` words as pairs."""
    return tuple((native, latin) for native, latin in (word.split("|") for word in text.split()))


def cities_of(text: str) -> tuple[City, ...]:
    """One `city|region|country` per line."""
    rows = (line.strip().split("|") for line in text.strip().splitlines())
    return tuple((city, region, country) for city, region, country in rows)
