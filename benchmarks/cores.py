"""The cores that a measurement may use, and what a local Postgres took of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.people import in_own_process, say


def keep_to(cores: int) -> None:
    """This process, the server and all their children run on so many cores from here on."""
    chosen = set(sorted(os.sched_getaffinity(0))[:cores])
    os.sched_setaffinity(0, chosen)
    postmaster = in_own_process(_postmaster)
    if postmaster is None:
        raise SystemExit("--cores needs a Postgres on this machine: leave the option out")
    for pid in [postmaster, *(pid for pid, stat in _processes() if stat[0] == postmaster)]:
        try:
            os.sched_setaffinity(pid, chosen)
        except ProcessLookupError:
            continue
    say(f"measuring on cores {sorted(chosen)}")


def postgres_cpu() -> float:
    """CPU seconds of a local server and of all its processes, those that ended included."""
    postmaster = _postmaster()
    if postmaster is None:
        return 0.0
    living = sum(found[1] for _, found in _processes() if found[0] == postmaster)
    own = _stat(postmaster)
    return living + (own[1] + own[2] if own else 0.0)


def _postmaster() -> int | None:
    """The server's main process, None when it is not on this machine."""
    from profiles.storage.connection import open_database

    with open_database().connect() as connection:
        backend = _stat(connection.info.backend_pid)
    return backend[0] if backend else None


def _processes() -> Iterator[tuple[int, tuple[int, float, float]]]:
    """Every process of this machine by its id, as `_stat` gives it."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (found := _stat(int(entry.name))) is not None:
            yield int(entry.name), found


def _stat(pid: int) -> tuple[int, float, float] | None:
    """A process's parent, its CPU seconds and those of its ended children; None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    user, system, ended_user, ended_system = (int(value) / ticks for value in fields[11:15])
    return int(fields[1]), user + system, ended_user + ended_system
