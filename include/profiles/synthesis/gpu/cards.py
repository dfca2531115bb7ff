"""The GPUs of this host, asked of nvidia-smi, so that no CUDA context is made, and who holds them.

Every process of an engine carries the run, the lane and the lane's process in its environment. One
whose lane no longer lives is an orphan: nobody reads its answers, and nobody else will end it.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from profiles.synthesis.gpu.model_shape import Card

log = logging.getLogger(__name__)

ENGINE_OF = "PROFILES_ENGINE_OF"
_IDLE_MEBIBYTES = 512
"""More than a card showed before counts as memory that was not released."""
_WAIT_SECONDS = 30.0
_POLL_SECONDS = 0.5
_IDENTITY = "index,uuid"


def visible_gpus() -> tuple[Card, ...]:
    """The cards named in CUDA_VISIBLE_DEVICES, else all; none where nvidia-smi fails."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    wanted = None if named is None else {item.strip() for item in named.split(",")}
    cards = []
    for index, uuid, name, mebibytes, capability in _ask(
        f"--query-gpu={_IDENTITY},name,memory.total,compute_cap", 5
    ):
        if wanted is not None and wanted.isdisjoint((index, uuid)):
            continue
        major, _, minor = capability.partition(".")
        try:
            cards.append(Card(name, int(mebibytes) << 20, (int(major), int(minor))))
        except ValueError:
            log.warning("nvidia-smi describes a GPU without numbers; it is not planned for")
            return ()
    return tuple(cards)


def card_memory(cards: Collection[str]) -> dict[str, tuple[int, int]]:
    """Used and free mebibytes of these cards, named by index or UUID as in CUDA_VISIBLE_DEVICES."""
    return {
        name: (int(used), int(free))
        for index, uuid, used, free in _ask(f"--query-gpu={_IDENTITY},memory.used,memory.free", 4)
        for name in (index, uuid)
        if name in cards and used.isdigit() and free.isdigit()
    }


def engine_marker(run_id: str, lane: int) -> str:
    return f"{run_id}/{lane}@{os.getpid()}:{_start_time(os.getpid())}"


def kill_orphans(cards: Collection[str]) -> list[int]:
    """Kills engine processes on these cards whose lane is gone; returns their ids."""
    ended = []
    for process in psutil.process_iter(["environ"]):
        environment = process.info["environ"] or {}
        marker = environment.get(ENGINE_OF, "")
        pid, _, started = marker.rpartition("@")[2].partition(":")
        on = environment.get("CUDA_VISIBLE_DEVICES", "").split(",")
        is_ours = pid.isdigit() and not set(on).isdisjoint(cards)
        if is_ours and _start_time(int(pid)) != started:
            with suppress(psutil.NoSuchProcess):
                process.kill()
                ended.append(process.pid)
                log.warning(
                    "process %s of engine %s outlived its lane and was killed", process.pid, marker
                )
    return ended


def describe_holders(cards: Collection[str]) -> str:
    """Everybody that computes on these cards, in words; empty where nobody does. In a container the
    ids of processes may be the host's, or be missing."""
    names = {
        uuid: name
        for index, uuid in _ask(f"--query-gpu={_IDENTITY}", 2)
        for name in (index, uuid)
        if name in cards
    }
    rows = _ask("--query-compute-apps=gpu_uuid,pid,used_memory", 3)
    return "; ".join(
        f"card {names[uuid]}: process {pid} of {_user(int(pid))} holds "
        f"{used if used.isdigit() else 0} MiB"
        for uuid, pid, used in rows
        if uuid in names and pid.isdigit()
    )


@dataclass(eq=False)
class CardWatch:
    """The cards of one lane: what they held before its engine, and whether it gave it back."""

    cards: Collection[str]
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self._before = card_memory(self.cards) if self.cards else {}

    def wait_until_free(self) -> bool:
        """Wait half a minute for the driver to free the memory; False if it does not."""
        until = self.clock() + _WAIT_SECONDS
        while held := self._held():
            if self.clock() >= until:
                log.warning(
                    "memory was not released: %s. %s",
                    ", ".join(f"card {card} holds {size} MiB more" for card, size in held.items()),
                    describe_holders(held) or "nvidia-smi names no process",
                )
                return False
            self.sleep(_POLL_SECONDS)
        return True

    def _held(self) -> dict[str, int]:
        """Mebibytes more than before, of the cards where that is much."""
        now = card_memory(self.cards) if self._before else {}
        more = {card: now[card][0] - self._before[card][0] for card in now.keys() & self._before}
        return {card: size for card, size in sorted(more.items()) if size > _IDLE_MEBIBYTES}


def _start_time(pid: int) -> str:
    """Start time of a process in clock ticks since the boot, which no set clock changes."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    # A zombie only waits to be reaped.
    return "" if fields[0] == "Z" else fields[19]


def _user(pid: int) -> str:
    try:
        return f"user {psutil.Process(pid).username()}"
    except psutil.NoSuchProcess:
        return "an unknown user"


def _ask(query: str, columns: int) -> list[list[str]]:
    """The rows of a query of nvidia-smi; none where it cannot tell."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    command = [program, query, "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, fixed arguments
            command, capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("nvidia-smi does not describe the GPUs (%s)", type(error).__name__)
        return []
    rows = [[cell.strip() for cell in line.split(",")] for line in done.stdout.splitlines()]
    return [row for row in rows if len(row) == columns]
