"""GPU hours and energy of documents, with the source of each figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from profiles.planning import NightEstimate
from profiles.settings import Settings


def local_cost(gpu_hours: float, kwh: float | None, price: float | None) -> dict[str, float | None]:
    """Cost of the run on this deployment's own GPUs; None where a figure is unknown."""
    electricity = None if kwh is None or price is None else round(kwh * price, 2)
    return {"gpu_hours": round(gpu_hours, 2), "kwh": kwh, "electricity": electricity}


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of runs of the same model and engine; None and 0 where there are none."""

    output_tokens_each: float | None
    tokens_per_second: float | None
    runs: int
    lanes: int
    newest_run: str | None
    cards: float | None
    watts: float | None

    @property
    def rate_basis(self) -> str:
        if self.tokens_per_second is None:
            return "setting PROFILES_MEASURED_TOKENS_PER_SECOND; no run of this model in 30 days"
        return (
            f"median of {self.lanes} lanes of {self.runs} runs in 30 days, the newest "
            f"{self.newest_run}"
        )


def plan_cost(
    estimate: NightEstimate, measured: Measured, settings: Settings, *, cards_per_lane: float
) -> dict[str, Any]:
    """The cost of the estimate, JSON-ready. `cards_per_lane` counts where no lane was measured."""
    cards = cards_per_lane if measured.cards is None else measured.cards
    watts = settings.card_watts if measured.watts is None else measured.watts
    gpu_hours = estimate.output_tokens / estimate.tokens_per_second / 3600 * cards
    kwh = round(gpu_hours * watts / 1000, 3) if cards else None
    local = local_cost(gpu_hours, kwh, settings.electricity_price)
    return {
        "rows": estimate.documents,
        "prompt_tokens": estimate.prompt_tokens,
        "output_tokens": estimate.output_tokens,
        "output_tokens_per_second_and_lane": round(estimate.tokens_per_second, 1),
        "rate_from": measured.rate_basis,
        "cards_per_lane": cards,
        "gpu_hours": local["gpu_hours"],
        "watts_per_card": round(watts, 1) if cards else None,
        "watts_from": _watts_basis(measured, cards),
        "energy_kwh": local["kwh"],
        "electricity_cost": local["electricity"],
    }


def _watts_basis(measured: Measured, cards: float) -> str:
    if not cards:
        return "the engine needs no GPU"
    if measured.watts is None:
        return "setting PROFILES_CARD_WATTS; no GPU samples of this model in 30 days"
    return "mean of the GPU samples of those runs"
