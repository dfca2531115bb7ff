"""The two pipes of an engine process as lines, without ever blocking on a process that hangs."""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from typing import IO

__all__ = ["LinePipes"]

_READ_BYTES = 1 << 16


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
        """Closes both pipes; what was not written is dropped."""
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
