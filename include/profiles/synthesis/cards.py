"""The GPUs that this process may use, asked of nvidia-smi, so that no CUDA context is made here."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess

from profiles.synthesis.parallelism import Card

__all__ = ["visible_gpus"]

log = logging.getLogger(__name__)

_QUERY = "--query-gpu=index,uuid,name,memory.total,compute_cap"


def visible_gpus() -> tuple[Card, ...]:
    """The cards named in CUDA_VISIBLE_DEVICES, else all; none where they cannot be told."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    command = [program, _QUERY, "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, fixed arguments
            command, capture_output=True, text=True, timeout=30, check=True
        )
        rows = [[cell.strip() for cell in line.split(",")] for line in done.stdout.splitlines()]
        return _chosen(rows)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        log.warning("nvidia-smi does not describe the GPUs (%s)", type(error).__name__)
        return ()


def _chosen(rows: list[list[str]]) -> tuple[Card, ...]:
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    wanted = None if named is None else [item.strip() for item in named.split(",")]
    cards = []
    for index, uuid, name, mebibytes, capability in rows:
        if wanted is None or index in wanted or uuid in wanted:
            major, _, minor = capability.partition(".")
            cards.append(Card(name, int(mebibytes) << 20, (int(major), int(minor))))
    return tuple(cards)
