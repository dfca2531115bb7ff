"""A summary as words, and the places in which the nouns of it stand. Pure.

Each question is about the words around a noun: whether it begins a description, whether the words
before it present the person ("we have here a", "at heart a"), whether it does something.
"""

from __future__ import annotations

import re

from profiles.validation.mention_words import (
    ACTED,
    ACTS,
    ADVERBS,
    ARTICLES,
    BEING,
    CALLS,
    CLAUSES,
    COMMAS,
    CONJUNCTIONS,
    COPULAS,
    DESCRIBED_BY,
    DETERMINERS,
    ENDS,
    FINDERS,
    FINDS,
    GOES_ON,
    HAVING,
    KINDS,
    MADE,
    MAY,
    NAMED_ROLES,
    NAMING,
    PERSONS,
    POSSESSIVES,
    PRAISED,
    PRAISING_FIELDS,
    PRAISING_TRADES,
    PREPOSITIONS,
    ROLES,
    SEEKERS,
    STOPS,
    STRANGERS,
    SUBORDINATES,
    TRADE_MARKERS,
    VERBS,
    WANTS,
    is_verb,
)
from profiles.validation.occupation_nouns import TRADES

__all__ = ["MentionText"]

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*['’]?|[.,;:!?()/&–—]")
_WINDOW = 8
_FEW = 4


class MentionText:
    """A summary as words, with what each place in it is."""

    def __init__(self, summary: str) -> None:
        # "A nurse-turned-novelist" is two trades; the text keeps its length.
        found = list(_TOKEN.finditer(summary.replace("-turned-", " turned ")))
        self.raw = tuple(match[0] for match in found)
        self.words = tuple(word.lower().removeprefix("ex-") for word in self.raw)
        self.ends = tuple(match.end() for match in found)
        self._by_end = {end: position for position, end in enumerate(self.ends)}

    def position_at(self, end: int) -> int | None:
        """The position of the word that ends there in the text."""
        return self._by_end.get(end)

    def first_of(self, position: int) -> int:
        """Where the words begin that belong to the noun at that position."""
        start = position
        while start and self.words[start - 1] not in STOPS and not self._is_owner(start - 1):
            before = self.words[start - 1]
            is_made = before in PERSONS and MADE.intersection(self.words[:start][-4:])
            if is_made or before in NAMING:
                break
            start -= 1
        return start

    def clause(self, at: int) -> int:
        """Where the clause begins that holds that position."""
        start = at
        while start > 0:
            word = self.words[start - 1]
            is_pronoun = word == "that" and self.words[start] == "of"
            if word in CLAUSES and not is_pronoun:
                return start - 1 if word in ("who", "whom", "whose") else start
            start -= 1
        return 0

    def is_marked(self, position: int) -> bool:
        return self.word(position + 1) == "by" and self.word(position + 2) in TRADE_MARKERS

    def is_played(self, position: int) -> bool:
        """Whether it is a part taken in some work: "acted as a buyer", "the buyer who chose"."""
        at = self.first_of(position) - 1
        if self.word(at) == "the" and self.word(at - 1) in COPULAS:
            return self.word(position + 1) in ("who", "that", "for", "on")
        at -= self.word(at) in ARTICLES
        return self.word(at) == "as" and self.word(at - 1) in ACTED

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def _is_owner(self, at: int) -> bool:
        word = self.words[at]
        return word.endswith(("'s", "’s", "s'", "s’")) and word not in KINDS

    def _begins(self, at: int) -> bool:
        return at <= 0 or self.words[at - 1] in ENDS

    def _sentence(self, at: int) -> int:
        """Where the sentence begins, or its part after a colon, that holds that position."""
        start = at
        while start > 0 and self.words[start - 1] not in ENDS:
            start -= 1
        return start

    def _is_fragment(self, position: int) -> bool:
        """Whether the sentence goes on from the noun without a verb: "A baker of great promise"."""
        if self.word(position + 1) not in PREPOSITIONS | ADVERBS | GOES_ON:
            return False
        for at in range(position + 1, len(self.words)):
            word = self.words[at]
            if word in ENDS or word in ("who", "that", "which"):
                break
            is_acting = word.endswith("s") and self.word(at + 1) in DETERMINERS
            if is_verb(word) or word in VERBS or word in MAY or is_acting:
                return False
        return True

    def _does_something(self, position: int) -> bool:
        """Whether a verb follows the noun: "a baker tested the app"."""
        following = self.word(position + 1)
        is_acting = following.endswith(("s", "ed")) and self.word(position + 2) in DETERMINERS
        return is_acting or following in COPULAS or following in ACTS or following in VERBS

    def _leads_to_person(self, position: int) -> bool:
        """Whether a description goes on to the person ("A plumber, she ..."), or to their years."""
        for at in range(position + 1, len(self.words)):
            word, following = self.words[at], self.word(at + 1)
            if word in ENDS:
                break
            if word == "with" and DESCRIBED_BY.intersection(self.words[at : at + _WINDOW]):
                return True
            if word == "," and (
                following in PERSONS
                or self.word(at + 2) in PERSONS
                or (following == "the" and self._acts_as_person(at + 2))
                or (self.raw[at + 1 : at + 2] != () and self.raw[at + 1][0].isupper())
            ):
                return True
        return False

    def _acts_as_person(self, at: int) -> bool:
        """Whether a noun after "the" does something: "the lecturer measures"."""
        following = self.word(at + 1)
        is_acting = following.endswith("s") and following not in STOPS
        return is_verb(following) or (is_acting and self.word(at) not in STRANGERS)

    def _is_praise(self, first: int, position: int) -> bool:
        """Whether "a born leader" praises somebody; "a born florist" tells a trade."""
        fields = self.words[first:position]
        if PRAISED.isdisjoint(fields):
            return False
        if len(fields) > 1:
            return not PRAISING_FIELDS.isdisjoint(fields)
        noun = self.words[position]
        return noun not in TRADES or noun in PRAISING_TRADES

    def _introduces(self, position: int, at: int, article: str) -> bool:
        """Whether the words before present the person: "we have here a", "in Ada one finds a"."""
        governor, before = self.word(at), self.words[max(0, at - 4) : at]
        if governor == "here" or (governor in ("have", "is") and "here" in before):
            return not self._does_something(position)
        if governor in BEING and article and not PERSONS.isdisjoint(before):
            is_noun_alone = self.word(position + 1) in STOPS or at + 2 == len(self.words)
            return is_noun_alone and self.first_of(position) < position
        return article != "" and (self._is_met(at) or self._is_in_whom(at))

    def _is_met(self, at: int) -> bool:
        """Whether those who read or look for somebody come upon the noun: "one sees a baker"."""
        governor, before = self.word(at), self.words[max(0, at - 4) : at]
        sentence = self.words[self._sentence(at) : at]
        if governor in ("stands", "stand"):
            return sentence[:1] in (("behind",), ("before",), ("here",))
        if governor.removesuffix("s") in FINDS and before[-1:] in (("one",), ("you",), ("we",)):
            return True
        if governor in ("with", "at") and before[-1:] in (("dealing",), ("looking",)):
            return not COPULAS.isdisjoint(before) and PERSONS.isdisjoint(sentence)
        if governor in WANTS and (self._begins(at) or self._is_sought(at)):
            return True
        if governor in FINDS and self._begins(at):
            return governor == "meet"
        is_found = governor in FINDS and not FINDERS.isdisjoint(sentence)
        return is_found and not MAY.isdisjoint(before)

    def _is_in_whom(self, at: int) -> bool:
        """Whether the person is named as having the noun in them: "in Ada the firm has a baker"."""
        if self.words[at - 1 : at] != ("in",) and self.words[max(0, at - 2) : at] != ("in", "the"):
            return False
        is_having = not HAVING.isdisjoint(self.words[self._sentence(at) : at])
        return self.words[at] in PERSONS or (is_having and self.raw[at][0].isupper())

    def _is_led_in(self, at: int, position: int) -> bool:
        """Whether a few words that begin the sentence lead in the noun: "At heart a baker, Ada"."""
        start = self._sentence(at)
        before = self.words[start : at + 1]
        if len(before) > _FEW or not (STRANGERS | PERSONS).isdisjoint(before):
            return False
        if any(is_verb(word) or word.endswith("ing") or word in VERBS | MAY for word in before):
            return False
        if before[:2] == ("once", "upon"):
            return self._leads_to_person(position)
        if before[0] in SUBORDINATES:
            return False
        return before[-1] not in PREPOSITIONS and self._leads_to_person(position)

    def _is_summing_up(self, position: int, at: int) -> bool:
        """Whether all that follows a few words is a description: "In short, a baker."."""
        before = self.words[self._sentence(at) : at]
        if self.words[at] != "," or not before:
            return False
        if len(before) >= _FEW or before[0] not in ("in", "all", "overall", "to", "on"):
            return False
        return self.word(position + 1) in (".", "") or self._is_fragment(position)

    def _before_aside(self, comma: int) -> int | None:
        """The verb before words set between commas: "is, in every respect, a baker"."""
        if self.words[comma] != ",":
            return None
        for at in range(comma - 1, max(0, comma - _FEW - 2), -1):
            if self.words[at] == ",":
                return at - 1 if self.word(at - 1) in COPULAS else None
        return None

    def _is_sought(self, at: int) -> bool:
        """Whether the person is offered to those who look for the noun: "Anyone in need of a"."""
        before = self.words[self._sentence(at) : at]
        return PERSONS.isdisjoint(before) and not SEEKERS.isdisjoint(before[:3])

    def _owned_by(self, at: int) -> int | None:
        """What governs "its" or "the firm's" where it says what the person is: "is its baker"."""
        if self.words[at] not in POSSESSIVES and not self._is_owner(at):
            return None
        before = at - 1
        while before >= 0 and (self.words[before] in ARTICLES or self.raw[before][0].isupper()):
            before -= 1
        governor = self.word(before)
        is_called = governor in PERSONS and self.word(before - 2) in CALLS | MADE
        return before if governor in COPULAS or governor == "as" or is_called else None

    def _names_person_at(self, at: int) -> bool:
        """Whether the candidate is named there: "the candidate", "Ada"."""
        if self.word(at) in ARTICLES:
            return self.word(at + 1) in PERSONS
        return at < len(self.raw) and self.raw[at][0].isupper()

    def _names_a_role(self, position: int) -> bool:
        """Whether "role" follows, after further occupations or not: "baker and butcher roles"."""
        following = self.words[position + 1 : position + 6]
        if following[:1] and following[0] in ROLES:
            return True
        for word in following:
            if word in NAMED_ROLES:
                return following[0] in COMMAS or following[0] in CONJUNCTIONS
            if word in STOPS and word not in COMMAS and word not in CONJUNCTIONS:
                break
        return False
