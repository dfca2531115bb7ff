"""Labelled answers for the checks that are not about a summary's text: shape, length, skills."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.gate_cases import SPELLINGS, Case, facts_of, write_summary
from benchmarks.people import REPOSITORY
from profiles.models import Completion, LengthBand
from profiles.standardization.skills import Vocabulary
from profiles.synthesis.prompting import load_engine_profile
from profiles.validation import judge
from profiles.validation.evidence import Evidence
from profiles.validation.form import length_fault
from profiles.validation.grounding import is_evidenced

if TYPE_CHECKING:
    from benchmarks.gate import Verdict

PROMPTS = REPOSITORY / "include" / "prompts"
_WORDS = (
    "build", "plan", "run", "keep", "write", "test", "ship", "load", "read", "sort", "move",
    "hold", "lead", "serve", "teach",
)  # fmt: skip
_DRESSES = (
    "{}",
    "```json\n{}\n```",
    "\n\n{}\n",
    "{}<|return|>",
    "```\n{}\n```",
)


def answer_cases(
    people: int, seed: int, vocabulary: Vocabulary, *, is_tuning: bool
) -> Iterator[Verdict]:
    """Answers of the asked shape, dressed as models dress them, and answers of another shape."""
    profile = load_engine_profile("structured", PROMPTS)
    for number, facts in enumerate(facts_of(people, seed)):
        stream = Random(f"{seed}/{number}/schema")
        summary = write_summary(facts, stream)
        good = {"skills": list(facts.skills), "summary": summary}
        indent = stream.choice((None, 1, 4))
        dressed = stream.choice(_DRESSES).format(
            json.dumps(good, ensure_ascii=stream.random() < 0.5, indent=indent)
        )
        for text, label in ((dressed, None), (_misshapen(good, stream), "schema")):
            judged = judge(
                Completion("r", text, "stop"),
                document=facts.document,
                word_count=len(facts.document.split()),
                profile=profile,
                vocabulary=vocabulary,
            )
            verdict = {check.name: check for check in judged.checks}
            refused = "schema" not in verdict or not verdict["schema"].passed
            case = Case(
                f"{seed}/{number}/schema/{label}", facts.document, text, label, is_tuning=is_tuning
            )
            yield case, "schema", refused, ""


def _misshapen(good: dict[str, Any], stream: Random) -> str:
    skills, summary = good["skills"], good["summary"]
    wrong: tuple[Any, ...] = (
        {"skills": skills},
        {"summary": summary},
        {"skills": ", ".join(skills), "summary": summary},
        {"skills": skills, "summary": [summary]},
        {"skills": skills, "summary": ""},
        {"skills": skills, "summary": None},
        {"skills": None, "summary": summary},
        {"skills": [{"name": skill} for skill in skills], "summary": summary},
        {"skills": skills, "summary": summary, "notes": "none"},
        {"skills": [*skills, 7], "summary": summary},
        {"skills": [f"{skill} {n}" for n in range(90) for skill in skills[:1]], "summary": summary},
        {"skills": [*skills, "x" * 90], "summary": summary},
        {"skills": [*skills, ""], "summary": summary},
        {"profile": good},
        [skills, summary],
        summary,
    )
    return json.dumps(stream.choice(wrong))


def length_cases(
    people: int, seed: int, vocabulary: Vocabulary, *, is_tuning: bool
) -> Iterator[Verdict]:
    """Texts inside the band of documents of every size, and well outside it."""
    rule = load_engine_profile("structured", PROMPTS).length
    for number in range(people):
        stream = Random(f"{seed}/{number}/length")
        band = rule.band(stream.randint(60, 2000))
        inside = stream.randint(band.minimum, band.maximum)
        outside = stream.choice((
            int(band.minimum * stream.uniform(0, 0.85)),
            int(band.maximum * stream.uniform(1.15, 3)) + 1,
        ))  # fmt: skip
        for words, label in ((inside, None), (outside, "length")):
            text = " ".join(stream.choice(_WORDS) for _ in range(words))
            case = Case(f"{seed}/{number}/length/{label}", "", text, label, is_tuning=is_tuning)
            yield case, "length", _misses(text, band), ""


def _misses(text: str, band: LengthBand) -> bool:
    return length_fault(text, band) is not None


def skill_cases(
    people: int, seed: int, vocabulary: Vocabulary, *, is_tuning: bool
) -> Iterator[Verdict]:
    """Skills that the document names, under any spelling or form, and skills of another trade."""
    for number, facts in enumerate(facts_of(people, seed)):
        stream = Random(f"{seed}/{number}/skills")
        evidence = Evidence(facts.document)
        named = stream.choice(SPELLINGS.get(facts.skills[0], facts.skills[:1]))
        shown = stream.choice((named, named.upper() if len(named) > 4 else named, f" {named}."))
        strange = stream.choice([
            skill
            for skill, spellings in SPELLINGS.items()
            if not any(_is_in(spelling, facts.document) for spelling in spellings)
        ])  # fmt: skip
        for skill, label in ((shown, None), (strange, "skills")):
            refused = not is_evidenced(skill, evidence, vocabulary)
            case = Case(
                f"{seed}/{number}/skills/{label}", facts.document, skill, label, is_tuning=is_tuning
            )
            yield case, "skills", refused, ""


def _is_in(skill: str, document: str) -> bool:
    """Whether the document has all words of the skill somewhere, in any form."""
    words = document.casefold()
    return all(part[:5] in words for part in skill.casefold().replace("/", " ").split())
