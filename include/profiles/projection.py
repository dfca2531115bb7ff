"""What more candidates would take, from what one run took. Arithmetic on counts alone."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROJECTED", "Observed", "Projection", "project"]

PROJECTED = (5_000, 10_000, 50_000, 200_000)


@dataclass(frozen=True, slots=True)
class Observed:
    """One run: `documents` with an outcome and all tokens that they took, refused attempts
    included. `rate` is the output tokens per second of one lane, `load_seconds` what a lane takes
    before its first question, `kwh` the energy of all cards, None where none was measured."""

    documents: int
    prompt_tokens: int
    output_tokens: int
    lanes: int
    cards_per_lane: float
    rate: float
    load_seconds: float
    kwh: float | None


@dataclass(frozen=True, slots=True)
class Projection:
    """`hours` on as many lanes as the run had, their load included."""

    candidates: int
    hours: float
    gpu_hours: float
    prompt_tokens: int
    output_tokens: int
    kwh: float | None


def project(seen: Observed, candidates: int) -> Projection:
    """The run scaled to `candidates` that all need the model.

    >>> seen = Observed(documents=100, prompt_tokens=100_000, output_tokens=80_000, lanes=2,
    ...     cards_per_lane=1, rate=4000, load_seconds=36, kwh=0.5)
    >>> project(seen, 10_000)
    Projection(candidates=10000, hours=0.288, gpu_hours=0.576, prompt_tokens=10000000, \
output_tokens=8000000, kwh=50.0)
    """
    share = candidates / seen.documents
    output_tokens = round(seen.output_tokens * share)
    hours = (output_tokens / (seen.rate * seen.lanes) + seen.load_seconds) / 3600
    return Projection(
        candidates=candidates,
        hours=round(hours, 3),
        gpu_hours=round(hours * seen.lanes * seen.cards_per_lane, 3),
        prompt_tokens=round(seen.prompt_tokens * share),
        output_tokens=output_tokens,
        kwh=None if seen.kwh is None else round(seen.kwh * share, 3),
    )
