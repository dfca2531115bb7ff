"""Which skills the document evidences, and where each published skill comes from. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from profiles.models import Provenance, Skill
from profiles.standardization.text import clean_line, fold
from profiles.validation.evidence import Evidence, words_of

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["GroundedSkills", "document_skills", "ground_skills", "is_evidenced"]

_LONGEST_SKILL = 80
_MOST_WORDS = 8
_SYMBOLS = frozenset("+#")
_SKILL_LIST = re.compile(r"^## Skills\n+(.+?)(?=\n## |\Z)", re.MULTILINE | re.DOTALL)
_JOB = re.compile(r"^### (.+)$", re.MULTILINE)
_HEAD = re.compile(r"\A# .*\n([^\n]+)")
_SCHOOL = re.compile(r"^- .+? — ([^(\n]+?)(?: \(.*)?$", re.MULTILINE)
_SPOKEN = re.compile(r"^## Languages\n+(.+?)(?=\n## |\Z)", re.MULTILINE | re.DOTALL)
_NOT_A_SKILL = re.compile(r"@|://|\bwww\.|<\||\|>|\d{7,}")


@dataclass(frozen=True, slots=True)
class GroundedSkills:
    """Published skills in order, skills that nothing in the document supports, and how many
    items of the answer were no skill at all."""

    skills: tuple[Skill, ...]
    inferred: tuple[str, ...]
    dropped: int

    @property
    def detail(self) -> str:
        """Counts per provenance, for the verdict."""
        counts = {provenance: 0 for provenance in Provenance}
        for skill in self.skills:
            counts[skill.provenance] += 1
        found = " ".join(f"{provenance}={count}" for provenance, count in counts.items())
        return f"{found} inferred={len(self.inferred)} dropped={self.dropped}"


def document_skills(evidence: Evidence, vocabulary: Vocabulary) -> GroundedSkills:
    """The skills that the document lists, and those that the vocabulary finds in it."""
    return ground_skills((), evidence, vocabulary)


def ground_skills(
    claimed: Iterable[str], evidence: Evidence, vocabulary: Vocabulary
) -> GroundedSkills:
    """The model's evidenced skills in its order, then what only the document names.

    One skill under several names counts once, under its canonical name.
    """
    found = {_key(name): name for name in vocabulary.stated(evidence.document)}
    document = evidence.document
    for name in _listed(document, vocabulary):
        found.setdefault(_key(name), name)
    skills: dict[str, Skill] = {}
    inferred: dict[str, str] = {}
    dropped = 0
    for raw in claimed:
        cleaned = _cleaned(raw)
        if cleaned is None or _is_no_skill(cleaned, document, vocabulary):
            dropped += 1
            continue
        name = vocabulary.canonical(cleaned)
        key = _key(name)
        if key in skills or key in inferred:
            continue
        if key in found:
            skills[key] = Skill(name, Provenance.BOTH)
        elif is_evidenced(cleaned, evidence, vocabulary):
            skills[key] = Skill(name, Provenance.MODEL)
        else:
            inferred[key] = name
    for key, name in found.items():
        skills.setdefault(key, Skill(name, Provenance.DOCUMENT))
    return GroundedSkills(tuple(skills.values()), tuple(inferred.values()), dropped)


@lru_cache(maxsize=8)
def _names_of(document: str) -> frozenset[str]:
    """Folded titles, employers, schools and languages of the document."""
    names = [part for heading in _JOB.findall(document) for part in heading.split(" — ")]
    names += _SCHOOL.findall(document)
    if head := _HEAD.search(document):
        names += [head[1], *head[1].split(" at ")]
    if spoken := _SPOKEN.search(document):
        names += re.split(r",|\n-?", spoken[1])
    return frozenset(fold(name) or name.strip() for name in names)


def _is_no_skill(name: str, document: str, vocabulary: Vocabulary) -> bool:
    """A title, employer, language, category or fragment; what the vocabulary knows is a skill."""
    if name in vocabulary:
        return False
    lowered = name.casefold()
    words = lowered.split()
    sets = vocabulary.not_skills
    return (
        (fold(name) or name) in _names_of(document)
        or words[-1] in sets.get("titles", ())
        or lowered in sets.get("categories", ())
        or words[0] in sets.get("languages", ())
        or not sets.get("edges", frozenset()).isdisjoint((words[0], words[-1]))
        or name.count("(") != name.count(")")
        or (lowered.isascii() and sum(map(str.isalnum, lowered)) == 1)
    )


def _listed(document: str, vocabulary: Vocabulary) -> Iterable[str]:
    """The document's own list of skills: they are some whether the vocabulary knows them or not."""
    section = _SKILL_LIST.search(document)
    for item in section[1].split(",") if section else ():
        cleaned = _cleaned(item)
        if (
            cleaned is not None
            and any(map(str.isalpha, cleaned))
            and not _is_no_skill(cleaned, document, vocabulary)
        ):
            yield vocabulary.canonical(cleaned)


def is_evidenced(skill: str, evidence: Evidence, vocabulary: Vocabulary) -> bool:
    """Whether the document names the skill: itself, an alias, another form of its words, the same
    words close together, its abbreviation or what it abbreviates."""
    if vocabulary.evidences(skill, evidence.document):
        return True
    words = tuple(words_of(skill))
    letters = "".join(words)
    if not words or len(letters) < 3 or _SYMBOLS & set(skill):
        # One or two letters, C++ and C# are somebody else's words too often.
        return False
    if len(words) == 1:
        return evidence.has_word(words[0]) or _is_spelt_out(skill, words[0], evidence)
    if evidence.has_phrase(words):
        return True
    if len(words) >= 3 and "".join(word[0] for word in words) in evidence.words:
        return True
    return len(words) <= 4 and evidence.has_near(words, window=2 * len(words) + 2)


def _is_spelt_out(skill: str, word: str, evidence: Evidence) -> bool:
    return 3 <= len(word) <= 5 and skill.isupper() and evidence.has_initials(word)


def _cleaned(raw: str) -> str | None:
    name = None if _NOT_A_SKILL.search(raw) else clean_line(raw)
    if name is None or len(name) > _LONGEST_SKILL or name.count(" ") >= _MOST_WORDS:
        return None
    return name.strip(" ,;:-") or None


def _key(name: str) -> str:
    """Same skill, same key. `fold` would make one skill of C, C++ and C#."""
    lowered = name.casefold()
    return lowered if _SYMBOLS & set(lowered) else fold(lowered) or lowered
