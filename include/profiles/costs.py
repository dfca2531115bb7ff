"""Cost of a run, and its projection to more candidates.

GPU hours and energy here, dollars and hours of waiting at a hosted API. Arithmetic on counts alone.
Prices and limits are data that a team edits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

PROJECTED = (5_000, 10_000, 50_000, 200_000)
"""Numbers of candidates that a report projects its run to."""

_MILLION = 1_000_000
_BATCH_HOURS = 24
"""Hours that providers promise for one batch; most end sooner."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests and tokens to send."""

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
        most that the batch queue takes; None where no limit is known.

        >>> work = Workload(requests=1000, prompt_tokens=2_000_000, output_tokens=1_000_000)
        >>> HostedModel(provider="A", model="b", input=1, output=5, checked="2026-11",
        ...     source="https://a.example").cost(work)["dollars"]
        7.0
        """
        dollars = (work.prompt_tokens * self.input + work.output_tokens * self.output) / _MILLION
        hours, limited_by = self.limits.hours(work) or (None, None)
        bill: dict[str, Any] = {
            "dollars": round(dollars, 2),
            "hours": None if hours is None else round(hours, 2),
            "limited_by": limited_by,
            "batch_dollars": None,
            "batch_hours": None,
            "tier": self.limits.tier,
            **self.model_dump(include={"checked", "source", "note"}),
        }
        if self.batch_discount is not None:
            bill["batch_dollars"] = round(dollars * (1 - self.batch_discount), 2)
            if queue := self.limits.batch_queue_tokens:
                bill["batch_hours"] = math.ceil(work.prompt_tokens / queue) * float(_BATCH_HOURS)
        return bill


def local_cost(gpu_hours: float, kwh: float | None, price: float | None) -> dict[str, float | None]:
    """Cost of the run on this deployment's own GPUs; None where a figure is unknown.

    >>> local_cost(20.0, 7.0, 0.2)
    {'gpu_hours': 20.0, 'kwh': 7.0, 'electricity': 1.4}
    """
    electricity = None if kwh is None or price is None else round(kwh * price, 2)
    return {"gpu_hours": round(gpu_hours, 2), "kwh": kwh, "electricity": electricity}


class Prices(BaseModel):
    """A file of prices."""

    models: tuple[HostedModel, ...]


def project(
    candidates: int,
    *,
    documents: int,
    prompt_tokens: int,
    output_tokens: int,
    lanes: int,
    cards_per_lane: float,
    rate: float,
    load_seconds: float,
    kwh: float | None,
) -> dict[str, float | None]:
    """A run of `documents` scaled to `candidates` that all need the model, on as many lanes.

    Tokens include those of refused attempts. `rate` is the output tokens per second of one lane,
    `load_seconds` what a lane takes before its first question, `kwh` the energy of all cards.

    >>> project(10_000, documents=100, prompt_tokens=100_000, output_tokens=80_000, lanes=2,
    ...     cards_per_lane=1, rate=4000, load_seconds=36, kwh=0.5)["hours"]
    0.288
    """
    share = candidates / documents
    hours = (output_tokens * share / (rate * lanes) + load_seconds) / 3600
    return {
        "candidates": candidates,
        "hours": round(hours, 3),
        "gpu_hours": round(hours * lanes * cards_per_lane, 3),
        "prompt_tokens": round(prompt_tokens * share),
        "output_tokens": round(output_tokens * share),
        "kwh": None if kwh is None else round(kwh * share, 3),
    }
