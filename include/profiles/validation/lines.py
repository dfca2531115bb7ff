"""A line of a document, with its figures and what it is about. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from profiles.validation.evidence import stem, words_of
from profiles.validation.language import ENGLISH
from profiles.validation.numbers import Amount
from profiles.validation.wording import table

__all__ = ["Line", "commonplace", "content_of"]


def content_of(words: tuple[str, ...]) -> frozenset[str]:
    """The stems that say something: no small words, no numbers."""
    return frozenset(
        stem(word)
        for word in frozenset(words) - _small_words()
        if len(word) > 1 and not word.isdigit()
    )


@dataclass(frozen=True)
class Line:
    """One line or sentence of the document, and the place of the job that it belongs to."""

    text: str
    section: str
    job: int | None
    amounts: tuple[Amount, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its folded words."""
        return tuple(words_of(self.text))

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of its content words."""
        return content_of(self.words)


@lru_cache(maxsize=1)
def _small_words() -> frozenset[str]:
    return ENGLISH | table("generic")["words"]


@lru_cache(maxsize=1)
def commonplace() -> frozenset[str]:
    ranks = (words for group, words in table("titles").items() if group == "rank")
    return ENGLISH.union(table("generic")["words"], *ranks)
