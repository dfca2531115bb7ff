"""Whether an occupation that a summary mentions is said of its person or of somebody else. Pure.

What governs the noun decides: "worked as a plumber", "the role of plumber" and "a plumber by
trade" are the person's own; the object of any other verb or preposition is not ("called in a
plumber", "a site for a plumber"), nor what a customer or a colleague is said to be. A noun in a
list goes with the one before it. Where nothing decides, the mention is open.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from profiles.validation.mention_words import (
    ACTS,
    ADJUNCTS,
    ADVERBS,
    ARTICLES,
    CLAUSES,
    COMMAS,
    CONCEDES,
    CONJUNCTIONS,
    COPULAS,
    DENIALS,
    DESCRIBED_BY,
    DESCRIBES_FIRST,
    DETERMINERS,
    ENDS,
    HELD_BEFORE,
    KINDS,
    LISTED_AFTER,
    MADE,
    MOVES,
    NAMED_ROLES,
    NAMING,
    NEGATIONS,
    OBJECTS,
    OWNED_STRANGERS,
    OWNERS,
    PAST_LIVES,
    PATHS,
    PERSONS,
    PRAISED,
    PREPOSITIONS,
    PRESENTS,
    PROFILES,
    ROLES,
    STOPS,
    STRANGERS,
    TIMES,
    TRADE_MARKERS,
    WORK_AFTER,
    WORK_IS,
    is_one,
    is_recruiting,
    is_verb,
)
from profiles.validation.whose import Whose

__all__ = ["Mentions", "Whose", "mentions_of"]


_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*['’]?|[.,;:!?()/&–—]")
_WINDOW = 8
_DEEPEST = 6
_LEADING_IN = (("before", "that"), ("after", "that"))


@lru_cache(maxsize=1)
def mentions_of(summary: str) -> Mentions:
    """The summary as words; the checks of one summary share them."""
    return Mentions(summary)


class Mentions:
    """A summary as words, in which occupations are looked at."""

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

    def whose(self, position: int) -> Whose:
        """Of whom the occupation is told whose noun stands at that position."""
        return self._whose(position, 0)

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

    def _whose(self, position: int, depth: int) -> Whose:
        following = self.word(position + 1)
        first = self.first_of(position)
        if following in ADJUNCTS or PRAISED.intersection(self.words[first:position]):
            return Whose.OTHER
        if depth > _DEEPEST:
            return Whose.OPEN
        at = first - 1
        article = ""
        while at >= 0 and (self.words[at] in DETERMINERS or self._is_owner(at)):
            if self.words[at] in OBJECTS and self.word(at - 1) in MADE:
                return Whose.OWN
            if self.words[at] not in ARTICLES and self.words[at] not in ("this", "both"):
                return Whose.OTHER if article or self.words[at] != "one" else Whose.OPEN
            article, at = self.words[at], at - 1
        if self._names_a_role(position) and self.word(at) in HELD_BEFORE:
            return self._subject(at)
        if article == "this" and self.word(at) in COMMAS:
            return Whose.OWN
        return self._governed(position, at, article, depth)

    def _governed(self, position: int, at: int, article: str, depth: int) -> Whose:
        """By the word that governs the noun, adverbs passed over."""
        is_timed = False
        while at >= 0 and self.words[at] in ADVERBS:
            is_timed = is_timed or self.words[at] in TIMES
            at -= 1
        governor = self.word(at)
        if governor in NEGATIONS:
            return self._subject(at) if "only" in self.words[at:position] else Whose.OTHER
        if at < 0 or governor in ENDS:
            return self._beginning(position, at, article, is_timed=is_timed)
        if governor in COMMAS or governor in CONJUNCTIONS:
            return self._listed(position, at, is_timed=is_timed, depth=depth)
        if self._names_its_subject(at):
            return self._subject(at)
        if governor in CONCEDES:
            return self._if(self.word(position + 1) in (",", "by"))
        if self._names_the_person(at) or (article and governor in PAST_LIVES):
            return Whose.OWN
        return self._after_word(at, article, depth)

    def _after_word(self, at: int, article: str, depth: int) -> Whose:
        """After a preposition or a verb that names no subject."""
        governor = self.words[at]
        if governor in LISTED_AFTER:
            return self._if(ROLES.intersection(self.words[max(0, at - 4) : at]))
        if governor in PREPOSITIONS:
            return self._after_preposition(at, depth)
        if not article:
            return Whose.OPEN
        return self._if(governor in PRESENTS and PROFILES.intersection(self.words[:at][-_WINDOW:]))

    def _names_its_subject(self, at: int) -> bool:
        """Whether the verb says what its subject is: "is", "turned", "calls herself"."""
        governor = self.words[at]
        is_passive = governor in MADE and self.word(at - 1) in COPULAS
        return governor in COPULAS or governor == "turned" or governor in NAMING or is_passive

    def _names_the_person(self, at: int) -> bool:
        """As in "made the candidate a plumber" and "by trade a plumber"."""
        if self.words[at] in PERSONS:
            return self.word(at - 2) in MADE
        return self.words[at] in TRADE_MARKERS and self.word(at - 1) == "by"

    def _beginning(self, position: int, at: int, article: str, *, is_timed: bool) -> Whose:
        """A noun that begins a sentence: of a person if a description, of others if it acts."""
        if self.word(at) == ":":
            return self._if(ROLES.intersection(self.words[max(0, at - 2) : at]))
        following = self.word(position + 1)
        if is_timed or article == "this" or self.is_marked(position) or following == "turned":
            return Whose.OWN
        if article == "the":
            if at < 0 and following in DESCRIBES_FIRST:
                return Whose.OWN
            return Whose.OWN if following in ACTS else Whose.OTHER
        if self._leads_to_person(position):
            return Whose.OWN
        if not article:
            is_noun_alone = following in STOPS or not following
            return self._if(is_noun_alone or following.endswith(("ing", "ed")))
        is_praised = position - self.first_of(position) > 0 and following == "who"
        return self._if(following in (".", "") or is_praised)

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
                or (following == "the" and is_verb(self.word(at + 3)))
                or (self.raw[at + 1 : at + 2] != () and self.raw[at + 1][0].isupper())
            ):
                return True
        return False

    def _listed(self, position: int, at: int, *, is_timed: bool, depth: int) -> Whose:
        """A noun after a comma or a conjunction goes with the words before it."""
        last = at
        while last >= 0 and (
            self.words[last] in COMMAS
            or self.words[last] in CONJUNCTIONS
            or self.words[last] in ADVERBS
        ):
            is_timed = is_timed or self.words[last] in TIMES
            last -= 1
        if last < 0 or self.words[last] in ENDS:
            return self._if(is_timed)
        is_led_in = self.words[max(0, last - 1) : last + 1] in _LEADING_IN
        if is_led_in or (self.words[last] in TRADE_MARKERS and self._names_the_person(last)):
            return Whose.OWN
        if self.words[last] in COPULAS:
            return self._subject(last)
        is_joined = self.words[at] in CONJUNCTIONS and self.words[last].endswith("s")
        if is_joined and self._begins(self.first_of(last)):
            # "Nurses and a doctor took part".
            return Whose.OTHER
        first = self.clause(last)
        named = self.raw[first : last + 1]
        if self.words[last] in PERSONS or all(word[0].isupper() for word in named):
            return Whose.OWN
        if STRANGERS.intersection(self.words[first : last + 1]):
            return Whose.OTHER
        if is_timed and self.words[at] in COMMAS and PERSONS.intersection(self.words[first:at]):
            return Whose.OWN
        return self._whose(last, depth + 1)

    def _after_preposition(self, at: int, depth: int) -> Whose:
        governor, before = self.words[at], self.word(at - 1)
        if governor == "as":
            return self._as(at, before, depth)
        if governor == "of":
            return self._of(at, before)
        recent = self.words[max(self.clause(at), at - 6) : at]
        if governor in ("to", "into", "over", "after", "before"):
            is_path = "from" in recent and (
                PATHS.intersection(recent) or self._begins(at - len(recent))
            )
            is_own = is_path or any(map(MOVES.match, recent))
            return self._subject(at) if is_own else Whose.OTHER
        if governor == "from":
            is_path = any(map(MOVES.match, recent)) or PATHS.intersection(recent)
            if is_path or self._begins(at):
                return self._subject(at) if "to" in self.words[at : at + 6] else Whose.OTHER
        if governor == "including":
            return self._if(before in ROLES)
        return Whose.OTHER

    def _as(self, at: int, before: str, depth: int) -> Whose:
        if before == "such":
            is_role = self.word(at - 2) in ROLES
            return self._if(is_role and not is_recruiting(self.words, self.clause(at), at))
        if before in ("same", "just", "than"):
            return Whose.OTHER
        if before == "well" and self.word(at - 2) == "as":
            return self._whose(at - 3, depth + 1) if at >= 3 else Whose.OPEN
        return self._subject(at)

    def _of(self, at: int, before: str) -> Whose:
        if before == "work":
            start = at - 2
            while start >= 0 and self.words[start] in WORK_IS:
                start -= 1
            return self._if(start < 0 or self.words[start] in WORK_AFTER)
        if is_one(self.words, at):
            return Whose.OWN
        if before == "office" and self.word(at + 1) in ARTICLES:
            return Whose.OTHER
        return self._subject(at) if before in ROLES else Whose.OTHER

    def _subject(self, at: int) -> Whose:
        """The person's own unless the clause before speaks of somebody else."""
        start = self.clause(at)
        subject = self.words[start:at]
        is_cleft = subject in (("it", "was"), ("it", "is"))
        if is_cleft or ("there" in subject and ROLES.intersection(subject)):
            # "It was as a baker that she began", "there was a spell as a baker".
            return Whose.OWN
        if is_recruiting(self.words, start, at):
            return Whose.OTHER
        is_denied = not DENIALS.isdisjoint(subject) and "only" not in subject
        is_of_many = self.word(at) in ("were", "are") and (ROLES | PERSONS).isdisjoint(subject)
        if is_denied or is_of_many:
            return Whose.OTHER
        if subject[:1] and subject[0] in ("who", "whom"):
            before = self.word(start - 1) if self.word(start - 1) != "," else self.word(start - 2)
            if before in STRANGERS or before.endswith("s"):
                return Whose.OTHER
        doers = set(takewhile(lambda word: not is_verb(word), subject))
        if STRANGERS & doers and not PERSONS & doers:
            return Whose.OTHER
        if OWNED_STRANGERS & doers and (OWNERS & doers or "of" in doers):
            return Whose.OTHER
        return Whose.OWN

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

    def _is_owner(self, at: int) -> bool:
        word = self.words[at]
        return word.endswith(("'s", "’s", "s'", "s’")) and word not in KINDS

    def _begins(self, at: int) -> bool:
        return at <= 0 or self.words[at - 1] in ENDS

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    @staticmethod
    def _if(is_own: object) -> Whose:
        return Whose.OWN if is_own else Whose.OTHER
