"""The log file that an engine process writes, and what of it explains its end."""

from __future__ import annotations

import logging
import os
from pathlib import Path

__all__ = ["EngineLog"]

log = logging.getLogger(__name__)

_PART_BYTES = 1 << 15


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
