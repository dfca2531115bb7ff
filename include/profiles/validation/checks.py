"""All checks of one summary, each with its verdict. Pure.

Every check runs, also after one has failed: the stored verdicts are what thresholds are tuned
on. The reason of a rejection is the first failed check in the order of `_ORDER`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from profiles.models import Check, LengthBand, RejectionReason
from profiles.validation.claims import claim_faults
from profiles.validation.evidence import Evidence
from profiles.validation.form import (
    contact_fault,
    count_words,
    date_fault,
    length_fault,
    list_fault,
    reasoning_fault,
)
from profiles.validation.language import language_fault
from profiles.validation.repetition import repetition_fault

if TYPE_CHECKING:
    from profiles.standardization.skills import Vocabulary

__all__ = ["check_summary", "failed", "first_reason"]

_TEXT_CHECKS: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("reasoning", reasoning_fault),
    ("language", language_fault),
    ("repetition", repetition_fault),
    ("lists", list_fault),
    ("contacts", contact_fault),
    ("dates", date_fault),
)
_ORDER: dict[str, RejectionReason] = {
    "reasoning": RejectionReason.LEAKED_REASONING,
    "language": RejectionReason.LANGUAGE,
    "repetition": RejectionReason.REPETITION,
    "lists": RejectionReason.CONTAINS_LIST,
    "contacts": RejectionReason.CONTAINS_CONTACT,
    "dates": RejectionReason.CONTAINS_DATE,
    "claims": RejectionReason.UNGROUNDED,
}


def check_summary(
    summary: str, *, band: LengthBand, evidence: Evidence, vocabulary: Vocabulary
) -> tuple[Check, ...]:
    """Verdicts on a summary with the line breaks that its writer gave it."""
    return (
        *_text_verdicts(summary),
        _length_verdict(summary, band),
        _claim_verdict(summary, evidence, vocabulary),
    )


def failed(checks: tuple[Check, ...], name: str) -> bool:
    """Whether the check of that name ran and failed."""
    return any(check.name == name and not check.passed for check in checks)


def first_reason(checks: tuple[Check, ...]) -> RejectionReason | None:
    """The reason of the first failed check, None when all passed.

    Length comes before grounding: a text of three words is too short, whatever it claims.
    """
    failures = {check.name: check.detail for check in checks if not check.passed}
    for name, reason in _ORDER.items():
        if name == "claims" and "length" in failures:
            break
        if name in failures:
            return reason
    if "length" not in failures:
        return None
    is_short = failures["length"].startswith("short")
    return RejectionReason.TOO_SHORT if is_short else RejectionReason.TOO_LONG


def _text_verdicts(summary: str) -> Iterator[Check]:
    for name, check in _TEXT_CHECKS:
        fault = check(summary)
        yield Check(name, fault is None, fault or "")


def _length_verdict(summary: str, band: LengthBand) -> Check:
    fault = length_fault(summary, band)
    words = f"words={count_words(summary)} band={band.minimum}-{band.maximum}"
    return Check("length", fault is None, f"{fault} {words}" if fault else words)


def _claim_verdict(summary: str, evidence: Evidence, vocabulary: Vocabulary) -> Check:
    faults = claim_faults(summary, evidence, vocabulary)
    return Check("claims", faults.is_grounded, faults.detail)
