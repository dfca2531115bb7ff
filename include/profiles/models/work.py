"""Rows that a lane leases and stores: items, leases and attempts."""

from __future__ import annotations

from dataclasses import dataclass

from profiles.models.generation import Completion
from profiles.models.outcome import Profile, Rejection


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
