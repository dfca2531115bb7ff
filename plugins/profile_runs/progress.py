"""Progress of a run, its expected end and the basis of that. Arithmetic on counts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

LOOK_BACK_SECONDS = 900
_FEWEST_DOCUMENTS = 20
"""Below this a rate of the last minutes is chance; the mean since the first question holds."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Documents a second of the whole run, and in words where that is from."""

    documents_per_second: float
    basis: str


def rate_of(
    *,
    recent: int,
    measured_seconds: float | None,
    working: Sequence[tuple[int, float]],
    past: float | None,
    past_lanes: int,
    lanes: int,
) -> Rate | None:
    """The best estimate that there is: the last minutes, else this run, else earlier runs.

    `recent` documents ended within `LOOK_BACK_SECONDS`; the run was measured for
    `measured_seconds`. `working` are documents and seconds of each running lane since its first
    question, `past` the documents a second of one lane of `past_lanes` earlier ones of the model.

    >>> rate_of(recent=0, measured_seconds=None, working=[(30, 60.0)], past=None, past_lanes=0,
    ...     lanes=1)
    Rate(documents_per_second=0.5, basis='mean of 1 running lane since its first question')
    """
    if (measured_seconds or 0) >= LOOK_BACK_SECONDS and recent >= _FEWEST_DOCUMENTS:
        return Rate(
            recent / LOOK_BACK_SECONDS,
            f"{recent:,} documents ended in the last {LOOK_BACK_SECONDS // 60} minutes",
        )
    started = [(documents, seconds) for documents, seconds in working if documents and seconds > 0]
    if started:
        lanes_in_words = "1 running lane" if len(started) == 1 else f"{len(started)} running lanes"
        its = "its" if len(started) == 1 else "their"
        return Rate(
            sum(documents / seconds for documents, seconds in started),
            f"mean of {lanes_in_words} since {its} first question",
        )
    if past and lanes:
        return Rate(
            past * lanes,
            f"nothing ended yet; median of {past_lanes} lanes of the same model in 30 days, "
            f"times {lanes}",
        )
    return None


@dataclass(frozen=True, slots=True)
class Progress:
    """`open` documents wait for an outcome. `ends_at` is None without a rate."""

    planned: int
    done: int
    deferred: int
    open: int
    documents_per_second: float | None
    ends_at: datetime | None
    basis: str


@dataclass(frozen=True, slots=True)
class Night:
    """Open documents that fit before the window closes; the rest comes first next time."""

    closes_at: datetime
    seconds_left: float
    fits: int
    left_over: int


def progress_of(
    *, planned: int, deferred: int, missing: int, rate: Rate | None, now: datetime
) -> Progress:
    """Progress of the run."""
    ends_at = None
    if missing and rate is not None and rate.documents_per_second > 0:
        ends_at = now + timedelta(seconds=missing / rate.documents_per_second)
    if not missing:
        basis = "no document is open"
    else:
        basis = rate.basis if rate else "no rate yet: no lane has ended a document"
    return Progress(
        planned=planned,
        done=planned - deferred - missing,
        deferred=deferred,
        open=missing,
        documents_per_second=rate.documents_per_second if rate else None,
        ends_at=ends_at,
        basis=basis,
    )


def night_of(*, stop_at: datetime, missing: int, rate: Rate | None, now: datetime) -> Night | None:
    """Open documents that fit before `stop_at`; None without a rate."""
    if rate is None:
        return None
    seconds = max(0.0, (stop_at - now).total_seconds())
    fits = min(missing, int(seconds * rate.documents_per_second))
    return Night(closes_at=stop_at, seconds_left=seconds, fits=fits, left_over=missing - fits)
