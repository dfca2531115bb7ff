"""Cost of documents here and at hosted APIs, with the source of each figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from profiles.planning import PRESET_SHARES, NightEstimate
from profiles.settings import Settings, read_yaml

_MILLION = 1_000_000


class HostedModel(BaseModel):
    """One entry of include/prices/hosted_models.yaml; dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str
    model: str
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    batch_discount: float | None = Field(default=None, ge=0, le=1)
    checked: Annotated[str, BeforeValidator(str)] = Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")
    source: str = Field(pattern=r"^https://")
    note: str = ""

    @property
    def name(self) -> str:
        return f"{self.provider} {self.model}"

    def cost(self, prompt_tokens: int, output_tokens: int) -> dict[str, Any]:
        dollars = (prompt_tokens * self.input + output_tokens * self.output) / _MILLION
        discount = self.batch_discount
        return {
            "dollars": round(dollars, 2),
            "batch_dollars": None if discount is None else round(dollars * (1 - discount), 2),
            **self.model_dump(include={"checked", "source", "note"}),
        }


def local_cost(gpu_hours: float, kwh: float | None, price: float | None) -> dict[str, float | None]:
    """Cost of the run on this deployment's own GPUs; None where a figure is unknown."""
    electricity = None if kwh is None or price is None else round(kwh * price, 2)
    return {"gpu_hours": round(gpu_hours, 2), "kwh": kwh, "electricity": electricity}


class Prices(BaseModel):
    models: tuple[HostedModel, ...]


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
    tokens = (estimate.prompt_tokens, estimate.output_tokens)
    return {
        "rows": estimate.documents,
        "prompt_tokens": estimate.prompt_tokens,
        "output_tokens": estimate.output_tokens,
        "output_tokens_per_second_and_lane": round(estimate.tokens_per_second, 1),
        "rate_from": measured.rate_basis,
        "cards_per_lane": cards,
        "gpu_hours": local["gpu_hours"],
        "preset_hours": {
            name: round(estimate.hours * share, 2) for name, share in PRESET_SHARES.items()
        },
        "watts_per_card": round(watts, 1) if cards else None,
        "watts_from": _watts_basis(measured, cards),
        "energy_kwh": local["kwh"],
        "electricity_cost": local["electricity"],
        "hosted": {model.name: model.cost(*tokens) for model in load_prices(settings.prices_file)},
    }


def load_prices(path: Path) -> tuple[HostedModel, ...]:
    advice = (
        "compare it with include/prices/hosted_models.yaml, or let PROFILES_PRICES_FILE name "
        "another file"
    )
    return read_yaml(Prices, path, advice=advice).models


def _watts_basis(measured: Measured, cards: float) -> str:
    if not cards:
        return "the engine needs no GPU"
    if measured.watts is None:
        return "setting PROFILES_CARD_WATTS; no GPU samples of this model in 30 days"
    return "mean of the GPU samples of those runs"
