"""Puts a lane together from this deployment's engine, prompt, gate and sizes; gets the devices of a
lane or a judge: locked, without stray engines, with memory for the model."""

from __future__ import annotations

import logging
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from profiles.errors import BusyError, EngineError
from profiles.models import Completion, Profile, Rejection, Request, WorkItem
from profiles.settings import Settings, beside_airflow
from profiles.steps.lanes.engine_choice import EngineChoice
from profiles.storage.leases import LaneQueue
from profiles.storage.taxonomy import load_reader_text, load_vocabulary
from profiles.synthesis.engine_environment import cache_environment
from profiles.synthesis.engines.engine_terms import SGLANG, TERMS
from profiles.synthesis.extractive import extractive_summary
from profiles.synthesis.gpu.cards import (
    ENGINE_OF,
    CardWatch,
    card_memory,
    describe_holders,
    engine_marker,
    kill_orphans,
)
from profiles.synthesis.gpu.device_lock import (
    DeviceClaim,
    cards_needed,
    claim_devices,
    visible_cards,
)
from profiles.synthesis.gpu.memory_ladder import MemoryLadder
from profiles.synthesis.gpu.parallelism import weight_bytes
from profiles.synthesis.lane.assessment import Assessor, attempt_seed
from profiles.synthesis.lane.engine_profiles import load_follow_up
from profiles.synthesis.lane.lane import Lane, LaneControl
from profiles.synthesis.lane.prompting import Prompter, engine_context_tokens, token_counter
from profiles.synthesis.lane.warm_up import warm_up_requests
from profiles.synthesis.lane.window import Job
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, EngineReady
from profiles.validation.gate import judge

log = logging.getLogger(__name__)

_NO_GPU_MEMORY = frozenset({"openai", "llama_cpp"})
"""Engines that would not know what the steps of the memory ladder change."""
_POLL_SECONDS = 2.0
_BESIDE_WEIGHTS = 2048
"""Mebibytes that an engine needs on a card beside its share of the weights, at the very least."""

_SMALLER = frozenset({"quantization", "cpu_offload_gb"})
"""Options with which a model needs less than its files."""


def build_lane(
    queue: LaneQueue,
    settings: Settings,
    choice: EngineChoice,
    claim: DeviceClaim,
    watch: CardWatch,
    control: LaneControl,
) -> Lane:
    """The lane, ready to run on the devices of `claim`, which must be held until it has ended."""
    profile = choice.profile
    count_tokens = token_counter()
    prompter = Prompter(
        profile,
        count_tokens,
        follow_up=load_follow_up(settings.prompts_dir),
        reader_text=load_reader_text(settings.taxonomy_dir),
    )
    vocabulary = load_vocabulary(settings.taxonomy_dir)

    def about(item: WorkItem) -> dict[str, Any]:
        shared = {"profile": profile, "vocabulary": vocabulary}
        return {"document": item.document, "word_count": item.word_count, **shared}

    def gate(completion: Completion, item: WorkItem) -> Profile | Rejection:
        return judge(completion, **about(item))

    def stand_in(rejection: Rejection, item: WorkItem) -> Profile:
        return extractive_summary(rejection, **about(item))

    assessor = Assessor(profile, gate, stand_in if settings.extractive_fallback else None)
    context_tokens = engine_context_tokens(profile, count_tokens)
    job = engine_job(settings, choice, context_tokens=context_tokens)
    terms = TERMS.get(choice.engine, SGLANG)
    ladder = MemoryLadder(choice.options, most_running=job.max_running, terms=terms)

    def new_engine() -> EngineClient:
        # Of the engine before, too: the next one would find its memory taken.
        watch.wait_until_free()
        return engine_client(
            settings,
            replace(job, options=ladder.options),
            claim,
            name=queue.run_id,
            lane=queue.lane,
        )

    def new_request(wanted: Job) -> Request:
        return prompter.request(
            document=wanted.item.document,
            word_count=wanted.item.word_count,
            request_id=wanted.request_id,
            seed=attempt_seed(wanted.item, wanted.number),
            max_new_tokens=None if wanted.number == 1 else profile.retry_max_new_tokens,
            rejection=wanted.rejection,
        )

    def new_warm_up(ready: EngineReady) -> Sequence[Request]:
        if choice.engine not in TERMS or settings.warm_up_seconds <= 0:
            return ()  # The other engines compile nothing, or on another host.
        # Half again as many as run at once: those that follow enter a full engine, as later all do.
        return warm_up_requests(profile, prompter, ready.at_once * 3 // 2)

    return Lane(
        queue=queue,
        new_engine=new_engine,
        new_request=new_request,
        new_warm_up=new_warm_up,
        assessor=assessor,
        relieve=(lambda *_: None) if choice.engine in _NO_GPU_MEMORY else ladder.relieve,
        settings=settings,
        control=control,
    )


def engine_job(settings: Settings, choice: EngineChoice, *, context_tokens: int) -> EngineJob:
    return EngineJob(
        engine=choice.engine,
        model=choice.model.path,
        options=choice.options,
        base_url=settings.openai_base_url,
        allow_public=settings.allow_public_endpoint,
        max_in_flight=settings.max_in_flight,
        max_running=settings.max_running,
        context_tokens=context_tokens,
        json_schema=choice.profile.output_schema if choice.profile.answer == "json" else None,
        request_seconds=settings.request_seconds,
        network="host" if choice.engine == "openai" else settings.engine_network,
    )


def engine_client(
    settings: Settings, job: EngineJob, claim: DeviceClaim, *, name: str, lane: int = 0
) -> EngineClient:
    """The process of an engine on the devices of `claim`, not started yet; `name` and `lane` name
    its log, and the process when its lane is gone."""
    return EngineClient(
        job,
        python=settings.engine_python,
        log_path=engine_log_path(name, lane),
        start_timeout=settings.engine_start_seconds,
        silence_timeout=settings.engine_silence_seconds,
        environment={
            **cache_environment(settings.engine_cache_dir),
            **claim.environment,
            ENGINE_OF: engine_marker(name, lane),
        },
        descriptors=claim.descriptors,
    )


def engine_log_path(run_id: str, lane: int) -> Path:
    """Path of an engine's own output on this host: in a folder that no other user shares."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", run_id)
    own = Path(tempfile.gettempdir()) / f"profiles-engine-logs-{os.getuid()}"
    return beside_airflow("engine-logs", own) / f"{name}-lane-{lane}.log"


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


def idle_devices(
    settings: Settings, choice: EngineChoice, *, seconds: float, advice: str
) -> DeviceClaim:
    """Devices that no lane holds, waited for; BusyError with `advice` once `seconds` are over."""
    until = time.monotonic() + seconds
    claim = wait_for_devices(
        settings, choice, is_over=lambda: time.monotonic() > until, say=log.info
    )
    if claim is None:
        raise BusyError(
            f"lanes or other processes held the GPUs for {seconds:.0f} seconds; {advice}"
        )
    return claim
