"""Whether what a summary claims stands in the document: names, numbers, degrees, roles, deeds.

Conservative on purpose: paraphrase, abbreviations, plurals and rounding pass, and a single odd
capitalised word is no reason to refuse a summary. An employer, a percentage, an amount of money,
a degree, a role, a rank, a known technology or a person that the document does not have is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from profiles.validation.amounts import Amount, amounts_of
from profiles.validation.evidence import Evidence, degrees_of, sounds_of, words_of
from profiles.validation.names import JOINERS, PARTICLES, Name, names_of
from profiles.validation.person_places import (
    begins_with_deed,
    does_as_people_do,
    is_put_surely_as_person,
)
from profiles.validation.persons import (
    is_initial,
    is_person,
    is_single_person,
    is_written_as_person,
    single_names,
    titled_names,
)
from profiles.validation.ranks import count_rank_faults
from profiles.validation.roles import count_role_faults
from profiles.validation.support import is_neutral, support_of

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["ClaimFaults", "claim_faults"]

_LARGEST_COUNTED = 12
"""A writer may count jobs, teams or countries of the document up to here."""
_LARGEST_COUNTED_WORD = 20
_FEW_PEOPLE = 3
_ROUNDING = 0.25
_MULTIPLES = {
    word: re.compile(rf"{word}|{also}", re.IGNORECASE)
    for word, also in (
        ("doubl", r"\b2x\b|twice|twofold|100\s?%"),
        ("tripl", r"\b3x\b|threefold|trebl|200\s?%"),
        ("quadrupl", r"\b4x\b|fourfold|300\s?%"),
        ("halv", r"\bhalf\b|\b50\s?%"),
    )
}
_MULTIPLE = re.compile(r"\b(doubl|tripl|quadrupl|halv)(?:ed|ing)\b", re.IGNORECASE)
_TOLERATED_NAMES = 1
_WORDS_PER_TOLERATED_NAME = 80
"""Models capitalise common terms ("Infrastructure as Code"); a long summary may hold more."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ROLE_WORDS = _words("""
    senior junior lead principal staff chief head vice president director manager managing
    executive officer engineer engineering developer analyst consultant specialist associate
    assistant architect designer coordinator supervisor intern internship trainee scientist
    administrator professional expert candidate team teams department company corporate group
    global regional national international ceo cto cfo coo cio vp svp hr it i ii iii iv english
    mr ms mrs dr january february march april may june july august september october november
    december
