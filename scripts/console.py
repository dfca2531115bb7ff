"""Progress for people: one line per step, with seconds; a live counter on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_TITLE_WIDTH = 44
_SECONDS_BETWEEN_LINES = 15.0


def say(line: str) -> None:
    """One line, shown at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Step:
    """`with Step("title") as step:` shows the title, then how it ended and how long it took."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._started = time.monotonic()
        self._shown = self._started
        self._is_done = False
        self._is_terminal = sys.stdout.isatty()

    def __enter__(self) -> Step:
        return self

    def tick(self, note: str = "") -> None:
        """Shows that time passes: rewrites the line on a terminal, else a line now and then."""
        now = time.monotonic()
        if self._is_terminal:
            self._write(
                f"\r\x1b[K  … {self._title:<{_TITLE_WIDTH}} {now - self._started:5.0f} s  {note}"
            )
        elif now - self._shown >= _SECONDS_BETWEEN_LINES:
            self._shown = now
            say(f"  … {self._title:<{_TITLE_WIDTH}} {now - self._started:5.0f} s  {note}")

    def done(self, note: str = "") -> None:
        """Ends the step well."""
        self._end("✓", note)

    def failed(self, note: str = "") -> None:
        """Ends the step badly."""
        self._end("✗", note)

    def _end(self, mark: str, note: str) -> None:
        self._is_done = True
        seconds = time.monotonic() - self._started
        start = "\r\x1b[K" if self._is_terminal else ""
        self._write(
            f"{start}  {mark} {self._title:<{_TITLE_WIDTH}} {seconds:5.1f} s  {note}".rstrip()
        )
        say("")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._is_done:
            self.failed() if error is not None else self.done()
