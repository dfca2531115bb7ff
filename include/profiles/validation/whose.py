"""Of whom a summary tells something. Pure."""

from __future__ import annotations

from enum import StrEnum, auto

__all__ = ["Whose"]


class Whose(StrEnum):
    """Of whom an occupation is told."""

    OWN = auto()
    OTHER = auto()
    OPEN = auto()
