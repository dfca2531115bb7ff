"""One role family: title ladder, skills with their aliases, phrases of job descriptions.

Placeholders in phrases ({p}, {m}, …) are filled with numbers from `VALUES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sample_data.industries import INDUSTRY_NUMBER
from sample_data.snapshot import Chance

Phrase = tuple[str, list[tuple[Callable[[Chance], str], str]]]
"""A text, then (value maker, following text) for every placeholder."""


VALUES: dict[str, Callable[[Chance], str]] = {
    "p": lambda r: str(5 + int(r() * 60)),
    "m": lambda r: (
        "$€₹£"[int(r() * 4)] + str(1 + int(r() * 40)) + ("M", "0K", " Cr", "0k")[int(r() * 4)]
    ),
    "q": lambda r: str(2 + int(r() * 7)),
    "a": lambda r: str(5 + int(r() * 30)),
    "b": lambda r: str(60 + int(r() * 39)),
    "k": lambda r: str(20 + int(r() * 900)),
    "c": lambda r: str(2 + int(r() * 14)),
    "h": lambda r: str(10 + int(r() * 300)),
    "d": lambda r: str(1 + int(r() * 4)),
    "n": lambda r: str(2 + int(r() * 18)),
}


def _phrase(text: str) -> Phrase:
    first, *rest = text.split("{")
    return first, [(VALUES[part[0]], part[2:]) for part in rest]


def fill(phrase: Phrase, chance: Chance) -> str:
    """The phrase with a fresh number in every placeholder."""
    text, rest = phrase
    for make, following in rest:
        text += make(chance) + following
    return text


def lines(text: str) -> tuple[str, ...]:
    """Each line of a block, without its indentation."""
    return tuple(line.strip() for line in text.strip().splitlines())


RESULTS = lines(
    """
    cutting cycle time by {p}%
    which reduced cost by {m} over {q} quarters
    raising adoption from {a}% to {b}%
    for {k} customers across {c} countries
    saving roughly {h} hours a month
    with zero severity-1 incidents in {q} quarters
    and brought the error rate below {d}%
    within {q} months of joining
    ahead of the agreed deadline and {p}% under budget
    used daily by {k} people
    lifting customer satisfaction to {b}%
    and presented the outcome to the leadership team
    """
)


_TAILS = tuple(
    line[1:]
    for line in """
|; worked with product, legal and support to agree scope and rollout.
|; documented the approach and trained {n} colleagues to run it.
| while keeping the existing process running for {k} users.
|, after a pilot with {c} teams showed the idea held up.
|; reported progress to the steering committee every {q} weeks.
| and handed it over with runbooks, alerts and a support rota.
|, replacing spreadsheets and manual checks that took {h} hours a month.
|; handled vendor selection, contract and roll-out end to end.
| and hired {n} people to keep it going.
|, starting from a blank page and a budget of {m}.
""".strip().splitlines()
)


@dataclass(frozen=True, slots=True)
class Career:
    """One role family. `titles` go from intern to head; a skill is (canonical, alias, …)."""

    industries: tuple[int, ...]
    titles: tuple[str, ...]
    skills: tuple[tuple[str, ...], ...]
    openings: tuple[Phrase, ...]
    short_endings: tuple[Phrase, ...]
    long_endings: tuple[Phrase, ...]
    introductions: tuple[str, ...]


def career(
    *, industries: str, titles: str, skills: str, verbs: str, objects: str, manners: str
) -> Career:
    """One family from blocks of lines; a skill is `canonical=alias=…`."""
    things, ways = lines(objects), lines(manners)
    return Career(
        industries=tuple(INDUSTRY_NUMBER[label] for label in lines(industries)),
        titles=lines(titles),
        skills=tuple(tuple(line.split("=")) for line in lines(skills)),
        openings=tuple(
            _phrase(f"{verb} {thing} {way}, ")
            for verb in lines(verbs)
            for thing in things
            for way in ways
        ),
        short_endings=tuple(_phrase(f"{result}.") for result in RESULTS),
        long_endings=tuple(_phrase(result + tail) for result in RESULTS for tail in _TAILS),
        introductions=tuple(f"Responsible for {thing} {way}." for thing in things for way in ways),
    )
