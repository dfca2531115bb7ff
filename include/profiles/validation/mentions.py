"""Whether an occupation that a summary mentions is said of its person or of somebody else. Pure.

What governs the noun decides: "worked as a plumber", "the role of plumber" and "a plumber by
trade" are the person's own; the object of any other verb or preposition is not ("called in a
plumber", "a site for a plumber"), nor what a customer or a colleague is said to be. A noun in a
list goes with the one before it. Where nothing decides, the mention is open.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

from profiles.validation.mention_text import MentionText
from profiles.validation.mention_words import (
    ACTS,
    ADJUNCTS,
    ADVERBS,
    ARTICLES,
    CALLS,
    COMMAS,
    CONCEDES,
    CONJUNCTIONS,
    COPULAS,
    DENIALS,
    DESCRIBES_FIRST,
    DETERMINERS,
    ENDS,
    GOES_ON,
    HELD_BEFORE,
    LISTED_AFTER,
    MADE,
    MERE,
    MOVES,
    NAMING,
    NEGATIONS,
    OBJECTS,
    OFFERED,
    ONLY,
    OWNED_STRANGERS,
    OWNERS,
    PAST_LIVES,
    PATHS,
    PEOPLE_NAMED,
    PERSONS,
    PREPOSITIONS,
    PREPOSITIONS_OF_OTHERS,
    PRESENTS,
    PROFILES,
    ROLES,
    SHARED_NAMES,
    SORTS,
    SOUGHT,
    STOPS,
    STRANGERS,
    TIMES,
    TRADE_MARKERS,
    WHO_TELL,
    WITH_WHOM,
    WORK_AFTER,
    WORK_IS,
    is_one,
    is_recruiting,
    is_verb,
)
from profiles.validation.whose import Whose

__all__ = ["Mentions", "Whose", "mentions_of"]


_WINDOW = 8
_DEEPEST = 6
_FEW = 4
_LEADING_IN = (("before", "that"), ("after", "that"))


@lru_cache(maxsize=1)
def mentions_of(summary: str) -> Mentions:
    """The summary as words; the checks of one summary share them."""
    return Mentions(summary)


class Mentions(MentionText):
    """A summary as words, in which occupations are looked at."""

    def whose(self, position: int) -> Whose:
        """Of whom the occupation is told whose noun stands at that position."""
        return self._whose(position, 0)

    def _whose(self, position: int, depth: int) -> Whose:
        following = self.word(position + 1)
        first = self.first_of(position)
        if following in ADJUNCTS or self._is_praise(first, position):
            return Whose.OTHER
        if depth > _DEEPEST:
            return Whose.OPEN
        if following == "like" and self._names_person_at(position + 2):
            # "Every company needs a baker like the candidate".
            return Whose.OWN
        decided, article, at = self._determined(position, first - 1, depth)
        if decided is not None:
            return decided
        if self._names_a_role(position) and self.word(at) in HELD_BEFORE:
            return self._subject(at)
        if article == "this" and self.word(at) in COMMAS:
            return Whose.OWN
        return self._governed(position, at, article, depth)

    def _determined(self, position: int, at: int, depth: int) -> tuple[Whose | None, str, int]:
        """What the articles before the noun decide, the last of them, and where they begin."""
        article = ""
        while at >= 0 and (self.words[at] in DETERMINERS or self._is_owner(at)):
            if self.words[at] in OBJECTS and self.word(at - 1) in MADE:
                return Whose.OWN, article, at
            if self.words[at] == "our" and self._begins(at) and self.word(position + 1) in ACTS:
                return Whose.OWN, article, at
            owner = self._owned_by(at)
            if owner is not None:
                return self._governed(position, owner, "the", depth), article, at
            is_article = self.words[at] in ARTICLES or self.words[at] in ("this", "both")
            if not is_article and not (self.words[at] == "no" and self.word(at + 1) in MERE):
                is_open = not article and self.words[at] == "one"
                return Whose.OPEN if is_open else Whose.OTHER, article, at
            article, at = self.words[at], at - 1
        return None, article, at

    def _governed(self, position: int, at: int, article: str, depth: int) -> Whose:
        """By the word that governs the noun, adverbs passed over."""
        is_timed = False
        while at >= 0 and self.words[at] in ADVERBS:
            is_timed = is_timed or self.words[at] in TIMES
            at -= 1
        governor = self.word(at)
        if governor in NEGATIONS:
            is_more = ONLY.intersection(self.words[at:position]) or self.word(at - 1) == "if"
            return self._subject(at) if is_more else Whose.OTHER
        if at < 0 or governor in ENDS:
            return self._beginning(position, at, article, is_timed=is_timed)
        if governor in COMMAS or governor in CONJUNCTIONS:
            return self._listed(position, at, is_timed=is_timed, depth=depth)
        if self._names_its_subject(at):
            return self._subject(at)
        if governor in CONCEDES:
            return self._if(self.word(position + 1) in (",", "by"))
        if self._introduces(position, at, article) or (article and self._is_led_in(at, position)):
            return Whose.OWN
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
        before = at - 2 if self.word(at - 1) in ADVERBS else at - 1
        is_passive = governor in MADE and self.word(before) in COPULAS
        return governor in COPULAS or governor == "turned" or governor in NAMING or is_passive

    def _names_the_person(self, at: int) -> bool:
        """As in "made the candidate a plumber" and "by trade a plumber"."""
        if self.words[at] in PERSONS:
            return self.word(at - 2) in MADE or self.word(at - 2) in CALLS
        if self.words[at] == "call":
            return "what" in self.words[max(0, at - 4) : at]
        return self.words[at] in TRADE_MARKERS and self.word(at - 1) == "by"

    def _beginning(self, position: int, at: int, article: str, *, is_timed: bool) -> Whose:
        """A noun that begins a sentence: of a person if a description, of others if it acts."""
        if self.word(at) == ":":
            return self._labelled(position, at)
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
            is_noun_alone = following in STOPS | GOES_ON or not following
            return self._if(is_noun_alone or following.endswith(("ing", "ed")))
        is_praised = position - self.first_of(position) > 0 and following == "who"
        return self._if(following in (".", "") or is_praised or self._is_fragment(position))

    def _labelled(self, position: int, at: int) -> Whose:
        """After a label: "Summary: a baker" is the person, "Customers: a baker" is not."""
        start = self._sentence(at)
        label = self.words[start:at]
        if ROLES.intersection(label[-2:]):
            return Whose.OWN
        is_of_others = not (
            STRANGERS.isdisjoint(label) and PREPOSITIONS_OF_OTHERS.isdisjoint(label[-_FEW:])
        )
        return self._if(not is_of_others and not self._does_something(position))

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
        if (
            is_led_in
            or self._is_summing_up(position, at)
            or (self.words[last] in TRADE_MARKERS and self._names_the_person(last))
        ):
            return Whose.OWN
        verb = last if self.words[last] in COPULAS else self._before_aside(at)
        if verb is not None:
            return self._subject(verb)
        is_joined = self.words[at] in CONJUNCTIONS and self.words[last].endswith("s")
        if is_joined and self._begins(self.first_of(last)):
            # "Nurses and a doctor took part".
            return Whose.OTHER
        first = self.clause(last)
        named = self.raw[first : last + 1]
        if self.words[last] in PERSONS or all(word[0].isupper() for word in named):
            return Whose.OWN
        is_shared = ARTICLES.issuperset(self.words[first:last]) and self.words[last] in SHARED_NAMES
        if STRANGERS.intersection(self.words[first : last + 1]) and not is_shared:
            return Whose.OTHER
        if is_timed and self.words[at] in COMMAS and PERSONS.intersection(self.words[first:at]):
            return Whose.OWN
        return self._whose(last, depth + 1)

    def _after_preposition(self, at: int, depth: int) -> Whose:
        governor, before = self.words[at], self.word(at - 1)
        if before in SOUGHT and self._is_sought(at):
            return Whose.OWN
        if governor == "for" and before.startswith("pass"):
            return self._subject(at)
        if governor == "than" and before == "more" and self.word(at - 2) in COPULAS:
            return self._subject(at)
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
        if before in PEOPLE_NAMED and self.word(at - 2) not in WITH_WHOM:
            # "Clients relied on the candidate as a baker".
            return Whose.OWN
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
        recent = self.words[max(0, at - 4) : at]
        if before in SORTS and COPULAS.intersection(recent):
            return self._subject(at)
        who_tells = PROFILES | WHO_TELL
        if before in ("speak", "speaks", "tell", "tells") and who_tells.intersection(recent):
            return Whose.OWN
        if before == "services" and OFFERED.intersection(recent):
            return self._subject(at)
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
        if self.word(start - 1) in ("that", "which") and self.word(start - 2) in STRANGERS:
            return Whose.OTHER
        doers = set(takewhile(lambda word: not is_verb(word), subject))
        if STRANGERS & doers and not PERSONS & doers:
            return Whose.OTHER
        is_owned = OWNERS & doers or "of" in doers or any(word.endswith("'s") for word in doers)
        if OWNED_STRANGERS & doers and is_owned:
            return Whose.OTHER
        return Whose.OWN

    @staticmethod
    def _if(is_own: object) -> Whose:
        return Whose.OWN if is_own else Whose.OTHER
