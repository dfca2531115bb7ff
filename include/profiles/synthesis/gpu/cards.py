"""The GPUs that this process may use, asked of nvidia-smi, so that no CUDA context is made here."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
from collections.abc import Collection

from profiles.synthesis.gpu.model_shape import Card

__all__ = ["card_memory", "compute_processes", "used_mebibytes", "visible_gpus"]

log = logging.getLogger(__name__)

_IDENTITY = "index,uuid"


def visible_gpus() -> tuple[Card, ...]:
    """The cards named in CUDA_VISIBLE_DEVICES, else all; none where they cannot be told."""
    cards = []
    for name, mebibytes, capability in _visible("name,memory.total,compute_cap"):
        major, _, minor = capability.partition(".")
        try:
            cards.append(Card(name, int(mebibytes) << 20, (int(major), int(minor))))
        except ValueError:
            log.warning("nvidia-smi describes a GPU without numbers; it is not planned for")
            return ()
    return tuple(cards)


def used_mebibytes() -> int | None:
    """Memory in use on the fullest visible card; None where it cannot be told."""
    used = [int(row[0]) for row in _visible("memory.used") if row[0].isdigit()]
    return max(used, default=None)


def card_memory(cards: Collection[str]) -> dict[str, tuple[int, int]]:
    """Used and free mebibytes of these cards, named by index or UUID as in CUDA_VISIBLE_DEVICES."""
    found = {}
    for index, uuid, used, free in _ask(f"--query-gpu={_IDENTITY},memory.used,memory.free", 4):
        for name in (index, uuid):
            if name in cards and used.isdigit() and free.isdigit():
                found[name] = (int(used), int(free))
    return found


def compute_processes(cards: Collection[str]) -> list[tuple[str, int, int]]:
    """Card, process id and mebibytes of whatever computes on these cards.

    In a container the ids may be the host's, or be missing.
    """
    names = {
        uuid: name
        for index, uuid in _ask(f"--query-gpu={_IDENTITY}", 2)
        for name in (index, uuid)
        if name in cards
    }
    rows = _ask("--query-compute-apps=gpu_uuid,pid,used_memory", 3)
    return [
        (names[uuid], int(pid), int(used) if used.isdigit() else 0)
        for uuid, pid, used in rows
        if uuid in names and pid.isdigit()
    ]


def _visible(fields: str) -> list[list[str]]:
    """These fields of each visible card, as nvidia-smi prints them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    wanted = None if named is None else [item.strip() for item in named.split(",")]
    rows = _ask(f"--query-gpu={_IDENTITY},{fields}", 2 + len(fields.split(",")))
    return [row[2:] for row in rows if wanted is None or row[0] in wanted or row[1] in wanted]


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
