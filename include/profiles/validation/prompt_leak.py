"""Whether a summary repeats its instructions: what a record asked for, not what it says."""

from __future__ import annotations

from functools import lru_cache

from profiles.validation.evidence import words_of

__all__ = ["prompt_fault"]

_RUN = 8
"""Words in a row; a true summary shares shorter runs with a prompt ("years of experience")."""


def prompt_fault(summary: str, *, prompt: str, document: str) -> str | None:
    """ "instructions" when a run of words stands in the prompt and not in the document."""
    runs = _runs(summary) & _instructions(prompt)
    if not runs:
        return None
    return "instructions" if runs - _runs(document) else None


@lru_cache(maxsize=8)
def _instructions(prompt: str) -> frozenset[tuple[str, ...]]:
    return _runs(prompt)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = list(words_of(text))
    return frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))
