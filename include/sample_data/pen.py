"""One row in the making, and the truth about it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from random import Random

from sample_data.noise import View
from sample_data.people import Person
from sample_data.population import Population
from sample_data.snapshot import Chance, Row

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Compact JSON text, as exports write it."""


@dataclass(slots=True)
class SourceRow:
    """One row and the truth about it: whose keys it really carries, which traps it shows."""

    table: str
    key: str
    values: Row
    tags: list[str]
    vanities: list[str] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    view: View = ()


@dataclass(slots=True)
class Pen:
    """Everything a row maker needs. `repeat` is 1 for a source's second row about the person."""

    person: Person
    stream: Random
    population: Population
    tags: list[str]
    repeat: int = 0

    @property
    def chance(self) -> Chance:
        """The next random number in [0, 1)."""
        return self.stream.random

    def key(self, source: str) -> str:
        """The row's key in a source."""
        text = f"{self.population.seed}|{source}|{self.person.number}|{self.repeat}"
        return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()

    def vanity(self, old_share: float) -> str:
        """The public identifier that the row names; the old one, if any, in that share of rows."""
        old = self.person.old_vanity
        return old if old and self.chance() < old_share else self.person.vanity


def canonical_mailbox(address: str) -> str:
    """The address as the truth file writes it: lower case, Gmail dots and tags off."""
    local, domain = address.lower().strip().replace("mailto:", "").split("@")
    local = local.split("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        return local.replace(".", "") + "@gmail.com"
    return f"{local}@{domain}"
