"""Runs one lane: an engine on the devices it could lock, through what is left of the run."""

from __future__ import annotations

import logging
import time

from profiles.errors import DatabaseUnavailableError
from profiles.models import Outcome, QueueState
from profiles.settings import Settings, load_settings
from profiles.steps.lanes.engine_choice import serve_release
from profiles.steps.lanes.lane_assembly import build_lane, wait_for_devices
from profiles.steps.stage import Counts, message_of, stage
from profiles.storage.connection import Database
from profiles.storage.leases import LaneQueue
from profiles.storage.releases import Release
from profiles.storage.runs import read_assignment
from profiles.synthesis.gpu.cards import CardWatch
from profiles.synthesis.gpu.device_lock import visible_cards
from profiles.synthesis.gpu.gpu_monitor import GpuMonitor
from profiles.synthesis.lane.lane import LaneControl, LaneEnd, LaneOutcome

log = logging.getLogger(__name__)

_POLL_SECONDS = 2.0


def run(
    database: Database, *, run_id: str, lane: int, control: LaneControl | None = None
) -> Counts:
    """Works until nothing is left, the window ends or `control` stops it; returns the lane's
    counts, `stopped` 1 when it was. A lane without work, time or, while work remains, a free device
    succeeds with 0 documents; its row and the log say why."""
    settings = load_settings()
    control = control or LaneControl()
    queue = LaneQueue(database, run_id, lane, settings.lease_seconds)
    with stage(database, run_id=run_id, name="synthesise", part=f"lane {lane}") as counts:
        params, release = read_assignment(database, run_id=run_id)
        queue.open_lane(release.key, reason="starting")
        try:
            _attempt(queue, settings, release, params.model, control, counts)
        except BaseException as error:
            try:
                queue.close_lane(succeeded=False, counters=counts, error=message_of(error))
            except DatabaseUnavailableError as outage:
                log.warning("the row of lane %s stays open: %s", lane, outage)
            raise
    return counts


def _attempt(
    queue: LaneQueue,
    settings: Settings,
    release: Release,
    model: str,
    control: LaneControl,
    counts: Counts,
) -> None:
    claim, idle = None, _wait_for_work(queue, release, control)
    if idle is None:
        choice = serve_release(settings, release, model=model)
        queue.open_lane(release.key, reason="waiting for a free device")
        claim = wait_for_devices(
            settings,
            choice,
            is_over=lambda: control.is_stopping or _why_idle(queue.state(first=True)) is not None,
            say=lambda reason: queue.open_lane(release.key, reason=reason),
        )
    if claim is None:
        idle = idle or "no device was free while there was work"
        queue.close_lane(succeeded=True, counters={}, reason=idle)
        log.info("lane %s does nothing: %s", queue.lane, idle)
        counts.update(documents=0, stopped=int(control.is_stopping))
        return
    watch = CardWatch(claim.cards)
    try:
        reason = (
            f"{len(claim.cards)} of {len(visible_cards())} cards of this host were free"
            if claim.cards
            else f"engine {choice.engine} needs no GPU of this host"
        )
        queue.open_lane(release.key, reason=reason, cards=claim.cards)
        lane = build_lane(queue, settings, choice, claim, watch, control)
        try:
            store, celsius = queue.store_gpu_samples, settings.gpu_warn_celsius
            with GpuMonitor(claim.cards, store, warn_celsius=celsius):
                outcome = lane.run()
        finally:
            counts.update(lane.counters)
        counts.update(_close(queue, outcome, reason=reason))
    finally:
        watch.wait_until_free()
        claim.close()


def _close(queue: LaneQueue, outcome: LaneOutcome, *, reason: str) -> Counts:
    stopped = outcome.end is LaneEnd.STOPPED
    queue.close_lane(
        succeeded=not stopped,
        counters=outcome.counters,
        cold_start=outcome.cold_start,
        reason="; ".join((reason, *outcome.notes)),
        error=f"lane {queue.lane} was {outcome.end}" if stopped else None,
    )
    log.info("lane %s ended: %s", queue.lane, outcome.end)
    documents = sum(outcome.counters.get(name, 0) for name in Outcome)
    return {"documents": documents, "stopped": int(stopped)}


def _wait_for_work(queue: LaneQueue, release: Release, control: LaneControl) -> str | None:
    """None when a document can be leased, else why not. Items of others are waited for, without a
    device: the leases of a lane that crashed expire, and no other lane would process its
    documents."""
    state = queue.state(first=True)
    if state.held and not state.leasable:
        log.info("lane %s waits for documents that another lane works on", queue.lane)
        queue.open_lane(release.key, reason="waiting for documents that another lane works on")
    while state.held and not state.leasable and state.seconds_left > 0:
        if control.is_stopping:
            break
        time.sleep(_POLL_SECONDS)
        state = queue.state(first=True)
    return _why_idle(state)


def _why_idle(state: QueueState) -> str | None:
    if state.seconds_left <= 0:
        return "the window is over; clear plan_synthesis and its downstream tasks to open a new one"
    return None if state.leasable or state.held else "no planned document is free"
