"""What one card did at one time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class GpuSample:
    """One card at one time; None for what its driver does not tell."""

    sampled_at: datetime
    index: int
    uuid: str
    name: str
    celsius: int | None
    watts: float | None
    utilisation: int | None
    memory_used_mb: int | None
    memory_total_mb: int | None
    sm_mhz: int | None
    memory_mhz: int | None
    throttle: tuple[str, ...]
    lost_before: int = 0

    def to_row(self) -> dict[str, Any]:
        """The sample as JSON-ready values."""
        return {**asdict(self), "sampled_at": self.sampled_at.isoformat()}
