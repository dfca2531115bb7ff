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
    ProfileDocument,
    ReaderText,
    SearchFacts,
    Section,
)
from profiles.models.generation import (
    Completion,
    EngineProfile,
    LengthBand,
    LengthRule,
    Message,
    ReasoningEffort,
    ReleaseState,
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
from profiles.models.work import (
    Attempt,
    ColdStart,
    Lease,
    PreviousRejection,
    QueueState,
    WorkItem,
)
