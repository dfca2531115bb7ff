"""Closed vocabularies and results: what became of a document, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


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

    @property
    def is_published(self) -> bool:
        return self is not Outcome.REJECTED


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
