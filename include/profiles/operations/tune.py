"""`profiles tune`: the fastest of the engine's settings for this team's own documents on this host.

Each trial is an engine process with the model, prompts and grammar of a run. Nothing is stored in
the database; the best options go into a file that PROFILES_ENGINE_OPTIONS can name as `@path`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from profiles.errors import BusyError, EngineError, SettingsError
from profiles.models import Request
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR, Settings
from profiles.steps.lanes.engine_choice import EngineChoice, choose_engine
from profiles.steps.lanes.lane_assembly import engine_cache_folder, engine_job, engine_log_path
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute
from profiles.synthesis.engine_environment import cache_environment
from profiles.synthesis.engines.engine_terms import TERMS
from profiles.synthesis.gpu.device_lock import cards_needed, claim_devices, visible_cards
from profiles.synthesis.lane.prompting import Prompter, engine_context_tokens, token_counter
from profiles.synthesis.process.sweep import Sweep, factors_of, sweep
from profiles.synthesis.process.trial import TrialFigures, run_trial

DEFAULT_OPTIONS_FILE = INCLUDE_DIR.parent / ".profiles" / "engine_options.json"
_SEED = 7
_WARM_UP_SHARE = 4
"""One document in four warms the engine up; the others are measured."""
_LEAST_DOCUMENTS = 8
_PASSES_PER_TUNE = 8
_LEAST_PASS_SECONDS = 20.0


def run(
    database: Database, settings: Settings, *, minutes: float, sample: int, out: Path
) -> dict[str, Any]:
    """Sweeps for about `minutes` and writes the best options to `out`; returns what was tried."""
    deadline = time.monotonic() + minutes * 60
    choice = choose_engine(settings, RunParams())
    if choice.engine not in TERMS:
        raise SettingsError(
            f"profiles tune sweeps the arguments of {' or '.join(TERMS)}, and PROFILES_ENGINE is "
            f"{choice.engine}; set it to one of them, with PROFILES_MODEL and "
            "PROFILES_ENGINE_PYTHON"
        )
    documents = sample_documents(
        database, size=sample, renderer_version=choice.key.renderer_version
    )
    if len(documents) < _LEAST_DOCUMENTS:
        raise SettingsError(
            f"{len(documents)} documents are stored and at least {_LEAST_DOCUMENTS} are needed; "
            "trigger DAG profile_synthesis once, with any engine"
        )
    requests = _requests(choice, documents)
    needed = cards_needed(choice.engine, choice.options, choice.model.path)
    cards = visible_cards() if needed else ()
    claim = claim_devices(needed, cards=cards, lock_dir=settings.device_lock_dir)
    if claim is None:
        raise BusyError(
            f"{needed} of {len(cards)} GPUs are needed and lanes hold them; tune when no run is "
            "under way"
        )
    try:
        found = _sweep(settings, choice, requests, claim.environment, minutes, deadline)
    finally:
        claim.release()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found.options, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return _report(found, out)


def _sweep(
    settings: Settings,
    choice: EngineChoice,
    requests: Sequence[Request],
    environment: dict[str, str],
    minutes: float,
    deadline: float,
) -> Sweep:
    warm_up = requests[: max(1, len(requests) // _WARM_UP_SHARE)]
    measured = requests[len(warm_up) :]
    seconds = max(_LEAST_PASS_SECONDS, minutes * 60 / _PASSES_PER_TUNE)
    context_tokens = engine_context_tokens(choice.profile, token_counter())
    job = engine_job(settings, choice, context_tokens=context_tokens)

    def trial(options: dict[str, Any]) -> TrialFigures:
        return run_trial(
            replace(job, options=options),
            measured,
            python=settings.engine_python,
            log_path=engine_log_path("tune", 0),
            window=min(settings.max_in_flight, len(measured)),
            warm_up=warm_up,
            seconds=seconds,
            start_timeout=settings.engine_start_seconds,
            silence_timeout=settings.engine_silence_seconds,
            environment={**cache_environment(engine_cache_folder(settings)), **environment},
        )

    try:
        return sweep(
            choice.options,
            partial(factors_of, TERMS[choice.engine]),
            trial,
            clock=time.monotonic,
            deadline=deadline,
        )
    except EngineError as error:
        raise EngineError(
            f"the engine fails with the present settings, so nothing was compared: {error}"
        ) from error


def _requests(choice: EngineChoice, documents: Sequence[tuple[str, int]]) -> list[Request]:
    """The questions of a first attempt, as a lane asks them."""
    prompter = Prompter(choice.profile, token_counter())
    return [
        prompter.request(
            document=document,
            word_count=words,
            request_id=f"tune.{number}.1",
            seed=_SEED,
        )
        for number, (document, words) in enumerate(documents)
    ]


def _report(found: Sweep, out: Path) -> dict[str, Any]:
    failed = [trial for trial in found.trials if trial.error is not None]
    return {
        "file": str(out),
        "options": found.options,
        "before_tokens_per_second": found.baseline.rate,
        "after_tokens_per_second": found.best.rate,
        "tried": len(found.trials),
        "failed": len(failed),
        "not_tried_for_want_of_time": found.untried,
        "trials": [trial.to_mapping() for trial in found.trials],
    }


def sample_documents(
    database: Database, *, size: int, renderer_version: str
) -> list[tuple[str, int]]:
    """Up to `size` documents with their word counts, spread over all people."""
    with database.connect() as connection:
        return execute(
            connection, "tune/sample_documents", size=size, renderer_version=renderer_version
        ).fetchall()
