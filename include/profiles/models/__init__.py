"""The records that cross module boundaries: frozen.

The engine process imports these in an interpreter that has neither Airflow nor a driver, so what it
uses is of the standard library only. The records of people are read and written by the thousand and
are msgspec's; they are imported when one is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from profiles.models.generation import *
from profiles.models.outcome import *

if TYPE_CHECKING:
    from profiles.models.candidate import *
    from profiles.models.source import *


def __getattr__(name: str) -> object:
    for module in () if name.startswith("_") else ("source", "candidate"):
        if (found := getattr(import_module(f"{__name__}.{module}"), name, None)) is not None:
            return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
