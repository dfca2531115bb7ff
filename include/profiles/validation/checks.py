"""The form of a summary, check by check. Pure.

What spoils a text as a whole is decisive; what stands in one sentence costs that sentence. Every
check runs, also after one has failed: the stored verdicts are what thresholds are tuned on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from profiles.models import Check, LengthBand, RejectionReason
from profiles.validation.form import (
    contact_fault,
    count_words,
    date_fault,
    length_fault,
    list_fault,
    reasoning_fault,
)
from profiles.validation.language import foreign_sentence, language_fault
from profiles.validation.repetition import repetition_fault

__all__ = ["FORM_REASONS", "SENTENCE_CHECKS", "TEXT_CHECKS", "check_form", "first_reason"]

_FormCheck = Callable[[str], str | None]

TEXT_CHECKS: dict[str, _FormCheck] = {
    "reasoning": reasoning_fault,
    "language": language_fault,
    "repetition": repetition_fault,
    "lists": list_fault,
}
SENTENCE_CHECKS: dict[str, _FormCheck] = {
    "foreign_sentence": foreign_sentence,
    "contacts": contact_fault,
    "dates": date_fault,
}
FORM_REASONS: dict[str, RejectionReason] = {
    "reasoning": RejectionReason.LEAKED_REASONING,
    "language": RejectionReason.LANGUAGE,
    "repetition": RejectionReason.REPETITION,
    "lists": RejectionReason.CONTAINS_LIST,
    "foreign_sentence": RejectionReason.LANGUAGE,
    "contacts": RejectionReason.CONTAINS_CONTACT,
    "dates": RejectionReason.CONTAINS_DATE,
    "unfinished": RejectionReason.TRUNCATED,
}


def check_form(
    summary: str, band: LengthBand, *, without: Collection[str] = ()
) -> tuple[Check, ...]:
    """The decisive verdicts on a summary with the line breaks that its writer gave it."""
    checks = []
    for name, check in TEXT_CHECKS.items():
        fault = None if name in without else check(summary)
        checks.append(Check(name, fault is None, fault or ""))
    fault = length_fault(summary, band)
    words = f"words={count_words(summary)} band={band.minimum}-{band.maximum}"
    checks.append(Check("length", fault is None, f"{fault} {words}" if fault else words))
    return tuple(checks)


def first_reason(checks: Collection[Check]) -> RejectionReason | None:
    """The reason of the first failed check, None when all passed."""
    for check in checks:
        if check.passed:
            continue
        if check.name == "length":
            is_short = check.detail.startswith("short")
            return RejectionReason.TOO_SHORT if is_short else RejectionReason.TOO_LONG
        return FORM_REASONS.get(check.name, RejectionReason.UNGROUNDED)
    return None
