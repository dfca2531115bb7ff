"""Signature of a vendor of LinkedIn profiles."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sample_data.noise import View
from sample_data.people import Person

Json = dict[str, Any]


Maker = Callable[[Person, Random, View, str, str], tuple[Json, str]]
"""From person, stream, view, profile URL and public identifier."""
