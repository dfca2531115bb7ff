"""The wordings of a round, from which labelled outputs are made, each used as often as the others.

A round is a file of `benchmarks/gate_wordings`: lists of sentences with slots, by people who know
neither the checks nor what they get wrong. A round that lacks a list has no outputs made of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from string import Formatter
from typing import Any, TypeVar

from benchmarks.people import REPOSITORY

__all__ = ["REPORTED", "TUNING", "Wordings", "slots_in"]

TUNING = ("first", "second", "third", "fourth", "fifth_tuning")
REPORTED = ("fifth_reported",)
_FOLDER = REPOSITORY / "benchmarks" / "gate_wordings"
_LETTERS = 6
_Entry = TypeVar("_Entry")


class Wordings:
    """The lists of one round. What fits is taken in turn, so that no wording is left out."""

    def __init__(self, lists: Mapping[str, Any]) -> None:
        self._lists = lists
        self._used: Counter[str] = Counter()

    @classmethod
    def of_round(cls, name: str) -> Wordings:
        """The wordings of a round."""
        return cls(json.loads((_FOLDER / f"{name}.json").read_text()))

    def has(self, *names: str) -> bool:
        """Whether the round has all these lists."""
        return all(self._lists.get(name) for name in names)

    def every(self, name: str) -> list[Any]:
        """A whole list, in its order."""
        return list(self._lists.get(name, ()))

    def ranks(self) -> dict[str, tuple[str, list[str]]]:
        """By level, what in a document makes the rank doubtful, and names of the rank."""
        return {
            level: (rank["doubts"], rank["names"])
            for level, rank in self._lists.get("ranks", {}).items()
        }

    def occupations(self) -> list[tuple[str, str]]:
        """Occupations that nobody has, and what in a document would make each doubtful."""
        return [
            (entry, rf"\b{entry.split()[0][:_LETTERS]}")
            if isinstance(entry, str)
            else (entry[0], entry[1])
            for entry in self.every("occupations") + self.every("office_occupations")
        ]

    def take(self, fitting: Sequence[_Entry], stream: Random) -> _Entry:
        """One of these that was taken least often so far."""
        fewest = min(self._used[repr(entry)] for entry in fitting)
        entry = stream.choice([entry for entry in fitting if self._used[repr(entry)] == fewest])
        self._used[repr(entry)] += 1
        return entry

    def fill(self, name: str, slots: Mapping[str, str], stream: Random, *values: str) -> str | None:
        """A sentence of that list whose slots the document fills; None where it fills none.

        A sentence with two empty slots says the one value twice.
        """
        fitting = [text for text in self.every(name) if slots_in(text) <= slots.keys()]
        if not fitting:
            return None
        return self.take(fitting, stream).format(*values, *values, **slots)


def slots_in(text: str) -> set[str]:
    """The names of the slots of a wording."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}
