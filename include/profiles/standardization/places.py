"""Countries and cities by their names in many languages. Pure.

`include/words/places.csv` has the names (countries of CLDR, cities of GeoNames, CC BY 4.0; a name
that two places may mean is in neither); `regions.csv` adds what people write beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from profiles.standardization.text import fold
from profiles.standardization.words import labels, words

_COMMA: Final = re.compile("[,،、，]")
_HAS_DIGIT: Final = re.compile(r"\d").search
_PARTS: Final = re.compile(r"[,;|/()،、，]|\s[-–·]\s")
_FILLER: Final = words("regions", "filler")
_LONGEST_NAME: Final = 3
# `\w` leaves out the vowel signs of Indic and Southeast Asian scripts.
_LETTER: Final = r"[\w\u064b-\u0652\u0900-\u109f\u1780-\u17ff]"
_NAME: Final = re.compile(rf"[^\W\d_](?:{_LETTER}|['’-](?=\w)|\.(?=\w))*")
_UNSPACED: Final = re.compile("[\u0e00-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
"""Scripts without spaces between words, from Thai on, or with endings on names, as Korean."""
_LONGEST_UNSPACED: Final = 6
_STATE: Final = 3
"""Letters of the short form of a state behind a city: "culiacan sin"."""


@cache
def countries() -> dict[str, str]:
    """ISO 3166 codes by folded names, in English and the larger languages or another script."""
    beside = {fold(name): code for name, code in labels("regions", "country").items()}
    return labels("places", "country") | beside


@cache
def _all_countries() -> dict[str, str]:
    return labels("places", "country_elsewhere") | countries()


@cache
def _cities() -> dict[str, str]:
    """Code of the country and English name of each city, by its folded names."""
    return labels("places", "city") | labels("regions", "city")


def country_named(name: str) -> str | None:
    """The ISO 3166 code of a country.

    >>> country_named("Deutschland"), country_named("Wien")
    ('DE', None)
    """
    return _all_countries().get(fold(name))


def city_named(name: str) -> tuple[str, str] | None:
    """The country and the English name of a city of 50,000 people or more, or of a US state.

    >>> city_named("München"), city_named("أبوظبي")
    (('DE', 'munich'), ('AE', 'abu dhabi'))
    """
    found = _cities().get(fold(name))
    return (found[:2], found[3:]) if found else None


@lru_cache(maxsize=16_384)
def country_of(location: str) -> str | None:
    """The ISO 3166 code of the country that a location ends with, else of its city.

    >>> country_of("Pune, India"), country_of("Greater Bengaluru Area")
    ('IN', 'IN')
    """
    parts = [fold(part) for part in _PARTS.split(location)]
    last = fold(location).split()[-_LONGEST_NAME:]
    ends = [" ".join(last[start:]) for start in range(len(last))]
    for part in reversed(parts):
        city = city_named(part) or city_named(_bare(part))
        if found := country_named(part) or (city and city[0]):
            return found
        # "Dubai UAE", but not "New Jersey", which is a whole part.
        if named := next(filter(None, map(country_named, ends)), None):
            return named
        ends = []
    return None


@lru_cache(maxsize=16_384)
def city_of(location: str | None) -> str | None:
    """The city that a location begins with, behind a street or none, by its English name if known.

    >>> city_of("Greater New York City Area"), city_of("Wien, Österreich"), city_of("Dubai UAE")
    ('new york', 'vienna', 'dubai')
    """
    if not location:
        return None
    parts = [fold(part) for part in _COMMA.split(location)]
    place = _bare(next((part for part in parts if part and not _HAS_DIGIT(part)), parts[0]))
    words = place.split()
    for end in range(len(words), 0, -1):
        city = city_named(" ".join(words[:end]))
        rest = " ".join(words[end:])
        if city and (len(rest) <= _STATE or rest in _all_countries()):
            return city[1]
    return place or None


@lru_cache(maxsize=16)
def places_in(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The ISO 3166 codes of the countries that a text names, itself or by a city, and the English
    names of its cities. A name begins with a capital, where its script has some."""
    countries, cities = set[str](), set[str]()
    codes_of, known = _all_countries(), _cities()
    for name in _names_in(text):
        if city := known.get(name):
            countries.add(city[:2])
            cities.add(city[3:])
        elif code := codes_of.get(name):
            countries.add(code)
    return frozenset(countries), frozenset(cities)


def _names_in(text: str) -> Iterator[str]:
    """Folded words, alone and in a row, that may be names; runs of letters without spaces."""
    for line in text.splitlines():
        words = _NAME.findall(line)
        folded = [*map(fold, words)]
        for n, word in enumerate(words):
            if _UNSPACED.match(word):
                sizes = range(2, _LONGEST_UNSPACED + 1)
                yield from (word[at : at + size] for at in range(len(word)) for size in sizes)
            if not word[0].islower():
                yield folded[n]
                yield " ".join(folded[n : n + 2])
                yield " ".join(folded[n : n + _LONGEST_NAME])


def is_one_place(place: str, other: str) -> bool:
    """Return whether two places are one, perhaps with its state behind: "tarnby vic"."""
    return f"{place} ".startswith(f"{other} ") or other.startswith(f"{place} ")


def _bare(name: str) -> str:
    """A folded name without words around it: "greater new york city area" → "new york"."""
    return " ".join([word for word in name.split() if word not in _FILLER]) or name
