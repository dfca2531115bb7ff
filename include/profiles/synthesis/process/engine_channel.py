"""The engine process's end of the protocol: two private descriptors and a writer thread."""

from __future__ import annotations

import os
import queue
import threading
from pathlib import Path
from typing import BinaryIO

from profiles.synthesis.process.protocol import ProtocolMessage, decode, encode

__all__ = ["Channel"]


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
