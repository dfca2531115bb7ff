"""The engine of a judge: it waits for cards and loads for a stated time, whatever is set."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from profiles.errors import BusyError
from profiles.settings import Settings
from profiles.steps.lanes.engine_choice import EngineChoice
from profiles.steps.lanes.lane_assembly import engine_cache_folder, engine_log_path
from profiles.steps.lanes.lane_devices import wait_for_devices
from profiles.synthesis.process.engine_client import EngineClient, EngineJob
from profiles.synthesis.process.engine_environment import cache_environment

__all__ = ["CARD_SECONDS", "LOAD_SECONDS", "judge_engine"]

log = logging.getLogger(__name__)

CARD_SECONDS = 600.0
"""How long a judge waits for its cards."""
LOAD_SECONDS = 2_400
"""The longest load. PROFILES_ENGINE_START_SECONDS has no bound, and the task is optional."""
_CONTEXT_TOKENS = 4_096


@contextmanager
def judge_engine(settings: Settings, choice: EngineChoice, name: str) -> Iterator[EngineClient]:
    """The deployment's engine in its own process, on cards that no lane holds.

    They are waited for: a try that lost its worker may have them for a moment longer.

    Raises:
        BusyError: lanes, or other processes, hold the cards.
        EngineJobError, EngineError: the engine does not load.
    """
    until = time.monotonic() + CARD_SECONDS
    claim = wait_for_devices(
        settings, choice, is_over=lambda: time.monotonic() > until, say=log.info
    )
    if claim is None:
        raise BusyError(
            f"lanes or other processes held the GPUs that the judge needs for {CARD_SECONDS:.0f} "
            "seconds; it is tried again"
        )
    load_seconds = min(settings.engine_start_seconds, LOAD_SECONDS)
    if load_seconds < settings.engine_start_seconds:
        log.info(
            "a judge's engine has %d s to load, not the %d of PROFILES_ENGINE_START_SECONDS: its "
            "task must end within an hour",
            load_seconds,
            settings.engine_start_seconds,
        )
    try:
        client = EngineClient(
            EngineJob(
                engine=choice.engine,
                model=choice.model.path,
                options=choice.options,
                base_url=settings.openai_base_url,
                allow_public=settings.allow_public_endpoint,
                max_in_flight=settings.max_in_flight,
                max_running=settings.max_running,
                planned=choice.preset.planned,
                context_tokens=_CONTEXT_TOKENS,
                request_seconds=settings.request_seconds,
                network="host" if choice.engine == "openai" else settings.engine_network,
            ),
            python=settings.engine_python,
            log_path=engine_log_path(f"judge-{name}", 0),
            start_timeout=load_seconds,
            silence_timeout=settings.engine_silence_seconds,
            environment={**cache_environment(engine_cache_folder(settings)), **claim.environment},
            descriptors=claim.descriptors,
        )
        with client:
            client.start()
            yield client
    finally:
        claim.release()
