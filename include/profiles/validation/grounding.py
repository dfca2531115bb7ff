"""Content from the document alone: evidenced skills, and a summary of its sentences. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from profiles.models import Provenance, Skill
from profiles.standardization.skills import Vocabulary
from profiles.standardization.text import clean_line, fold
from profiles.validation.document import Document
from profiles.validation.words import words_of

_LONGEST_SKILL = 80
_MOST_WORDS = 8
_SYMBOLS = frozenset("+#")
_SCHOOL = re.compile(r"^- .+? — ([^(\n]+?)(?: \(.*)?$", re.MULTILINE)
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
        counts = Counter(skill.provenance for skill in self.skills)
        found = " ".join(f"{provenance}={counts[provenance]}" for provenance in Provenance)
        return f"{found} inferred={len(self.inferred)} dropped={self.dropped}"


def document_skills(document: Document) -> GroundedSkills:
    """The skills that the document lists, and those that the vocabulary finds in it."""
    return ground_skills((), document)


def ground_skills(claimed: Iterable[str], document: Document) -> GroundedSkills:
    """The model's evidenced skills in its order, then what only the document names.

    One skill under several names counts once, under its canonical name.
    """
    vocabulary = document.vocabulary
    names = _names_of(document)
    found = {_key(name): name for name in vocabulary.stated(document.text)}
    # The document's own list: they are skills whether the vocabulary knows them or not.
    for item in "\n".join(document.sections.get("Skills", ())).split(","):
        listed = _cleaned(item)
        is_word = listed is not None and any(map(str.isalpha, listed))
        if listed is not None and is_word and not _is_no_skill(listed, names, vocabulary):
            name = vocabulary.canonical(listed)
            found.setdefault(_key(name), name)
    skills: dict[str, Skill] = {}
    inferred: dict[str, str] = {}
    dropped = 0
    for raw in claimed:
        cleaned = _cleaned(raw)
        if cleaned is None or _is_no_skill(cleaned, names, vocabulary):
            dropped += 1
            continue
        name = vocabulary.canonical(cleaned)
        key = _key(name)
        if key in skills or key in inferred:
            continue
        if key in found:
            skills[key] = Skill(name, Provenance.BOTH)
        elif is_evidenced(cleaned, document):
            skills[key] = Skill(name, Provenance.MODEL)
        else:
            inferred[key] = name
    for key, name in found.items():
        skills.setdefault(key, Skill(name, Provenance.DOCUMENT))
    return GroundedSkills(tuple(skills.values()), tuple(inferred.values()), dropped)


def _names_of(document: Document) -> frozenset[str]:
    """Folded titles, employers, schools and languages of the document."""
    names = [name for job in document.jobs for name in (job.title, job.employer)]
    names += _SCHOOL.findall(document.text)
    head = "".join(document.sections[""][1:2])
    names += [head, *head.split(" at ")]
    names += re.split(r",|\n-?", "\n".join(document.sections.get("Languages", ())))
    return frozenset(fold(name) or name.strip() for name in names)


def _is_no_skill(name: str, names: frozenset[str], vocabulary: Vocabulary) -> bool:
    """A title, employer, language, category or fragment; what the vocabulary knows is a skill."""
    if name in vocabulary:
        return False
    lowered = name.casefold()
    words = lowered.split()
    sets = vocabulary.not_skills
    return (
        (fold(name) or name) in names
        or words[-1] in sets.get("titles", ())
        or lowered in sets.get("categories", ())
        or words[0] in sets.get("languages", ())
        or not sets.get("edges", frozenset()).isdisjoint((words[0], words[-1]))
        or name.count("(") != name.count(")")
        or (lowered.isascii() and sum(map(str.isalnum, lowered)) == 1)
    )


def is_evidenced(skill: str, document: Document) -> bool:
    """Return whether the document names the skill: itself, an alias, another form, the same
    words close together, its abbreviation or what it abbreviates."""
    evidence = document.evidence
    if document.vocabulary.evidences(skill, document.text):
        return True
    words = tuple(words_of(skill))
    letters = "".join(words)
    if not words or len(letters) < 3 or _SYMBOLS & set(skill):
        # One or two letters, C++ and C# are somebody else's words too often.
        return False
    if len(words) == 1:
        is_short = len(letters) <= 5 and skill.isupper()
        return evidence.has_word(letters) or (is_short and evidence.has_initials(letters))
    if len(words) >= 3 and "".join(word[0] for word in words) in evidence.words:
        return True
    return evidence.has_near(words, window=2 * len(words) + 2)


def _cleaned(raw: str) -> str | None:
    name = None if _NOT_A_SKILL.search(raw) else clean_line(raw)
    if name is None or len(name) > _LONGEST_SKILL or name.count(" ") >= _MOST_WORDS:
        return None
    return name.strip(" ,;:-") or None


def _key(name: str) -> str:
    """Same skill, same key. `fold` would make one skill of C, C++ and C#."""
    lowered = name.casefold()
    return lowered if _SYMBOLS & set(lowered) else fold(lowered) or lowered
