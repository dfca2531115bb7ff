"""Cost of a run: GPU hours and energy here, dollars and hours of waiting at a hosted API.

Arithmetic on counts alone. Prices and limits are data that a team edits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

_MILLION = 1_000_000
_BATCH_HOURS = 24.0
"""Hours that providers promise for one batch; most end sooner."""


@dataclass(frozen=True, slots=True)
class Workload:
    requests: int
    prompt_tokens: int
    output_tokens: int


class Limits(BaseModel):
    """Rate limits of one tier; None where they are not published."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tier: str = ""
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    input_tokens_per_minute: int | None = Field(default=None, ge=1)
    output_tokens_per_minute: int | None = Field(default=None, ge=1)
    batch_queue_tokens: int | None = Field(default=None, ge=1)

    def hours(self, work: Workload) -> tuple[float, str] | None:
        """The least time for the work, and the limit that makes it; None without a limit."""
        amounts = {
            "requests_per_minute": work.requests,
            "tokens_per_minute": work.prompt_tokens + work.output_tokens,
            "input_tokens_per_minute": work.prompt_tokens,
            "output_tokens_per_minute": work.output_tokens,
        }
        found = [
            (amount / limit / 60, name)
            for name, amount in amounts.items()
            if (limit := getattr(self, name)) is not None
        ]
        return max(found, default=None)


class HostedModel(BaseModel):
    """One entry of include/prices/hosted_models.yaml; dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str
    model: str
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    batch_discount: float | None = Field(default=None, ge=0, le=1)
    limits: Limits = Limits()
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

    def cost(self, work: Workload) -> dict[str, Any]:
        """The bill for the work. `hours` is the least that the rate limit allows, `batch_hours` the
        most that the batch queue takes; None where no limit is known."""
        dollars = (work.prompt_tokens * self.input + work.output_tokens * self.output) / _MILLION
        hours, limited_by = self.limits.hours(work) or (None, None)
        discount, queue = self.batch_discount, self.limits.batch_queue_tokens
        batches = math.ceil(work.prompt_tokens / queue) if queue and discount is not None else None
        return {
            "dollars": round(dollars, 2),
            "hours": None if hours is None else round(hours, 2),
            "limited_by": limited_by,
            "batch_dollars": None if discount is None else round(dollars * (1 - discount), 2),
            "batch_hours": None if batches is None else batches * _BATCH_HOURS,
            "tier": self.limits.tier,
            **self.model_dump(include={"checked", "source", "note"}),
        }


def local_cost(gpu_hours: float, kwh: float | None, price: float | None) -> dict[str, float | None]:
    """Cost of the run on this deployment's own GPUs; None where a figure is unknown."""
    electricity = None if kwh is None or price is None else round(kwh * price, 2)
    return {"gpu_hours": round(gpu_hours, 2), "kwh": kwh, "electricity": electricity}


class Prices(BaseModel):
    models: tuple[HostedModel, ...]
