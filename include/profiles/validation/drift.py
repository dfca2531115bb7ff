"""Whether the gate's figures of a run lie where those of the runs before lay. Pure.

A control chart for shares. The band of a figure is its mean over the earlier runs, three standard
deviations to either side, with the scatter between those runs and that of the counts in this one
both in the deviation: so a night of few answers is not called odd for being small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pvariance

__all__ = ["FEWEST_ANSWERS", "FEWEST_RUNS", "Band", "Drift", "bands", "outside"]

FEWEST_RUNS = 5
"""Earlier runs without which there is no band."""

FEWEST_ANSWERS = 100
"""Answers of a run below which its shares say too little, as a run and as history."""

_DEVIATIONS = 3.0
_NARROWEST = 0.01
"""Half-width below which a band is not drawn: a percent more of anything is no alarm."""


@dataclass(frozen=True, slots=True)
class Band:
    """One figure: its share in this run, and between which shares it is expected."""

    figure: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Drift(Band):
    """A figure outside its band."""

    def __str__(self) -> str:
        return f"{self.figure} {self.share:.1%} (band {self.low:.1%} to {self.high:.1%})"


def outside(found: Iterable[Band]) -> tuple[Drift, ...]:
    """The figures that lie outside their bands."""
    return tuple(
        Drift(band.figure, band.share, band.low, band.high)
        for band in found
        if not band.low <= band.share <= band.high
    )


def bands(now: Mapping[str, int], before: Sequence[Mapping[str, int]]) -> tuple[Band, ...]:
    """Every figure of `now` or of the runs before, with its band; counts by outcome and reason.

    Empty when this run or the history is too small to tell.
    """
    total = sum(now.values())
    runs = [run for run in before if sum(run.values()) >= FEWEST_ANSWERS]
    if total < FEWEST_ANSWERS or len(runs) < FEWEST_RUNS:
        return ()
    found = []
    for figure in sorted(set(now).union(*runs)):
        shares = [run.get(figure, 0) / sum(run.values()) for run in runs]
        mean = fmean(shares)
        deviation = sqrt(pvariance(shares) + mean * (1 - mean) / total)
        width = max(_DEVIATIONS * deviation, _NARROWEST)
        share = now.get(figure, 0) / total
        found.append(Band(figure, share, max(0.0, mean - width), min(1.0, mean + width)))
    return tuple(found)
