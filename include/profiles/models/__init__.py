"""The records that cross module boundaries: frozen, standard library only.

The engine process imports these in an interpreter that has neither Airflow nor a driver, so
nothing here may import a third-party package.
"""

from profiles.models.candidate import (
    Candidate,
    Experience,
    FieldChoice,
    FieldClaim,
    MergedProfile,
    Section,
)
from profiles.models.document import ProfileDocument, ReaderText, SearchFacts
from profiles.models.engine_profile import EngineProfile, LengthBand, LengthRule, ReleaseState
from profiles.models.generation import (
    Completion,
    Message,
    ReasoningEffort,
    Request,
    Sampling,
)
from profiles.models.outcome import (
    Bucket,
    Check,
    Method,
    Outcome,
    Profile,
    Provenance,
    Rejection,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
    Skill,
    StaleReason,
)
from profiles.models.source import (
    Education,
    Entry,
    PartialDate,
    Position,
    RowRejection,
    SourceRecord,
)
from profiles.models.work import Attempt, ColdStart, GpuSample, Lease, QueueState, Refusal, WorkItem

__all__ = [
    "Attempt",
    "Bucket",
    "Candidate",
    "Check",
    "ColdStart",
    "Completion",
    "Education",
    "EngineProfile",
    "Entry",
    "Experience",
    "FieldChoice",
    "FieldClaim",
    "GpuSample",
    "Lease",
    "LengthBand",
    "LengthRule",
    "MergedProfile",
    "Message",
    "Method",
    "Outcome",
    "PartialDate",
    "Position",
    "Profile",
    "ProfileDocument",
    "Provenance",
    "QueueState",
    "ReaderText",
    "ReasoningEffort",
    "Refusal",
    "Rejection",
    "RejectionReason",
    "ReleaseState",
    "RemovalReason",
    "RemovedSentence",
    "Request",
    "RowRejection",
    "Sampling",
    "SearchFacts",
    "Section",
    "Skill",
    "SourceRecord",
    "StaleReason",
    "WorkItem",
]
