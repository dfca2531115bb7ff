"""The devices of a lane or a judge: locked, without stray engines, with memory for the model."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from profiles.errors import BusyError, EngineError
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import EngineChoice
from profiles.steps.lanes.lane_assembly import engine_client, engine_job, engine_log_path
from profiles.synthesis.gpu.cards import card_memory, describe_holders, kill_orphans
from profiles.synthesis.gpu.device_lock import (
    DeviceClaim,
    cards_needed,
    claim_devices,
    visible_cards,
)
from profiles.synthesis.gpu.parallelism import weight_bytes
from profiles.synthesis.process.engine_client import EngineClient

log = logging.getLogger(__name__)


_POLL_SECONDS = 2.0
_BESIDE_WEIGHTS = 2048
"""Mebibytes that an engine needs on a card beside its share of the weights, at the very least."""

_SMALLER = frozenset({"quantization", "cpu_offload_gb"})
"""Options with which a model needs less than its files."""


def wait_for_devices(
    settings: Settings,
    choice: EngineChoice,
    *,
    is_over: Callable[[], bool],
    say: Callable[[str], None],
) -> DeviceClaim | None:
    """Free devices with room for the model; None once `is_over`. A locked card is waited for as
    long as there is work; one full of somebody else's memory for as long as an engine may take to
    load."""
    needed = cards_needed(choice.engine, choice.options, choice.model.path)
    cards = visible_cards() if needed else ()
    weights = 0 if _SMALLER & choice.options.keys() else weight_bytes(Path(choice.model.path))
    least = (weights >> 20) // max(1, needed) + _BESIDE_WEIGHTS
    full_since: float | None = None
    while not is_over():
        full: list[str] = []
        claim = claim_devices(
            needed,
            cards=cards,
            lock_dir=settings.device_lock_dir,
            has_room=partial(_has_room, least=least, full=full),
        )
        if claim is not None:
            return claim
        filled = "; ".join(full)
        if not full:
            full_since = None
        elif full_since is None:
            full_since = time.monotonic()
            log.warning("%s", filled)
            say(f"waiting for memory: {filled}")
        elif time.monotonic() - full_since > settings.engine_start_seconds:
            raise EngineError(
                f"{filled}. End that process, give this worker other cards in "
                "CUDA_VISIBLE_DEVICES, or clear the lane when the card is free"
            )
        time.sleep(_POLL_SECONDS)
    return None


def _has_room(card: str, *, least: int, full: list[str]) -> bool:
    """Return whether the model fits a locked card now; adds to `full` who is there if not."""
    if kill_orphans([card]):
        # The driver gives memory back a moment later.
        time.sleep(_POLL_SECONDS)
    holders = describe_holders([card])
    if holders:
        log.warning("cards that no lane has locked are in use: %s", holders)
    _, free = card_memory([card]).get(card, (0, least))
    if free < least:
        full.append(
            f"card {card} has {free} MiB free and the model needs {least} MiB there"
            + (f" ({holders})" if holders else "")
        )
    return free >= least


CARD_SECONDS = 600.0
"""Seconds that a judge waits for its cards."""
_CONTEXT_TOKENS = 4_096


@contextmanager
def judge_engine(settings: Settings, choice: EngineChoice, name: str) -> Iterator[EngineClient]:
    """The deployment's engine on cards that no lane holds; they are waited for."""
    until = time.monotonic() + CARD_SECONDS
    claim = wait_for_devices(
        settings, choice, is_over=lambda: time.monotonic() > until, say=log.info
    )
    if claim is None:
        raise BusyError(
            f"lanes or other processes held the GPUs that the judge needs for {CARD_SECONDS:.0f} "
            "seconds; Airflow retries"
        )
    try:
        client = engine_client(
            settings,
            engine_job(settings, choice, context_tokens=_CONTEXT_TOKENS),
            claim,
            log_path=engine_log_path(f"judge-{name}", 0),
        )
        with client:
            client.start()
            yield client
    finally:
        claim.release()
