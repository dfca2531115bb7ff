"""Which requests an engine has begun, told from outside.

An engine answers a whole request and does not say when it began. But it takes requests in their
order and works on a known number at once, so one that has fewer older ones before it than that has
begun, or begins as soon as there is memory for it. Its time is counted from then.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

__all__ = ["BegunRequests"]


class BegunRequests:
    """Requests that an engine has, oldest first. `seconds` is how long one may run, 0 for ever."""

    def __init__(
        self, *, at_once: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = max(1, at_once)
        self._seconds = seconds
        self._clock = clock
        self._began: dict[str, float | None] = {}

    def add(self, request_id: str) -> None:
        """The engine was handed this request."""
        place = len(self._began)
        self._began[request_id] = self._clock() if place < self._at_once else None

    def remove(self, request_id: str) -> None:
        """It was answered, or is not waited for any more."""
        self._began.pop(request_id, None)

    def overdue(self, now: float) -> list[str]:
        """Those that run for longer than they may. Call it every few seconds: it starts clocks."""
        found = []
        for request_id, began in itertools.islice(self._began.items(), self._at_once):
            if began is None:
                self._began[request_id] = now
            elif self._seconds and now - began > self._seconds:
                found.append(request_id)
        return found

    def not_begun(self, running: int | None) -> list[str]:
        """Those that still wait inside the engine, which says that it works on `running`.

        None where it says nothing: then as many as it works on at once may have begun.
        """
        begun = self._at_once if running is None else min(running, self._at_once)
        return list(itertools.islice(self._began, begun, None))
