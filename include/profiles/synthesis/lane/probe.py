"""What a lane needs of an engine, and the question that tells a broken engine from bad documents.

When everything that was asked failed, either the engine answers nothing or the documents cannot be
answered. One tiny request decides, so that a single such document on a quiet night is refused
like any other instead of failing its lane night after night.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Protocol

from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.lane.assessment import is_fault
from profiles.synthesis.process.protocol import EngineReady, Heartbeat

PROBE_SECONDS = 60.0
_POLL_SECONDS = 0.25
_numbers = itertools.count(1)


class Engine(Protocol):
    """One engine process; `profiles.synthesis.process.engine_client.EngineClient`."""

    @property
    def in_flight(self) -> frozenset[str]:
        """Ids without an answer."""
        ...

    @property
    def exit_code(self) -> int | None:
        """None while the process lives."""
        ...

    def start(self) -> EngineReady:
        """Loads the model."""
        ...

    def submit(self, request: Request) -> None:
        """Sends one request."""
        ...

    def poll(self, timeout: float) -> Sequence[Completion | Heartbeat]:
        """What has arrived; raises EngineError when the process is gone."""
        ...

    def drain(self, timeout: float) -> Sequence[Completion]:
        """What arrives after the engine was told to take nothing new."""
        ...

    def close(self) -> None:
        """Ends the process in peace."""
        ...

    def kill(self) -> None:
        """Ends the process group at once."""
        ...


def answers(engine: Engine, *, clock: Callable[[], float]) -> bool:
    """Whether `engine`, with nothing in flight, answers one tiny request within a minute.

    Raises:
        EngineError: it died over it.
    """
    request = Request(
        request_id=f"probe.{next(_numbers)}.1",
        messages=(Message("user", "Answer with the word yes."),),
        sampling=Sampling(temperature=0.0, max_new_tokens=4),
    )
    engine.submit(request)
    until = clock() + PROBE_SECONDS
    while clock() < until:
        for message in engine.poll(_POLL_SECONDS):
            if isinstance(message, Completion) and message.request_id == request.request_id:
                return not is_fault(message)
    return False
