"""Word lists and rates of the generator, and weighted draws from them."""

from __future__ import annotations

import random
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

__all__ = ["LEVELS", "lists", "rates", "zipf"]

LEVELS = ("mild", "real", "harsh")


@cache
def lists(name: str) -> Any:
    """Content of one YAML file beside this module."""
    return yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text("utf-8"))


@cache
def rates(level: str) -> dict[str, float]:
    return {kind: by_level[LEVELS.index(level)] for kind, by_level in lists("levels").items()}


@cache
def _cumulative(size: int, exponent: float) -> list[float]:
    return list(accumulate((rank + 1.5) ** -exponent for rank in range(size)))


def zipf(rng: random.Random, items: list[str], exponent: float = 1.0) -> str:
    """One item; the first ones are the most frequent."""
    return rng.choices(items, cum_weights=_cumulative(len(items), exponent))[0]
