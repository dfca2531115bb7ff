"""Search for faster engine settings: one factor at a time, from the planned ones.

A factor's values are tried on top of the best options so far; a value is kept when it is faster
beyond noise. Factors that are worth most come first, because time may end the sweep.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from profiles.errors import EngineError, EngineJobError
from profiles.synthesis.engines.engine_terms import EngineTerms
from profiles.synthesis.process.trial import PassFigures, TrialFigures

log = logging.getLogger(__name__)

NOISE = 0.02
"""A gain below this share may be chance with one pass a trial."""
_MOST_FAILED = 0.01
_FRACTION_STEP = 0.02
_SHOWN = (
    "output_tokens_per_second",
    "retractions_per_minute",
    "failed",
    "ended",
    "most_running",
    "cached_share",
    "peak_mib",
)

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
        found = {"changed": self.changed, "error": self.error, "kept": self.kept}
        if self.figures is None:
            return found
        shown = {name: getattr(self.figures.measured, name) for name in _SHOWN}
        return {**found, **shown, "load_seconds": self.figures.load_seconds}


@dataclass(frozen=True, slots=True)
class Sweep:
    """The best options found. `untried` counts values that time did not allow."""

    options: dict[str, Any]
    trials: tuple[Trial, ...]
    untried: int

    @property
    def baseline(self) -> Trial:
        return self.trials[0]

    @property
    def best(self) -> Trial:
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
            trials[number] = winner = replace(trials[number], kept=True)
            best |= winner.changed
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


def factors_of(terms: EngineTerms, baseline: TrialFigures) -> list[Factor]:
    """The few settings of an engine that matter, around those that the baseline ran with."""
    used = baseline.details["arguments"]
    running, fraction = used.get(terms.running), used.get(terms.fraction)
    factors: list[Factor] = []
    if running:
        near = [max(8, round(running * share / 8) * 8) for share in (0.75, 1.25)]
        factors.append(tuple({terms.running: size, terms.graphs: size} for size in near))
    for swept in terms.swept:
        name = swept.argument
        if name in used or not swept.only_if_used:
            now = used.get(name, swept.default)
            factors.append(tuple({name: value} for value in swept.values if value != now))
    if fraction:
        steps = (-_FRACTION_STEP, _FRACTION_STEP)
        factors.append(tuple({terms.fraction: round(fraction + step, 3)} for step in steps))
    return factors
