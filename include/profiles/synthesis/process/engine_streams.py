"""The streams of an engine process: its pipes, as each end has them, and the log that it writes.

The lane's end never blocks on a process that hangs.
"""

from __future__ import annotations

import logging
import os
import queue
import selectors
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, BinaryIO

from profiles.synthesis.process.protocol import ProtocolMessage, decode, encode

log = logging.getLogger(__name__)

_READ_BYTES = 1 << 16
_PART_BYTES = 1 << 15


class LinePipes:
    """Non-blocking line transport. `at_end` turns true when the process has closed its output.

    `close` may be called while an exchange is running, from a signal handler: the exchange then
    closes the descriptors itself when it returns.
    """

    def __init__(self, writable: IO[bytes], readable: IO[bytes]) -> None:
        self.at_end = False
        self._writable = writable
        self._readable = readable
        self._outgoing: deque[memoryview] = deque()
        self._buffer = bytearray()
        self._exchanging = False
        self._closing = False
        self._selector = selectors.DefaultSelector()
        os.set_blocking(writable.fileno(), False)
        os.set_blocking(readable.fileno(), False)
        self._selector.register(readable, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Writes what the pipe takes; the rest goes out during the next exchange."""
        if not self._closing:
            self._outgoing.append(memoryview(line))
            self._write()

    def exchange(self, timeout: float) -> list[bytes]:
        """Complete lines, waiting up to `timeout` seconds for the first; meanwhile writes."""
        if self._closing:
            return []
        deadline = time.monotonic() + timeout
        self._exchanging = True
        try:
            while True:
                self._write()
                lines = self._read(max(0.0, deadline - time.monotonic()))
                if lines or self.at_end or self._closing or time.monotonic() >= deadline:
                    return lines
        finally:
            self._exchanging = False
            if self._closing:
                self._release()

    def close(self) -> None:
        self._closing = True
        if not self._exchanging:
            self._release()

    def _write(self) -> None:
        while self._outgoing:
            try:
                written = os.write(self._writable.fileno(), self._outgoing[0])
            except BlockingIOError:
                break
            except BrokenPipeError:
                # The end of its output tells the rest; until then there is nobody to write to.
                self._outgoing.clear()
                break
            if written == len(self._outgoing[0]):
                self._outgoing.popleft()
            else:
                self._outgoing[0] = self._outgoing[0][written:]
        self._watch_for_room()

    def _watch_for_room(self) -> None:
        watched = self._writable in self._selector.get_map()
        if self._outgoing and not watched:
            self._selector.register(self._writable, selectors.EVENT_WRITE)
        elif watched and not self._outgoing:
            self._selector.unregister(self._writable)

    def _read(self, timeout: float) -> list[bytes]:
        if not any(key.fileobj is self._readable for key, _ in self._selector.select(timeout)):
            return []
        while True:
            try:
                chunk = os.read(self._readable.fileno(), _READ_BYTES)
            except BlockingIOError:
                break
            if not chunk:
                self.at_end = True
                break
            self._buffer += chunk
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = bytearray(rest)
        return [bytes(line) for line in lines]

    def _release(self) -> None:
        self._outgoing.clear()
        self._selector.close()
        self._writable.close()
        self._readable.close()


class EngineLog:
    """One engine's part of a file that the engines of a lane share, one after another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = 0

    def open(self) -> int:
        """A descriptor to append with; the caller closes it. The file is private to the user."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._start = os.fstat(descriptor).st_size
        return descriptor

    def excerpt(self) -> str:
        """The beginning, which names the engine's settings, and the end of its part."""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(self._start)
                head = file.read(_PART_BYTES)
                file.seek(max(file.tell(), size - _PART_BYTES))
                return (head + file.read()).decode("utf-8", "replace")
        except OSError as error:
            log.warning("the engine's log cannot be read (%s)", error.strerror)
            return ""


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
