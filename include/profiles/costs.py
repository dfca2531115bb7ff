"""Cost of a run: GPU hours and energy here, dollars at hosted APIs by a team's own price list."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

_MILLION = 1_000_000


class HostedModel(BaseModel):
    """One entry of include/prices/hosted_models.yaml; dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str
    model: str
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    batch_discount: float | None = Field(default=None, ge=0, le=1)
    checked: str = Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")
    source: str = Field(pattern=r"^https://")
    note: str = ""

    @field_validator("checked", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        """YAML reads a whole date as one."""
        return str(value)

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
