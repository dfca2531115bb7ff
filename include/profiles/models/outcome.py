"""Closed vocabularies, results and rows of a lane: what became of a document, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from profiles.models.generation import Completion


class StaleReason(StrEnum):
    """Why a document needs the model, most urgent first."""

    NEW = "new"
    SOURCE_CHANGED = "source_changed"
    IDENTITY_CHANGED = "identity_changed"
    RENDERER_CHANGED = "renderer_changed"
    PROMPT_CHANGED = "prompt_changed"
    SCHEMA_CHANGED = "schema_changed"
    SAMPLING_CHANGED = "sampling_changed"
    MODEL_CHANGED = "model_changed"
    RETRIED = "retried"
    FORCED = "forced"


class Bucket(StrEnum):
    """State of a candidate in a run.

    candidates = fresh + rejected_before + too_thin + planned, and
    planned = valid + repaired + extractive + rejected + deferred + missing.
    """

    FRESH = "fresh"
    REJECTED_BEFORE = "rejected_before"
    TOO_THIN = "too_thin"
    VALID = "valid"
    REPAIRED = "repaired"
    EXTRACTIVE = "extractive"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    MISSING = "missing"

    @classmethod
    def planned(cls) -> tuple[Bucket, ...]:
        return (cls.VALID, cls.REPAIRED, cls.EXTRACTIVE, cls.REJECTED, cls.DEFERRED, cls.MISSING)


class Outcome(StrEnum):
    VALID = "valid"
    REPAIRED = "repaired"
    EXTRACTIVE = "extractive"
    REJECTED = "rejected"


class Provenance(StrEnum):
    MODEL = "model"
    DOCUMENT = "document"
    BOTH = "both"


class RejectionReason(StrEnum):
    """Why an answer was refused. One value per check, so that counts can be grouped."""

    ENGINE_ERROR = "engine_error"
    DEADLINE = "deadline"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    UNPARSABLE = "unparsable"
    SCHEMA = "schema"
    LEAKED_REASONING = "leaked_reasoning"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    CONTAINS_DATE = "contains_date"
    CONTAINS_LIST = "contains_list"
    CONTAINS_CONTACT = "contains_contact"
    REPETITION = "repetition"
    UNGROUNDED = "ungrounded"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Check:
    """One verdict of the gate. `detail` holds counts and codes, never text of the profile."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Skill:
    name: str
    provenance: Provenance


class RemovalReason(StrEnum):
    FIGURE = "figure"
    EMPLOYMENT = "employment"
    EDUCATION = "education"
    YEARS = "years"
    TENSE = "tense"
    NAME = "name"
    AWARD = "award"
    PERSON = "person"
    META = "meta"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence that is not published, with the reason. It is profile text: never log it."""

    sentence: str
    reason: RemovalReason


@dataclass(frozen=True, slots=True)
class Profile:
    """An answer that passed the gate, or what stands in for one; without a `summary` where the
    document has no fit sentence."""

    summary: str | None
    skills: tuple[Skill, ...]
    inferred_skills: tuple[str, ...]
    outcome: Outcome
    checks: tuple[Check, ...]
    reason: str | None = None
    """Why it is `repaired` (for example `truncated`) or which check made it `extractive`."""
    removed: tuple[RemovedSentence, ...] = ()
    """Sentences of the answer that are not published."""
    supported: int = 0
    """Claims of the answer that the document supports, of `claims` in all."""
    claims: int = 0


@dataclass(frozen=True, slots=True)
class Rejection:
    """An answer that did not pass. Of one before a lease only `reason` and `removed` are known."""

    outcome: ClassVar = Outcome.REJECTED

    reason: RejectionReason
    detail: str = ""
    checks: tuple[Check, ...] = ()
    summary: str | None = None
    skills: tuple[Skill, ...] = ()
    inferred_skills: tuple[str, ...] = ()
    removed: tuple[RemovedSentence, ...] = ()
    supported: int = 0
    claims: int = 0


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One planned document, as a lane gets it. `attempts_made` counts the rejected answers of this
    run, `rejection` is the last of them. `engine_deaths` counts the engines that crashed with this
    item in flight, `died_among` how many items shared the suspicion the last time."""

    candidate_id: int
    fingerprint: str
    content_hash: str
    document: str
    word_count: int
    attempts_made: int = 0
    engine_deaths: int = 0
    died_among: int = 0
    rejection: Rejection | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """Items that one lane may work on. `batch_id` is the fencing token of every write,
    `seconds_left` the time to the run's `stop_at`, by the database's clock."""

    batch_id: int
    items: tuple[WorkItem, ...]
    seconds_left: float


@dataclass(frozen=True, slots=True)
class QueueState:
    """State of a run's queue, as one lane sees it. `leasable`: a lease would find something now.
    `held`: items without an outcome exist; when none is leasable, other lanes have them."""

    leasable: bool
    held: bool
    seconds_left: float


@dataclass(frozen=True, slots=True)
class ColdStart:
    """Startup times of a lane's newest engine; None for a step not reached."""

    load_seconds: float | None = None
    warm_up_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer and the gate's verdict on it: a row of `synthesis.completion`.

    `number` counts from 1 per item and run. One that `is_deferred` leaves the item to the next run,
    for the fault was the engine's. `completion` is the model's, also when an extractive summary
    replaced it.
    """

    item: WorkItem
    number: int
    is_terminal: bool
    verdict: Profile | Rejection
    completion: Completion
    is_deferred: bool = False
