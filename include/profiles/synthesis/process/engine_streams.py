"""The pipes of an engine process, as each end has them.

Threads read and write the pipes, so that neither end waits for a process that hangs.
"""

from __future__ import annotations

import io
import os
import queue
import threading
from pathlib import Path
from typing import IO, cast

from profiles.synthesis.process.protocol import ProtocolMessage, decode, encode

_JOIN_SECONDS = 1.0


class Channel:
    """The two ends of the protocol, out of reach of whatever a library prints or reads."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
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
        """The next message, None at the end; blocks. EngineError where the line is none."""
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


class PolledChannel(Channel):
    """The lane's end. `at_end` turns true when the process has closed its output."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        super().__init__(io.BufferedReader(cast(io.RawIOBase, incoming)), outgoing)
        self.at_end = False
        self._received: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="protocol-reader", daemon=True)
        self._reader.start()

    def poll(self, timeout: float) -> list[ProtocolMessage]:
        """Return the received messages, waiting up to `timeout` seconds for the first."""
        try:
            lines = [self._received.get(timeout=max(0.0, timeout))]
        except queue.Empty:
            return []
        while not self._received.empty():
            lines.append(self._received.get())
        self.at_end = self.at_end or None in lines
        return [decode(line) for line in lines if line is not None]

    def close(self) -> None:
        """Close both pipes of a process that has ended; a signal handler may call it too."""
        self.flush(_JOIN_SECONDS)
        self._reader.join(_JOIN_SECONDS)
        for thread, pipe in ((self._writer, self._outgoing), (self._reader, self._incoming)):
            if not thread.is_alive():
                pipe.close()

    def _read(self) -> None:
        # A crash may cut the last line short.
        while (line := self._incoming.readline()).endswith(b"\n"):
            self._received.put(line)
        self._received.put(None)