""")
_EMPLOYER_BEFORE = _words("at joined joining left leaving")
_WORK_BEFORE = re.compile(
    r"\b(?:work(?:s|ed|ing)?|consult(?:s|ed|ing)?|employed|moved?|role|post|position|job|spell|stint"
    r"|internship|tenure|career|years?|came|hired)\s+(?:for|by|with|from)$",
    re.IGNORECASE,
)
_ORGANISATION_WORDS = _words(
    "inc llc ltd limited plc gmbh ag sa sas corp corporation university college institute bank labs"
    " technologies systems solutions holdings ventures partners hospital hospitals group capital"
    " insurance pharma consulting airlines motors school academy foundation agency institut"
    " institute université universidad telecom logistics foods media clinic council"
)
_ADDRESSES = _words("professor prof dr doctor mr mrs ms sir dame")
_TOLD_OF = _words(
    "experience skills strengths career profile background summary record history cv knowledge"
    " expertise work story overview achievements credentials qualities portrait evaluation"
    " assessment highlights praise employer employment"
)
"""What a sentence may begin with that tells of a person: "Experience of Ada Quill includes"."""
_ORIGIN = re.compile(r"(?:ian|ean|ese|ish|can|n)$")
_TOOL_BEFORE = re.compile(
    r"\b(?:(?:built|runs?|runn?ing) on|using|uses|(?:written|implemented) in|includes)$",
    re.IGNORECASE,
)
_UMBRELLAS = _words(
    "devops crm erp agile scrum api saas ai ml bi etl devsecops sre qa kpi kpis seo"
)
"""Names of whole trades, under which a writer may sum up what the document tells in detail."""


@dataclass(frozen=True, slots=True)
class ClaimFaults:
    """How many claims of each kind the document does not support."""

    numbers: int
    organisations: int
    technologies: int
    degrees: int
    titles: int
    ranks: int
    people: int
    unsupported: int
    names: int
    words: int

    @property
    def is_grounded(self) -> bool:
        """Whether nothing decisive is unsupported."""
        decisive = (
            self.numbers + self.organisations + self.technologies + self.degrees
            + self.titles + self.ranks + self.people + self.unsupported
        )  # fmt: skip
        tolerated = _TOLERATED_NAMES + self.words // _WORDS_PER_TOLERATED_NAME
        return decisive == 0 and self.names <= tolerated

    @property
    def detail(self) -> str:
        """Counts of what is unsupported."""
        return (
            f"numbers={self.numbers} organisations={self.organisations} "
            f"technologies={self.technologies} degrees={self.degrees} titles={self.titles} "
            f"ranks={self.ranks} people={self.people} unsupported={self.unsupported} "
            f"names={self.names}"
        )


def claim_faults(summary: str, evidence: Evidence, vocabulary: Vocabulary) -> ClaimFaults:
    """The claims of the summary that the document does not support, by kind."""
    names = {_last_part(name) for name in names_of(summary)}
    kinds = [_name_fault(name, evidence, vocabulary) for name in names]
    return ClaimFaults(
        numbers=sum(1 for amount in amounts_of(summary) if not _is_stated(amount, evidence))
        + _count_multiples(summary, evidence),
        organisations=kinds.count("organisation"),
        technologies=kinds.count("technology"),
        degrees=len(degrees_of(summary) - evidence.degrees),
        titles=count_role_faults(summary, evidence),
        ranks=count_rank_faults(summary, evidence),
        people=kinds.count("person") + _count_single_names(summary, evidence, vocabulary),
        unsupported=support_of(summary, evidence).faults,
        names=kinds.count("name"),
        words=len(summary.split()),
    )


def _is_stated(amount: Amount, evidence: Evidence) -> bool:
    if amount.kind == "years":
        return _is_time_served(amount.value, evidence)
    stated = evidence.amounts
    if amount.is_of_people and amount.value > _FEW_PEOPLE:
        # A team's size is told next to nothing else that counts: "nine hours" is no team of nine.
        stated = tuple(other for other in stated if other.is_of_people) or tuple(
            other for other in stated if other.kind == "count"
        )
    elif amount.kind in ("count", "months"):
        limit = _LARGEST_COUNTED_WORD if amount.is_word else _LARGEST_COUNTED
        if amount.value <= limit:
            return True
    return any(_agree(amount, other) for other in stated)


def _count_multiples(summary: str, evidence: Evidence) -> int:
    """Growth told as a multiple that the document does not tell so."""
    claimed = {match[1].lower() for match in _MULTIPLE.finditer(summary)}
    return sum(1 for word in claimed if not _MULTIPLES[word].search(evidence.document))


def _is_time_served(years: float, evidence: Evidence) -> bool:
    """Durations may be added up and rounded, but not beyond the longest one of the document."""
    stated = [other.value for other in evidence.amounts if other.kind == "years"]
    if stated and years <= max(stated) + 1:
        return True
    # Documents in other languages tell years by other words.
    return evidence.is_foreign and any(abs(other.value - years) <= 1 for other in evidence.amounts)


def _agree(claim: Amount, stated: Amount) -> bool:
    if claim.kind == "percent" and stated.kind != "percent":
        return False
    tolerance = _ROUNDING * stated.value if claim.is_about else 1e-9 * stated.value
    return abs(claim.value - stated.value) <= tolerance


def _name_fault(name: Name, evidence: Evidence, vocabulary: Vocabulary) -> str | None:
    unknown = [word for word in name.words if not _is_known(word, evidence, vocabulary)]
    content = [
        word
        for word in name.words
        if _bare(word) not in _ROLE_WORDS and not is_initial(word) and word not in PARTICLES
    ]
    if not unknown and _is_somebody_else(name, evidence):
        return "person"
    if unknown == [name.words[0]] and _is_new_given_name(name, evidence, vocabulary):
        return "person"
    if not unknown or len(unknown) * 2 < len(content):
        return None
    text = " ".join(name.words)
    # "Di" in a name is no short form of a skill.
    skills = vocabulary.find(" ".join(w for w in name.words if w.lower() not in PARTICLES))
    is_organisation = _is_organisation(name) and text not in vocabulary
    may_be_person = not skills and (not is_organisation or is_put_surely_as_person(name))
    if may_be_person and is_person(name, unknown, vocabulary.has_word):
        return "person"
    if vocabulary.evidences(text, evidence.document) or _abbreviates(name.words, evidence):
        return None
    if is_organisation:
        return "organisation"
    if any(not vocabulary.evidences(skill, evidence.document) for skill in skills):
        return "name" if text.lower() in _UMBRELLAS else "technology"
    if len(name.words) == 1 and _TOOL_BEFORE.search(name.before):
        return "technology"
    if not skills and is_single_person(name, vocabulary.has_word):
        return "person"
    return "name"


def _last_part(name: Name) -> Name:
    """The name without an ordinary beginning: "Skills of Ada Quill" names one person.

    So does "Ada Quill of Tarn Media", where the employer goes.
    """
    if begins_with_deed(name):
        return replace(name, words=name.words[1:], before=name.words[0])
    at = name.words.index("of") if "of" in name.words else 0
    if at > 1 and is_written_as_person(name):
        return replace(name, words=name.words[:at])
    first = name.words[0].lower()
    if name.before or "of" not in name.words[1:2]:
        return name
    if not (is_neutral(first) or first in _TOLD_OF):
        return name
    return replace(name, words=name.words[2:], before=" ".join(name.words[:2]))


def _is_somebody_else(name: Name, evidence: Evidence) -> bool:
    """Whether a person of whom the document tells is put in the place of its own."""
    words = [word for word in name.words if not is_initial(word) and _bare(word) not in _ADDRESSES]
    if not evidence.own_name or not is_written_as_person(name) or not does_as_people_do(name):
        return False
    if _is_organisation(name):
        return False
    if any(_bare(word) in evidence.own_name or is_neutral(_bare(word)) for word in words):
        return False
    return " ".join(name.words) in evidence.sentences


def _is_new_given_name(name: Name, evidence: Evidence, vocabulary: Vocabulary) -> bool:
    """Whether an unknown word before a known one, a school's for instance, makes up a person."""
    if _is_organisation(name) or not is_written_as_person(name) or not does_as_people_do(name):
        return False
    if any(_bare(word) in evidence.own_name for word in name.words):
        return False
    return not any(vocabulary.has_word(word.lower()) for word in name.words)


