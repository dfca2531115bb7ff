"""Data of the runs view, read with a few indexed statements. Independent of HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from profile_runs.database import Reader, Row
from profile_runs.progress import LOOK_BACK_SECONDS, Rate, night_of, progress_of, rate_of
from profiles.models import Bucket, Outcome
from profiles.reporting import above_zero
from profiles.steps.check_sources import UNREAD, WARNING, noted
from profiles.storage.runs import run_series

PAGE_SIZE = 25
COVERAGE_RUNS = 60


class RunLine(BaseModel):
    """One run in the list."""

    run_id: str
    state: str
    publishes: bool
    engine: str | None
    model: str | None
    candidates: int | None
    planned: int | None
    published: int | None
    withdrawn: int | None
    started_at: datetime
    ended_at: datetime | None
    seconds: float
    error: str | None


class RunList(BaseModel):
    """A page of runs, newest first; `next` is what to ask for as `before`, None at the end."""

    runs: list[RunLine]
    next: str | None


class RunView(BaseModel):
    """One run as it stands. `progress`, `night` and buckets are empty before there is a plan."""

    run_id: str
    now: datetime
    state: str
    engine: str | None
    model: str | None
    engine_profile: str | None
    release_id: str | None
    publishes: bool
    params: dict[str, Any]
    batch_size: int | None
    started_at: datetime
    planned_at: datetime | None
    published_at: datetime | None
    ended_at: datetime | None
    seconds: float
    candidates: int | None
    planned: int | None
    published: int | None
    withdrawn: int | None
    energy_kwh: float | None
    error: str | None
    notice: str | None
    buckets: list[dict[str, Any]]
    progress: dict[str, Any] | None
    night: dict[str, Any] | None
    lanes: list[dict[str, Any]]
    cards: list[dict[str, Any]]


class RunDetails(BaseModel):
    """Slow-changing details: stages with their counts above zero, warnings and unread paths of the
    sources, rejections, the gate's outcomes, why documents were planned."""

    run_id: str
    stages: list[dict[str, Any]]
    warnings: list[str]
    unread_paths: dict[str, float]
    refused: list[dict[str, Any]]
    gate: dict[str, int]
    gate_outside: list[dict[str, Any]]
    gate_scores: dict[str, int]
    gate_removed: dict[str, int]
    reader_text: dict[str, int]
    stale: dict[str, int]
    cards: list[dict[str, Any]]


class Person(BaseModel):
    """Somebody in a bucket, with the last answer: why it was rejected, and its sentences that are
    missing from the summary, each with the reason."""

    candidate_id: int
    full_name: str | None
    outcome: str | None
    reason: str | None
    failed: list[str]
    removed: list[dict[str, Any]]


class RunPeople(BaseModel):
    """A page of people by id; `next` is what to ask for as `after`, None at the end."""

    people: list[Person]
    next: int | None


class CoverageView(BaseModel):
    """The people as the report of a run counted them, None until one has; `history` has the gate's
    outcomes and the tokens of the last runs, the oldest first."""

    coverage: dict[str, Any] | None
    history: list[dict[str, Any]]


def coverage(reader: Reader) -> CoverageView:
    """The newest coverage and the figures of the last runs."""
    return CoverageView(
        coverage=reader.row("page/coverage_latest"),
        history=reader.rows("page/coverage_history", runs=COVERAGE_RUNS),
    )


def list_runs(reader: Reader, *, before: str | None) -> RunList:
    """A page of runs after the run `before`."""
    rows = reader.rows("page/runs_list", before=before, limit=PAGE_SIZE + 1)
    shown = [RunLine.model_validate(row) for row in rows[:PAGE_SIZE]]
    return RunList(runs=shown, next=shown[-1].run_id if len(rows) > PAGE_SIZE else None)


def view_run(reader: Reader, run_id: str) -> RunView | None:
    """One run; None when there is none of this id."""
    run = reader.row("page/runs_view", run_id=run_id)
    if run is None:
        return None
    lanes = reader.rows("page/runs_lanes", run_id=run_id)
    buckets = _buckets(reader, run)
    progress, night = _progress(reader, run, buckets, lanes)
    settings = run["settings"] or {}
    return RunView(
        **{name: run[name] for name in RunView.model_fields if name in run},
        batch_size=settings.get("batch_size"),
        buckets=[{"bucket": bucket, "candidates": n} for bucket, n in buckets.items()],
        progress=progress,
        night=night,
        lanes=[_lane(lane) for lane in lanes],
        cards=reader.rows("page/runs_cards", run_id=run_id) if run["ended_at"] is None else [],
    )


