"""Lets requests into an engine in groups that fill its prefill steps.

A scheduler with a free slot reads one waiting prompt at once, and nothing is decoded meanwhile; a
step of one prompt takes nearly as long as one of eight. So a request waits until as many slots are
free as prompts fill one step. Where the KV cache holds fewer requests than there are slots, the
scheduler's figures lower the limit to what it runs. Decision 6 has the measurements. Bookkeeping on
one event loop: no engine, no clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque

_MOST_SHARE = 12
"""A group takes at most this share of the room, and a few prompts, so that few slots stay empty."""
_FEWEST = 8
"""Prompts of a group where a step holds fewer: what is left of a chunk goes on in the next."""
_SPARE = 4
"""A group may be larger by so many prompts, where that fills its last step better."""
_GROWING = 4
"""While what runs grows by more than this, the scheduler is reading what was just let in."""
_ROOMY = 0.85
"""Share of the KV cache in use under which the room grows fast."""
_SLOWLY = 128
"""Otherwise it grows by this part of itself, and by one at least, each time nobody waits."""
_SMOOTHING = 0.05
"""Weight of the newest answer in the mean share of prompt tokens that the prefix cache had."""


class Admission:
    """At most `slots` requests are inside at once; `step_tokens` prompt tokens fill one step."""

    def __init__(self, *, slots: int, step_tokens: int) -> None:
        self._slots = max(1, slots)
        self.room = self._slots
        """Current concurrency limit; at most the slots."""
        self._step_tokens = max(1, step_tokens)
        self._ran = 0
        self._queued = False
        self._inside = 0
        self._cached_share = 0.0
        self._waiting: deque[tuple[asyncio.Future[None], int]] = deque()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def observe(self, *, running: int, waiting: int, usage: float) -> None:
        """Take the scheduler's figures: running and queued requests, and the used share of its KV
        cache. A queue that stays while nothing more runs means that the cache is full."""
        if waiting == 0:
            fast = usage < _ROOMY
            more = max(_GROWING, self.room // 4) if fast else max(1, self.room // _SLOWLY)
            self.room = min(self._slots, self.room + more)
        elif self._queued and 0 < running <= self._ran + _GROWING:
            self.room = min(self._slots, running)
        self._queued, self._ran = waiting > 0, running
        self._admit()

    async def enter(self, prompt_tokens: int) -> None:
        """Returns when the request may go to the engine; every one that does has to `leave`."""
        place = (asyncio.get_running_loop().create_future(), prompt_tokens)
        self._waiting.append(place)
        self._admit()
        try:
            await place[0]
        except asyncio.CancelledError:
            if place[0].done() and not place[0].cancelled():
                self.leave()
            else:
                with contextlib.suppress(ValueError):  # It may have been passed over before.
                    self._waiting.remove(place)
                self._admit()
            raise

    def leave(self, *, prompt_tokens: int = 0, cached_tokens: int = 0) -> None:
        """A request has ended; its tokens say how much of a prompt is new to the engine."""
        self._inside -= 1
        if prompt_tokens:
            share = cached_tokens / prompt_tokens
            self._cached_share += (share - self._cached_share) * _SMOOTHING
        self._admit()

    def _admit(self) -> None:
        while self._waiting:
            group = self._next_group()
            if self.room - self._inside < group:
                return
            while group and self._waiting:
                future, _ = self._waiting.popleft()
                if not future.done():  # A cancelled task gives its place away only when it runs.
                    future.set_result(None)
                    self._inside += 1
                    group -= 1

    def _next_group(self) -> int:
        """Count of pending requests to admit next: all of them when they do not make a group."""
        share = self.room // _MOST_SHARE
        most = max(1, share)
        fewest, spare = min(_FEWEST, most), min(_SPARE, share)
        best, best_fill, tokens = 0, 0.0, 0.0
        for number, (_, prompt_tokens) in enumerate(self._waiting, 1):
            tokens += max(1.0, prompt_tokens * (1 - self._cached_share))
            if number < fewest:
                continue
            fill = tokens / (math.ceil(tokens / self._step_tokens) * self._step_tokens)
            if fill > best_fill:
                best, best_fill = number, fill
            is_full = tokens > self._step_tokens and number >= fewest + spare
            if is_full or number >= most + spare:
                return best
        return best or len(self._waiting)
