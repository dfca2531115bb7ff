"""Which of an engine's settings make it faster: one factor at a time, from the planned ones.

A factor's values are tried on top of the best options so far; a value is kept when it is faster
beyond noise. Factors that are worth most come first, because time may end the sweep.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.synthesis.engines.engine_terms import SGLANG, VLLM, EngineTerms
from profiles.synthesis.process.trial import PassFigures, TrialFigures

__all__ = ["FACTORS", "Factor", "Sweep", "Trial", "sglang_factors", "sweep", "vllm_factors"]

log = logging.getLogger(__name__)

NOISE = 0.02
"""A gain below this share is not told from chance with one pass a trial."""
_MOST_FAILED = 0.01
_FRACTION_STEP = 0.02
_CHUNKS = (512, 1024, 2048, 4096, 8192, 16384)

Factor = tuple[dict[str, Any], ...]
"""Changes of options that exclude one another."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One engine: what was changed, and its figures or why there are none."""

    changed: dict[str, Any]
    figures: TrialFigures | None
    error: str | None
    seconds: float
    kept: bool = False

    @property
    def rate(self) -> float:
        """Output tokens a second; 0 for a trial that failed."""
        if self.figures is None or self.error is not None:
            return 0.0
        return self.figures.output_tokens_per_second

    def to_mapping(self) -> dict[str, Any]:
        """For people and for JSON."""
        figures = self.figures
        if figures is None:
            return {"changed": self.changed, "error": self.error, "kept": self.kept}
        return {
            "changed": self.changed,
            "output_tokens_per_second": figures.output_tokens_per_second,
            "retractions_per_minute": figures.measured.retractions_per_minute,
            "failed": figures.measured.failed,
            "ended": figures.measured.ended,
            "most_running": figures.measured.most_running,
            "cached_share": figures.measured.cached_share,
            "peak_mib": figures.measured.peak_mib,
            "load_seconds": figures.load_seconds,
            "error": self.error,
            "kept": self.kept,
        }


@dataclass(frozen=True, slots=True)
class Sweep:
    """The best options found. `untried` counts values that time did not allow."""

    options: dict[str, Any]
    trials: tuple[Trial, ...]
    untried: int

    @property
    def baseline(self) -> Trial:
        """What the sweep started from."""
        return self.trials[0]

    @property
    def best(self) -> Trial:
        """The fastest trial that was kept."""
        return next(trial for trial in reversed(self.trials) if trial.kept)


def sweep(
    base: Mapping[str, Any],
    factors: Callable[[TrialFigures], Sequence[Factor]],
    run: Callable[[dict[str, Any]], TrialFigures],
    *,
    clock: Callable[[], float],
    deadline: float,
) -> Sweep:
    """Tries `base`, then each value of `factors(its figures)`, until `deadline` on `clock`.

    No trial begins that would, by the slowest so far, end after the deadline. A trial that fails is
    noted and passed over.

    Raises:
        EngineJobError, EngineError: `base` itself does not run.
    """
    began = clock()
    figures = run(dict(base))
    slowest = clock() - began
    trials = [Trial({}, figures, None, slowest, kept=True)]
    best, rate, untried = dict(base), figures.output_tokens_per_second, 0
    for factor in factors(figures):
        found: tuple[int, float] | None = None
        for changed in factor:
            began = clock()
            if began + slowest > deadline:
                untried += 1
                continue
            trial = _try({**best, **changed}, changed, run, clock)
            trials.append(trial)
            slowest = max(slowest, trial.seconds)
            reached = trial.rate
            if reached > (found[1] if found else rate * (1 + NOISE)):
                found = (len(trials) - 1, reached)
        if found is not None:
            number, rate = found
            winner = trials[number]
            best |= winner.changed
            trials[number] = Trial(winner.changed, winner.figures, None, winner.seconds, kept=True)
            log.info("kept %s: %.0f tokens/s", winner.changed, rate)
    return Sweep(best, tuple(trials), untried)


def _try(
    options: dict[str, Any],
    changed: dict[str, Any],
    run: Callable[[dict[str, Any]], TrialFigures],
    clock: Callable[[], float],
) -> Trial:
    began = clock()
    try:
        figures = run(options)
    except (EngineError, EngineJobError) as error:
        log.warning("%s failed: %s", changed, error)
        return Trial(changed, None, str(error), clock() - began)
    return Trial(changed, figures, _fault(figures.measured), clock() - began)


def _fault(measured: PassFigures) -> str | None:
    if measured.ok and measured.failed <= _MOST_FAILED * measured.asked:
        return None
    return f"{measured.failed} of {measured.asked} requests failed: {measured.errors}"


def sglang_factors(baseline: TrialFigures) -> list[Factor]:
    """The few settings of SGLang that matter, around those that the baseline ran with.

    In the order of what they were worth on a card: 1.16-1.27 and 1.25 for the first two after the
    number of requests, on a 24 GB budget (docs/performance.md).
    """
    used = baseline.details["arguments"]
    factors = [
        _running(used, SGLANG),
        _values(used, "kv_cache_dtype", ("auto", "fp8_e4m3", "fp8_e5m2"), default="auto"),
        _values(used, "disable_prefill_cuda_graph", (True, False), default=False),
        _values(used, "chunked_prefill_size", _CHUNKS),
        _values(used, "schedule_conservativeness", (0.3, 1.0, 1.3), default=1.0),
        _values(used, "schedule_policy", ("lpm", "fcfs"), default="fcfs"),
    ]
    if "swa_full_tokens_ratio" in used:
        factors.append(_values(used, "swa_full_tokens_ratio", (0.2, 0.3, 0.5, 0.8)))
    return [factor for factor in (*factors, _fractions(used, SGLANG)) if factor]


def vllm_factors(baseline: TrialFigures) -> list[Factor]:
    """The few settings of vLLM that matter, in the same order; their worth was not measured."""
    used = baseline.details["arguments"]
    factors = [
        _running(used, VLLM),
        _values(used, "kv_cache_dtype", ("auto", "fp8_e4m3", "fp8_e5m2"), default="auto"),
        _values(used, "max_num_batched_tokens", _CHUNKS),
        _values(used, "prefill_schedule_interval", (1, 4), default=1),
        _fractions(used, VLLM),
    ]
    return [factor for factor in factors if factor]


FACTORS = {"sglang": sglang_factors, "vllm": vllm_factors}
"""Of each engine that has settings to try."""


def _running(used: Mapping[str, Any], terms: EngineTerms) -> Factor:
    running = used.get(terms.running)
    if not running:
        return ()
    near = [max(8, round(running * share / 8) * 8) for share in (0.75, 1.25)]
    return tuple({terms.running: size, terms.graphs: size} for size in near)


def _fractions(used: Mapping[str, Any], terms: EngineTerms) -> Factor:
    fraction = used.get(terms.fraction)
    if not fraction:
        return ()
    near = (round(fraction - _FRACTION_STEP, 3), round(fraction + _FRACTION_STEP, 3))
    return _values(used, terms.fraction, near)


def _values(
    used: Mapping[str, Any], name: str, values: Sequence[Any], *, default: Any = None
) -> Factor:
    """Those values of an argument that the baseline did not run with."""
    return tuple({name: value} for value in values if value != used.get(name, default))
