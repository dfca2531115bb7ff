"""Whether what a summary claims stands in the document: organisations, numbers, degrees, names.

Conservative on purpose: paraphrase, abbreviations, plurals and rounding pass, and a single odd
capitalised word is no reason to refuse a summary. An employer, a percentage, an amount of money,
a degree or a known technology that the document does not have is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from profiles.standardization.text import split_sentences
from profiles.validation.amounts import Amount, amounts_of
from profiles.validation.evidence import Evidence, degrees_of, words_of

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["ClaimFaults", "claim_faults"]

_LARGEST_COUNTED = 12
"""A writer may count jobs, teams or countries of the document up to here."""
_LARGEST_COUNTED_WORD = 20
_ROUNDING = 0.25
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
_STARTERS = _words("""
    the a an as in at with during having currently previously known his her their its she he they
    this these over since before after while by for from on to through across under within both
    also another other earlier later most throughout beyond besides skilled proficient experienced
    working here there who what when where and but or if i we you my our more all each every
""")
_EMPLOYER_BEFORE = _words("at joined joining")
_WORK_BEFORE = re.compile(
    r"\b(?:work(?:s|ed|ing)?|consult(?:s|ed|ing)?|employed)\s+(?:for|by|with)$", re.I
)
_ORGANISATION_WORDS = _words(
    "inc llc ltd limited plc gmbh ag sa sas corp corporation university college institute bank labs"
    " technologies systems solutions holdings ventures partners hospital hospitals group capital"
    " insurance pharma consulting airlines motors school academy foundation agency"
)
_JOINERS = _words("of as & de du des la le")
_ORIGIN = re.compile(r"(?:ian|ean|ese|ish|can|n)$")
_TOKEN = re.compile(r"\S+")
_FIRST_PERSON = re.compile(r"I(?:['’](?:m|ve|d|ll))?\Z")
_LOOK_BACK = 40
_EDGE = "\"'“”‘’()[]{}<>.,;:!?…*_"


@dataclass(frozen=True, slots=True)
class ClaimFaults:
    """How many claims of each kind the document does not support."""

    numbers: int
    organisations: int
    technologies: int
    degrees: int
    names: int
    words: int

    @property
    def is_grounded(self) -> bool:
        """Whether nothing decisive is unsupported."""
        decisive = self.numbers + self.organisations + self.technologies + self.degrees
        tolerated = _TOLERATED_NAMES + self.words // _WORDS_PER_TOLERATED_NAME
        return decisive == 0 and self.names <= tolerated

    @property
    def detail(self) -> str:
        """Counts of what is unsupported."""
        return (
            f"numbers={self.numbers} organisations={self.organisations} "
            f"technologies={self.technologies} degrees={self.degrees} names={self.names}"
        )


@dataclass(frozen=True, slots=True)
class _Name:
    """Capitalised words that follow each other, and the two words before them."""

    words: tuple[str, ...]
    before: str


def claim_faults(summary: str, evidence: Evidence, vocabulary: Vocabulary) -> ClaimFaults:
    """The claims of the summary that the document does not support, by kind."""
    names = set(_names(summary))
    kinds = [_name_fault(name, evidence, vocabulary) for name in names]
    return ClaimFaults(
        numbers=sum(1 for amount in amounts_of(summary) if not _is_stated(amount, evidence)),
        organisations=kinds.count("organisation"),
        technologies=kinds.count("technology"),
        degrees=len(degrees_of(summary) - evidence.degrees),
        names=kinds.count("name"),
        words=len(summary.split()),
    )


def _is_stated(amount: Amount, evidence: Evidence) -> bool:
    if amount.kind == "years":
        return _is_time_served(amount.value, evidence)
    if amount.kind == "count":
        limit = _LARGEST_COUNTED_WORD if amount.is_word else _LARGEST_COUNTED
        if amount.value <= limit:
            return True
    return any(_agree(amount, other) for other in evidence.amounts)


def _is_time_served(years: float, evidence: Evidence) -> bool:
    """Durations may be added up and rounded, but not beyond the longest one of the document."""
    stated = [other.value for other in evidence.amounts if other.kind == "years"]
    if stated and years <= max(stated) + 1:
        return True
    return any(abs(other.value - years) <= 1 for other in evidence.amounts)


def _agree(claim: Amount, stated: Amount) -> bool:
    if claim.kind == "percent" and stated.kind == "money":
        return False
    tolerance = _ROUNDING * stated.value if claim.is_about else 1e-9 * stated.value
    return abs(claim.value - stated.value) <= tolerance


def _name_fault(name: _Name, evidence: Evidence, vocabulary: Vocabulary) -> str | None:
    unknown = [word for word in name.words if not _is_known(word, evidence, vocabulary)]
    content = [word for word in name.words if _bare(word) not in _ROLE_WORDS]
    if not unknown or len(unknown) * 2 < len(content):
        return None
    text = " ".join(name.words)
    if vocabulary.evidences(text, evidence.document) or _abbreviates(name.words, evidence):
        return None
    if _is_organisation(name):
        return "organisation"
    if any(not vocabulary.evidences(skill, evidence.document) for skill in vocabulary.find(text)):
        return "technology"
    return "name"


def _is_organisation(name: _Name) -> bool:
    before = name.before.rsplit(" ", 1)[-1].lower()
    if before in _EMPLOYER_BEFORE or _WORK_BEFORE.search(name.before):
        return True
    return len(name.words) > 1 and any(_bare(word) in _ORGANISATION_WORDS for word in name.words)


def _abbreviates(words: Sequence[str], evidence: Evidence) -> bool:
    initials = "".join(_bare(word)[:1] for word in words if _bare(word) not in _JOINERS)
    return len(initials) >= 2 and initials in evidence.words


def _is_known(word: str, evidence: Evidence, vocabulary: Vocabulary) -> bool:
    parts = tuple(words_of(word))
    bare = "".join(parts)
    if len(bare) < 2 or bare in _ROLE_WORDS or bare in _JOINERS:
        return True
    if all(evidence.has_word(part) or part in _ROLE_WORDS for part in parts):
        return True
    if len(bare) >= 5 and bare in evidence.letters:
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


def _names(text: str) -> Iterator[_Name]:
    for sentence in split_sentences(text):
        yield from _names_in(sentence)


def _names_in(sentence: str) -> Iterator[_Name]:
    run: list[str] = []
    start = 0
    tokens = list(_TOKEN.finditer(sentence))
    for position, token in enumerate(tokens):
        word = _stripped(token[0])
        if _is_capitalised(word):
            if not run:
                start = position
            run.append(word)
        elif run and word in _JOINERS and _continues(tokens, position):
            run.append(word)
            continue
        elif run:
            yield from _name(run, sentence, tokens, start)
            run = []
        if run and token[0][-1] in ',;:.!?)”"':
            yield from _name(run, sentence, tokens, start)
            run = []
    if run:
        yield from _name(run, sentence, tokens, start)


def _continues(tokens: Sequence[re.Match[str]], position: int) -> bool:
    return position + 1 < len(tokens) and _is_capitalised(_stripped(tokens[position + 1][0]))


def _name(
    run: Sequence[str], sentence: str, tokens: Sequence[re.Match[str]], start: int
) -> Iterator[_Name]:
    """The run as a name. The first word of a sentence is capitalised anyway: it counts only when
    the next one is, too, and it is no ordinary beginning."""
    words = tuple(run)
    if start == 0 and (len(words) == 1 or words[0].lower() in _STARTERS):
        words, start = words[1:], 1
    words = tuple(word for word in words if not _FIRST_PERSON.match(word))
    if words:
        position = tokens[start].start()
        before = " ".join(sentence[max(0, position - _LOOK_BACK) : position].split()[-2:])
        yield _Name(words, before)


def _stripped(token: str) -> str:
    word = token.strip(_EDGE)
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word


def _is_capitalised(word: str) -> bool:
    return bool(word) and (word[0].isupper() or (word[0] in ".@" and word[1:2].isupper()))
