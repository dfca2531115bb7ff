"""The gate: what of a completion may be published. Never raises on what a model wrote.

A bad answer is data: `judge` returns a `Profile` or a `Rejection`, with the verdict of every
check that could run. The verdict on a summary is by sentence: what stays, what goes and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from profiles.models import (
    Check,
    Completion,
    EngineProfile,
    LengthBand,
    Outcome,
    Profile,
    Rejection,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
)
from profiles.standardization.characters import shorten_runs
from profiles.standardization.sentences import is_ended, split_sentences
from profiles.standardization.skills import Vocabulary
from profiles.standardization.words import count_words
from profiles.validation.claims import Claim, ClaimCheck, Sentence
from profiles.validation.closed_lists import (
    degree_claims,
    name_claims,
    origin_claims,
    phrase_claims,
)
from profiles.validation.document import Document
from profiles.validation.employment import (
    entry_claims,
    order_claims,
    part_claims,
    rank_claims,
)
from profiles.validation.figures import figure_claims, stay_claims
from profiles.validation.form import (
    SENTENCE_CHECKS,
    check_form,
    first_reason,
    reworded,
    schema_fault,
    wanted_length,
)
from profiles.validation.grounding import document_skills, ground_skills
from profiles.validation.languages import language_claims
from profiles.validation.parsing import (
    Answer,
    Repair,
    parse_json,
    parse_prose,
    parse_tagged,
    strip_reasoning,
)

CLAIM_CHECKS: dict[str, ClaimCheck] = {
    "figures": figure_claims,
    "stays": stay_claims,
    "ranks": rank_claims,
    "entries": entry_claims,
    "order": order_claims,
    "parts": part_claims,
    "degrees": degree_claims,
    "languages": language_claims,
    "names": name_claims,
    "phrases": phrase_claims,
    "origin": origin_claims,
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
class _Verdict:
    """The rest of a summary, removed sentences, and the count of claims the document supports."""

    kept: str
    removed: tuple[RemovedSentence, ...]
    supported: int
    claims: int
    faults: tuple[str, ...]
    """For each removed sentence the form check that it failed, or the reason of its removal."""
    repair: str | None


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
    record = Document(document, vocabulary)
    was_cut = completion.finish_reason == "length"
    read = _read(completion, profile, was_cut=was_cut)
    if isinstance(read, Rejection):
        return replace(read, skills=document_skills(record).skills)
    answer, parsed = read
    summary = answer.summary
    skills = ground_skills(answer.skills if profile.skills_from == "model" else (), record)
    band = wanted_length(profile, document, word_count)
    verdict = _weigh(summary, record, without)
    checks = (
        *parsed,
        *check_form(summary, band, without=without),
        *_left(verdict, summary, band),
        Check("skills", passed=True, detail=skills.detail),
    )
    reason = first_reason(checks)
    if reason is None:
        repair = "removed_sentences" if verdict.removed else answer.repair or verdict.repair
        return Profile(
            summary=" ".join(verdict.kept.split()),
            skills=skills.skills,
            inferred_skills=skills.inferred,
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
        detail="; ".join(f"{check.name}: {check.detail}" for check in checks if not check.passed),
        checks=checks,
        summary=summary,
        skills=skills.skills,
        inferred_skills=skills.inferred,
        removed=verdict.removed,
        supported=verdict.supported,
        claims=verdict.claims,
    )


def _read(
    completion: Completion, profile: EngineProfile, *, was_cut: bool
) -> tuple[Answer, tuple[Check, ...]] | Rejection:
    """The answer that the completion holds, in the form that the profile asked for, and the checks
    that it passed."""
    if completion.error is not None or completion.finish_reason in _BROKEN:
        return Rejection(RejectionReason.ENGINE_ERROR, completion.finish_reason, ())
    if not completion.text.strip():
        return Rejection(RejectionReason.EMPTY, "", ())
    if len(completion.text) > LONGEST_ANSWER:
        return Rejection(RejectionReason.TOO_LONG, f"characters={len(completion.text)}", ())
    stripped = strip_reasoning(shorten_runs(completion.text))
    if isinstance(stripped, RejectionReason):
        return _unread(stripped, was_cut=was_cut)
    answer = _PARSERS[profile.answer](stripped.text, was_cut=was_cut)
    if isinstance(answer, RejectionReason):
        return _unread(answer, was_cut=was_cut)
    if answer.repair is None and stripped.leaked:
        answer = replace(answer, repair=Repair.REASONING)
    checks: tuple[Check, ...] = (Check("parsing", passed=True, detail=str(answer.repair or "")),)
    if profile.answer != "prose" and answer.repair is not Repair.TRUNCATED:
        fault = schema_fault(answer.value, profile.output_schema)
        checks = (*checks, Check("schema", fault is None, fault or ""))
        if fault is not None:
            return Rejection(RejectionReason.SCHEMA, fault, checks)
    if not answer.summary:
        return Rejection(RejectionReason.EMPTY, "no summary", checks)
    return answer, checks


def _unread(fault: RejectionReason, *, was_cut: bool) -> Rejection:
    checks = (Check("parsing", passed=False, detail=str(fault)),)
    return Rejection(fault, str(fault), checks)


def _weigh(summary: str, document: Document, without: Collection[str]) -> _Verdict:
    """The summary less each sentence that makes an unsupported claim.

    A claim that the document does not decide counts for neither side.
    """
    kept: list[str] = []
    removed: list[RemovedSentence] = []
    faults: list[str] = []
    supported = claims = 0
    written = split_sentences(summary)
    sentences = [reworded(text, document.own_name) for text in written]
    sentence = None
    for place, text in enumerate(sentences, 1):
        sentence = Sentence.of(text, document, sentence)
        fault = _form_fault(text, without)
        if place == len(sentences) > 1 and "unfinished" not in without and not is_ended(text):
            fault = "unfinished"
        reason = RemovalReason.FORM if fault else None
        for claim in () if fault else _claims(sentence, without):
            claims += 1
            supported += bool(claim.is_supported)
            reason = reason if claim.is_supported else reason or claim.reason
        if reason is None:
            kept.append(text)
        else:
            removed.append(RemovedSentence(text, reason))
            faults.append(fault or reason)
    repair = None if sentences == list(written) else "reworded"
    return _Verdict(" ".join(kept), tuple(removed), supported, claims, tuple(faults), repair)


def _form_fault(text: str, without: Collection[str]) -> str | None:
    checks = SENTENCE_CHECKS.items()
    return next((name for name, check in checks if name not in without and check(text)), None)


def _claims(sentence: Sentence, without: Collection[str]) -> Iterator[Claim]:
    """The claims of a sentence that the document decides."""
    for name, check in CLAIM_CHECKS.items():
        for claim in check(sentence) if name not in without else ():
            if claim.is_supported is not None:
                yield claim


def _left(verdict: _Verdict, summary: str, band: LengthBand) -> Iterator[Check]:
    """Yield checks that enough is left of the summary, as a verdict on what took most from it."""
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
