"""A team's own function for PROFILES_ON_FAILURE: keeps what it was told."""

from __future__ import annotations

from profiles.alerts import Alert

TOLD: list[Alert] = []


def keep(alert: Alert) -> None:
    TOLD.append(alert)
