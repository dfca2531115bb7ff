"""`profiles tune`: the fastest of the engine's settings for this team's own documents on this host.

Each trial is an engine process with the model, prompts and grammar of a run. The best options go
into a file that PROFILES_ENGINE_OPTIONS can name as `@path`. From the planned settings one factor
is tried at a time on top of the best options so far, and kept when it is faster beyond noise;
factors that are worth most come first, because time may end the sweep.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from profiles.errors import EngineError, EngineJobError, SettingsError
from profiles.models import Request
from profiles.params import RunParams
from profiles.settings import INCLUDE_DIR, Settings, whole_file
from profiles.steps.lanes.engine_choice import EngineChoice, choose_engine
from profiles.steps.lanes.lane_assembly import engine_client, engine_job, idle_devices
from profiles.storage.connection import Database
from profiles.storage.sql_files import execute
from profiles.synthesis.engines.engine_terms import TERMS, EngineTerms
from profiles.synthesis.gpu.device_lock import DeviceClaim
from profiles.synthesis.lane.prompting import Prompter, engine_context_tokens, token_counter
from profiles.synthesis.process.protocol import EngineReady
from profiles.synthesis.process.trial import PassFigures, run_trial

log = logging.getLogger(__name__)

DEFAULT_OPTIONS_FILE = INCLUDE_DIR.parent / ".profiles" / "engine_options.json"
_CARD_SECONDS = 10.0
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
    version = choice.key.renderer_version
    documents = sample_documents(database, size=sample, renderer_version=version)
    if len(documents) < _LEAST_DOCUMENTS:
        raise SettingsError(
            f"{len(documents)} documents are stored and at least {_LEAST_DOCUMENTS} are needed; "
            "trigger DAG profile_synthesis once, with any engine"
        )
    prompter = Prompter(choice.profile, token_counter())
    requests = [
        prompter.request(
            document=document, word_count=words, request_id=f"tune.{number}.1", seed=_SEED
        )
        for number, (document, words) in enumerate(documents)
    ]
    advice = "tune when no run is under way"
    with closing(idle_devices(settings, choice, seconds=_CARD_SECONDS, advice=advice)) as claim:
        found = _sweep(settings, choice, requests, claim, minutes, deadline)
    with whole_file(out, advice="name another with --out", mode=0o666) as file:
        file.write(json.dumps(found.options, indent=1, sort_keys=True).encode() + b"\n")
    return {
        "file": str(out),
        "options": found.options,
        "before_tokens_per_second": found.trials[0].rate,
        "after_tokens_per_second": max(trial.rate for trial in found.trials if trial.kept),
        "tried": len(found.trials),
        "failed": sum(trial.error is not None for trial in found.trials),
        "not_tried_for_want_of_time": found.untried,
        "trials": [
            {"changed": trial.changed, "error": trial.error, "kept": trial.kept, **trial.figures}
            for trial in found.trials
        ],
    }


def _sweep(
    settings: Settings,
    choice: EngineChoice,
    requests: Sequence[Request],
    claim: DeviceClaim,
    minutes: float,
    deadline: float,
) -> Sweep:
    warm_up = requests[: max(1, len(requests) // _WARM_UP_SHARE)]
    measured = requests[len(warm_up) :]
    seconds = max(_LEAST_PASS_SECONDS, minutes * 60 / _PASSES_PER_TUNE)
    context_tokens = engine_context_tokens(choice.profile, token_counter())
    window = min(settings.max_in_flight, len(measured))
    job = replace(engine_job(settings, choice, context_tokens=context_tokens), max_in_flight=window)

    def trial(options: dict[str, Any]) -> tuple[EngineReady, PassFigures]:
        client = engine_client(settings, replace(job, options=options), claim, name="tune")
        return run_trial(client, measured, window=window, warm_up=warm_up, seconds=seconds)

    factors = partial(factors_of, TERMS[choice.engine])
    try:
        return sweep(choice.options, factors, trial, clock=time.monotonic, deadline=deadline)
    except EngineError as error:
        raise EngineError(
            f"the engine fails with the present settings, so nothing was compared: {error}"
        ) from error


def sample_documents(
    database: Database, *, size: int, renderer_version: str
) -> list[tuple[str, int]]:
    """Up to `size` documents with their word counts, spread over all people."""
    with database.connect() as connection:
        return execute(
            connection, "tune/sample_documents", size=size, renderer_version=renderer_version
        ).fetchall()


NOISE = 0.02
"""A gain below this share may be chance with one pass a trial."""
_MOST_FAILED = 0.01
_FRACTION_STEP = 0.02

Factor = tuple[dict[str, Any], ...]
"""Changes of options that exclude one another."""
RunTrial = Callable[[dict[str, Any]], tuple[EngineReady, PassFigures]]


@dataclass(slots=True)
class Trial:
    """One engine: what was changed, its output tokens a second, 0 for a failure, and figures."""

    changed: dict[str, Any]
    rate: float = 0.0
    error: str | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """The best options found. `untried` counts values that time did not allow."""

    options: dict[str, Any]
    trials: list[Trial]
    untried: int


def sweep(
    base: Mapping[str, Any],
    factors: Callable[[Mapping[str, Any]], Sequence[Factor]],
    run: RunTrial,
    *,
    clock: Callable[[], float],
    deadline: float,
) -> Sweep:
    """Tries `base`, whose errors are raised, then each value of `factors(its arguments)`, until
    `deadline` on `clock`. No trial begins that would, by the slowest so far, end later. One that
    fails is noted and passed over."""
    began = clock()
    ready, measured = run(dict(base))
    slowest = clock() - began
    trials = [_trial({}, ready, measured)]
    trials[0].kept = True
    best, rate, untried = dict(base), trials[0].rate, 0
    for factor in factors(ready.details["arguments"]):
        winner: Trial | None = None
        for changed in factor:
            began = clock()
            if began + slowest > deadline:
                untried += 1
                continue
            try:
                trial = _trial(changed, *run({**best, **changed}))
            except (EngineError, EngineJobError) as error:
                log.warning("%s failed: %s", changed, error)
                trial = Trial(changed, error=str(error))
            trials.append(trial)
            slowest = max(slowest, clock() - began)
            if trial.rate > (winner.rate if winner else rate * (1 + NOISE)):
                winner = trial
        if winner is not None:
            winner.kept, rate = True, winner.rate
            best |= winner.changed
            log.info("kept %s: %.0f tokens/s", winner.changed, rate)
    return Sweep(best, trials, untried)


def _trial(changed: dict[str, Any], ready: EngineReady, measured: PassFigures) -> Trial:
    shown = {**asdict(measured), "load_seconds": ready.load_seconds}
    if measured.ok and measured.failed <= _MOST_FAILED * measured.requests:
        return Trial(changed, measured.output_tokens_per_second, figures=shown)
    error = f"{measured.failed} of {measured.requests} requests failed: {measured.errors}"
    return Trial(changed, error=error, figures=shown)


def factors_of(terms: EngineTerms, used: Mapping[str, Any]) -> list[Factor]:
    """The few settings of an engine that matter, around those that the baseline ran with."""
    factors: list[Factor] = []
    if running := used.get(terms.running):
        near = [max(8, round(running * share / 8) * 8) for share in (0.75, 1.25)]
        factors.append(tuple({terms.running: size, terms.graphs: size} for size in near))
    for swept in terms.swept:
        name = swept.argument
        if name in used or not swept.only_if_used:
            now = used.get(name, swept.default)
            factors.append(tuple({name: value} for value in swept.values if value != now))
    if fraction := used.get(terms.fraction):
        steps = (-_FRACTION_STEP, _FRACTION_STEP)
        factors.append(tuple({terms.fraction: round(fraction + step, 3)} for step in steps))
    return factors