def _is_organisation(name: Name) -> bool:
    before = name.before.rsplit(" ", 1)[-1].lower()
    if before in _EMPLOYER_BEFORE or _WORK_BEFORE.search(name.before):
        return True
    return len(name.words) > 1 and any(_bare(word) in _ORGANISATION_WORDS for word in name.words)


def _count_single_names(summary: str, evidence: Evidence, vocabulary: Vocabulary) -> int:
    """Unknown single names of people, at the beginning of a sentence or after a form of address."""
    found = {*single_names(summary, vocabulary.has_word), *titled_names(summary)}
    return sum(
        1
        for word in found
        if not _is_known(word, evidence, vocabulary) and not vocabulary.find(word)
    )


def _abbreviates(words: Sequence[str], evidence: Evidence) -> bool:
    initials = "".join(_bare(word)[:1] for word in words if _bare(word) not in JOINERS)
    return len(initials) >= 2 and initials.upper() in evidence.acronyms


def _is_known(word: str, evidence: Evidence, vocabulary: Vocabulary) -> bool:
    parts = tuple(words_of(word))
    bare = "".join(parts)
    if len(bare) < 2 or bare in _ROLE_WORDS or bare in JOINERS:
        return True
    if all(evidence.has_word(part) or part in _ROLE_WORDS for part in parts):
        return True
    if len(bare) >= 5 and evidence.has_joined(bare):
        return True
    if evidence.own_sounds and sounds_of(bare) in evidence.own_sounds:
        return True
    if word.isupper() and 2 <= len(bare) <= 6 and evidence.has_initials(bare):
        return True
    return _is_origin(bare, evidence) or vocabulary.evidences(word, evidence.document)


def _is_origin(word: str, evidence: Evidence) -> bool:
    """Whether the word is an adjective of a place in the document: India, Indian."""
    ending = _ORIGIN.search(word)
    if ending is None or len(word) < 5:
        return False
    root = word[: ending.start()]
    return len(root) >= 4 and any(
        other.startswith(root) and len(other) - len(root) <= 3 for other in evidence.words
    )


def _bare(word: str) -> str:
    return "".join(words_of(word))
