"""Child side of the hard stop: an engine process never outlives the task that started it.

Draining is a message of the protocol, not a signal. When the launching thread exits, even by
`kill -9`, the kernel sends SIGTERM (PR_SET_PDEATHSIG), and the handler kills the whole process
group, because a grandchild would survive its parent alone. The watch thread does
the same without signals: a library may replace the SIGTERM handler (SGLang does, to drain), and
a handler does not run while the main thread is inside a long library call.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

__all__ = ["follow_parent", "group_memory_bytes", "kill_group"]

_PR_SET_PDEATHSIG = 1
_WATCH_SECONDS = 0.5


def follow_parent(parent_pid: int) -> None:
    """Ties this process and its group to the life of `parent_pid`.

    Must be called in the main thread of a process that leads its own group.
    """
    signal.signal(signal.SIGTERM, _on_signal)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    # The parent may have exited before the kernel knew of the wish.
    if os.getppid() != parent_pid:
        kill_group()
    threading.Thread(target=_watch, args=(parent_pid,), name="parent-watch", daemon=True).start()


def _on_signal(_signum: int, _frame: FrameType | None) -> None:
    kill_group()


def _watch(parent_pid: int) -> None:
    while os.getppid() == parent_pid:
        time.sleep(_WATCH_SECONDS)
    kill_group()


def kill_group() -> None:
    """Kills every process of this group, this one last; does not return."""
    signal_number = signal.SIGKILL
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal_number)
    os.kill(os.getpid(), signal_number)


def group_memory_bytes(group: int) -> int:
    """Memory that the processes of a group hold for themselves; 0 where /proc does not tell.

    Files and what they share is left out: it would count once a process, and it does not leak.
    """
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) == group:
                total += _anonymous_bytes((folder / "status").read_text())
        except OSError:
            continue  # it has ended meanwhile
    return total


def _anonymous_bytes(status: str) -> int:
    """
    >>> _anonymous_bytes("Name:\\tx\\nRssAnon:\\t   2 kB\\n")
    2048
    """
    _, found, rest = status.partition("RssAnon:")
    return int(rest.split(maxsplit=1)[0]) << 10 if found else 0
