"""The gate: what of a completion may be published. Never raises on what a model wrote.

A bad answer is data: `judge` returns a `Profile` or a `Rejection`, with the verdict of every
check that could run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from profiles.models import (
    Check,
    Completion,
    EngineProfile,
    LengthBand,
    Method,
    Outcome,
    Profile,
    Rejection,
    RejectionReason,
)
from profiles.standardization.characters import shorten_runs
from profiles.standardization.words import count_unspaced
from profiles.validation.checks import check_form, first_reason
from profiles.validation.extractive import extract
from profiles.validation.facts import Facts
from profiles.validation.form import count_words
from profiles.validation.grounding import GroundedSkills, document_skills, ground_skills
from profiles.validation.parsing import (
    Answer,
    ParseFault,
    Repair,
    parse_json,
    parse_prose,
    strip_reasoning,
)
from profiles.validation.prompt_leak import prompt_fault
from profiles.validation.schema import schema_fault
from profiles.validation.tagged import parse_tagged
from profiles.validation.verdict import Verdict, weigh

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["extractive_summary", "judge"]

_FAULT_REASONS = {
    ParseFault.EMPTY: RejectionReason.EMPTY,
    ParseFault.UNPARSABLE: RejectionReason.UNPARSABLE,
    ParseFault.TRUNCATED: RejectionReason.TRUNCATED,
    ParseFault.LEAKED_REASONING: RejectionReason.LEAKED_REASONING,
}
_PARSERS = {"json": parse_json, "tagged": parse_tagged, "prose": parse_prose}
_BROKEN = ("error", "abort")

KEPT_SHARE = 0.5
"""Share of its words that a summary must keep; of one that loses more, the rest is not trusted."""
LONGEST_ANSWER = 50_000
"""Characters; several times what the largest token cap allows. Servers may not keep to one."""

KEPT_OF_BAND = 0.5
"""Share of the shortest wanted length that must be left."""
SUPPORTED_SHARE = 0.6
"""Share of its claims that the document must support; below it the text is about somebody else."""
FEWEST_SUPPORTED = 2


@dataclass(frozen=True, slots=True)
class _Read:
    """An answer on its way through the gate."""

    answer: Answer
    checks: tuple[Check, ...]
    repair: Repair | None


def judge(
    completion: Completion,
    *,
    document: str,
    word_count: int,
    profile: EngineProfile,
    vocabulary: Vocabulary,
    without: Collection[str] = (),
) -> Profile | Rejection:
    """The profile of a completion, or why there is none.

    Args:
        document: The markdown that the model was given; all evidence comes from it.
        word_count: Words of the whole document, which decide the wanted length.
        without: Checks to leave out, by name, to measure what each is worth.

    Raises:
        SettingsError: the engine profile's output schema is not a JSON schema.
    """
    facts = Facts(document)
    was_cut = completion.finish_reason == "length"
    read = _read(completion, profile, was_cut=was_cut)
    if isinstance(read, Rejection):
        return _with_skills(read, facts, vocabulary)
    summary = read.answer.summary
    leak = prompt_fault(
        summary, prompt=f"{profile.system_prompt}\n{profile.user_template}", document=document
    )
    if leak is not None:
        check = Check("reasoning", passed=False, detail=leak)
        refused = _refused(RejectionReason.LEAKED_REASONING, leak, (*read.checks, check))
        return _with_skills(refused, facts, vocabulary)
    skills = _skills(read.answer, profile, facts, vocabulary)
    band = profile.length.band(word_count + _unspaced(document, word_count))
    verdict = weigh(summary, facts, vocabulary, without=without)
    checks = (
        *read.checks,
        *check_form(summary, band, without=without),
        *_left(verdict, summary, band),
        Check("skills", passed=True, detail=skills.detail),
    )
    reason = first_reason(checks)
    if reason is None:
        repair = "removed_sentences" if verdict.removed else read.repair
        return Profile(
            summary=verdict.kept if verdict.removed else " ".join(summary.split()),
            skills=skills.skills,
            inferred_skills=skills.inferred,
            method=Method.MODEL,
            outcome=Outcome.REPAIRED if repair else Outcome.VALID,
            checks=checks,
            reason=str(repair) if repair else None,
            removed=verdict.removed,
            supported=verdict.supported,
            claims=verdict.claims,
        )
    if was_cut and reason is RejectionReason.TOO_SHORT:
        reason = RejectionReason.TRUNCATED
    return Rejection(
        reason=reason,
        detail=_details(checks),
        checks=checks,
        retry_larger=was_cut,
        summary=summary,
        skills=skills.skills,
        inferred_skills=skills.inferred,
        removed=verdict.removed,
        supported=verdict.supported,
        claims=verdict.claims,
    )


def extractive_summary(
    rejection: Rejection,
    *,
    document: str,
    word_count: int,
    profile: EngineProfile,
    vocabulary: Vocabulary,
) -> Profile | Rejection:
    """A summary of the document's own sentences for a rejected answer, marked as extractive.

    The rejection comes back unchanged when the document has no sentences that pass the gate.
    """
    facts = Facts(document)
    band = profile.length.band(word_count + _unspaced(document, word_count))
    summary = extract(facts.text, band)
    if summary is None:
        return rejection
    checks = check_form(summary, band)
    if first_reason(checks) is not None:
        return rejection
    skills = rejection.skills or document_skills(facts.evidence, vocabulary).skills
    return Profile(
        summary=summary,
        skills=skills,
        inferred_skills=rejection.inferred_skills,
        method=Method.EXTRACTIVE,
        outcome=Outcome.EXTRACTIVE,
        checks=checks,
        reason=str(rejection.reason),
    )


def _read(completion: Completion, profile: EngineProfile, *, was_cut: bool) -> _Read | Rejection:
    """The answer that the completion holds, in the form that the profile asked for."""
    if completion.error is not None or completion.finish_reason in _BROKEN:
        return _refused(RejectionReason.ENGINE_ERROR, completion.finish_reason, ())
    if not completion.text.strip():
        return _refused(RejectionReason.EMPTY, "", ())
    if len(completion.text) > LONGEST_ANSWER:
        return _refused(RejectionReason.TOO_LONG, f"characters={len(completion.text)}", ())
    stripped = strip_reasoning(shorten_runs(completion.text))
    if isinstance(stripped, ParseFault):
        return _unread(stripped, was_cut=was_cut)
    if not stripped.text:
        return _unread(ParseFault.EMPTY, was_cut=was_cut)
    answer = _PARSERS[profile.answer](stripped.text, was_cut=was_cut)
    if isinstance(answer, ParseFault):
        return _unread(answer, was_cut=was_cut)
    repair = answer.repair or (Repair.REASONING if stripped.leaked else None)
    checks: tuple[Check, ...] = (Check("parsing", passed=True, detail=str(repair or "")),)
    if profile.answer != "prose" and answer.repair is not Repair.TRUNCATED:
        fault = schema_fault(answer.value, profile.output_schema)
        checks = (*checks, Check("schema", fault is None, fault or ""))
        if fault is not None:
            return _refused(RejectionReason.SCHEMA, fault, checks)
    if not answer.summary:
        return _refused(RejectionReason.EMPTY, "no summary", checks)
    return _Read(answer, checks, repair)


def _unread(fault: ParseFault, *, was_cut: bool) -> Rejection:
    check = Check("parsing", passed=False, detail=str(fault))
    return _refused(_FAULT_REASONS[fault], str(fault), (check,), retry_larger=was_cut)


def _refused(
    reason: RejectionReason,
    detail: str,
    checks: tuple[Check, ...],
    *,
    retry_larger: bool = False,
) -> Rejection:
    return Rejection(reason, detail, checks, retry_larger=retry_larger)


def _with_skills(rejection: Rejection, facts: Facts, vocabulary: Vocabulary) -> Rejection:
    return replace(rejection, skills=document_skills(facts.evidence, vocabulary).skills)


def _skills(
    answer: Answer, profile: EngineProfile, facts: Facts, vocabulary: Vocabulary
) -> GroundedSkills:
    claimed = answer.skills if profile.skills_from == "model" else ()
    return ground_skills(claimed, facts.evidence, vocabulary)


def _unspaced(document: str, word_count: int) -> int:
    """Words that a count of spaces missed, for a document that was counted so."""
    unspaced = count_unspaced(document)
    return unspaced if word_count <= len(document.split()) else 0


def _left(verdict: Verdict, summary: str, band: LengthBand) -> Iterator[Check]:
    """Whether enough is left of the summary, as a verdict on what took most from it."""
    counts = Counter(verdict.faults)
    left, whole = count_words(verdict.kept), count_words(summary)
    is_enough = left >= max(KEPT_SHARE * whole, KEPT_OF_BAND * band.minimum)
    for name in ("foreign_sentence", "contacts", "dates", "unfinished"):
        yield Check(name, is_enough or not counts[name], f"removed={counts[name]}")
    removed = " ".join(f"{reason}={count}" for reason, count in sorted(counts.items()))
    claims = f"claims={verdict.supported}/{verdict.claims} left={left}/{whole} {removed}"
    yield Check("claims", is_enough or not verdict.removed, claims.strip())
    needed = max(FEWEST_SUPPORTED, SUPPORTED_SHARE * verdict.claims)
    yield Check("subject", verdict.supported >= needed, claims.strip())


def _details(checks: tuple[Check, ...]) -> str:
    """Name and code of each failed check."""
    return "; ".join(f"{check.name}: {check.detail}" for check in checks if not check.passed)
