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
    Method,
    Outcome,
    Profile,
    Rejection,
    RejectionReason,
    WorkItem,
)
from profiles.synthesis.process.protocol import DEADLINE

Judge = Callable[[Completion, WorkItem], Profile | Rejection]
StandIn = Callable[[Rejection, WorkItem], Profile | Rejection]

_FAULTS = frozenset({"error", "abort"})
_NO_VERDICT = frozenset({RejectionReason.ENGINE_ERROR, RejectionReason.DEADLINE})
_SEED_RANGE = 2**31


@dataclass(frozen=True, slots=True)
class Assessor:
    """`judge` is the gate; `stand_in` makes an extractive summary, None where that is off."""

    profile: EngineProfile
    judge: Judge
    stand_in: StandIn | None = None

    def assess(self, completion: Completion, item: WorkItem, number: int) -> Attempt:
        """The attempt to store; it is terminal unless the item should be asked again."""
        if is_fault(completion):
            verdict: Profile | Rejection = engine_fault(
                completion.error or completion.finish_reason
            )
        else:
            verdict = self.judge(completion, item)
        if isinstance(verdict, Profile):
            return _accepted(verdict, completion, item, number)
        if number < self.profile.attempts:
            return _refused(verdict, completion, item, number, is_terminal=False)
        if is_fault(completion) and not completion.is_lasting:
            attempt = _refused(verdict, completion, item, number, is_terminal=False)
            return replace(attempt, is_deferred=True)
        if self.stand_in is not None and verdict.reason not in _NO_VERDICT:
            return _stand_in(verdict, self.stand_in(verdict, item), completion, item, number)
        return _refused(verdict, completion, item, number, is_terminal=True)

    def token_cap(self, number: int) -> int:
        """The token cap of an attempt: every attempt after the first gets the larger one."""
        if number == 1:
            return self.profile.sampling.max_new_tokens
        return self.profile.retry_max_new_tokens


def is_fault(completion: Completion) -> bool:
    """Whether the engine failed to answer, as opposed to answering badly."""
    return completion.finish_reason in _FAULTS or completion.error is not None


def engine_fault(code: str) -> Rejection:
    """The rejection of a request that the engine could not answer; `code` is a type or state."""
    return Rejection(
        reason=RejectionReason.DEADLINE if code == DEADLINE else RejectionReason.ENGINE_ERROR,
        detail=code,
        checks=(Check("engine", passed=False, detail=code),),
    )


def killer_attempt(item: WorkItem, number: int) -> Attempt:
    """The last word on an item that took an engine down when it ran alone."""
    completion = Completion(request_id="", text="", finish_reason="error")
    return _refused(engine_fault("engine_died"), completion, item, number, is_terminal=True)


def attempt_seed(item: WorkItem, number: int) -> int:
    """The sampling seed of an attempt: the same one whenever that attempt is repeated."""
    return (int(item.fingerprint[:8], 16) + number) % _SEED_RANGE


def _accepted(profile: Profile, completion: Completion, item: WorkItem, number: int) -> Attempt:
    return _attempt(
        profile,
        completion,
        item,
        number,
        is_terminal=True,
        outcome=profile.outcome,
        reason=profile.reason,
        method=profile.method,
    )


def _stand_in(
    refused: Rejection,
    extractive: Profile | Rejection,
    completion: Completion,
    item: WorkItem,
    number: int,
) -> Attempt:
    """What is published in place of a refused answer; its removed sentences say why it was."""
    if isinstance(extractive, Profile):
        return _accepted(replace(extractive, removed=refused.removed), completion, item, number)
    bare = replace(refused, summary=None, supported=0, claims=0)
    return _attempt(
        bare,
        completion,
        item,
        number,
        is_terminal=True,
        outcome=Outcome.EXTRACTIVE,
        reason=refused.reason.value,
        method=Method.EXTRACTIVE,
    )


def _refused(
    rejection: Rejection, completion: Completion, item: WorkItem, number: int, *, is_terminal: bool
) -> Attempt:
    return _attempt(
        rejection,
        completion,
        item,
        number,
        is_terminal=is_terminal,
        outcome=Outcome.REJECTED,
        reason=rejection.reason.value,
        method=Method.MODEL,
    )


def _attempt(
    verdict: Profile | Rejection,
    completion: Completion,
    item: WorkItem,
    number: int,
    *,
    is_terminal: bool,
    outcome: Outcome,
    reason: str | None,
    method: Method,
) -> Attempt:
    return Attempt(
        candidate_id=item.candidate_id,
        fingerprint=item.fingerprint,
        content_hash=item.content_hash,
        number=number,
        is_terminal=is_terminal,
        outcome=outcome,
        reason=reason,
        method=method,
        raw_text=completion.text,
        summary=verdict.summary,
        skills=verdict.skills,
        inferred_skills=verdict.inferred_skills,
        checks=verdict.checks,
        finish_reason=completion.finish_reason,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        cached_tokens=completion.cached_tokens,
        seconds=completion.seconds,
        mean_logprob=completion.mean_logprob,
        reasoning_tokens=completion.reasoning_tokens,
        removed=verdict.removed,
        supported=verdict.supported,
        claims=verdict.claims,
    )
