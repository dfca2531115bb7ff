"""The verdict on a summary by sentence: what stays, what goes and why, the score. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from profiles.models import RemovalReason, RemovedSentence
from profiles.standardization.sentences import is_ended, split_sentences
from profiles.validation.alignment import entry_claims
from profiles.validation.checks import SENTENCE_CHECKS
from profiles.validation.claims import Claim, ClaimCheck, Sentence
from profiles.validation.education import degree_claims
from profiles.validation.employment import order_claims, pair_claims, rank_claims, tense_claims
from profiles.validation.facts import Facts
from profiles.validation.figures import figure_claims
from profiles.validation.names import name_claims, own_name_claims
from profiles.validation.stays import stay_claims
from profiles.validation.told import meta_claims, part_claims, person_claims, praise_claims

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["CLAIM_CHECKS", "Verdict", "weigh"]

CLAIM_CHECKS: dict[str, ClaimCheck] = {
    "figures": figure_claims,
    "stays": stay_claims,
    "pairs": pair_claims,
    "tense": tense_claims,
    "ranks": rank_claims,
    "order": order_claims,
    "entries": entry_claims,
    "part": part_claims,
    "degrees": degree_claims,
    "names": name_claims,
    "own_name": own_name_claims,
    "praise": praise_claims,
    "person": person_claims,
    "meta": meta_claims,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is left of a summary, what was removed, and how many claims the document supports."""

    kept: str
    removed: tuple[RemovedSentence, ...]
    supported: int
    claims: int
    faults: tuple[str, ...]
    """For each removed sentence the form check that it failed, or the reason of its removal."""


def weigh(
    summary: str, facts: Facts, vocabulary: Vocabulary, *, without: Collection[str] = ()
) -> Verdict:
    """The summary less each sentence that makes an unsupported claim.

    A claim that the document does not decide counts for neither side.
    """
    kept: list[str] = []
    removed: list[RemovedSentence] = []
    faults: list[str] = []
    supported = claims = 0
    sentences = split_sentences(summary)
    sentence: Sentence | None = None
    for place, text in enumerate(sentences, 1):
        sentence = Sentence.of(text, facts, sentence)
        fault = _form_fault(text, without)
        if place == len(sentences) > 1 and "unfinished" not in without and not is_ended(text):
            fault = "unfinished"
        reason = RemovalReason.FORM if fault else None
        for claim in () if fault else _claims(sentence, facts, vocabulary, without):
            claims += 1
            supported += bool(claim.is_supported)
            reason = reason if claim.is_supported else reason or claim.reason
        if reason is None:
            kept.append(text)
        else:
            removed.append(RemovedSentence(text, reason))
            faults.append(fault or reason)
    return Verdict(" ".join(kept), tuple(removed), supported, claims, tuple(faults))


def _form_fault(text: str, without: Collection[str]) -> str | None:
    checks = SENTENCE_CHECKS.items()
    return next((name for name, check in checks if name not in without and check(text)), None)


def _claims(
    sentence: Sentence, facts: Facts, vocabulary: Vocabulary, without: Collection[str]
) -> Iterator[Claim]:
    """The claims of a sentence that the document decides."""
    for name, check in CLAIM_CHECKS.items():
        if name not in without:
            for claim in check(sentence, facts, vocabulary):
                if claim.is_supported is not None:
                    yield claim
