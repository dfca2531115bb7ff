"""The engine process's end of the protocol: two private descriptors, a writer thread, and which
requests the engine has begun.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from profiles.synthesis.process.protocol import ProtocolMessage, decode, encode

__all__ = ["BegunRequests", "Channel"]


class Channel:
    """The two ends of the protocol, out of reach of whatever a library prints or reads."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="protocol-writer", daemon=True)
        self._writer.start()

    @classmethod
    def take_over_stdio(cls) -> Channel:
        """Moves standard input and output away: 0 becomes /dev/null, 1 becomes standard error."""
        incoming = os.fdopen(os.dup(0), "rb")
        outgoing = os.fdopen(os.dup(1), "wb", buffering=0)
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        return cls(incoming, outgoing)

    def send(self, message: ProtocolMessage) -> None:
        """Queues one message; a slow reader never blocks the event loop."""
        self._lines.put(encode(message))

    def receive(self) -> ProtocolMessage | None:
        """The next message, None at the end; blocks.

        Raises:
            EngineError: the line is no message.
        """
        line = self._incoming.readline()
        return decode(line) if line else None

    def flush(self, seconds: float = 5.0) -> None:
        """Writes what is queued and ends the writer."""
        self._lines.put(None)
        self._writer.join(seconds)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                view = memoryview(line)
                while view:
                    view = view[self._outgoing.write(view) :]
            except OSError:
                # Nobody reads any more; the parent watch ends this process.
                return


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