def run_details(reader: Reader, run_id: str) -> RunDetails | None:
    """Stages, refusals and the gate; None when there is no run of this id."""
    run = reader.row("page/runs_view", run_id=run_id)
    if run is None:
        return None
    refused = reader.rows("page/runs_refused", run_id=run_id)
    stages = reader.rows("page/runs_stages", run_id=run_id)
    counts = {name: value for stage in stages for name, value in stage["counts"].items()}
    gate = run["reported_gate"] or {}
    return RunDetails(
        run_id=run_id,
        stages=[{**stage, "counts": above_zero(stage["counts"])} for stage in stages],
        warnings=list(noted(counts, WARNING)),
        unread_paths=noted(counts, UNREAD),
        refused=refused,
        gate=gate.get("counts", {}),
        gate_outside=gate.get("outside", []),
        gate_scores=gate.get("scores", {}),
        gate_removed=gate.get("removed", {}),
        reader_text=run["reported_reader_text"] or {},
        stale=run["reported_stale"] or {},
        cards=run["reported_cards"] or [],
    )


def run_people(
    reader: Reader,
    run_id: str,
    *,
    bucket: str | None,
    reason: str | None,
    removed: str | None,
    after: int,
) -> RunPeople:
    """People in a bucket of a run, or behind a reason of its gate."""
    found = reader.rows(
        "page/runs_people",
        run_id=run_id,
        bucket=bucket,
        reason=reason,
        removed=removed,
        after=after,
        rows=PAGE_SIZE + 1,
    )
    people = [
        Person(
            **row,
            failed=[check["name"] for check in row["checks"] if not check["passed"]],
        )
        for row in found[:PAGE_SIZE]
    ]
    more = len(found) > PAGE_SIZE
    return RunPeople(people=people, next=people[-1].candidate_id if more else None)


def series(reader: Reader, run_id: str) -> dict[str, Any]:
    """Time series of lanes and cards, downsampled; see `profiles.storage.runs`."""
    return run_series(reader.driver, run_id)


def _buckets(reader: Reader, run: Row) -> dict[Bucket, int]:
    """From the report once there is one: items of old runs are dropped after a while."""
    if run["planned"] is None:
        return {}
    found = run["reported_buckets"] if run["ended_at"] is not None else None
    if not found:
        found = reader.row("report/count_buckets", run_id=run["run_id"]) or {}
    return {bucket: int(found.get(bucket.value) or 0) for bucket in Bucket}


def _progress(
    reader: Reader, run: Row, buckets: dict[Bucket, int], lanes: list[Row]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    if not buckets:
        return None, None
    is_running = run["ended_at"] is None
    missing = buckets[Bucket.MISSING]
    rate = _rate(reader, run, lanes) if is_running and missing else None
    now = run["now"]
    progress = progress_of(
        planned=run["planned"],
        deferred=buckets[Bucket.DEFERRED],
        missing=missing,
        rate=rate,
        now=now,
    )
    night = None
    if is_running and missing and run["stop_at"] is not None:
        night = night_of(stop_at=run["stop_at"], missing=missing, rate=rate, now=now)
    return asdict(progress), asdict(night) if night else None


def _rate(reader: Reader, run: Row, lanes: list[Row]) -> Rate | None:
    recent = reader.row("page/runs_recent", run_id=run["run_id"], seconds=LOOK_BACK_SECONDS) or {}
    past = reader.row("page/runs_past_rate", engine=run["engine"], model=run["model"]) or {}
    running = [lane for lane in lanes if lane["state"] == "running"]
    return rate_of(
        recent=int(recent["documents"]),
        measured_seconds=recent["measured_seconds"],
        working=[(_documents(lane["counters"]), lane["working_seconds"]) for lane in running],
        past=past["documents_per_second"],
        past_lanes=past["lanes"],
        lanes=len(running),
    )


def _documents(counters: dict[str, Any]) -> int:
    return _sum(counters, (outcome.value for outcome in Outcome))


def _sum(counters: dict[str, Any], names: Iterable[str]) -> int:
    return sum(int(counters.get(name, 0)) for name in names)


def _lane(row: Row) -> dict[str, Any]:
    """A lane with the figures that its counters and its engine's last words come to."""
    counters, gauges = row["counters"], row["gauges"]
    seconds = row["working_seconds"]
    prompt = _sum(counters, ["prompt_tokens"])
    output = _sum(counters, ["completion_tokens"])
    return {
        **{name: value for name, value in row.items() if name not in ("counters", "gauges")},
        "documents": _documents(counters),
        "output_tokens_per_second": round(output / seconds, 1) if seconds and output else None,
        "cache_hits": _sum(counters, ["cached_tokens"]) / prompt if prompt else None,
        "restarts": _sum(counters, ["engine_deaths"]),
        "in_flight": gauges.get("running"),
        "queued": gauges.get("waiting"),
        "token_usage": gauges.get("token_usage"),
    }
