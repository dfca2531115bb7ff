"""Memory in use on the visible cards, read with nvidia-smi. Standard library only."""

from __future__ import annotations

import os
import subprocess
import time

QUERY = ["nvidia-smi", "--format=csv,noheader,nounits"]


def query(what: str) -> list[list[str]]:
    """Rows of a `nvidia-smi --query-…` table, for example `--query-gpu=name,memory.used`.

    Cards that CUDA_VISIBLE_DEVICES hides from this process are left out.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    chosen = [f"--id={visible}"] if visible else []
    done = subprocess.run(
        [*QUERY, *chosen, what], capture_output=True, text=True, timeout=30, check=True
    )
    return [[cell.strip() for cell in line.split(",")] for line in done.stdout.splitlines() if line]


def card() -> str:
    """Name, memory and driver of the first card."""
    name, memory, driver = query("--query-gpu=name,memory.total,driver_version")[0]
    return f"{name}, {memory} MiB, driver {driver}"


def used_mib() -> int:
    """Memory in use on the fullest card."""
    return max(int(row[0]) for row in query("--query-gpu=memory.used"))


def process_ids() -> list[int]:
    """Processes that hold memory on any visible card."""
    return [int(row[0]) for row in query("--query-compute-apps=pid") if row[0].isdigit()]


def seconds_until_free(limit_mib: int, timeout: float) -> float | None:
    """Seconds until no card uses more than `limit_mib`; None when it takes too long."""
    started = time.monotonic()
    while time.monotonic() - started < timeout:
        if used_mib() <= limit_mib:
            return round(time.monotonic() - started, 2)
        time.sleep(0.25)
    return None
