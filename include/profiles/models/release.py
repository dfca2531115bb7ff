"""What became of a release: one way to ask, from its first sight to its end."""

from __future__ import annotations

from enum import StrEnum


class ReleaseState(StrEnum):
    """Where a release stands. At most one is approved; the nightly run asks as that one says."""

    PROPOSED = "proposed"
    CANARY = "canary"
    APPROVED = "approved"
    SUPERSEDED = "superseded"
    REFUSED = "refused"
