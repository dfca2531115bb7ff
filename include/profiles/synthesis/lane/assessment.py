"""From an engine's answer to a stored attempt: the gate, another try, or the last word.

Pure. A refused answer is tried again with its reasons until the profile's attempts are used up.
Then sentences of the document stand in, and without any the person has skills and no summary,
unless the deployment switched that off. An engine's own fault is no verdict on the document:
nothing stands in for it, and one that may pass leaves the document to the next run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from profiles.models import (
    Attempt,
    Check,
    Completion,
    EngineProfile,
    Profile,
    Rejection,
    RejectionReason,
    WorkItem,
)
from profiles.synthesis.process.protocol import DEADLINE

Judge = Callable[[Completion, WorkItem], Profile | Rejection]
StandIn = Callable[[Rejection, WorkItem], Profile]

_FAULTS = frozenset({"error", "abort"})
NO_VERDICT = frozenset({RejectionReason.ENGINE_ERROR, RejectionReason.DEADLINE})
"""Reasons that say nothing about the document."""
_SEED_RANGE = 2**31


@dataclass(frozen=True, slots=True)
class Assessor:
    """`judge` is the gate; `stand_in` makes an extractive summary, None where that is off."""

    profile: EngineProfile
    judge: Judge
    stand_in: StandIn | None = None

    def assess(self, completion: Completion, item: WorkItem, number: int) -> Attempt:
        """The attempt to store; it is terminal unless the item is to be retried."""
        has_failed = is_fault(completion)
        code = completion.error or completion.finish_reason
        verdict = engine_fault(code) if has_failed else self.judge(completion, item)
        attempt = Attempt(item, number, True, verdict, completion)
        if isinstance(verdict, Profile):
            return attempt
        if number < self.profile.attempts:
            return replace(attempt, is_terminal=False)
        if has_failed and not completion.is_lasting:
            return replace(attempt, is_terminal=False, is_deferred=True)
        if self.stand_in is None or verdict.reason in NO_VERDICT:
            return attempt
        return replace(attempt, verdict=self.stand_in(verdict, item))


def is_fault(completion: Completion) -> bool:
    return completion.finish_reason in _FAULTS or completion.error is not None


def engine_fault(code: str) -> Rejection:
    """The rejection of a request that the engine could not answer; `code` is a type or state."""
    return Rejection(
        reason=RejectionReason.DEADLINE if code == DEADLINE else RejectionReason.ENGINE_ERROR,
        detail=code,
        checks=(Check("engine", passed=False, detail=code),),
    )


def attempt_seed(item: WorkItem, number: int) -> int:
    """The sampling seed of an attempt: the same one whenever that attempt is repeated."""
    return (int(item.fingerprint[:8], 16) + number) % _SEED_RANGE
